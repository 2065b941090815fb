"""Every constraint of the database is broken once, and a test fails for one that nobody breaks."""

import datetime as dt
import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, models, transaction

from games.models import Deal, Game, Holder, Invite, Move, NoMail, Notice, Result, Seat, Table, Turn, WastePile
from games.rules.moves import Take
from games.selectors.games import game_state
from tests.games.stored import NOW, game_of, people, person, play

pytestmark = [pytest.mark.django_db]

BEFORE = NOW - dt.timedelta(seconds=1)
AFTER = NOW + dt.timedelta(days=14)
HASH = b"h" * 32
_hashes = (f"{number:064}" for number in itertools.count())


@pytest.fixture
def game() -> Game:
    """A game of two people and two bots, in which a hand was taken: over for one seat, running for three."""
    game = game_of(persons=people(2), bots=2)
    state = game_state(game)
    play(game, Take(state.power, state.next_seat(state.power)), key="k")
    return game


def copied(row: models.Model, **changes: Any) -> models.Model:
    """Store another row like this one, but for some columns."""
    fields = {
        field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields if not field.primary_key
    }
    return type(row)._default_manager.create(**fields | changes)


def table(game: Game, **changes: Any) -> None:
    copied(game.table, code="x", **changes)


def another(game: Game, **changes: Any) -> None:
    copied(game, **{"code": "x", "number": 2} | changes)


def holder(game: Game, seat: int = 0, **changes: Any) -> None:
    copied(Holder.objects.get(table=game.table, seat__number=seat), **changes)


def move(game: Game, **changes: Any) -> None:
    played = {"game": game, "number": 2, "kind": "play", "seat": 0, "card": "AS", "actor": "hand", "at": NOW}
    Move.objects.create(**{**played, "hash": HASH, **changes})


def turn(game: Game, **changes: Any) -> None:
    Turn.objects.filter(game=game).delete()
    Turn.objects.create(**{"game": game, "seat": 0, "since": NOW} | changes)


def result(game: Game, **changes: Any) -> None:
    sat = Holder.objects.filter(table=game.table).first()
    Result.objects.create(**{"game": game, "loser": 0, "holder": sat, "cards_left": 3, "away": [1, 2]} | changes)


def invite(game: Game, **changes: Any) -> Invite:
    fields = {"table": game.table, "nonce": b"n" * 16, "token_hash": next(_hashes), "created": NOW, "expires": AFTER}
    return Invite.objects.create(**fields | changes)


def notice(game: Game, **changes: Any) -> None:
    Notice.objects.create(**{"kind": "invite", "game": game, "key": "k", "due": NOW, "created": NOW} | changes)


BREAKS: dict[str, list[Callable[[Game], Any]]] = {
    "table_seats_3_to_12": [lambda game: table(game, seats=2), lambda game: table(game, seats=13)],
    "table_deals_1_to_50": [lambda game: table(game, deals=0), lambda game: table(game, deals=51)],
    "table_rules_version_from_1": [lambda game: table(game, rules_version=0)],
    "table_status_and_times_agree": [
        lambda game: table(game, status="open"),
        lambda game: table(game, status="open", started=None, closed=NOW),
        lambda game: table(game, started=None),
        lambda game: table(game, status="over", started=None),
        lambda game: table(game, closed=NOW),
        lambda game: table(game, status="closed", closed=NOW),
        lambda game: table(game, status="closed", started=None),
        lambda game: table(game, status="lost"),
    ],
    "table_choices_known": [
        lambda game: table(game, joins="all"),
        lambda game: table(game, watch="all"),
        lambda game: table(game, starts="now"),
    ],
    "seat_once_a_table": [lambda game: Seat.objects.create(table=game.table, number=0)],
    "seat_number_0_to_11": [lambda game: Seat.objects.create(table=game.table, number=12)],
    "holder_person_xor_bot": [lambda game: holder(game, until=NOW, bot="easy")],
    "holder_until_after_since": [lambda game: holder(game, until=BEFORE)],
    "holder_one_a_seat": [lambda game: holder(game, seat=2), lambda game: holder(game, user_id=person().pk)],
    "holder_one_seat_a_person": [
        lambda game: holder(game, seat_id=Seat.objects.create(table=game.table, number=9).pk),
    ],
    "game_number_once_a_table": [lambda game: another(game, number=1)],
    "game_number_from_1": [lambda game: another(game, number=0)],
    "game_dealer_0_to_11": [lambda game: another(game, dealer=12), lambda game: another(game, dealer=-1)],
    "game_rules_version_from_1": [lambda game: another(game, rules_version=0)],
    "game_version_from_0": [lambda game: another(game, version=-1), lambda game: another(game, revision=-1)],
    "game_over_has_an_end": [
        lambda game: another(game, status="over"),
        lambda game: another(game, ended=NOW),
        lambda game: another(game, status="lost"),
    ],
    "game_last_hash_32": [lambda game: another(game, last_hash=b"short")],
    "move_number_once_a_game": [lambda game: move(game, number=1)],
    "move_key_once_a_game": [lambda game: move(game, key="k")],
    "move_number_from_1": [lambda game: move(game, number=0)],
    "move_seat_0_to_11": [lambda game: move(game, seat=12)],
    "move_kind_and_columns_agree": [
        lambda game: move(game, card=""),
        lambda game: move(game, card="1X"),
        lambda game: move(game, card="as"),
        lambda game: move(game, victim=1),
        lambda game: move(game, kind="draw", card=""),
        lambda game: move(game, kind="draw", key="draws have none"),
        lambda game: move(game, kind="take", card="", victim=None),
        lambda game: move(game, kind="take", card="AS", victim=1),
        lambda game: move(game, kind="take", card="", victim=0),
        lambda game: move(game, kind="take", card="", victim=12),
        lambda game: move(game, kind="pass"),
    ],
    "move_actor_known": [lambda game: move(game, actor="")],
    "move_hash_32": [lambda game: move(game, hash=HASH + b"h")],
    "turn_once_a_seat": [lambda game: [Turn.objects.create(game=game, seat=9, since=NOW) for _ in range(2)]],
    "turn_seat_0_to_11": [lambda game: turn(game, seat=12)],
    "turn_due_after_since": [lambda game: turn(game, due_at=BEFORE)],
    "result_void_xor_loser": [
        lambda game: result(game, void=True),
        lambda game: result(game, loser=None),
        lambda game: result(game, holder=None),
        lambda game: result(game, cards_left=None),
        lambda game: result(game, void=True, loser=None, holder=None),
    ],
    "result_loser_0_to_11": [lambda game: result(game, loser=12)],
    "invite_personal_once": [
        lambda game: invite(game, email="a@example.org", uses=2),
        lambda game: invite(game, uses=0),
    ],
    "invite_email_lower": [lambda game: invite(game, email="A@example.org")],
    "invite_token_lengths": [
        lambda game: invite(game, nonce=b"n" * 15),
        lambda game: invite(game, token_hash="short"),
    ],
    "invite_expires_after_created": [lambda game: invite(game, expires=NOW)],
    "invite_once_an_address": [lambda game: [invite(game, email="a@example.org") for _ in range(2)]],
    "invite_one_link_a_table": [lambda game: [invite(game, uses=4) for _ in range(2)]],
    "notice_has_a_kind": [lambda game: notice(game, kind="")],
    "notice_sent_or_gone": [lambda game: notice(game, sent=NOW, gone=NOW)],
    "no_mail_hash_64": [lambda game: NoMail.objects.create(email_hash="short", at=NOW)],
}
# Cannot be broken by itself: it is there to be referred to.
_REFERRED_TO = {"seat_with_table"}


@pytest.mark.sqlite_too
@pytest.mark.parametrize(("name", "at"), [(name, at) for name, ways in BREAKS.items() for at in range(len(ways))])
def test_the_database_refuses(game: Game, name: str, at: int) -> None:
    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        BREAKS[name][at](game)
    # SQLite names a unique constraint by its columns, and the nameless check that a positive number has comes first.
    assert connection.vendor == "sqlite" or name in str(refused.value)


@pytest.mark.sqlite_too
def test_each_constraint_is_broken_here() -> None:
    declared = {each.name for model in apps.get_app_config("games").get_models() for each in model._meta.constraints}
    assert declared == BREAKS.keys() | _REFERRED_TO


@pytest.mark.sqlite_too
def test_what_is_right_is_stored(game: Game) -> None:
    table(game, seats=12, deals=50)
    holder(game, until=NOW)
    holder(game, seat=1, until=NOW, user_id=None)
    copied(game.table, code="y", status="over", joins="lobby", watch="anyone", starts="host")
    copied(game.table, code="z", status="closed", started=None, closed=NOW)
    for _ in range(2):
        invite(game, uses=12, revoked=NOW)
        invite(game, email="a@example.org", revoked=NOW)
        invite(game, email="a@example.org", declined=NOW)
    notice(game, sent=NOW)
    move(game, kind="take", card="", victim=11)
    move(game, number=3, kind="draw", card="TC")
    turn(game, due_at=NOW)


@pytest.mark.sqlite_too
@pytest.mark.parametrize("model", [Deal, WastePile])
def test_one_a_game(game: Game, model: type[models.Model]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        copied(model._default_manager.get(game=game))


@pytest.mark.sqlite_too
def test_one_code(game: Game) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        copied(game.table)
    with pytest.raises(IntegrityError), transaction.atomic():
        copied(game, number=2)


@pytest.mark.sqlite_too
@pytest.mark.parametrize("what", [Table, Game, Holder])
def test_what_a_game_stands_on_is_not_deleted(game: Game, what: type[models.Model]) -> None:
    state = game_state(game)
    play(game, Take(state.power, state.next_seat(state.power)))
    state = game_state(game)
    play(game, Take(state.power, state.next_seat(state.power)))
    with pytest.raises(models.ProtectedError):
        what._default_manager.all().delete()
    user = Holder.objects.filter(user__isnull=False).get(seat__number=0).user
    assert user is not None
    with pytest.raises(models.ProtectedError):
        user.delete()


@contextmanager
def committed() -> Iterator[None]:
    """Do what the block does, and check what is checked when a transaction ends."""
    with transaction.atomic():
        yield
        connection.check_constraints()


class TestGuardsOfPostgreSQL:
    """These are triggers and a key that only PostgreSQL has."""

    @pytest.mark.parametrize("model", [Move, Deal])
    def test_the_log_is_append_only(self, game: Game, model: type[Move] | type[Deal]) -> None:
        rows = model._default_manager.filter(game=game)
        with pytest.raises(IntegrityError, match="never changed"), transaction.atomic():
            rows.update(hash=HASH)
        with pytest.raises(IntegrityError, match="never deleted"), transaction.atomic():
            rows.delete()

    def test_a_holders_seat_is_one_of_its_table(self, game: Game) -> None:
        other = game_of(bots=3)
        with pytest.raises(IntegrityError, match="holder_seat_of_its_table"), committed():
            holder(game, until=NOW, table_id=other.table_id)

    def test_a_running_game_has_no_result(self, game: Game) -> None:
        with pytest.raises(IntegrityError, match="exactly when it has a result"), committed():
            result(game)

    def test_a_game_that_is_over_has_one(self, game: Game) -> None:
        with pytest.raises(IntegrityError, match="exactly when it has a result"), committed():
            Game.objects.filter(pk=game.pk).update(status="over", ended=NOW)

    def test_nor_does_it_lose_it(self, game: Game) -> None:
        result(game)
        Game.objects.filter(pk=game.pk).update(status="over", ended=NOW)
        connection.check_constraints()
        with pytest.raises(IntegrityError, match="exactly when it has a result"), committed():
            Result.objects.all().delete()
