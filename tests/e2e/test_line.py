"""The line to the site, at a stage: what the page says, what it makes of what comes, and what it does without one."""

from collections.abc import Sequence
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.boards import bar, button, my_turn, waiting
from tests.e2e.conftest import Console
from tests.e2e.stage import Stage, goes_on, until
from tests.games import rendered

NOT_LIVE = "Not live: this page asks every few seconds."
LOST = "There is no connection: this page may be out of date."


def version(page: Page, number: int) -> None:
    page.locator(f"#board[data-version='{number}']").wait_for()


# What a page has asked for and was not answered yet, by its sockets and else.
WAITS = """
    window.sockets = [];
    window.looks = 0;
    window.WebSocket = class extends WebSocket {
        constructor(...how) {
            super(...how);
            this.waits = true;
            for (const each of ["message", "close"]) this.addEventListener(each, () => (this.waits = false));
            sockets.push(this);
        }
        send(said) {
            super.send(said);
            this.waits = true;
        }
    };
    const { fetch } = window;
    window.fetch = (...what) => {
        looks += 1;
        return fetch(...what).finally(() => (looks -= 1));
    };
"""
ANSWERED = "looks === 0 && sockets.length && sockets.every((each) => !each.waits)"


def opened(stage: Stage) -> Page:
    """A page whose clock the test moves."""
    stage.page.add_init_script(WAITS)
    stage.page.clock.install(time=0)
    stage.page.clock.pause_at(1000)
    return stage.open(waiting())


def passes(page: Page, seconds: int, *, mute: bool = False) -> None:
    """Let time pass, so slowly that what is sent is answered, unless the site is *mute*.

    However busy this computer is: time that passes while an answer is on its way makes a line seem dead.
    """
    for left in range(seconds, 0, -10):
        page.clock.run_for(min(left, 10) * 1000)
        if not mute:
            until(page, ANSWERED)


def reaches(stage: Stage, came: Sequence[object], number: int) -> None:
    for _ in range(100):
        if len(came) >= number:
            break
        stage.page.wait_for_timeout(20)
    assert len(came) == number


def told(stage: Stage, number: int) -> dict[str, Any]:
    """Wait until the page has said so much; return what it said last."""
    reaches(stage, stage.beats, number)
    return stage.beats[-1]


def lines(stage: Stage, number: int) -> None:
    """Wait until the page has opened so many lines, and no more."""
    until(stage.page, f"sockets.length >= {number}")
    reaches(stage, stage.opened, number)


def test_a_pushed_board_is_shown_answered_and_gets_the_token_of_the_page(stage: Stage) -> None:
    page = stage.open(waiting())
    assert told(stage, 1) == {"at": "21.7", "seen": 1}
    stage.next = rendered.html(my_turn(version=22), csrf_token="-")
    version(page, 22)
    assert told(stage, 2) == {"at": "22.7", "seen": 1}
    tokens = page.locator("#board input[name=csrfmiddlewaretoken]").evaluate_all("all => all.map((each) => each.value)")
    assert set(tokens) == {"t" * 64}
    # One that is older changes nothing, but is answered: else no other would come.
    stage.next = rendered.html(waiting())
    assert told(stage, 3) == {"at": "22.7", "seen": 1}
    assert (stage.opened, page.locator("#live").inner_text()) == (["since=21.7"], "")


def test_an_engine_that_cannot_unpack_is_sent_plain_text(stage: Stage) -> None:
    stage.page.add_init_script("delete window.DecompressionStream")
    page = stage.open(waiting())
    stage.bring(my_turn(version=22))
    assert stage.opened == ["since=21.7&plain=1"]
    assert told(stage, 2) == {"at": "22.7", "seen": 1}
    expect(page.locator("#live")).to_have_text("")


def test_a_board_that_comes_while_a_card_is_on_its_way_waits_for_the_answer(stage: Stage) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page = stage.open(my_turn())
    page.route("**/play/", hold)
    told(stage, 1)
    button(page, "8H").click()
    bar(page).click()
    page.wait_for_timeout(50)
    stage.next = rendered.html(waiting(version=22))
    page.wait_for_timeout(200)
    expect(page.locator("#board")).to_have_attribute("data-version", "20")
    told(stage, 1)
    (sent,) = held
    sent.fulfill(body=rendered.html(waiting()), content_type="text/html")
    version(page, 22)
    assert told(stage, len(stage.beats))["at"] == "22.7"


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_what_an_answer_shows_is_told_at_once(stage: Stage, motion: Literal["reduce", "no-preference"]) -> None:
    page = stage.open(my_turn())
    page.emulate_media(reduced_motion=motion)
    page.route("**/play/", lambda route: route.fulfill(body=rendered.html(waiting()), content_type="text/html"))
    told(stage, 1)
    button(page, "8H").click()
    bar(page).click()
    version(page, 21)
    assert told(stage, 2) == {"at": "21.7", "seen": 1}


def test_who_is_here_is_shown_and_told_at_the_seats(stage: Stage) -> None:
    page = stage.open(waiting())
    told(stage, 1)
    assert stage.line is not None
    stage.line.send('{"here":[1,3]}')
    here = page.locator(".seat:has(.here)")
    expect(here).to_have_count(2)
    expect(page.locator("[data-seat='1']")).to_contain_text("here now")
    stage.bring(my_turn(version=22))
    expect(here).to_have_count(2)
    stage.line.send('{"here":[3]}')
    expect(here).to_have_attribute("data-seat", "3")
    # Nobody knows any more.
    stage.shut = 4000
    stage.line.close(code=1001)
    expect(here).to_have_count(0)


def test_a_hidden_page_says_that_nobody_looks(stage: Stage) -> None:
    page = opened(stage)
    told(stage, 1)
    page.evaluate("""() => {
        Object.defineProperty(document, "hidden", { value: true });
        document.dispatchEvent(new Event("visibilitychange"));
    }""")
    page.clock.run_for(3000)
    assert told(stage, 2)["seen"] == 0


def test_a_silent_line_is_opened_anew(stage: Stage) -> None:
    page = opened(stage)
    told(stage, 1)
    passes(page, 26)
    told(stage, 2)
    stage.mute = True
    passes(page, 30, mute=True)
    assert len(stage.opened) == 1
    passes(page, 20, mute=True)
    lines(stage, 2)


def test_without_sockets_the_page_asks_and_says_so_until_there_are(stage: Stage) -> None:
    stage.shut = 4000
    page = opened(stage)
    until(page, ANSWERED)
    assert (page.locator("#live").inner_text(), stage.opened) == ("", ["since=21.7"])
    passes(page, 2)
    expect(page.get_by_role("status")).to_have_text(NOT_LIVE)
    stage.next = rendered.html(my_turn(version=22))
    passes(page, 2)
    version(page, 22)
    lines(stage, 2)
    stage.shut = 0
    passes(page, 90)
    expect(page.locator("#live")).to_have_text("")
    assert stage.opened[2:] == ["since=22.7"]


def test_lines_that_fail_put_no_look_off(stage: Stage) -> None:
    """Nor the words that there is no connection."""
    stage.shut = 4000
    stage.page.add_init_script(WAITS)
    stage.page.clock.install(time=0)
    stage.page.clock.pause_at(1000)
    page = stage.open(my_turn())
    stage.next = rendered.html(my_turn(version=22))
    # The second line is opened, and fails, before it is time to ask.
    for ms in (500, 500, 500, 600):
        until(page, ANSWERED)
        page.clock.run_for(ms)
    lines(stage, 2)
    version(page, 22)


def test_an_engine_without_sockets_asks(stage: Stage) -> None:
    stage.page.add_init_script("delete window.WebSocket")
    page = stage.open(waiting())
    expect(page.get_by_role("status")).to_have_text(NOT_LIVE)
    stage.next = rendered.html(my_turn(version=22))
    version(page, 22)


@pytest.mark.parametrize(("code", "again"), [(4400, 0), (4403, 0), (4408, 1), (4429, 0), (1001, 1)])
def test_each_way_of_closing_has_its_own_wait(stage: Stage, code: int, again: int) -> None:
    """Whoever broke the rules or came too often asks meanwhile, says so, and comes again after some minutes."""
    page = opened(stage)
    told(stage, 1)
    assert stage.line is not None
    stage.line.close(code=code)
    passes(page, 100)
    assert len(stage.opened) == 1 + again
    expect(page.locator("#live")).to_have_text("" if again else NOT_LIVE)
    stage.next = rendered.html(my_turn(version=22))
    passes(page, 360)
    version(page, 22)
    lines(stage, 2)
    expect(page.locator("#live")).to_have_text("")


def test_a_page_without_a_network_says_so_at_once(stage: Stage) -> None:
    """And believes the site more than the browser: that may be on this very computer."""
    page = opened(stage)
    told(stage, 1)
    page.route("**/board/*", lambda route: route.abort("internetdisconnected"))
    page.evaluate("dispatchEvent(new Event('offline'))")
    expect(page.locator("#live")).to_have_text(LOST)
    page.unroute("**/board/*")
    # It would have asked, and tried a new line, in some seconds.
    page.evaluate("dispatchEvent(new Event('online'))")
    lines(stage, 2)
    told(stage, 2)
    expect(page.locator("#live")).to_have_text("")
    page.evaluate("dispatchEvent(new Event('offline'))")
    expect(page.locator("#live")).to_have_text(LOST)
    passes(page, 3)
    expect(page.locator("#live")).to_have_text("")
    lines(stage, 3)


def test_a_look_that_is_swallowed_is_given_up(stage: Stage) -> None:
    """The page asks again, says that there is no connection, and is right once there is."""
    stage.shut = 4000
    held: list[Route] = []
    page = opened(stage)
    page.route("**/board/*", lambda route: held.append(route))  # noqa: PLW0108 - it takes no built-in
    goes_on(page, lambda: page.locator("#live").text_content() == LOST)
    assert len(held) > 1
    page.unroute("**/board/*")
    stage.next = rendered.html(my_turn(version=22))
    goes_on(page, page.locator("#board[data-version='22']").count)


@pytest.mark.parametrize(("code", "status"), [(4401, 401), (4404, 404)])
def test_whoever_may_not_look_any_more_is_led_on(stage: Stage, console: Console, code: int, status: int) -> None:
    page = stage.open(waiting())
    told(stage, 1)
    stage.status = status
    assert stage.line is not None
    with page.expect_navigation():
        stage.line.close(code=code)
    assert page.url.endswith("/accounts/signin/" if status == 401 else "/games/bcdfgh2345/")
    console.expected(str(status))


def test_another_session_of_the_same_person_goes_on(stage: Stage) -> None:
    """A guest who gives an address has a new one."""
    page = stage.open(waiting())
    told(stage, 1)
    assert stage.line is not None
    stage.line.close(code=4401)
    told(stage, 2)
    assert len(stage.opened) == 2
    expect(page.locator("#live")).to_have_text("")
