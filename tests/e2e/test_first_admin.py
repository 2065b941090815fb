"""As a new operator would: the first admin is made, sets a second factor up, corrects a result and undoes it."""

import os
import re
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import BrowserContext, Page

from tests.accounts.doors import app_digits
from tests.conftest import ROOT
from tests.e2e.conftest import Console, People
from tests.e2e.mails import mailed_code
from tests.e2e.test_games import by_clicks, my_turn, new_game
from tests.site.test_serve import Running

ADMIN = "first-admin@example.org"


def made(data: Path) -> None:
    """`manage.py createsuperuser`, on the site's own folder."""
    given = os.environ | {"GETAWAY_DATA": str(data), "DJANGO_SUPERUSER_PASSWORD": "a long one for tests 4711"}
    given |= {"DJANGO_SETTINGS_MODULE": "bhabhi_site.settings.embedded"}
    for name in ("DATABASE_URL", "REDIS_URL"):
        given.pop(name, None)
    asked = [sys.executable, "manage.py", "createsuperuser", "--noinput", "--email", ADMIN, "--name", "Boss"]
    subprocess.run(asked, cwd=ROOT, env=given, check=True, capture_output=True)


def entered(page: Page, data: Path) -> None:
    """Sign in by a code, and set an app up as the desk asks for it."""
    page.goto("/admin/")
    page.get_by_label("Email address").fill(ADMIN)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_label("Code").fill(mailed_code(data, ADMIN))
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("link", name="Set up an app").click()
    # Once more who it is, by a password here.
    page.get_by_label("Password").fill("a long one for tests 4711")
    page.get_by_role("button", name="Go on").click()
    secret = page.locator("#secret").inner_text().replace(" ", "")
    page.get_by_label("The six digits").fill(app_digits(secret))
    page.get_by_role("button", name="Keep the app").click()
    page.get_by_role("button", name="Show me codes").click()
    assert page.locator("#codes li").count() == 10
    page.get_by_role("link", name="To the desk").click()
    page.get_by_role("heading", name="The desk").wait_for()


def read(page: Page, why: str) -> None:
    """Open everything that can be on the page of a table, and find a reason there."""
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    page.get_by_text(why).first.wait_for()


def on_the_site(page: Page) -> None:
    """Follow the desk's link to the page that its people see."""
    page.get_by_role("link", name="Its page on the site").click()
    page.locator("#office").wait_for()


def finished(context: BrowserContext) -> str:
    """The code of a game that a player has played to its end with bots."""
    page = new_game(context, seats=3, deals=2)
    while my_turn(page):
        by_clicks(page)
    found = re.search(r"/games/(\w+)/", page.url)
    assert found is not None
    return found[1]


def test_the_first_admin_corrects_a_result_and_undoes_it(site: Running, people: People, console: Console) -> None:
    player = people()
    code = finished(player)
    made(site.data)
    page = people().new_page()
    page.context.clear_cookies()
    entered(page, site.data)
    page.goto(f"/admin/games/game/?q={code}")
    page.get_by_role("link", name=code, exact=True).first.click()
    page.get_by_role("link", name="Correct the result").click()
    page.get_by_label("Who lost").select_option(label="Nobody: the deal is void")
    page.get_by_label("Why").fill("The cards were mixed up")
    page.get_by_role("button", name="Correct the result").click()
    page.get_by_text("void: nobody lost (corrected)").wait_for()
    table = player.new_page()
    page.get_by_role("link", name="Table", exact=True).click()
    address = page.locator("a[href^='/tables/']").first.get_attribute("href")
    assert address is not None
    table.goto(address)
    read(table, "The cards were mixed up")
    # Who has no seat there reads it as well, where the desk's link leads.
    on_the_site(page)
    read(page, "The cards were mixed up")
    page.goto("/admin/games/correction/")
    page.locator("#result_list th a").first.click()
    page.get_by_role("link", name="Undo the correction").click()
    page.get_by_label("Why").fill("They were not")
    page.get_by_role("button", name="Undo the correction").click()
    page.get_by_text("Done: Undo the correction.").wait_for()
    table.reload()
    read(table, "They were not")
    assert console.errors == []
