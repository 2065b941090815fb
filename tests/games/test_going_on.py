"""Series that go on by themselves: when the next deal comes, who may object, and what puts it off."""

import datetime as dt
from typing import Any

import pytest

from accounts.models import User
from games import effects, tasks
from games.models import Game, Halt, Holder, Pause, Result, Table, Turn
from games.rules.deal import next_dealer
from games.rules.ruleset import Ruleset
from games.selectors.games import held_seats
from games.services.dealing import game_next, game_start
from games.services.errors import GameRunning, NotYourSeat, SeriesOver
from games.services.going_on import next_dealt, next_moved, next_objected
from games.services.locks import table_locked, writing
from games.services.planned import WAIT, next_planned
from games.services.seats import seat_left
from tests.games.conftest import Tasks
from tests.games.halting import frozen, thawed
from tests.games.pacing import DAY, HOUR
from tests.games.stored import NOW, everything, in_threads, over, people, person, table_of

pytestmark = [pytest.mark.django_db]

SECOND = dt.timedelta(seconds=1)


def series(persons: int = 2, bots: int = 1, deals: int = 3, **columns: Any) -> Game:
    """The first game of a series, over at NOW; nobody won it, so that it need not be played."""
    table = table_of(persons=people(persons), bots=bots, deals=deals)
    Table.objects.filter(pk=table.pk).update(**columns)
    game_start(table_id=table.pk, now=NOW)
    game = Game.objects.select_related("table").get(table=table)
    with writing():
        Turn.objects.filter(game=game).delete()
        Result.objects.create(game=game, void=True, away=[])
        game.status, game.ended = Game.Status.OVER, NOW
        next_planned(game=game, held=held_seats(table.pk), now=NOW)
        game.save()
    return game


def player(game: Game) -> User:
    holder = Holder.objects.filter(table=game.table, user__isnull=False, until=None).order_by("pk").first()
    assert holder is not None
    assert holder.user is not None
    return holder.user


def numbers(game: Game) -> list[int]:
    return list(Game.objects.filter(table=game.table_id).order_by("number").values_list("number", flat=True))


def stood_in(game: Game, *, but: int = 0) -> None:
    rows = Holder.objects.filter(table=game.table, user__isnull=False).order_by("pk")[but:]
    Holder.objects.filter(pk__in=rows.values("pk")).update(stand_in="medium", stood_in=NOW)


@pytest.mark.parametrize(
    ("columns", "after"),
    [
        ({}, WAIT),
        ({"next": "once"}, dt.timedelta(0)),
        ({"next": "ask"}, None),
        ({"next": "ask", "rest_between": HOUR}, None),
        ({"next": "once", "rest_between": HOUR}, HOUR),
        ({"rest_between": DAY}, DAY),
        ({"rest_between": SECOND}, WAIT),
    ],
)
def test_when_the_next_deal_comes(columns: dict[str, Any], after: dt.timedelta | None) -> None:
    game = series(**columns)
    assert game.next_at == (None if after is None else NOW + after)
    if game.next_at is None:
        assert next_dealt(game_id=game.pk, now=NOW + 30 * DAY) is None
        return
    assert after == dt.timedelta(0) or next_dealt(game_id=game.pk, now=game.next_at - SECOND) is None
    dealt = next_dealt(game_id=game.pk, now=game.next_at)
    assert dealt is not None
    assert (dealt.number, dealt.dealer) == (2, next_dealer(Ruleset(), 3, game.dealer))
    assert next_dealt(game_id=game.pk, now=NOW + 30 * DAY) is None
    assert Game.objects.get(pk=game.pk).next_at is None
    assert numbers(game) == [1, 2]


def test_only_after_the_last_deal_none_comes() -> None:
    table = table_of(bots=2, persons=people(1), deals=2)
    first = over(game_start(table_id=table.pk, now=NOW))
    assert first.next_at == NOW + WAIT
    second = next_dealt(game_id=first.pk, now=NOW + WAIT)
    assert second is not None
    assert over(second).next_at is None
    assert next_dealt(game_id=second.pk, now=NOW + DAY) is None
    assert Table.objects.get(pk=table.pk).status == "over"


class TestObjecting:
    def test_it_waits_until_somebody_deals_it(self) -> None:
        game = series()
        user = player(game)
        next_objected(table_id=game.table_id, user=user, now=NOW)
        before = everything()
        assert next_dealt(game_id=game.pk, now=NOW + DAY) is None
        next_objected(table_id=game.table_id, user=user, now=NOW + SECOND)
        assert everything() == before
        again = Game.objects.get(pk=game.pk)
        assert (again.next_at, again.objected, again.revision) == (None, user, game.revision + 1)
        assert game_next(table_id=game.table_id, now=NOW + DAY).number == 2

    def test_not_by_others_nor_too_early_nor_too_late(self) -> None:
        game = series(deals=2)
        with pytest.raises(NotYourSeat):
            next_objected(table_id=game.table_id, user=person(), now=NOW)
        second = game_next(table_id=game.table_id, now=NOW)
        assert Game.objects.get(pk=game.pk).next_at is None
        before = everything()
        with pytest.raises(GameRunning):
            next_objected(table_id=game.table_id, user=player(game), now=NOW)
        assert everything() == before
        with writing():
            Game.objects.filter(pk=second.pk).update(status="over", ended=NOW)
            Result.objects.create(game=second, void=True, away=[])
            Table.objects.filter(pk=game.table_id).update(status="over")
        with pytest.raises(SeriesOver):
            next_objected(table_id=game.table_id, user=player(game), now=NOW)


class TestPutOff:
    def test_by_a_pause_that_began_while_people_could_object(self) -> None:
        game = series()
        Pause.objects.create(table=game.table, since=NOW + 4 * WAIT / 5, until=NOW + DAY)
        assert next_dealt(game_id=game.pk, now=NOW + WAIT) is None
        assert Game.objects.get(pk=game.pk).next_at == NOW + DAY + WAIT / 5
        assert next_dealt(game_id=game.pk, now=NOW + DAY + WAIT / 5) is not None

    def test_by_no_longer_than_the_pause_lasted(self) -> None:
        game = series()
        pause = Pause.objects.create(table=game.table, since=NOW, until=NOW + DAY)
        next_dealt(game_id=game.pk, now=NOW + WAIT)
        pause.until = NOW + HOUR
        pause.save()
        with writing():
            next_moved(table=table_locked(game.table_id), now=NOW + HOUR)
        assert Game.objects.get(pk=game.pk).next_at == NOW + HOUR + WAIT

    def test_by_a_freeze_and_what_it_took(self) -> None:
        game = series()
        frozen(why="", now=NOW + 3 * WAIT / 4)
        before = everything()
        assert next_dealt(game_id=game.pk, now=NOW + DAY) is None
        assert everything() == before
        thawed(now=NOW + 2 * DAY)
        assert next_dealt(game_id=game.pk, now=NOW + 2 * DAY) is None
        assert next_dealt(game_id=game.pk, now=NOW + 2 * DAY + WAIT / 4) is not None
        assert Halt.objects.exists()

    def test_while_bots_play_for_everybody(self) -> None:
        game = series()
        stood_in(game, but=1)
        assert next_dealt(game_id=game.pk, now=NOW) is None
        stood_in(game)
        assert next_dealt(game_id=game.pk, now=NOW + WAIT) is None
        assert Game.objects.get(pk=game.pk).next_at is None
        Holder.objects.filter(pk=Holder.objects.earliest("pk").pk).update(stand_in="", stood_in=None, back=NOW + DAY)
        for _ in range(2):
            with writing():
                next_moved(table=table_locked(game.table_id), now=NOW + DAY)
        assert next_dealt(game_id=game.pk, now=NOW + DAY) is None
        assert next_dealt(game_id=game.pk, now=NOW + DAY + WAIT) is not None

    def test_an_objection_outlives_pauses(self) -> None:
        game = series()
        next_objected(table_id=game.table_id, user=player(game), now=NOW)
        with writing():
            next_moved(table=table_locked(game.table_id), now=NOW)
        assert Game.objects.get(pk=game.pk).next_at is None


def test_bots_by_themselves_do_not_go_on() -> None:
    assert series(persons=0, bots=3).next_at is None


def test_nor_a_table_that_all_have_left_since() -> None:
    game = series(persons=1, bots=2)
    seat_left(table_id=game.table_id, user=player(game), now=NOW)
    assert next_dealt(game_id=game.pk, now=NOW + WAIT) is None
    assert Game.objects.get(pk=game.pk).next_at is None
    assert numbers(game) == [1]


@pytest.mark.django_db(transaction=True)
@pytest.mark.sqlite_too
class TestAtOnce:
    def test_the_task_is_sent_with_the_last_card(self, sent: Tasks) -> None:
        table = table_of(bots=2, persons=people(1), deals=2)
        Table.objects.filter(pk=table.pk).update(next="once")
        game = over(game_start(table_id=table.pk, now=NOW))
        assert (effects.NEXT, [game.pk], False) in sent()
        tasks.next_deal(game.pk)
        tasks.next_deal(game.pk)
        assert numbers(game) == [1, 2]

    def test_of_five_at_once_and_a_hand_one_deals(self) -> None:
        game = series()

        def act(number: int) -> object:
            if number == 5:
                return game_next(table_id=game.table_id, now=NOW + WAIT)
            return next_dealt(game_id=game.pk, now=NOW + WAIT)

        results = in_threads(6, act)
        assert sum(isinstance(each, Game) for each in results) <= 1, results
        assert not [each for each in results if isinstance(each, Exception) and not isinstance(each, GameRunning)]
        assert numbers(game) == [1, 2]
