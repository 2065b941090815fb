"""Accounts in a real browser: passkeys, codes without JavaScript, the browser's zone, and axe on every page."""

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.e2e.conftest import PHONE, Console, People, places
from tests.e2e.mails import mailed, mailed_code
from tests.e2e.test_access import check
from tests.site.test_serve import Running

numbers = itertools.count()


class Door:
    """A browser before the site, and the mails that the site sends to it."""

    def __init__(self, site: Running, context: BrowserContext) -> None:
        self.site, self.context = site, context
        self.page = context.new_page()
        self.page.set_extra_http_headers({"X-Forwarded-For": f"2001:db8:{next(places):x}::1"})
        self.address = f"door{next(numbers)}@example.org"
        self.codes = 0

    def code(self) -> None:
        """Write the code of the mail that comes now."""
        self.page.get_by_role("heading", name="Look at your mail").wait_for()
        self.page.get_by_label("Code").fill(mailed_code(self.site.data, self.address, more_than=self.codes))
        self.codes += 1
        self.page.get_by_role("button", name="Go on").click()

    def sign_up(self, name: str = "Nani") -> Page:
        self.page.goto("/accounts/signup/")
        self.page.get_by_label("Your name").fill(name)
        self.page.get_by_label("Email address").fill(self.address)
        self.page.get_by_role("button", name="Make the account").click()
        self.code()
        self.page.get_by_role("heading", name=f"Hello, {name}").wait_for()
        return self.page

    def shown(self, path: str) -> Page:
        """Open a page that asks again who it is."""
        self.page.goto(path)
        self.page.get_by_role("button", name="Mail me a code").click()
        self.code()
        self.page.wait_for_url(f"**{path}")
        return self.page


@pytest.fixture
def door(site: Running, browser: Browser, console: Console) -> Iterator[Callable[..., Door]]:
    contexts = []

    def opened(**options: Any) -> Door:
        context = browser.new_context(viewport=PHONE, base_url=f"http://localhost:{site.port}", **options)  # type: ignore[arg-type]
        context.on("page", console.watch)
        context.set_default_timeout(15_000)
        contexts.append(context)
        return Door(site, context)

    yield opened
    for each in contexts:
        each.close()


def test_a_passkey_is_made_and_signs_in_and_a_code_still_does(door: Callable[..., Door]) -> None:
    nani = door()
    page = nani.sign_up()
    made(nani)
    page.get_by_role("button", name="Sign out").click()
    page.get_by_text("You are signed out.").wait_for()
    page.goto("/accounts/signin/?next=/accounts/passkeys/")
    page.get_by_role("button", name="Use a passkey").click()
    page.get_by_role("heading", name="Passkeys").wait_for()
    used_otherwise(nani)
    removed(nani)


def made(nani: Door) -> None:
    page = nani.page
    keys = nani.context.new_cdp_session(page)
    keys.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    options |= {"isUserVerified": True, "automaticPresenceSimulation": True}
    key = keys.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]
    nani.shown("/accounts/passkeys/add/")
    page.get_by_label("Name").fill("My phone")
    page.get_by_role("button", name="Add it").click()
    page.get_by_text("My phone").first.wait_for()
    kept = keys.send("WebAuthn.getCredentials", {"authenticatorId": key})["credentials"]
    assert [each["isResidentCredential"] for each in kept] == [True]
    check(page)


def used_otherwise(nani: Door) -> None:
    """A passkey shows again who it is as well, and a mailed code is still enough to sign in."""
    page = nani.page
    page.goto("/accounts/email/")
    page.get_by_role("link", name="Use a passkey").click()
    page.get_by_role("button", name="Use a passkey").wait_for()
    check(page)
    page.get_by_role("button", name="Use a passkey").click()
    page.get_by_label("New email address").wait_for()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_text("You are signed out.").wait_for()
    page.get_by_label("Email address").fill(nani.address)
    page.get_by_role("button", name="Sign in", exact=True).click()
    nani.code()
    page.get_by_role("heading", name="Hello, Nani").wait_for()


def removed(nani: Door) -> None:
    page = nani.page
    page.goto("/accounts/passkeys/")
    page.get_by_role("link", name="Remove").click()
    page.get_by_role("link", name="Use a passkey").click()
    page.get_by_role("button", name="Use a passkey").click()
    page.get_by_role("button", name="Remove the passkey").click()
    page.get_by_text("You have none yet.").wait_for()
    told = mailed(nani.site.data, nani.address)
    assert "passkey" in told[-1]


def test_a_passkey_that_fails_says_so(door: Callable[..., Door]) -> None:
    page = door().page
    keys = page.context.new_cdp_session(page)
    keys.send("WebAuthn.enable")
    page.goto("/accounts/signin/")
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    keys.send("WebAuthn.addVirtualAuthenticator", {"options": options | {"isUserVerified": False}})
    page.get_by_role("button", name="Use a passkey").click()
    page.get_by_text("That did not work").wait_for()


def test_without_javascript_everything_but_passkeys_works(door: Callable[..., Door]) -> None:
    nani = door(java_script_enabled=False)
    page = nani.sign_up()
    page.get_by_role("link", name="Me", exact=True).click()
    page.get_by_role("link", name="Me", exact=True).click()
    page.get_by_role("link", name="Settings").click()
    page.get_by_label("Your time zone").select_option("Asia/Kolkata")
    page.get_by_role("button", name="Keep these settings").click()
    page.get_by_text("Your settings are kept.").wait_for()
    nani.shown("/accounts/password/")
    page.get_by_label("New password").fill("phulkari-and-chai")
    page.get_by_role("button", name="Set a password").click()
    page.get_by_text("your password is set").wait_for()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_text("You are signed out.").wait_for()
    assert page.get_by_role("button", name="Use a passkey").count() == 0
    page.get_by_label("Email address").fill(nani.address)
    page.get_by_text("I have set a password").click()
    page.get_by_label("Password", exact=True).fill("phulkari-and-chai")
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("heading", name="Hello, Nani").wait_for()


def test_the_zone_is_the_browsers(door: Callable[..., Door]) -> None:
    page = door(timezone_id="Asia/Karachi").sign_up()
    page.goto("/accounts/settings/")
    assert page.get_by_label("Your time zone").input_value() == "Asia/Karachi"


def test_signing_out_clears_the_browser(door: Callable[..., Door]) -> None:
    nani = door()
    page = nani.sign_up()
    page.evaluate("localStorage.setItem('kept', 'x')")
    assert "sessionid" in {each.get("name") for each in nani.context.cookies()}
    page.get_by_role("button", name="Sign out").click()
    page.get_by_text("You are signed out.").wait_for()
    assert "sessionid" not in {each.get("name") for each in nani.context.cookies()}
    assert page.evaluate("localStorage.getItem('kept')") is None


def test_axe_finds_nothing_on_the_doors(door: Callable[..., Door], console: Console) -> None:
    page = door().page
    for path in ("/accounts/signin/?out=1", "/accounts/signup/"):
        page.goto(path)
        check(page)
    page.goto("/accounts/signin/")
    page.get_by_label("Email address").fill("nobody@example.org")
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_label("Code").fill("1")
    check(page)
    page.get_by_role("button", name="Go on").click()
    page.get_by_text("That is not right").wait_for()
    check(page)
    console.expected("422")


def test_axe_finds_nothing_on_ones_own_pages(door: Callable[..., Door], console: Console) -> None:
    nani = door()
    page = nani.sign_up("നാനി അമ്മ")
    for path in ("/accounts/settings/", "/accounts/sessions/", "/accounts/passkeys/", "/accounts/again/code/"):
        page.goto(path)
        check(page)
    nani.shown("/accounts/email/")
    check(page)
    for path in ("/accounts/password/", "/accounts/passkeys/add/", "/accounts/device/"):
        page.goto(path)
        check(page)
    page.get_by_role("button", name="Make the link").click()
    link = page.get_by_role("textbox", name="The address").input_value()
    check(page)
    page.goto(link)
    check(page)
    other = door()
    other.page.goto(link)
    check(other.page)
    other.page.get_by_role("button", name="Go on as").click()
    other.page.get_by_role("heading", name="Hello, നാനി അമ്മ").wait_for()
    other.page.goto(link)
    console.expected("410")
    check(other.page)


def test_the_header_fits_on_a_phone(people: People) -> None:
    page = people().new_page()
    page.set_viewport_size({"width": 320, "height": 568})
    page.goto("/")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
