"""Forgetting a person (S38): no trace in the database, and what the others played stays whole and verifies."""

import datetime as dt
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.core import mail
from django.db import connection
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from accounts.models import Block, User
from games import tasks
from games.models import Game, Holder, Invite, Notice, Result, Table
from games.selectors.games import held_seats
from games.selectors.records import game_record
from games.selectors.series import series_of
from games.services import erasing
from games.services.erasing import person_erased
from games.services.people import GRACE, erase_asked, erase_kept, erased_due
from games.services.seats import seat_left
from games.services.verify import game_ids, game_verify
from tests.games.conftest import Tasks
from tests.games.gathering import LATER, draft, invite, seated, sit, told
from tests.games.stored import NOW, game_of, over, people, person, play_on

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_too]

NAME, ADDRESS = "Zebunnisa Q", "zebunnisa@example.org"


@pytest.fixture
def zeb() -> User:
    return User.objects.create_user(ADDRESS, name=NAME, verified=True)


def erased(user: User) -> bool:
    return person_erased(user_id=user.pk, now=LATER, due=False)


def dump() -> str:
    """All tables of the database as text, with what sessions hold in the clear."""
    found = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            found += [repr([bytes(each) if isinstance(each, memoryview) else each for each in row]) for row in cursor]
    found += [repr(each.get_decoded()) for each in Session.objects.all()]
    return "\n".join(found).casefold()


def everywhere(user: User, folder: Path) -> dict[str, Any]:
    """Put a person into every table of the database in which one can be."""
    others = people(3)
    done = over(game_of(persons=[user, *others[:2]], bots=1))
    running = game_of(persons=[others[0], user, others[1]])
    Table.objects.filter(pk=running.table.pk).update(host=user, name=f"{NAME}'s table", title=f"O {NAME.upper()}!")
    play_on(running, lambda state: state.tricks >= 1)
    waiting = draft(others[2], name="Waits")
    sit(waiting, user)
    alone, handed = draft(user, name=f"Only {NAME}"), draft(user, name="Handed")
    sit(handed, others[0])
    came_by = invite(draft(others[0]), ADDRESS, name=NAME)
    invite(handed, "somebody@example.org", sender=user)
    Notice.objects.create(kind="invite", email=ADDRESS, key="a", created=NOW, due=NOW, invite=came_by)
    Notice.objects.create(kind="table_started", user=user, key="b", created=NOW, due=NOW)
    Block.objects.create(owner=user, other=others[0])
    Block.objects.create(owner=others[1], other=user)
    Authenticator.objects.create(user=user, type="webauthn", data={"name": NAME})
    client, stranger = Client(), Client()
    client.force_login(user)
    UserSession.objects.create(user=user, ip="127.0.0.1", user_agent="x", session_key=client.session.session_key)
    session = stranger.session
    session["account_login"] = {"email": ADDRESS}
    session.save()
    about = {"content_type": ContentType.objects.get_for_model(User), "action_flag": CHANGE, "object_repr": NAME}
    LogEntry.objects.create(user=others[0], object_id=str(user.pk), **about)
    LogEntry.objects.create(user=others[0], object_id="0", **about | {"object_repr": ADDRESS})
    mailed(folder)
    return {"others": others, "done": done, "running": running, "waiting": waiting, "alone": alone, "handed": handed}


def mailed(folder: Path) -> None:
    """Put mails to them, about them, and one that has nothing to do with them into a folder."""
    folder.mkdir(exist_ok=True)
    for number, (to, text) in enumerate([(ADDRESS, "x"), ("b@example.org", f"See {ADDRESS}"), ("c@example.org", "x")]):
        message = EmailMessage()
        message["To"] = to
        message.set_content(text)
        (folder / f"{number}.eml").write_bytes(message.as_bytes())


def test_nothing_is_left(
    zeb: User, tmp_path: Path, settings: Settings, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    settings.MAIL_FOLDER = tmp_path / "mail"
    everywhere(zeb, settings.MAIL_FOLDER)
    before = dump()
    assert before.count(ADDRESS) >= 5
    assert before.count(NAME.casefold()) >= 8
    with django_capture_on_commit_callbacks(execute=connection.vendor != "sqlite") as callbacks:
        assert erased(zeb)
    if connection.vendor == "sqlite":
        # Its journal cannot be emptied within the transaction that a test is.
        for each in callbacks:
            if "_mails_dropped" in repr(each):
                each()
    after = dump()
    assert ADDRESS not in after
    assert NAME.casefold() not in after
    assert sorted(path.name for path in settings.MAIL_FOLDER.iterdir()) == ["2.eml"]
    assert not User.objects.filter(pk=zeb.pk).exists()
    assert not erased(zeb)


def test_what_the_others_played_stays_whole(zeb: User, tmp_path: Path, settings: Settings) -> None:
    settings.MAIL_FOLDER = tmp_path / "mail"
    found = everywhere(zeb, settings.MAIL_FOLDER)
    done, others = found["done"], found["others"]
    record, result = game_record(done), Result.objects.values().get(game=done)
    hashes = list(Game.objects.order_by("pk").values_list("pk", "last_hash", "version"))
    standings = series_of(viewer=others[0], code=done.table.code, now=NOW).standings
    erased(zeb)
    for game_id in game_ids():
        game_verify(game_id=game_id)
    assert game_record(done) == record
    assert Result.objects.values().get(game=done) == result
    assert list(Game.objects.order_by("pk").values_list("pk", "last_hash", "version")) == hashes
    now = series_of(viewer=others[0], code=done.table.code, now=NOW).standings
    assert [(each.place, each.losses, each.legs) for each in now] == [
        (each.place, each.losses, each.legs) for each in standings
    ]
    assert {each.name for each in now} ^ {each.name for each in standings} == {NAME, "Former player 1"}
    assert seated(done.table)[0] == (0, "Former player 1", "")


def test_pages_of_the_others_stay_whole(zeb: User, tmp_path: Path, settings: Settings) -> None:
    settings.MAIL_FOLDER = tmp_path / "mail"
    found = everywhere(zeb, settings.MAIL_FOLDER)
    erased(zeb)
    client, done, running = Client(), found["done"], found["running"]
    client.force_login(found["others"][0])
    pages = ["/", f"/tables/{done.table.code}/", f"/games/{done.code}/", f"/games/{done.code}/replay/3/"]
    pages += [f"/games/{running.code}/", f"/games/{running.code}/replay/1/", f"/games/{done.code}/record.json"]
    for page in pages:
        answer = client.get(page)
        assert answer.status_code == 200, page
        assert NAME not in answer.content.decode()
    assert "Former player 1" in client.get(f"/games/{done.code}/").content.decode()


def test_seats_and_hosts(zeb: User, tmp_path: Path, settings: Settings) -> None:
    settings.MAIL_FOLDER = tmp_path / "mail"
    found = everywhere(zeb, settings.MAIL_FOLDER)
    running, waiting, others = found["running"], found["waiting"], found["others"]
    erased(zeb)
    # A bot plays on, and the seat's past is a former player's.
    assert held_seats(running.table.pk)[1].bot
    past = Holder.objects.get(table=running.table, seat__number=1, until__isnull=False)
    assert (past.user, past.bot, past.name) == (None, "", "Former player 1")
    table = Table.objects.get(pk=running.table.pk)
    assert (table.host, table.name, table.title) == (others[0], "Former player 1's table", "O Former player 1!")
    # A free seat before the start, and a host who has sat there longest, or none.
    assert [name for _, name, _ in seated(waiting)] == ["P2"]
    assert Table.objects.get(pk=found["alone"].pk).status == "closed"
    assert Table.objects.get(pk=found["handed"].pk).host == others[0]
    assert told("host_handed") == ["P0", "P0"]
    assert Invite.objects.get(email="somebody@example.org").sender is None


def test_the_game_goes_on_and_charges_who_left(zeb: User) -> None:
    game = game_of(persons=[zeb, *people(2)])
    play_on(game, lambda state: state.tricks >= 1)
    erased(zeb)
    game.refresh_from_db()
    over(game)
    result = Result.objects.get(game=game)
    if result.loser == 0:
        assert result.holder is not None
        assert result.holder.name == "Former player 1"
    game_verify(game_id=game.pk)


def test_former_players_are_numbered_by_table(zeb: User) -> None:
    other, third = people(2)
    one, two = game_of(persons=[zeb, other, third]), game_of(persons=[third, zeb, other])
    erased(other)
    erased(zeb)
    for game in (one, two):
        gone = Holder.objects.filter(table=game.table, user=None, bot="")
        assert set(gone.values_list("name", flat=True)) == {"Former player 1", "Former player 2"}


def test_one_person_is_one_former_player(zeb: User) -> None:
    other = person("Bilal")
    table = draft(other, joins="invited")
    held = sit(table, zeb, invite=invite(table, ADDRESS))
    Holder.objects.filter(pk=held.pk).update(until=LATER)
    sit(table, zeb, invite=invite(table, created=LATER + dt.timedelta(seconds=1)))
    assert Holder.objects.filter(table=table, user=zeb).count() == 2
    erased(zeb)
    assert set(Holder.objects.filter(table=table, user=None).values_list("name", flat=True)) == {"Former player 1"}


def test_preset_titles_and_parts_of_words_stay(zeb: User) -> None:
    game = game_of(persons=[zeb, *people(2)])
    User.objects.filter(pk=zeb.pk).update(name="Chai Maker")
    Table.objects.filter(pk=game.table.pk).update(title="Chai Maker", name="Chai Makers and a chai maker")
    erased(zeb)
    table = Table.objects.get(pk=game.table.pk)
    assert (table.title, table.name) == ("Chai Maker", "Chai Makers and a Former player 1")


def test_long_names_are_cut(zeb: User) -> None:
    game = game_of(persons=[zeb, *people(2)])
    User.objects.filter(pk=zeb.pk).update(name="A")
    Table.objects.filter(pk=game.table.pk).update(name="A " * 30)
    erased(zeb)
    assert len(Table.objects.get(pk=game.table.pk).name) == 60


class TestTwoWeeks:
    def test_asked_told_and_kept(self, zeb: User) -> None:
        assert erase_asked(user=zeb, now=NOW) == NOW + GRACE
        assert erase_asked(user=zeb, now=LATER) == NOW + GRACE
        assert [(each.to, vars(each)["sent_using"]) for each in mail.outbox] == [([ADDRESS], "security")]
        assert "/me/delete/" in mail.outbox[0].body
        assert "14 February 2026" in mail.outbox[0].body
        erase_kept(user=zeb)
        assert erased_due(now=NOW + 2 * GRACE) == []

    def test_only_when_it_is_over(self, zeb: User, sent: Tasks, monkeypatch: pytest.MonkeyPatch) -> None:
        erase_asked(user=zeb, now=NOW)
        for early in (NOW, NOW + GRACE - dt.timedelta(seconds=1)):
            assert erased_due(now=early) == []
            assert not person_erased(user_id=zeb.pk, now=early)
        assert User.objects.get(pk=zeb.pk).is_active
        monkeypatch.setattr("games.tasks.timezone.now", lambda: NOW + GRACE)
        tasks.erase()
        assert sent() == [("games.erase_person", [zeb.pk], False)]
        tasks.erase_person(zeb.pk)
        assert not User.objects.filter(pk=zeb.pk).exists()
        tasks.erase_person(zeb.pk)

    def test_a_guest_is_mailed_nothing(self) -> None:
        guest = User.objects.create_guest("Golu")
        erase_asked(user=guest, now=NOW)
        assert mail.outbox == []
        assert erased(guest)

    def test_broken_off_it_goes_on(self, zeb: User, monkeypatch: pytest.MonkeyPatch) -> None:
        for _ in range(2):
            game_of(persons=[zeb, *people(2)])
        real, calls = seat_left, list[Any]()

        def once(**asked: Any) -> None:
            calls.append(asked)
            if len(calls) == 2:
                raise ConnectionError
            real(**asked)

        monkeypatch.setattr(erasing, "seat_left", once)
        with pytest.raises(ConnectionError):
            erased(zeb)
        assert Holder.objects.filter(name=NAME).count() == 1
        # The next hour's task goes on with it, though they did not ask for two weeks.
        assert erased_due(now=LATER) == [zeb.pk]
        assert person_erased(user_id=zeb.pk, now=LATER)
        assert not Holder.objects.filter(name=NAME).exists()


@pytest.mark.django_db(transaction=True)
def test_nothing_is_left_in_the_file(zeb: User, tmp_path: Path, settings: Settings) -> None:
    settings.MAIL_FOLDER = tmp_path / "mail"
    everywhere(zeb, settings.MAIL_FOLDER)
    erased(zeb)
    assert ADDRESS not in dump()
    path = Path(str(connection.settings_dict["NAME"]))
    for file in path.parent.glob(f"{path.name}*"):
        data = file.read_bytes().lower()
        assert ADDRESS.encode() not in data, file
        assert NAME.lower().encode() not in data, file
    assert sorted(path.name for path in settings.MAIL_FOLDER.iterdir()) == ["2.eml"]
