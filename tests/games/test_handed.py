"""A seat that changes hands: said on the board, in the replay and at the end, and nobody's past is rewritten."""

import datetime as dt

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.models import Game, Holder, Result, Table
from games.rules.moves import Play
from games.rules.ruleset import Ruleset
from games.selectors.games import game_state
from games.selectors.playbill import playbill_of
from games.services.dealing import game_next
from tests.games.pages import Page, clients, page_of
from tests.games.stored import NOW, chosen, game_of, people, play
from tests.games.watching import handed, lets, watcher

pytestmark = pytest.mark.django_db

MINUTE = dt.timedelta(minutes=1)
RTL = "\u0628\u0644\u0627\u0644"


class Clock:
    """Plays a game a minute a card."""

    def __init__(self, game: Game) -> None:
        self.game, self.now = game, NOW

    def play(self, count: int = 0) -> Play | None:
        """Play so many cards, or to the end; return the last."""
        move = None
        state = game_state(self.game)
        while state.result is None:
            self.now += MINUTE
            move = chosen(state, state.awaited[0])
            play(self.game, move, now=self.now)
            state = game_state(self.game)
            count -= 1
            if not count:
                break
        self.game.refresh_from_db()
        return move

    def hand(self, seat: int, name: str) -> None:
        self.now += MINUTE
        handed(self.game, seat, name=name, at=self.now)


@pytest.fixture
def clock() -> Clock:
    return Clock(lets(game_of(persons=people(4)), "anyone"))


def board(clock: Clock, client: Client | None = None) -> Page:
    return page_of(client or watcher(), f"/games/{clock.game.code}/")


def replay(clock: Clock, step: int) -> Page:
    return page_of(watcher(), f"/games/{clock.game.code}/replay/{step}/")


def told(page: Page) -> list[str]:
    """The sentences of the log, the oldest first."""
    log = page.one("ol", css="log")
    return [each.text for each in reversed(page.all("li")) if log in each.inside]


def seat(page: Page, number: int) -> str:
    return page.one("li", css="seat", data_seat=str(number)).text


def test_the_board_says_so_at_its_place_in_time(clock: Clock) -> None:
    clock.play(5)
    revision = clock.game.revision
    clock.hand(1, "Botli")
    for client in (watcher(), clients(clock.game)[0]):
        lines = told(board(clock, client))
        assert lines[-1] == "P1 has left: a bot plays on, Botli."
    assert clock.game.revision > revision
    clock.play(8)
    lines = told(board(clock))
    at = lines.index("P1 has left: a bot plays on, Botli.")
    assert 0 < at < len(lines) - 8
    assert any(each.startswith("P1 ") for each in lines[:at])
    assert not any("P1" in each for each in lines[at + 1 :])
    assert any(each.startswith(("Botli plays", "Botli leads")) for each in lines[at + 1 :])
    assert not any("Botli" in each for each in lines[:at])


def test_the_seat_says_for_whom_a_bot_plays(clock: Clock) -> None:
    clock.play(5)
    assert "P1" in seat(board(clock), 1)
    clock.hand(1, RTL)
    page = board(clock)
    assert seat(page, 1).startswith(f"{RTL}, a bot, plays on for P1")
    assert page.one(css="instead").text == "for P1"
    assert [each.text for each in page.all("bdi") if page.one(css="instead") in each.inside] == ["P1"]
    assert page.one(css="instead").attrs["title"] == "A bot plays on for \u2068P1\u2069"


def test_the_replay_shows_who_sat_there_then(clock: Clock) -> None:
    clock.play(5)
    clock.hand(1, "Botli")
    clock.play(6)
    before, then, after = (replay(clock, step) for step in (4, 5, 6))
    assert "P1" in seat(before, 1)
    assert "Botli" not in before.one(css="felt").text
    banner = then.one(css="banner")
    assert [each.text for each in then.all("p") if banner in each.inside][-1] == "P1 has left: a bot plays on, Botli."
    assert seat(then, 1).startswith("Botli")
    assert "has left" not in after.one(css="banner").text
    tricks = [each.text for each in before.all("li") if before.one("ol", css="tricks") in each.inside]
    assert "P1" in tricks[0]
    assert "Botli" in " ".join(tricks)
    assert "Botli" not in tricks[0]


def test_before_the_first_card(clock: Clock) -> None:
    clock.hand(2, "Botli")
    assert told(board(clock)) == ["The cards are dealt.", "P2 has left: a bot plays on, Botli."]
    assert replay(clock, 0).one(css="banner").text == "The cards are dealt.P2 has left: a bot plays on, Botli."
    assert seat(replay(clock, 0), 2).startswith("Botli")


def test_two_at_one_moment_and_one_seat_twice(clock: Clock) -> None:
    clock.play(4)
    handed(clock.game, 1, name="Botli", at=clock.now)
    handed(clock.game, 2, name="Botla", at=clock.now)
    Holder.objects.filter(name="Botli").update(until=clock.now + MINUTE)
    place = Holder.objects.get(name="Botli").seat
    Holder.objects.create(table=clock.game.table, seat=place, bot="easy", name="Botle", since=clock.now + MINUTE)
    lines = told(board(clock))
    assert lines[-2:] == ["P1 has left: a bot plays on, Botli.", "P2 has left: a bot plays on, Botla."]
    assert seat(board(clock), 1).startswith("Botle, a bot, plays on for P1")


def loser_left(rules: Ruleset) -> tuple[Game, str]:
    """A finished game whose loser had left after a minute, and what they were called."""
    for seat in range(4):
        clock = Clock(lets(game_of(rules, persons=people(4)), "anyone"))
        clock.play(1)
        clock.hand(seat, "Botli")
        clock.play()
        result = Result.objects.select_related("holder").get(game=clock.game)
        if result.loser == seat and result.holder is not None:
            return clock.game, result.holder.name
    raise AssertionError("nobody lost")


@pytest.mark.parametrize("game", ["getaway", "donkey"])
def test_the_end_names_who_is_charged(game: str) -> None:
    over, name = loser_left(Ruleset(game=game))  # type: ignore[arg-type]
    assert name.startswith("P")
    page = page_of(watcher(), f"/games/{over.code}/")
    assert page.one(id="banner").text == f"Over {name}, who had left, loses this deal."
    places = [each.text for each in page.all("li") if page.one("ol", css="places") in each.inside]
    assert f"{name}, who had left, lost with" in places[-1]
    assert "Botli" not in places[-1]
    series = page_of(watcher(), f"/tables/{over.table.code}/")
    assert f"{name}, who had left, loses this deal." in series.one("main").text
    assert f"Botli, for {name}" in series.one("main").text


def test_who_leaves_after_the_end_is_called_as_before(clock: Clock) -> None:
    Table.objects.update(deals=2)
    clock.play()
    result = Result.objects.get(game=clock.game)
    assert result.loser is not None
    clock.hand(result.loser, "Botli")
    page = board(clock)
    assert "Botli" not in page.html
    assert "has left" not in page.html
    assert page.one(id="banner").text.startswith(f"Over P{result.loser} ")


def test_the_start_page_lists_the_finished_games_of_who_left(clock: Clock) -> None:
    Table.objects.update(deals=2)
    gone = clients(clock.game)[1]
    clock.play(5)
    clock.hand(1, "Botli")
    assert clock.game.code not in gone.get("/").content.decode()
    clock.play()
    finished = page_of(gone, "/").one("a", href=f"/games/{clock.game.code}/")
    assert "Botli" in finished.text
    second = game_next(table_id=clock.game.table_id, now=clock.now + MINUTE)
    Clock(second).play()
    Game.objects.filter(pk=second.pk).update(ended=clock.now + 60 * MINUTE)
    assert second.code not in gone.get("/").content.decode()


def test_the_start_page_names_who_is_charged() -> None:
    over, name = loser_left(Ruleset())
    seat = next(iter(clients(over)))
    line = page_of(clients(over)[seat], "/").one("a", href=f"/games/{over.code}/")
    assert f"{name}, who had left, loses this deal." in line.text


def test_who_left_before_a_deal_is_not_of_it(clock: Clock) -> None:
    holder = Holder.objects.get(table=clock.game.table, seat__number=0)
    handed(clock.game, 0, name="Botli", at=clock.game.created)
    lines = told(board(clock))
    assert lines == ["The cards are dealt."]
    assert seat(board(clock), 0).startswith("Botli")
    assert not board(clock).all(css="instead")
    rows = list(Holder.objects.filter(table=clock.game.table).select_related("seat").order_by("seat__number", "pk"))
    assert holder in rows
    assert playbill_of(clock.game, rows, None, []).handovers == ()


def test_who_was_erased_is_called_as_they_are_now(clock: Clock) -> None:
    clock.play(5)
    clock.hand(1, "Botli")
    Holder.objects.filter(name="P1").update(user=None, name="Former player 1")
    assert told(board(clock))[-1] == "Former player 1 has left: a bot plays on, Botli."
    assert "P1" not in board(clock).html


def test_any_number_of_handovers_costs_no_query(
    clock: Clock, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    clock.play(3)
    for number in range(3):
        clock.hand(number, f"Botli {number}")
        rows = list(Holder.objects.filter(table=clock.game.table).select_related("seat").order_by("seat__number", "pk"))
        game = Game.objects.select_related("table", "result__holder").get()
        with django_assert_num_queries(0):
            playbill_of(game, rows, None, [NOW])
