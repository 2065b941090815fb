"""Chromium before a real server, and before boards made by hand; any error in its console fails the test."""

import itertools
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import APIResponse, Browser, BrowserContext, Page, expect, sync_playwright

from tests.e2e.mails import mailed_code
from tests.e2e.parties import Host, Phone
from tests.e2e.stage import Stage
from tests.site.test_serve import Running, serving

places = itertools.count()

type People = Callable[..., BrowserContext]

PHONE = {"width": 360, "height": 640}

# Milliseconds within which whatever is waited for comes, on a machine that has other things to do.
PATIENCE = 30_000
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def browser(browser_type_launch_args: dict[str, Any]) -> Iterator[Browser]:
    """A browser for the tests of one module.

    Not the plugin's, which lives as long as the session: while it does an event loop counts as running in this thread,
    and Django then refuses to touch the database, also in modules that drive no browser.
    """
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**browser_type_launch_args)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """`manage.py serve` on a folder of its own, with its bots in a hurry."""
    # Whoever signs up here comes from somewhere else, as the header of the proxy says: the limits count places.
    hasty, folder = ("-m", "tests.e2e.hasty"), Path(tmp_path_factory.mktemp("site"))
    with serving(folder, "--port", "21000", program=hasty, PROXIES="1") as running:
        yield running
        *_, err = running.stop(signal.SIGTERM)
        # What fails behind the pages is tried again: nobody sees it there.
        assert not re.search(r"\[error +\] (live failed|Exception inside)", err), err


class Console:
    """What the pages of a test complained of; a test takes out what it brought about itself."""

    def __init__(self) -> None:
        self.errors: list[str] = []

    def watch(self, page: Page) -> None:
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def expected(self, part: str) -> None:
        found = [each for each in self.errors if part in each]
        assert found, self.errors
        self.errors = [each for each in self.errors if part not in each]


@pytest.fixture
def console() -> Iterator[Console]:
    console = Console()
    yield console
    assert console.errors == []


def signed_up(context: BrowserContext, site: Running, address: str) -> None:
    """Make an account by its forms alone: a page takes a second to open, and `test_accounts` fills them in by hand."""
    ask, headers = context.request, {"X-Forwarded-For": f"2001:db8:{next(places):x}::1"}

    def sent(page: APIResponse, **fields: str) -> APIResponse:
        token = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text())[-1]
        return ask.post(page.url, form=fields | {"csrfmiddlewaretoken": token}, headers=headers)

    page = sent(ask.get("/accounts/signup/", headers=headers), name="Nani", email=address, zone="UTC")
    page = sent(page, code=mailed_code(site.data, address))
    assert "Hello, <bdi>Nani" in page.text()


@pytest.fixture
def people(site: Running, browser: Browser, console: Console) -> Iterator[People]:
    """Sign up one new person after another, each in a browser of their own."""
    contexts = []
    numbers = itertools.count()

    def sign_up(**options: object) -> BrowserContext:
        context = browser.new_context(**{"viewport": PHONE, "base_url": f"http://localhost:{site.port}"} | options)  # type: ignore[arg-type]
        context.on("page", console.watch)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        signed_up(context, site, f"nani{id(context)}-{next(numbers)}@example.org")
        return context

    yield sign_up
    for each in contexts:
        each.close()


@pytest.fixture
def phones(site: Running, browser: Browser, console: Console) -> Iterator[Callable[..., Phone]]:
    contexts = []

    def fresh(*, scripted: bool = True) -> Phone:
        base = f"http://localhost:{site.port}"
        context = browser.new_context(viewport=PHONE, base_url=base, java_script_enabled=scripted)  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE)
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


@pytest.fixture
def stage(browser: Browser, console: Console) -> Iterator[Stage]:
    """The page of a game whose boards are made by hand, at a server that is not there."""
    context = browser.new_context(viewport=PHONE)  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    console.watch(page)
    yield Stage(page)
    context.close()


@pytest.fixture(scope="module")
def kept_stage(browser: Browser) -> Iterator[tuple[Stage, Console]]:
    context = browser.new_context(viewport=PHONE)  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE)
    page, console = context.new_page(), Console()
    console.watch(page)
    yield Stage(page), console
    context.close()


@pytest.fixture
def still(kept_stage: tuple[Stage, Console]) -> Iterator[Stage]:
    """The same page for one test after another that opens boards, and looks: a new one takes a second."""
    stage, console = kept_stage
    stage.page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    stage.page.emulate_media(color_scheme="null", reduced_motion="null", forced_colors="null")
    yield stage
    assert console.errors == []
