"""A guest becomes part of an account: all that is theirs, and nothing that lets a browser in."""

from collections.abc import Callable
from datetime import date

import pytest
from django.db.models import ForeignObjectRel

from accounts.models import Block, User
from games.models import Game, Holder, Report, Seen, Table, Vacation
from games.selectors.effective import effective_of
from games.services.office.errors import (
    Changed,
    MergeUnfit,
    NotYourself,
    ReasonNeeded,
    UserGone,
)
from games.services.office.merging import DROPPED, LOOKED_AT, MOVED
from tests.games.gathering import LATER, draft
from tests.games.merging import guest, merging, out
from tests.games.office import left, refused, told, verified
from tests.games.pages import client_of
from tests.games.stored import NOW, game_of, over, people, person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite_too]


def test_a_guests_seats_are_the_accounts(by: User) -> None:
    gul, nani, others = guest(), person("Nani"), people(2)
    game = over(game_of(persons=[gul, *others]))
    result = effective_of([game])[game.pk].result
    running = game_of(persons=[gul, *others])
    Table.objects.filter(pk=running.table_id).update(host=gul)
    client = client_of(gul)
    revision = running.revision
    audit = merging(gul, nani, by)
    assert audit == left("merge", by=by)
    assert (audit.person, audit.after) == (nani, {"tables": [game.table.code, running.table.code], "seats": 2})
    assert not User.objects.filter(pk=gul.pk).exists()
    called = dict(Holder.objects.filter(user=nani).values_list("table", "name"))
    assert called == {game.table_id: "Gul", running.table_id: "Gul"}
    assert Table.objects.get(pk=running.table_id).host == nani
    assert effective_of([game])[game.pk].result == result
    assert not client.get("/").wsgi_request.user.is_authenticated
    assert Game.objects.get(pk=running.pk).revision > revision
    assert told(audit) == ["Nani"]
    verified()


def test_all_else_of_a_guest_is_the_accounts(by: User) -> None:
    gul, nani, roza, bilal = guest(), person("Nani"), person("Roza"), person("Bilal")
    game, running = (game_of(persons=[gul, roza, bilal]) for _ in range(2))
    Seen.objects.create(user=gul, game=running, number=3)
    Seen.objects.create(user=gul, game=game, number=5)
    Seen.objects.create(user=nani, game=game, number=2)
    Vacation.objects.create(user=gul, first=date(2026, 3, 1), last=date(2026, 3, 4), zone="UTC", made=NOW)
    Block.objects.create(owner=gul, other=bilal)
    Report.objects.create(kind="name", by=gul, about=roza, said="Roza", at=NOW)
    Report.objects.create(kind="person", by=roza, about=gul, said="Gul", at=NOW)
    gul.notices, gul.zone = {"your_turn": "never", "invite": "digest"}, "Asia/Kolkata"
    gul.save()
    nani.notices = {"invite": "now"}
    nani.save()
    merging(gul, nani, by)
    assert dict(Seen.objects.filter(user=nani).values_list("game", "number")) == {running.pk: 3, game.pk: 5}
    assert Vacation.objects.get().user == nani
    assert (Block.objects.get().owner, Block.objects.get().other) == (nani, bilal)
    assert [(each.by, each.about) for each in Report.objects.order_by("pk")] == [(nani, roza), (roza, nani)]
    nani.refresh_from_db()
    assert (nani.notices, nani.zone) == ({"your_turn": "never", "invite": "now"}, "Asia/Kolkata")


def test_reports_that_would_be_of_oneself_or_come_twice_are_nobodys(by: User) -> None:
    gul, nani, roza = guest(), person("Nani"), person("Roza")
    for reporter, about in ((gul, nani), (gul, roza), (nani, roza)):
        Report.objects.create(kind="name", by=reporter, about=about, said="X", at=NOW)
    merging(gul, nani, by)
    assert [(each.by, each.about) for each in Report.objects.order_by("pk")] == [
        (None, nani),
        (None, roza),
        (nani, roza),
    ]


def test_reports_of_tables_that_would_come_twice_or_be_of_ones_own_are_nobodys(by: User) -> None:
    gul, nani = guest(), person("Nani")
    mine, theirs = draft(nani), draft(person("Host"))
    for reporter, table in ((gul, mine), (gul, theirs), (nani, theirs)):
        Report.objects.create(kind="table", by=reporter, table=table, said="X", at=NOW)
    merging(gul, nani, by)
    assert [(each.by, each.table) for each in Report.objects.order_by("pk")] == [
        (None, mine),
        (None, theirs),
        (nani, theirs),
    ]


def _same_table(gul: User, nani: User) -> None:
    game_of(persons=[gul, nani, person()])


def _long_ago(gul: User, nani: User) -> None:
    game = game_of(persons=[gul, nani, person()])
    Holder.objects.filter(table=game.table, user=nani).update(until=NOW)


def _blocked(gul: User, nani: User) -> None:
    Block.objects.create(owner=gul, other=nani)


def _host_blocks(gul: User, nani: User) -> None:
    host = person("Host")
    table = draft(host)
    Holder.objects.create(table=table, seat=table.seat_set.get(number=1), user=gul, name="Gul", since=NOW)
    Block.objects.create(owner=host, other=nani)


def _with_address(gul: User, _: User) -> None:
    User.objects.filter(pk=gul.pk).update(email="gul@example.org")


def _guest_too(_: User, nani: User) -> None:
    User.objects.filter(pk=nani.pk).update(email=None)


def _kept_out(gul: User, _: User) -> None:
    out(gul)


def _deleted_soon(_: User, nani: User) -> None:
    User.objects.filter(pk=nani.pk).update(erase_at=LATER)


@pytest.mark.parametrize(
    "make",
    [_same_table, _long_ago, _blocked, _host_blocks, _with_address, _guest_too, _kept_out, _deleted_soon],
)
def test_two_who_cannot_be_one_stay_two(by: User, make: Callable[[User, User], None]) -> None:
    gul, nani = guest(), person("Nani")
    make(gul, nani)
    gul.refresh_from_db()
    with refused(MergeUnfit):
        merging(gul, nani, by)


def test_what_else_of_merging_is_refused(by: User) -> None:
    gul, nani = guest(), person("Nani")
    with refused(MergeUnfit):
        merging(gul, gul, by)
    with refused(UserGone):
        merging(gul, nani, by, into_id=0)
    with refused(Changed):
        merging(gul, nani, by, seen="0")
    with refused(ReasonNeeded):
        merging(gul, nani, by, why="")
    with refused(NotYourself):
        merging(gul, by, by)


def test_merging_knows_of_all_that_refers_to_people() -> None:
    links = [each for each in User._meta.get_fields(include_hidden=True) if isinstance(each, ForeignObjectRel)]
    relations = {f"{each.related_model._meta.label}.{each.field.name}" for each in links}
    known = {f"{model._meta.label}.{name}" for model, names in MOVED.items() for name in names}
    known |= DROPPED | {"games.Holder.user"}
    known |= {each for each in relations if each.rpartition(".")[0] in LOOKED_AT}
    assert relations == known
