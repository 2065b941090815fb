"""Notices in a real browser: asked for, shown by the worker as they come, tapped, and turned off again."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.conftest import chromium
from tests.e2e.conftest import People
from tests.e2e.stage import until
from tests.e2e.test_access import check
from tests.games.push_service import Browser as Device
from tests.site.test_serve import Running

# No service of a browser's maker is reached from here: what it would give, kept as a browser keeps it.
SERVICE = """(() => {
  const bytes = (text) =>
    Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0)).buffer;
  const given = (key) => ({
    endpoint: ENDPOINT,
    options: { applicationServerKey: bytes(key) },
    toJSON: () => ({ endpoint: ENDPOINT, keys: KEYS }),
    unsubscribe: async () => { localStorage.removeItem("given"); return true; },
  });
  const kept = () => { const key = localStorage.getItem("given"); return key ? given(key) : null; };
  PushManager.prototype.getSubscription = async () => kept();
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    const text = btoa(String.fromCharCode(...new Uint8Array(applicationServerKey)));
    localStorage.setItem("given", text);
    return kept();
  };
})();"""
# What is shown, once a notice with that text is among it.
SHOWN = """async (body) => {
  const registration = await navigator.serviceWorker.ready;
  let all = [];
  for (let tries = 0; tries < 200 && !all.some((each) => each.body === body); tries += 1) {
    await new Promise((later) => setTimeout(later, 50));
    all = await registration.getNotifications();
  }
  return all.map((each) => [each.title, each.body, each.tag, each.data.path]);
}"""
SAID = {"title": "Your turn", "text": "A table waits for your card.", "path": "/lobby/", "tag": "one"}


@pytest.fixture(scope="module")
def browser(browser_type_launch_args: dict[str, Any]) -> Iterator[Browser]:
    """The whole Chromium: without windows it shows no notices."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**browser_type_launch_args | {"executable_path": chromium()})
        yield browser
        browser.close()


@pytest.fixture
def nani(people: People, site: Running) -> BrowserContext:
    context = people()
    context.grant_permissions(["notifications"], origin=f"http://localhost:{site.port}")
    endpoint = f"https://fcm.googleapis.com/fcm/send/{id(context)}"
    script = SERVICE.replace("ENDPOINT", json.dumps(endpoint)).replace("KEYS", json.dumps(Device().keys))
    context.add_init_script(script)
    return context


def asked_for(page: Page) -> None:
    page.goto("/me/push/")
    page.get_by_role("button", name="Tell me in this browser").click()
    page.get_by_role("button", name="No more in this browser").wait_for()


def test_a_browser_is_turned_on_and_off(nani: BrowserContext) -> None:
    page = nani.new_page()
    asked_for(page)
    row = page.locator("#devices li")
    assert "(this one)" in row.inner_text()
    check(page)
    page.get_by_role("button", name="No more in this browser").click()
    page.get_by_role("button", name="Tell me in this browser").wait_for()
    assert row.count() == 0


def test_what_comes_is_shown_and_leads_to_its_page(nani: BrowserContext, site: Running) -> None:
    page = nani.new_page()
    asked_for(page)
    line = nani.new_cdp_session(page)
    found: list[str] = []
    line.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(each["registrationId"] for each in event["registrations"]),
    )
    line.send("ServiceWorker.enable")
    until(page, "Boolean(navigator.serviceWorker.controller)")
    for _ in range(200):
        if found:
            break
        page.wait_for_timeout(20)
    shown = []
    for text, body in (
        (json.dumps(SAID), SAID["text"]),
        (json.dumps(SAID | {"text": "Still."}), "Still."),
        ("no json", "Something has happened at one of your tables."),
    ):
        said = {"origin": f"http://localhost:{site.port}", "registrationId": found[0], "data": text}
        line.send("ServiceWorker.deliverPushMessage", said)
        shown = page.evaluate(SHOWN, body)
    assert sorted(shown) == [
        ["Getaway", "Something has happened at one of your tables.", "", "/"],
        ["Your turn", "Still.", "one", "/lobby/"],
    ]
    # Only a tap of a person's may open a window: what it would open.
    (worker,) = nani.service_workers
    opened = worker.evaluate(
        """async () => {
          const found = [];
          self.clients.openWindow = async (url) => { found.push(url); };
          for (const path of ["/lobby/", "//evil.example/", "https://evil.example/", undefined]) await lead(path);
          return found;
        }"""
    )
    home = f"http://localhost:{site.port}/"
    assert opened == [f"{home}lobby/", home, home, home]


def test_a_phone_of_apples_is_told_to_keep_the_site_first(people: People) -> None:
    agent = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1"
    context = people(user_agent=agent)
    context.add_init_script("delete window.PushManager")
    page = context.new_page()
    page.goto("/me/push/")
    page.get_by_text("Add to Home Screen").wait_for()
    assert page.get_by_role("button", name="Tell me in this browser").count() == 0
    assert page.get_by_text("Add to Home Screen").count() == 1
    page.goto("/")
    assert page.get_by_text("Add to Home Screen").count() == 0
