"""A page of a game without a server: the real template, style sheets and script, and boards made by hand."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import django_htmx
from playwright.sync_api import Page, Request, Route

from games.rules.view import PublicView
from games.selectors.sentences import Line
from tests.conftest import ROOT
from tests.games import rendered

ORIGIN: Final = "http://stage.test"
PATH: Final = f"/games/{rendered.FRAME.code}/"
_CSP: Final = "default-src 'self'; script-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'"
_STATIC: Final = {
    "games": ROOT / "games/static/games",
    "django_htmx": Path(django_htmx.__file__).parent / "static/django_htmx",
}
_KINDS: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


def until(page: Page, condition: str) -> None:
    """Wait until an expression is true on a page.

    Playwright's own wait asks once and then lets the page ask, which our policy forbids: it fails on slow machines.
    """
    for _ in range(600):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(condition)


class Stage:
    """What the browser is told: `next` is the newest board, "" if there is none newer.

    `moves` are the cards that it has posted, `seen` up to where it said that its reader has seen the game.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.whole = self.next = ""
        self.moves: list[str] = []
        self.seen: list[int] = []
        self.answer: tuple[int, str] | None = None
        page.route(f"{ORIGIN}/**", self._serve)

    def open(self, view: PublicView, **options: Any) -> Page:
        """Load the page with a first board."""
        self.whole = rendered.html(view, "games/table.html", **options)
        self.page.goto(ORIGIN + PATH)
        return self.page

    def bring(self, view: PublicView, lines: Sequence[Line] = (), **frame: Any) -> None:
        """Let the next look for news find a board, and wait until the page shows it."""
        board = rendered.board(view, lines, **frame)
        self.next = rendered.html(view, board=board)
        # A page that comes into view looks for news at once.
        self.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        self.page.locator(f"#board[data-version='{view.version}'][data-revision='{board.frame.revision}']").wait_for()

    def until(self, condition: str) -> None:
        """Wait until an expression is true on the page."""
        until(self.page, condition)

    def _serve(self, route: Route, request: Request) -> None:
        path = request.url.removeprefix(ORIGIN).split("?")[0]
        if path.startswith("/static/"):
            app, name = path.removeprefix("/static/").split("/", 1)
            file = _STATIC[app] / name
            route.fulfill(body=file.read_bytes(), content_type=_KINDS[file.suffix])
        elif path.endswith("/seen/"):
            self.seen.append(int((request.post_data or "").rpartition("number=")[2]))
            route.fulfill(status=204)
        elif request.method == "POST":
            self._play(route, request)
        elif path.endswith("/board/"):
            board, self.next = self.next, ""
            route.fulfill(status=200 if board else 204, body=board, content_type="text/html")
        else:
            route.fulfill(body=self.whole, content_type="text/html", headers={"Content-Security-Policy": _CSP})

    def _play(self, route: Route, request: Request) -> None:
        found = re.search(r"(card|take)=([^&]*)", request.post_data or "")
        self.moves.append(found[2] if found else "")
        if self.answer is None:
            route.abort("internetdisconnected")
        else:
            status, board = self.answer
            route.fulfill(status=status, body=board, content_type="text/html")
