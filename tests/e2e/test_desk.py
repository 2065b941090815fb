"""The desk in a browser: no page of it breaks the policy or axe's rules, on a light desk and a dark phone.

The pages come from the crawl, as rendered for a superuser, so that a new one is looked at without being listed here.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.contrib.staticfiles import finders
from django.test import Client
from playwright.sync_api import Page, Request, Route, sync_playwright
from pytest_django import Settings

from accounts.models import User
from tests.e2e.test_access import WCAG
from tests.e2e.test_pages import ORIGIN, Shot, _shot
from tests.games.pages import Page as Parsed
from tests.site.crawl import World
from tests.site.desk import client_for, desk_world

SCREENS: Final = ((360, 640, "dark"), (1366, 768, "light"))
_KINDS: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".png": "image/png"}


def pages(site: World) -> Iterator[tuple[str, Shot]]:
    """(a name, the page) of every page of the desk and of every form of an action that was refused."""
    client = client_for(site, "superuser")
    for key, path in site.addresses():
        if not key.startswith("/admin/"):
            continue
        answer = client.get(path)
        if answer.status_code in (200, 403, 404) and "html" in answer.headers["Content-Type"]:
            yield key, _shot(answer)
        if "/do/" in key or "/clocks/" in key:
            refused = client.post(path, {"why": ""})
            if refused.status_code == 422:
                yield f"refused {key}", _shot(refused)
    yield "nothing found", _shot(client.get("/admin/games/game/?q=nothing"))
    yield "filtered", _shot(client.get("/admin/games/game/?status=running"))


def doors(site: World) -> Iterator[tuple[str, Shot]]:
    """The pages of the second factor: without one, and with one that was shown or not."""
    bare = User.objects.create_user("new@example.org", name="New", is_staff=True, verified=True)
    yield "no factor yet", _shot(client_for_user(bare).get("/accounts/second/"))
    yield "asked for it", _shot(client_for(site, "superuser", second=False).get("/accounts/second/"))
    yield "refused", _shot(client_for(site, "superuser", second=False).post("/accounts/second/", {"code": "1"}))
    client = client_for(site, "superuser")
    session = client.session
    session["account_authentication_methods"][0]["reauthenticated"] = True
    session.save()
    for path in ("/accounts/second/", "/accounts/second/codes/", "/accounts/second/app/remove/"):
        yield path, _shot(client.get(path))
    yield "codes", _shot(client.post("/accounts/second/codes/"))
    client.post("/accounts/second/app/remove/")
    yield "an app", _shot(client.get("/accounts/second/app/"))


def client_for_user(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    return client


@pytest.mark.django_db
def test_the_policy_holds_on_every_page_of_the_desk(
    tmp_path: Path, settings: Settings, browser_type_launch_args: dict[str, Any]
) -> None:
    settings.MAIL_FOLDER = tmp_path / "mail"
    site = desk_world(str(settings.MAIL_FOLDER))
    i18n = client_for(site, "superuser").get("/admin/jsi18n/").content
    shots = dict(enumerate([*pages(site), *doors(site)]))
    assert len(shots) > 80
    complaints: list[str] = []

    def serve(route: Route, request: Request) -> None:
        path = request.url.removeprefix(ORIGIN).split("?")[0].strip("/")
        if path.startswith("static/"):
            file = Path(str(finders.find(path.removeprefix("static/"))))
            route.fulfill(body=file.read_bytes(), content_type=_KINDS.get(file.suffix, "font/woff2"))
        elif path == "admin/jsi18n":
            route.fulfill(body=i18n, content_type="text/javascript")
        elif path.isdigit():
            shot = shots[int(path)][1]
            headers = {"Content-Security-Policy": shot.policy}
            route.fulfill(status=shot.status, body=shot.html, content_type="text/html; charset=utf-8", headers=headers)
        else:
            route.fulfill(status=204)

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**browser_type_launch_args)
        page = browser.new_page()
        page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.route("**/*", serve)
        faults, looks = looked_at(page, shots, complaints)
        browser.close()
    assert faults == [], "\n".join(map(str, faults))
    assert looks > 20


def looked_at(page: Page, shots: dict[int, tuple[str, Shot]], complaints: list[str]) -> tuple[list[object], int]:
    """Open every page; return what is wrong, and how many of them are made of elements of their own."""
    faults, seen = list[object](), set[frozenset[tuple[str, str]]]()
    for number, (name, shot) in shots.items():
        page.goto(f"{ORIGIN}/{number}/")
        elements = Parsed(shot.html).elements
        look = frozenset((each.tag, each.attrs.get("class", "")) for each in elements)
        # The policy everywhere; the rules of axe once where pages are made of the same elements.
        if look not in seen:
            seen.add(look)
            faults += check(page, name)
        faults += [(name, each) for each in complaints if f"status of {shot.status}" not in each]
        complaints.clear()
    return faults, len(seen)


def check(page: Page, name: str) -> list[tuple[object, ...]]:
    """What axe finds on a dark phone and a light desk, and whether the page fits the screen."""
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    page.evaluate(AXE_SCRIPT)
    faults: list[tuple[object, ...]] = []
    for width, height, scheme in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        found = page.evaluate("options => axe.run(document, options)", WCAG)
        faults += [(name, scheme, each["id"], each["nodes"][0]["html"][:300]) for each in found["violations"]]
        if page.evaluate("document.documentElement.scrollWidth") > width:
            faults.append((name, width, "is too wide"))
        if page.evaluate(
            "[...document.querySelectorAll('.results')].some(each => each.scrollWidth > each.clientWidth)"
        ):
            faults.append((name, width, "has a list that scrolls sideways"))
    return faults
