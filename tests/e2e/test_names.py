"""Names and titles may be one long word: no page becomes wider than the screen. And the form's button is in reach."""

from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from games.rules.outcome import Result
from tests.e2e.boards import LAST, waiting
from tests.e2e.conftest import People
from tests.e2e.stage import Stage
from tests.games import rendered

SIZES = [(320, 568), (360, 640), (700, 900), (1366, 768)]


def straight(page: Page) -> None:
    # Before its style sheets are there a page has no width of its own.
    page.wait_for_load_state()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (page.url, width)


def test_long_names_on_the_board(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendered, "NAMES", ("W" * 40,) * 12)
    monkeypatch.setattr(rendered, "FRAME", replace(rendered.FRAME, table_name="W" * 60, title="W" * 40))
    view = waiting(tricks=4, last=LAST)
    straight(stage.open(view))
    straight(stage.open(replace(view, result=Result((1, 2, 3), 0, False, 7), awaited=(), legal=())))


def test_long_names_on_other_pages(people: People) -> None:
    page = people().new_page()
    page.goto("/new/")
    # Where no hands are taken, bots lead without a pause for it.
    page.get_by_text("Kazhutha (Kerala, no trumps)").click()
    page.get_by_label("How many seats?").select_option("3")
    page.get_by_text("Name, deals, the loser\u2019s title").click()
    page.get_by_label("Name of the table").fill("W" * 60)
    page.get_by_label("How many deals?").fill("2")
    page.get_by_text("In your own words").click()
    page.get_by_role("textbox", name="Your own words").fill("W" * 40)
    page.get_by_role("button", name="Deal the cards").click()
    page.locator("#board").wait_for()
    page.wait_for_load_state()
    table = page.url
    for path in ("/", table + "replay/0/"):
        page.goto(path)
        straight(page)
    page.goto(table)
    straight(page)
    page.goto(page.locator("a[href^='/tables/']").first.get_attribute("href") or "")
    expect(page.get_by_role("heading", level=1)).to_contain_text("WWW")
    straight(page)


def test_a_new_game_is_two_screens_and_one_tap(people: People) -> None:
    page = people().new_page()
    page.goto("/new/")
    assert page.evaluate("document.documentElement.scrollHeight") <= 2.2 * 640
    # At the bottom of the screen wherever the reader is, and it hides nothing that has the focus.
    button = page.get_by_role("button", name="Deal the cards")
    for _ in range(11):
        box = button.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 640
        page.keyboard.press("Tab")
        focused = page.evaluate("document.activeElement.getBoundingClientRect().bottom")
        inside = page.evaluate("Boolean(document.activeElement.closest('.actions'))")
        assert inside or focused <= box["y"]
    button.click()
    page.locator("#board").wait_for()
