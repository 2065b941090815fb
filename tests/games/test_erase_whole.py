"""Forgetting a person that is broken off goes on, and meets a person who is just sitting down."""

import threading

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.test import Client

from accounts.models import User
from games.models import Holder, Table
from games.rules.ruleset import Ruleset
from games.services import erasing
from games.services.erasing import person_erased
from games.services.errors import PersonGone
from games.services.people import erase_kept, erased_due
from games.services.seats import seat_join
from games.services.tables import SeatPlan, TablePlan, table_drafted, table_open
from tests.games.gathering import LATER, check_seats_whole, draft
from tests.games.stored import NOW, everything, in_threads, person


@pytest.fixture
def zeb() -> User:
    return User.objects.create_user("zeb@example.org", name="Zeb", verified=True)


@pytest.mark.sqlite_too
@pytest.mark.django_db
def test_what_is_broken_off_goes_on_by_the_clock(zeb: User, monkeypatch: pytest.MonkeyPatch) -> None:
    draft(zeb)

    def broken(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(erasing, "_made_former", broken)
    with pytest.raises(OSError, match=r"^$"):
        person_erased(user_id=zeb.pk, now=LATER, due=False)
    monkeypatch.undo()
    # A page that was open still does not stop it half way.
    erase_kept(user=zeb)
    assert erased_due(now=LATER) == [zeb.pk]
    assert person_erased(user_id=zeb.pk, now=LATER)
    assert not User.objects.exists()


@pytest.mark.sqlite_too
@pytest.mark.django_db
def test_a_seat_taken_after_the_tables_were_looked_for_is_found(zeb: User, monkeypatch: pytest.MonkeyPatch) -> None:
    looked, tables = erasing._tables_of, [draft(person(), 2)]

    def late(user: User) -> list[int]:
        found = looked(user)
        for table in tables:
            seat = table.seat_set.get(number=1)
            Holder.objects.create(table=table, seat=seat, user=user, name="Zeb", since=LATER)
        tables.clear()
        return found

    monkeypatch.setattr(erasing, "_tables_of", late)
    assert person_erased(user_id=zeb.pk, now=LATER, due=False)
    assert not User.objects.filter(pk=zeb.pk).exists()


@pytest.mark.django_db(transaction=True)
def test_none_is_taken_once_erasing_has_begun(zeb: User, monkeypatch: pytest.MonkeyPatch) -> None:
    table = draft(person(), 2)
    seated, looked_for = threading.Event(), threading.Event()
    tables_of = erasing._tables_of

    def slow(user: User) -> list[int]:
        found = tables_of(user)
        looked_for.set()
        seated.wait(10)
        return found

    monkeypatch.setattr(erasing, "_tables_of", slow)

    def act(number: int) -> object:
        if number:
            return person_erased(user_id=zeb.pk, now=LATER, due=False)
        looked_for.wait(10)
        try:
            return seat_join(table_id=table.pk, user=zeb, now=LATER)
        finally:
            seated.set()

    late, erased = in_threads(2, act)
    assert (type(late), erased) == (PersonGone, True)
    assert not User.objects.filter(pk=zeb.pk).exists()
    check_seats_whole(Table.objects.get(pk=table.pk))


@pytest.mark.sqlite_too
@pytest.mark.django_db
def test_nobody_else_is_forgotten_in_part(zeb: User) -> None:
    """Somebody of the same name, and one whose address holds the other's, keep what is theirs."""
    other = User.objects.create_user("jo-zeb@example.org.in", name="Zeb", verified=True)
    about = {"content_type": ContentType.objects.get_for_model(User), "action_flag": CHANGE, "user": other}
    LogEntry.objects.create(object_id=str(other.pk), object_repr="Zeb", **about)
    LogEntry.objects.create(object_id=str(other.pk), object_repr=other.email or "", **about)
    LogEntry.objects.create(object_id=str(zeb.pk), object_repr="Zeb", **about)
    LogEntry.objects.create(object_id="0", object_repr="x", change_message="To <zeb@example.org>.", **about)
    there = Client()
    there.post("/accounts/signin/", {"login": other.email})
    assert person_erased(user_id=zeb.pk, now=LATER, due=False)
    assert set(LogEntry.objects.values_list("object_id", flat=True)) == {str(other.pk)}
    assert LogEntry.objects.count() == 2
    assert there.get("/accounts/code/").status_code == 200


@pytest.mark.sqlite_too
@pytest.mark.django_db(transaction=True)
def test_whoever_is_erased_meanwhile_opens_no_table(zeb: User) -> None:
    gone = User.objects.get(pk=zeb.pk)
    assert person_erased(user_id=zeb.pk, now=NOW, due=False)
    before = everything()
    plan = TablePlan(gone, "Late", Ruleset())
    with pytest.raises(PersonGone):
        table_open(plan=plan, seats=[SeatPlan(user=gone), *[SeatPlan(bot="easy")] * 3], now=NOW)
    with pytest.raises(PersonGone):
        table_drafted(plan=plan, seats=[SeatPlan(user=gone), *[SeatPlan()] * 3], now=NOW)
    assert everything() == before
