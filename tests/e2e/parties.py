"""Those who meet at a table: a host at their page, and others far away with phones of their own."""

import re
import time
from dataclasses import dataclass, field

from playwright.sync_api import BrowserContext, Page

from tests.site.test_serve import Running


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
        until = time.monotonic() + 60
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
