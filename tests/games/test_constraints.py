"""Every constraint of the database is broken once, and a test fails for one that nobody breaks."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, models, transaction

from games.models import Audit, Correction, Deal, Game, Holder, Move, Result, Table, WastePile
from games.rules.moves import Take
from games.rules.scoring import TIE_BREAKS
from games.selectors.games import game_state
from tests.games.breaks import BREAKS, HASH, copied, holder, invite, move, notice, result, table, turn
from tests.games.breaks_clocks import CLOCK_BREAKS, HOUR, clocks_stored
from tests.games.breaks_office import OFFICE_BREAKS, audit, correction
from tests.games.breaks_ratings import RATING_BREAKS, ratings_stored
from tests.games.breaks_reports import REPORT_BREAKS, reports_stored
from tests.games.stored import NOW, game_of, people, person, play

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def game() -> Game:
    """A game of two people and two bots, in which a hand was taken: over for one seat, running for three."""
    game = game_of(persons=people(2), bots=2)
    state = game_state(game)
    play(game, Take(state.power, state.next_seat(state.power)), key="k")
    return game


WAYS = BREAKS | CLOCK_BREAKS | OFFICE_BREAKS | RATING_BREAKS | REPORT_BREAKS
# Cannot be broken by itself: it is there to be referred to.
_REFERRED_TO = {"seat_with_table"}


@pytest.mark.sqlite_too
def test_ties_are_broken_in_every_way_that_the_rules_know(game: Game) -> None:
    for way in TIE_BREAKS:
        Table.objects.filter(pk=game.table_id).update(tie_break=way)


@pytest.mark.sqlite_too
@pytest.mark.parametrize("name", WAYS)
def test_the_database_refuses(game: Game, name: str) -> None:
    for way in WAYS[name]:
        with pytest.raises(IntegrityError) as refused, transaction.atomic():
            way(game)
        # SQLite names a unique constraint by its columns, and the nameless check of a positive number comes first.
        assert connection.vendor == "sqlite" or name in str(refused.value)


@pytest.mark.sqlite_too
def test_each_constraint_is_broken_here() -> None:
    declared = {each.name for model in apps.get_app_config("games").get_models() for each in model._meta.constraints}
    assert declared == WAYS.keys() | _REFERRED_TO


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
def test_what_is_right_of_clocks_is_stored(game: Game) -> None:
    clocks_stored(game)


@pytest.mark.sqlite_too
def test_what_is_right_of_reports_is_stored(game: Game) -> None:
    reports_stored(game)


@pytest.mark.sqlite_too
def test_what_is_right_of_ratings_is_stored(game: Game) -> None:
    ratings_stored(game)


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

    def test_what_operators_did_is_append_only(self, game: Game) -> None:
        user = person()
        done = audit(game, by=user, person=user, table=game.table)
        rows = Audit.objects.filter(pk=done.pk)
        for change in ({"why": "Other."}, {"after": {"loser": 1}}, {"at": NOW + HOUR}, {"by": person("Roza")}):
            with pytest.raises(IntegrityError, match="never changed"), transaction.atomic():
                rows.update(**change)
        with pytest.raises(IntegrityError, match="never deleted"), transaction.atomic():
            rows.delete()
        # Whoever is erased, and whatever goes, goes out of it.
        rows.update(by=None, person=None, table=None, game=None)
        found = correction(game)
        with pytest.raises(IntegrityError, match="never changed"), transaction.atomic():
            Correction.objects.filter(pk=found.pk).update(cards_left=4)
        with pytest.raises(IntegrityError, match="never deleted"), transaction.atomic():
            Correction.objects.filter(pk=found.pk).delete()

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
