"""From a mailed invitation to one's own cards, in a real browser: at most four screens and a minute (R59)."""

import itertools
import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.mails import mailed_code
from tests.e2e.parties import Host, Phone
from tests.e2e.test_access import check
from tests.site.test_serve import Running

numbers = itertools.count()
JS = pytest.mark.parametrize("scripted", [True, False], ids=["with script", "without"])


def address() -> str:
    return f"bilal{next(numbers)}@example.org"


def own_cards(phone: Phone, began: float, most: int) -> None:
    """That the last page shows cards of one's own, after so few screens and so little time."""
    expect(phone.page.locator("button[name=card], .hand .card").first).to_be_visible()
    assert "/games/" in phone.page.url
    assert len(phone.screens) <= most, phone.screens
    assert time.monotonic() - began < 60


def code_typed(phone: Phone, site: Running, to: str) -> None:
    phone.page.get_by_label("Code").fill(mailed_code(site.data, to))
    phone.page.get_by_role("button", name="Go on").click()


@JS
def test_a_new_person_by_mail(hosts: Callable[..., Host], phones: Callable[..., Phone], scripted: bool) -> None:
    to = address()
    link = hosts().invite(to)
    phone, began = phones(scripted=scripted), time.monotonic()
    phone.tap(link)
    phone.page.get_by_label("Your name").fill("Bilal")
    phone.page.get_by_role("button", name="Take a seat", exact=True).click()
    own_cards(phone, began, 2)


@JS
def test_a_new_person_by_mail_with_another_address(
    hosts: Callable[..., Host], phones: Callable[..., Phone], site: Running, scripted: bool
) -> None:
    to = address()
    link = hosts().invite(address())
    phone, began = phones(scripted=scripted), time.monotonic()
    phone.tap(link)
    phone.page.get_by_label("Your name").fill("Bilal")
    phone.page.get_by_text("With another address, or none").click()
    phone.page.get_by_label("Email address").fill(to)
    phone.page.get_by_role("button", name="Take a seat with this address").click()
    code_typed(phone, site, to)
    own_cards(phone, began, 3)


def known(phones: Callable[..., Phone], site: Running, to: str, *, scripted: bool) -> Phone:
    """Somebody with an account, signed in."""
    phone: Phone = phones(scripted=scripted)
    phone.page.goto("/accounts/signup/")
    phone.page.get_by_label("Your name").fill("Bilal")
    phone.page.get_by_label("Email address").fill(to)
    phone.page.get_by_role("button", name="Make the account").click()
    code_typed(phone, site, to)
    phone.page.get_by_role("heading", name="Hello, Bilal").wait_for()
    return phone


@JS
def test_a_known_person_by_mail(
    hosts: Callable[..., Host], phones: Callable[..., Phone], site: Running, scripted: bool
) -> None:
    to = address()
    phone = known(phones, site, to, scripted=scripted)
    link, began = hosts().invite(to), time.monotonic()
    phone.tap(link)
    phone.page.get_by_role("button", name="Take a seat as Bilal").click()
    own_cards(phone, began, 2)


@JS
def test_a_known_person_by_mail_signed_out(
    hosts: Callable[..., Host], phones: Callable[..., Phone], site: Running, scripted: bool
) -> None:
    to = address()
    known(phones, site, to, scripted=scripted)
    link = hosts().invite(to)
    phone, began = phones(scripted=scripted), time.monotonic()
    phone.tap(link)
    phone.page.get_by_label("Your name").fill("Bilal")
    phone.page.get_by_role("button", name="Take a seat", exact=True).click()
    code_typed(phone, site, to)
    own_cards(phone, began, 3)


@JS
def test_a_known_person_who_signs_in_first(
    hosts: Callable[..., Host], phones: Callable[..., Phone], site: Running, scripted: bool
) -> None:
    to = address()
    known(phones, site, to, scripted=scripted)
    link = hosts().invite(to)
    phone, began = phones(scripted=scripted), time.monotonic()
    phone.tap(link)
    phone.page.get_by_role("button", name="Sign in").click()
    phone.page.get_by_label("Email address").fill(to)
    phone.page.locator("#signin button.main").click()
    code_typed(phone, site, to)
    own_cards(phone, began, 4)


@JS
def test_a_guest_by_the_link(hosts: Callable[..., Host], phones: Callable[..., Phone], scripted: bool) -> None:
    link = hosts().link()
    phone, began = phones(scripted=scripted), time.monotonic()
    phone.tap(link)
    phone.page.get_by_label("Your name").fill("Bilal")
    phone.page.get_by_text("Without an address", exact=True).click()
    phone.page.get_by_role("button", name="Play as a guest").click()
    own_cards(phone, began, 2)


@JS
def test_a_new_person_by_the_link(
    hosts: Callable[..., Host], phones: Callable[..., Phone], site: Running, scripted: bool
) -> None:
    link, to = hosts().link(), address()
    phone, began = phones(scripted=scripted), time.monotonic()
    phone.tap(link)
    phone.page.get_by_label("Your name").fill("Bilal")
    phone.page.get_by_label("Email address").fill(to)
    phone.page.get_by_role("button", name="Take a seat", exact=True).click()
    code_typed(phone, site, to)
    own_cards(phone, began, 3)


def test_somebody_else_at_this_browser_changes_over(
    hosts: Callable[..., Host], phones: Callable[..., Phone], site: Running
) -> None:
    link = hosts().invite(address())
    phone = known(phones, site, address(), scripted=True)
    began = time.monotonic()
    phone.tap(link)
    expect(phone.page.locator("#other")).to_contain_text("You are signed in as Bilal")
    check(phone.page)
    phone.page.get_by_role("button", name=re.compile("Sign out and take it as")).click()
    phone.page.get_by_role("button", name="Take a seat", exact=True).wait_for()
    phone.page.get_by_label("Your name").fill("Chandni")
    phone.page.get_by_role("button", name="Take a seat", exact=True).click()
    own_cards(phone, began, 3)
