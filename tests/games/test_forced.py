"""Cards that go by themselves: only for who wants it, only where there is no choice, and nobody else can tell."""

import datetime as dt

import pytest
import time_machine

from accounts.models import User
from games import effects, tasks
from games.clocks.delays import LIVE, SLOW
from games.clocks.pace import each_card, live
from games.models import Answer, Game, Halt, Move, Turn
from games.rules.legality import legal_moves
from games.rules.ruleset import Ruleset
from games.rules.state import GameState
from games.selectors.games import game_state
from games.services.errors import NotYourSeat
from games.services.forced import order_played, order_waited
from games.services.orders import only_card
from games.services.verify import game_verify
from tests.games.conftest import Tasks
from tests.games.pacing import DAY, HOUR, awaited, paced, turn_of
from tests.games.pages import clients, without_randoms
from tests.games.stored import NOW, chosen, everything, game_of, people, person, play, play_on

pytestmark = pytest.mark.django_db

SECOND = dt.timedelta(seconds=1)


def wanting(count: int) -> list[User]:
    """People who want their only card to go by itself."""
    persons = people(count)
    User.objects.filter(pk__in=[each.pk for each in persons]).update(notices={"forced": True})
    return persons


def moves_of(state: GameState) -> int:
    return len(legal_moves(state, state.awaited[0])) if state.awaited else 0


def forced(persons: list[User] | None = None) -> Game:
    """A game in which somebody has just got a turn with one legal card."""
    game = paced(game_of(persons=persons or wanting(4)), each_card(DAY))
    play_on(game, lambda state: state.tricks > 1 and bool(state.trick) and moves_of(state) == 1)
    return game


class TestWhen:
    def test_only_where_there_is_nothing_else_to_do(self) -> None:
        """Through a whole deal: a hand that may be taken is a choice, too."""
        game = paced(game_of(persons=wanting(3)), each_card(DAY))
        state, seen = game_state(game), set()
        while state.result is None:
            turn = turn_of(game)
            only = moves_of(state) == 1
            assert (turn.order_at is not None) == only
            assert only == (only_card(state, turn.seat) is not None)
            if turn.order_at is not None:
                assert SLOW[0] <= turn.order_at - turn.since <= SLOW[1]
            seen.add((only, bool(state.trick)))
            play(game, chosen(state, turn.seat))
            state = game_state(game)
        assert seen >= {(True, True), (False, True), (False, False)}

    def test_sooner_at_a_live_table(self) -> None:
        game = paced(game_of(Ruleset(taking="off"), persons=wanting(3)), live(dt.timedelta(minutes=1)))
        play_on(game, lambda state: state.tricks > 1 and moves_of(state) == 1)
        turn = turn_of(game)
        assert turn.order_at is not None
        assert LIVE[0] <= turn.order_at - turn.since <= LIVE[1]

    @pytest.mark.parametrize("notices", [{}, {"forced": False}, {"forced": "yes"}, {"forced": 1}])
    def test_not_for_who_has_not_asked_for_it(self, notices: dict[str, object]) -> None:
        persons = people(4)
        User.objects.update(notices=notices)
        assert turn_of(forced(persons)).order_at is None

    def test_a_choice_that_comes_drops_it(self) -> None:
        """What is kept of a turn is looked at again with every entry."""
        game = game_of(persons=wanting(4))
        state = play_on(game, lambda state: state.tricks == 1 and not state.trick)
        Turn.objects.update(order_at=NOW + 9 * SECOND)
        taker = state.next_seat(state.power)
        [take] = legal_moves(state, taker)
        play(game, take)
        turn = turn_of(game)
        assert (turn.seat, turn.since, turn.order_at) == (state.power, NOW, None)


class TestPlaying:
    def test_it_goes_when_its_time_has_come_and_once(self) -> None:
        game = forced()
        state, turn = game_state(game), turn_of(game)
        at = turn.order_at
        assert at is not None
        assert order_played(game_id=game.pk, seat=turn.seat, now=at - SECOND) is None
        outcome = order_played(game_id=game.pk, seat=turn.seat, now=at)
        assert outcome is not None
        move = Move.objects.get(game=game, number=outcome.number)
        assert (move.seat, move.actor, move.key) == (turn.seat, "order", "")
        assert Answer.objects.get(number=outcome.number, seat=turn.seat).how == "order"
        assert game_state(game).entries == outcome.version > state.entries
        assert order_played(game_id=game.pk, seat=turn.seat, now=at) is None
        game_verify(game_id=game.pk)

    def test_waiting_keeps_the_card_and_nobody_else_hears_of_it(self) -> None:
        persons = wanting(4)
        game, turn = forced(persons), Turn.objects.get()
        before = everything()
        assert not order_waited(game_id=game.pk, user=persons[(turn.seat + 1) % 4])
        with pytest.raises(NotYourSeat):
            order_waited(game_id=game.pk, user=person())
        assert order_waited(game_id=game.pk, user=persons[turn.seat])
        assert not order_waited(game_id=game.pk, user=persons[turn.seat])
        assert everything()["Game"] == before["Game"]
        assert order_played(game_id=game.pk, seat=turn.seat, now=NOW + HOUR) is None
        assert turn_of(game).order_at is None

    def test_not_for_who_has_thought_better_of_it(self) -> None:
        game = forced()
        User.objects.update(notices={})
        assert order_played(game_id=game.pk, seat=awaited(game), now=NOW + HOUR) is None
        assert turn_of(game).order_at is None
        assert Game.objects.get().version == game.version

    def test_never_a_card_among_several(self) -> None:
        """Whatever is stored: what may be done is looked at when the time has come."""
        game = game_of(persons=wanting(4))
        play_on(game, lambda state: state.tricks == 1 and moves_of(state) > 1)
        Turn.objects.update(order_at=NOW)
        assert order_played(game_id=game.pk, seat=awaited(game), now=NOW) is None
        assert turn_of(game).order_at is None

    @pytest.mark.parametrize("why", ["frozen", "aside"])
    def test_is_held_back_while_the_site_or_the_game_stands(self, why: str) -> None:
        game = forced()
        if why == "frozen":
            Halt.objects.create(kind="freeze", since=NOW)
        else:
            Game.objects.update(aside=NOW)
        before = everything()
        assert order_played(game_id=game.pk, seat=awaited(game), now=NOW + HOUR) is None
        assert everything() == before


class TestNobodyElseCanTell:
    def test_whether_a_card_will_go_by_itself(self) -> None:
        """No other board changes by it, and none is told to look (S12)."""
        game = forced()
        seat = awaited(game)

        def boards() -> dict[int, str]:
            shown = {at: client.get(f"/games/{game.code}/board/") for at, client in clients(game).items() if at != seat}
            return {at: without_randoms(answer.content.decode()) for at, answer in shown.items()}

        with time_machine.travel(NOW + HOUR, tick=False):
            with_it = boards()
            Turn.objects.update(order_at=None)
            assert with_it == boards()
        assert len(with_it) == 3

    @pytest.mark.django_db(transaction=True)
    def test_a_task_is_sent_for_every_turn_alike(self, sent: Tasks) -> None:
        """Whoever has to choose costs whoever played before them the same time as who has not."""
        game = paced(game_of(persons=wanting(3)), each_card(DAY))
        seen: set[bool] = set()
        while len(seen) < 2:
            state = game_state(game)
            sent()
            play(game, chosen(state, awaited(game)))
            assert [(task, numbers, later) for task, numbers, later in sent() if task == effects.ORDER] == [
                (effects.ORDER, [game.pk, turn_of(game).seat], True)
            ]
            seen.add(turn_of(game).order_at is not None)

    @pytest.mark.django_db(transaction=True)
    def test_and_none_for_who_does_not_want_it(self, sent: Tasks) -> None:
        game = paced(game_of(persons=people(3)), each_card(DAY))
        play_on(game, lambda state: state.tricks == 1)
        assert effects.ORDER not in [task for task, _, _ in sent()]

    @pytest.mark.django_db(transaction=True)
    def test_the_task_plays(self) -> None:
        game = forced()
        tasks.order(game.pk, awaited(game))
        assert Game.objects.get().version > game.version
        assert Move.objects.filter(game=game).latest("number").actor == "order"
