"""Tables for people: made, found in the lobby, filled, played and left, each page looked at by axe (R49)."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Console, People
from tests.e2e.test_access import check


def opened(page: Page, **answers: str) -> str:
    """Open a table for people by the form as a person fills it in, and return its path."""
    page.goto("/")
    page.get_by_role("link", name="With friends").click()
    for name, value in answers.items():
        field = page.locator(f"form.new select[name={name}]")
        if field.count():
            field.select_option(value)
        else:
            page.locator("#people[open], #people summary").first.click()
            page.locator(f"form.new input[name={name}][value={value}]").check()
    check(page)
    page.get_by_role("button", name="Open the table").click()
    page.locator("#table").wait_for()
    return page.url


def test_from_an_open_table_to_the_cards_and_again(people: People) -> None:
    host, other = people().new_page(), people().new_page()
    path = opened(host, joins="lobby", seats="3")
    assert host.locator("#seats li").count() == 3
    check(host)
    other.goto("/lobby/")
    check(other)
    code = path.rstrip("/").rsplit("/", 1)[-1]
    other.locator(f"#lobby li[data-table='{code}'] a").click()
    check(other)
    other.get_by_text("Choose a seat, or another name").click()
    check(other)
    other.get_by_role("button", name="Sit down").click()
    expect(other.locator("#seats [data-holder=me]")).to_have_count(1)
    check(other)
    other.goto("/")
    check(other)
    _started_and_left(host, other, path)


def _started_and_left(host: Page, other: Page, path: str) -> None:
    # The host sees who has come without asking.
    expect(host.locator("#seats [data-holder=person]")).to_have_count(1)
    expect(host.get_by_text("Free a seat, hand the table over")).to_have_count(1)
    for each in host.locator("details summary").all():
        each.click()
    check(host)
    other.goto(path)
    host.get_by_role("button", name="Start with 1 bot").click()
    host.locator("#board").wait_for()
    # Whoever waits is led to the cards.
    other.locator("#board").wait_for()
    other.goto(path)
    check(other)
    other.get_by_role("button", name="Leave: let a bot play on").click()
    other.locator("#left").wait_for()
    check(other)
    host.goto(path)
    assert ", for Nani 2" in host.locator("table").inner_text()
    check(host)


def test_who_becomes_the_host_gets_the_tools_and_who_is_taken_off_is_told(people: People) -> None:
    host, other = people().new_page(), people().new_page()
    for each in (host, other):
        # By their sockets alone: they ask for nothing.
        each.add_init_script("window.setInterval = () => 0")
    path = opened(host, joins="lobby", seats="4")
    other.goto(path)
    other.get_by_text("Choose a seat, or another name").click()
    other.get_by_role("button", name="Sit down").click()
    expect(other.locator("#leave")).to_have_count(1)
    host.goto(path)
    host.get_by_text("Free a seat, hand the table over").click()
    host.get_by_role("button", name="Make host").click()
    # Without a tap of theirs.
    expect(other.locator("#invitations")).to_be_visible(timeout=15_000)
    other.get_by_text("Rename it").click()
    other.get_by_label("Name of the table").fill("Chai and cards")
    other.get_by_role("button", name="Rename", exact=True).click()
    expect(host.get_by_role("heading", name="Chai and cards")).to_be_visible(timeout=15_000)
    expect(host).to_have_title(re.compile("Chai and cards"))
    other.get_by_text("Free a seat, hand the table over").click()
    other.get_by_role("button", name="Free the seat").first.click()
    expect(host.locator("#removed")).to_be_visible(timeout=15_000)
    check(host)


@pytest.mark.parametrize("path", ["/", "/new/?with=people", "/lobby/", "/me/", "/accounts/settings/", "/help/"])
def test_twice_the_size_of_text_is_not_cut(people: People, path: str) -> None:
    page = people().new_page()
    page.goto(path)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("scripts", [True, False])
def test_bots_and_people_are_as_few_taps(people: People, scripts: bool) -> None:
    page = people(java_script_enabled=scripts).new_page()
    page.goto("/")
    page.get_by_role("link", name="New game").click()
    page.get_by_role("button", name="Deal the cards").click()
    page.locator("#board").wait_for()
    page.goto("/")
    page.get_by_role("link", name="With friends").click()
    page.get_by_role("button", name="Open the table").click()
    page.locator("#seats [data-holder=free]").first.wait_for()
    assert page.locator("#seats [data-holder=free]").count() == 3
    page.get_by_text("Start without waiting").click()
    page.get_by_role("button", name="Start with 3 bots").click()
    page.locator("#board").wait_for()


def test_what_is_refused_and_what_is_closed(people: People, console: Console) -> None:
    host, other = people().new_page(), people().new_page()
    path = opened(host, joins="lobby")
    other.goto(path)
    other.get_by_text("Choose a seat, or another name").click()
    other.get_by_label("Your name at this table").fill("nani")
    other.get_by_role("button", name="Sit down").click()
    other.locator("#name-fault").wait_for()
    check(other)
    console.expected("422")
    other.close()
    host.get_by_text("Close the table").click()
    host.get_by_role("button", name="Close it for good").click()
    host.locator("#table[data-status=closed]").wait_for()
    check(host)
    host.get_by_role("link", name="Make one like it").click()
    assert host.locator("#with-people").is_checked()
    check(host)
