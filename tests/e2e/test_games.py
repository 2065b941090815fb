"""Whole games against bots, on a phone, by the real server: by clicks, by keyboard, without JavaScript."""

import re
import time

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.e2e.conftest import Console, People

STATE = "#board[data-state='{}']"
DEADLINE = 600


def new_game(context: BrowserContext, *, seats: int = 3, deals: int = 1, **rules: str) -> Page:
    """Deal by the form: rules by hand, where nobody takes hands unless told otherwise, against random bots."""
    page = context.new_page()
    page.goto("/new/")
    page.get_by_text("Every rule by hand").click()
    page.get_by_text("By hand", exact=True).click()
    for name, value in ({"taking": "off"} | rules).items():
        page.locator(f"input[name={name}][value={value}]").check()
    page.get_by_label("How many seats?").select_option(str(seats))
    for seat in range(2, seats + 1):
        page.locator(f"select[name=bot_{seat}]").select_option("random")
    page.get_by_text("Name, deals, the loser\u2019s title").click()
    page.get_by_label("How many deals?").fill(str(deals))
    page.get_by_role("button", name="Deal the cards").click()
    page.locator("#board").wait_for()
    # Until its script has run, the page works as without one.
    page.wait_for_load_state()
    return page


def state(page: Page) -> str:
    return page.locator("#board").get_attribute("data-state") or ""


def my_turn(page: Page) -> bool:
    """Wait for the reader's turn; False when the game is over."""
    page.locator(f"{STATE.format('my-turn')}, {STATE.format('over')}").first.wait_for(timeout=60_000)
    return state(page) == "my-turn"


def moved(page: Page, version: str | None) -> None:
    page.locator(f"#board:not([data-version='{version}'])").wait_for()


def tap(page: Page, thing: Locator) -> None:
    """Tap on something, and again if the table had just moved."""
    thing.click()
    page.wait_for_timeout(50)
    if page.locator("#why").count() and page.locator("#why").text_content() == "The table moved: tap again.":
        page.wait_for_timeout(700)
        thing.click()


def by_clicks(page: Page) -> None:
    version = page.locator("#board").get_attribute("data-version")
    card = page.locator("button[name=card].play").first
    if not card.get_attribute("aria-pressed"):
        tap(page, card)
    tap(page, page.locator("#confirm .yes"))
    moved(page, version)


def by_keys(page: Page) -> None:
    version = page.locator("#board").get_attribute("data-version")
    # The hand is one stop of the tab key, and that is a card which may be played.
    for _ in range(40):
        if page.evaluate("document.activeElement.matches('.card.play')"):
            break
        page.keyboard.press("Tab")
    if not page.evaluate("Boolean(document.activeElement.getAttribute('aria-pressed'))"):
        page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    moved(page, version)


def check_end(page: Page) -> None:
    expect(page.get_by_role("heading", name="Places")).to_be_visible()
    expect(page.locator(".places li")).to_have_count(page.locator(".seat").count())
    expect(page.locator(".places .badge").last).to_have_text("Last Hand")
    page.wait_for_timeout(750)  # a tap on what has just come does nothing
    page.get_by_role("link", name="Replay with all hands").click()
    expect(page.locator(".open-hand")).to_have_count(page.locator(".seat").count())
    page.get_by_role("link", name="Next").click()
    expect(page.locator(".banner")).to_contain_text(re.compile("leads? the ace of spades"))
    page.go_back()
    page.go_back()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    assert re.fullmatch(r"getaway-\w+\.json", download.value.suggested_filename)


def test_a_game_by_clicks(people: People) -> None:
    """R6, on 360 x 640: every card that may be played can be tapped where it lies."""
    page = new_game(people(), deals=2)
    began = time.monotonic()
    while my_turn(page):
        by_clicks(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert time.monotonic() - began < DEADLINE
    check_end(page)
    page.get_by_role("button", name="Next deal").click()
    expect(page.get_by_role("link", name="Deal 2 of 2: standings")).to_be_visible()


@pytest.mark.parametrize("turns", [5, pytest.param(99, marks=pytest.mark.soak)])
def test_a_game_by_keyboard(people: People, turns: int) -> None:
    page = new_game(people(viewport={"width": 1366, "height": 768}), penalties="penalise", two_left="any_tochoo")
    for _ in range(turns):
        if not my_turn(page):
            check_end(page)
            break
        by_keys(page)
    # The replay turns by arrow keys.
    page.goto(f"{page.url}replay/0/")
    for key, step in (("ArrowRight", "1"), ("ArrowRight", "2"), ("ArrowLeft", "1"), ("Home", "0")):
        # Keys count once the page's script has run, which the load event waits for.
        page.wait_for_load_state()
        page.keyboard.press(key)
        page.locator(f".replay[data-step='{step}']").wait_for()
    # From where "Show me" leads it turns by itself, until somebody stops it (R25).
    page.goto(f"{page.url}?play=1")
    page.locator(".replay[data-step='2']").wait_for()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()


@pytest.mark.parametrize("version", [25, pytest.param(999, marks=pytest.mark.soak)])
def test_a_game_without_javascript(people: People, version: int) -> None:
    """R54; to its end in the long campaign."""
    page = new_game(people(java_script_enabled=False), opening="any_order")
    began = time.monotonic()
    while state(page) != "over":
        assert time.monotonic() - began < DEADLINE
        if int(page.locator("#board").get_attribute("data-version") or 0) >= version:
            page.goto(f"{page.url}replay/1/")
            expect(page.locator(".banner")).to_contain_text(re.compile("leads? the ace of spades"))
            return
        if state(page) == "my-turn":
            page.locator("button[name=card]").first.click()
            page.wait_for_url(re.compile(r"/games/\w+/$"))
        else:
            assert page.locator("noscript").count() == 1 or page.get_by_role("link", name="Look again").is_visible()
            page.wait_for_timeout(400)
            page.goto(page.url)
    check_end(page)


def test_waiting_without_javascript_looks_again_by_itself(people: People) -> None:
    page = new_game(people(java_script_enabled=False))
    while state(page) != "waiting":
        page.locator("button[name=card]").first.click()
    version = page.locator("#board").get_attribute("data-version")
    page.locator(f"#board:not([data-version='{version}'])").wait_for()


def test_two_tabs(people: People, console: Console) -> None:
    """R9: a card sent from an old page brings the fresh table and a sentence, never an error page."""
    context = people()
    first = new_game(context)
    assert my_turn(first)
    second = context.new_page()
    # The second tab hears of no news, as on a bad line.
    second.route_web_socket("**/ws/**", lambda _: None)
    second.route("**/board/*", lambda route: route.fulfill(status=204))
    second.goto(first.url)
    card = first.locator("button[name=card].play").first.get_attribute("value")
    version = first.locator("#board").get_attribute("data-version")
    by_clicks(first)
    other = second.locator(f"button[name=card].play:not([value='{card}'])")
    target = other.first if other.count() else second.locator("button[name=card].play").first
    if not target.get_attribute("aria-pressed"):
        target.click()
    second.locator("#confirm .yes").click()
    expect(second.get_by_role("alert")).to_contain_text("The game has moved on")
    moved(second, version)
    assert second.url == first.url
    console.expected("409")


@pytest.mark.parametrize("scripted", [True, False])
def test_a_hand_can_be_taken(people: People, scripted: bool) -> None:
    """R13; before the opening trick anybody may take the next seat's hand, unless the ace is led first."""
    for _ in range(4):
        page = new_game(people(java_script_enabled=scripted), seats=4, taking="anyone")
        if page.locator("button[name=take]").count() == 0:
            continue
        tap(page, page.locator("#take summary"))
        tap(page, page.locator("#confirm .yes" if scripted else "button[name=take]"))
        expect(page.locator("#board")).not_to_have_attribute("data-version", "0")
        expect(page.locator(".log")).to_contain_text(re.compile("You take .* hand of 13 cards"))
        return
    pytest.fail("the bots always led first")
