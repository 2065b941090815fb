"""From a mailed invitation to one's own cards, in a real browser: at most four screens and a minute (R59)."""

import itertools
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.conftest import PHONE, Console, People, places
from tests.e2e.mails import mailed_code
from tests.e2e.test_access import check
from tests.site.test_serve import Running

numbers = itertools.count()
JS = pytest.mark.parametrize("scripted", [True, False], ids=["with script", "without"])


@dataclass
class Phone:
    """A browser of somebody else, somewhere else; `screens` are the pages it has shown."""

    context: BrowserContext
    page: Page
    screens: list[str] = field(default_factory=list)

    def tap(self, address: str) -> None:
        """Follow a link of a mail or a chat, and count pages from now on."""
        self.screens.clear()
        self.page.goto(address)


@pytest.fixture
def phones(site: Running, browser: Browser, console: Console) -> Iterator[Callable[..., Phone]]:
    contexts = []

    def fresh(*, scripted: bool = True) -> Phone:
        base = f"http://localhost:{site.port}"
        context = browser.new_context(viewport=PHONE, base_url=base, java_script_enabled=scripted)  # type: ignore[arg-type]
        context.set_default_timeout(15_000)
        contexts.append(context)
        page = context.new_page()
        page.set_extra_http_headers({"X-Forwarded-For": f"2001:db8:{next(places):x}::1"})
        console.watch(page)
        phone = Phone(context, page)
        page.on("load", lambda page: phone.screens.append(page.url))
        return phone

    yield fresh
    for each in contexts:
        each.close()


@dataclass
class Host:
    """A host whose table waits for people, at its page of invitations."""

    site: Running
    page: Page
    code: str

    def invite(self, address: str) -> str:
        """Paste an address; return the link in the mail, read at the page that shows the mails of this server."""
        self.page.goto(f"/tables/{self.code}/invites/")
        self.page.get_by_label("Email addresses").fill(address)
        self.page.get_by_role("button", name="Send invitations").click()
        return self.mailed(address)

    def mailed(self, address: str) -> str:
        box = self.page.context.new_page()
        until = time.monotonic() + 15
        while True:
            box.goto("/dev/mail/")
            row = box.locator("#mails li", has_text=address).filter(has_text="invites you to")
            if row.count():
                break
            assert time.monotonic() < until, "no mail came"
            time.sleep(0.2)
        row.first.locator("a").click()
        text = box.locator("#text").inner_text()
        box.close()
        found = re.search(r"http://localhost:\d+/i/[A-Za-z0-9_-]{22}/", text)
        assert found is not None, text
        return found[0]

    def link(self) -> str:
        self.page.goto(f"/tables/{self.code}/invites/")
        self.page.get_by_role("button", name="Make the link").click()
        self.page.goto(f"/tables/{self.code}/invites/")
        return self.page.locator("#link").input_value()


@pytest.fixture
def hosts(site: Running, people: People) -> Callable[..., Host]:
    def made(free: int = 1) -> Host:
        page = people().new_page()
        page.goto("/new/?with=people")
        page.locator("select[name=seats]").select_option(str(2 + free))
        page.locator("select[name=who_2]").select_option("random")
        page.locator("form.new button.main").click()
        page.locator("#invitations").wait_for()
        return Host(site, page, page.url.rstrip("/").rpartition("/")[2])

    return made


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


def test_the_hosts_pages_are_for_everybody(hosts: Callable[..., Host], console: Console) -> None:
    host: Host = hosts(free=3)
    host.invite(address())
    host.page.goto(f"/tables/{host.code}/invites/")
    check(host.page)
    host.link()
    host.page.locator("#new-link summary").click()
    check(host.page)
    host.page.get_by_label("Email addresses").fill("nobody")
    host.page.get_by_role("button", name="Send invitations").click()
    expect(host.page.locator("#invite-fault")).to_be_visible()
    check(host.page)
    console.expected("422")
    host.page.goto("/dev/mail/")
    check(host.page)
    host.page.locator("#mails a").first.click()
    check(host.page)


def test_the_pages_of_an_invitation_are_for_everybody(
    hosts: Callable[..., Host], phones: Callable[..., Phone], console: Console
) -> None:
    host: Host = hosts(free=3)
    mailed, link, phone = host.invite(address()), host.link(), phones()
    for target in (mailed, link):
        phone.tap(target)
        check(phone.page)
        for summary in phone.page.locator("summary").all():
            summary.click()
        check(phone.page)
    phone.page.locator("button[value=guest]").click()
    expect(phone.page.locator(".errorlist").first).to_be_visible()
    check(phone.page)
    console.expected("422")
    host.page.get_by_role("button", name="Withdraw the link").click()
    phone.page.goto(link)
    expect(phone.page.locator("#fault")).to_be_visible()
    check(phone.page)
    console.expected("410")


def test_the_way_out_of_mail_is_for_everybody(hosts: Callable[..., Host], phones: Callable[..., Phone]) -> None:
    host, phone = hosts(free=3), phones()
    host.invite(address())
    host.page.goto("/dev/mail/")
    host.page.locator("#mails a").first.click()
    gone = re.search(r"http://localhost:\d+/nomail/\S+", host.page.locator("#text").inner_text())
    assert gone is not None
    phone.page.goto(gone[0])
    check(phone.page)
    phone.page.get_by_role("button", name="No more invitations").click()
    check(phone.page)


def test_the_link_is_copied_and_shared(hosts: Callable[..., Host]) -> None:
    host: Host = hosts()
    host.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    host.page.add_init_script("navigator.share = (what) => { window.shared = what; return Promise.resolve(); }")
    link = host.link()
    host.page.get_by_role("button", name="Copy").click()
    expect(host.page.locator("#copied")).to_have_text("Copied")
    assert host.page.evaluate("navigator.clipboard.readText()") == link
    host.page.get_by_role("button", name="Share").click()
    shared: Any = host.page.evaluate("window.shared")
    assert shared["url"] == link
    assert "Our table" in shared["text"]
