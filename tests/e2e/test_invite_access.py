"""The pages of invitations with axe, on a phone and on a desk, light and dark; and the ways to pass a link on."""

import itertools
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from tests.e2e.conftest import Console
from tests.e2e.parties import Host, Phone
from tests.e2e.test_access import check

_numbers = itertools.count()


def address() -> str:
    return f"esha{next(_numbers)}@example.org"


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
