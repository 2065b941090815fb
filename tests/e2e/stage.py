"""A page of a game without a server: the real template, style sheets and script, and boards made by hand."""

import json
import re
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import django_htmx
from playwright.sync_api import Page, Request, Route, WebSocketRoute

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


def goes_on(page: Page, come: Callable[[], object]) -> None:
    """Let time pass until something has come, with a moment for what each ten seconds bring."""
    for _ in range(20):
        page.clock.run_for(10_000)
        page.wait_for_timeout(100)
        if come():
            return
    raise AssertionError(come)


def deflated(text: str) -> bytes:
    """A board as sockets send it."""
    packer = zlib.compressobj(1, zlib.DEFLATED, -15)
    return packer.compress(text.encode()) + packer.flush()


class Stage:
    """What the browser is told: `next` is the newest board, "" if there is none newer.

    It is pushed by `line`, the socket that the page has open, or else found when the page asks. `beats` are what the
    page has said by its sockets, `opened` since when each was to tell. `moves` are the cards that it has posted, `seen`
    up to where it said that its reader has seen the game. `shut` is the code by which sockets are closed at once;
    while `mute`, nothing is heard from them. `status` is how the page is refused a board that it asks for.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.whole = self._next = ""
        self.moves: list[str] = []
        self.seen: list[int] = []
        self.beats: list[dict[str, Any]] = []
        self.opened: list[str] = []
        self.line: WebSocketRoute | None = None
        self.shut = self.status = 0
        self.mute = False
        self.answer: tuple[int, str] | None = None
        page.route(f"{ORIGIN}/**", self._serve)
        page.route_web_socket(f"{ORIGIN.replace('http', 'ws')}/**", self._opened)

    @property
    def next(self) -> str:
        return self._next

    @next.setter  # noqa: A003 - a test says: the next board is this
    def next(self, board: str) -> None:
        self._next = board
        self.push()

    def open(self, view: PublicView, **options: Any) -> Page:
        """Load the page with a first board."""
        self.whole = rendered.html(view, "games/table.html", **options)
        self.page.goto(ORIGIN + PATH)
        return self.page

    def bring(self, view: PublicView, lines: Sequence[Line] = (), **frame: Any) -> None:
        """Let the next look for news find a board, and wait until the page shows it."""
        board = rendered.board(view, lines, **frame)
        self.next = rendered.html(view, board=board)
        if self.line is None:
            # A page that comes into view looks for news at once.
            self.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        self.page.locator(f"#board[data-version='{view.version}'][data-revision='{board.frame.revision}']").wait_for()

    def until(self, condition: str) -> None:
        """Wait until an expression is true on the page."""
        until(self.page, condition)

    def push(self) -> bool:
        """Send the newest board by the open socket, if there are both."""
        if not self.line or not self._next:
            return False
        board, self._next = self._next, ""
        self.line.send(board if "plain=1" in self.line.url else deflated(board))
        return True

    def _opened(self, line: WebSocketRoute) -> None:
        self.opened.append(line.url.rpartition("?")[2])
        if self.shut:
            line.close(code=self.shut)
            return
        self.line = line
        line.on_message(lambda said: self._heard(line, str(said)))
        line.on_close(lambda *_: self._closed(line))

    def _heard(self, line: WebSocketRoute, said: str) -> None:
        self.beats.append(json.loads(said))
        if not self.mute and not self.push():
            line.send('{"ok":1}')

    def _closed(self, line: WebSocketRoute) -> None:
        if self.line is line:
            self.line = None

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
        elif path.endswith("/board/") and self.status:
            route.fulfill(status=self.status, headers={"HX-Redirect": "/accounts/signin/"})
        elif path.endswith("/board/"):
            board, self._next = self._next, ""
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
