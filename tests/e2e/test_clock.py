"""Time on the board: it counts down, asks for news when a moment has come, and moves nothing. Asking first (R7)."""

import datetime as dt
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from games.rules.cards import card
from games.selectors.waits import Clocks, Gone
from tests.e2e.boards import bar, button, my_turn, waiting
from tests.e2e.stage import Stage
from tests.e2e.test_steady import busy, over, top, turn
from tests.games import rendered

HOUR = dt.timedelta(hours=1)


def clocks(**changes: Any) -> Clocks:
    return Clocks(timezone.now(), timed=True, **changes)


def due(left: dt.timedelta, seat: int = 0, **changes: Any) -> Clocks:
    """Clocks by which a seat has so much time left."""
    return clocks(due={seat: timezone.now() + left}, **changes)


def test_it_counts_down_in_the_same_words_and_asks_when_time_is_up(stage: Stage) -> None:
    asked: list[str] = []
    stage.page.on("request", lambda request: asked.append(request.url) if "/board/" in request.url else None)
    page = stage.open(my_turn(), board=rendered.board(my_turn(), clocks=due(dt.timedelta(seconds=5))))
    banner = page.locator("#banner")
    expect(banner).to_contain_text("(in 1 second), or a bot plays.")
    expect(banner).to_contain_text("(now)")
    page.wait_for_timeout(800)
    assert sum("since" not in url for url in asked) == 1
    assert all("visible=1" in url for url in asked)
    stage.bring(waiting(), clocks=due(5 * HOUR - dt.timedelta(seconds=1), 1))
    expect(banner).to_contain_text("(in 4 hours), then a bot plays.")
    expect(page.locator("[data-seat='1'] .due")).to_have_text("4h")


def test_the_sites_clock_counts(stage: Stage) -> None:
    """A device whose clock is an hour behind counts all the same."""
    stage.page.clock.install(time=timezone.now() - HOUR)
    page = stage.open(my_turn(), board=rendered.board(my_turn(), clocks=due(100 * dt.timedelta(minutes=1))))
    page.clock.run_for(61_000)
    expect(page.locator("#banner")).to_contain_text("(in 98 minutes), or a bot plays.")


FAR = dt.timedelta(days=40)
STATES: dict[str, Any] = {
    "mine": lambda seats: (turn(busy(seats, seats - 1)), due(23 * HOUR), {}),
    "for the last time": lambda seats: (turn(busy(seats, 1)), due(FAR, last_miss=frozenset({0})), {}),
    "my only card": lambda seats: (turn(busy(seats, 2)), due(HOUR, forced=True), {}),
    "another's": lambda seats: (busy(seats, 1), due(FAR, 2, missed="nudge"), {}),
    "away": lambda seats: (
        busy(seats, 1),
        due(FAR, 2, away={2: Gone("30 September", "30 Sep"), 1: Gone("30 September", "30 Sep")}),
        {},
    ),
    "stood in": lambda seats: (busy(seats, 1), clocks(stood_in=frozenset({0, 2})), {"stood_in": True}),
    "set aside": lambda seats: (turn(busy(seats, 2)), clocks(), {"aside": True}),
    "over": lambda seats: (over(seats), clocks(late={1: "timed out"}), {"next_at": timezone.now() + HOUR}),
}


@pytest.mark.parametrize("seats", [4, 12])
def test_the_hand_keeps_its_place_whatever_time_does(stage: Stage, seats: int) -> None:
    """R1, R15: the banner has room for a second line, and no page is wider than the screen."""
    page, places = stage.page, set()
    for state in STATES.values():
        view, now, frame = state(seats)
        stage.open(view, board=rendered.board(view, clocks=now, **frame))
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        shown = page.locator("#banner")
        assert shown.evaluate("(each) => each.scrollHeight <= each.clientHeight + 1")
        places.add(top(page))
    assert len(places) == 1
    assert places.pop() <= 390


def test_buttons_of_time_are_large_enough(stage: Stage) -> None:
    for now, name in ((clocks(stood_in=frozenset({0})), "I am back"), (due(HOUR, forced=True), "Wait")):
        page = stage.open(my_turn(), board=rendered.board(my_turn(), clocks=now, stood_in=not now.forced))
        box = page.get_by_role("button", name=name).bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 40


def test_holding_a_card_back_is_one_tap(stage: Stage) -> None:
    """The board comes fresh, without a new page, and the focus is not lost (R47)."""
    page = stage.open(my_turn(), board=rendered.board(my_turn(), clocks=due(HOUR, forced=True)))
    stage.answer = 200, rendered.html(my_turn(), board=rendered.board(my_turn(), clocks=due(HOUR)))
    page.get_by_role("button", name="Wait").click()
    expect(page.locator("#banner")).to_contain_text("or a bot plays.")
    expect(page.locator("#banner")).to_be_focused()
    assert stage.moves == [""]


def plays_at_once(page: Page, stage: Stage) -> bool:
    """Whether one tap on a card sends it."""
    stage.answer, stage.moves = (200, rendered.html(my_turn(version=22))), []
    button(page, "8H").click()
    page.wait_for_timeout(100)
    return stage.moves == ["8H"]


@pytest.mark.parametrize("live", [False, True])
def test_each_device_says_whether_it_asks_first(stage: Stage, live: bool) -> None:
    """R7: slow tables ask unless told otherwise, live ones do not; what was said once holds for both."""
    board = rendered.board(my_turn(), clocks=due(HOUR, live=live))
    page = stage.open(my_turn(), board=board)
    assert plays_at_once(page, stage) == live
    page.get_by_text("How a card is played").click()
    box = page.get_by_label("Ask before it is played")
    expect(box).to_be_checked(checked=not live)
    box.set_checked(live)
    page = stage.open(my_turn(), board=board)
    assert plays_at_once(page, stage) == (not live)
    expect(page.locator("#ask-first")).to_be_checked(checked=live)


def test_a_foul_is_asked_about_all_the_same(stage: Stage) -> None:
    view = my_turn(fouls=(card("AS"),), refusals=())
    page = stage.open(view, board=rendered.board(view, clocks=due(HOUR, live=True)))
    button(page, "AS").click()
    expect(bar(page)).to_have_text("Play ace of spades")
    assert stage.moves == []
