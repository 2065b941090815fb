"""The sockets of the two places that are live: a table and a home."""

import re
import time
from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.utils import timezone

from accounts.models import User
from games.live.frames import Asked, Frame, NoPerson, board_frames
from games.live.home import home_frame
from games.live.hub import hub
from games.live.rooms import tables_of
from games.live.sockets import News, Socket
from games.selectors.faces import USUAL, Lie
from games.selectors.updates import Since

OWN: Final = 0.5
"""After how many seconds the pages of who has acted are sent what came of it: the one that acted has it by then."""

_SINCE: Final = re.compile(r"([0-9]{1,9})\.([0-9]{1,9})")


class TableSocket(Socket):
    """A game that somebody has open. newest: how new the rings say that the game is, None if something else may be."""

    __slots__ = ("code", "here", "lie", "newest", "table_id")

    def __init__(self, *, code: str, lie: Lie = USUAL, **kept: Any) -> None:
        super().__init__(**kept)
        self.code, self.lie = code, lie
        self.table_id = 0
        self.here: tuple[int, ...] | None = None
        self.newest: Since | None = None

    @classmethod
    def all_news(
        cls, sockets: Sequence["TableSocket"], shown: Sequence[str | None]
    ) -> Sequence[News | Exception | None]:
        """Return the boards that are not those that the clients show."""
        rung = max((each.newest for each in sockets if each.newest), default=None)
        asked = [
            Asked(each.user_id, each.invited, since_of(at or ""), each.lie, look=at is None)
            for each, at in zip(sockets, shown, strict=True)
        ]
        frames = board_frames(code=sockets[0].code, asked=asked, rung=rung, now=timezone.now())
        return [_news(each) if isinstance(each, Frame) else each for each in frames]

    @property
    def room(self) -> object:
        """All who have the game open are served together."""
        return self.game_id

    def fellows(self) -> Iterable[Socket]:
        """Return all who have the game open."""
        return tuple(hub.games.get(self.game_id, ()))

    def changed(self) -> None:
        """Send what is new, whatever it is."""
        self.newest, self.held = None, 0.0
        super().changed()

    def heard_of(self, newest: Since, *, at: float, by: int) -> None:
        """Take in a ring: the game is that new now, since *at*, *by* whose hand if by a person's (0: it is not)."""
        shown = since_of(self.since)
        if shown is not None and shown >= newest:
            return
        known = self.newest or newest
        self.newest = None if self.dirty and self.newest is None else max(known, newest)
        if by and by == self.user_id and not self.dirty:
            self.held = time.monotonic() + OWN
            hub.later(OWN, self.push)
        else:
            self.held, self.rung = 0.0, self.rung or at
        self.dirty = True
        self.push()

    def shows(self, at: str) -> None:
        """Take note of what the page shows: something newer than it was sent came as an answer to what it posted."""
        shown, known = since_of(at), since_of(self.since)
        if shown is None or known is None or shown < known:
            super().shows(at)
            return
        self.since = at
        if self.newest is not None and shown >= self.newest and not self.doubt:
            self.dirty, self.rung = False, 0.0

    def in_view(self) -> None:
        """Take note that the person has the game before their eyes."""
        hub.looked(self)


class HomeSocket(Socket):
    """The list of somebody's games."""

    __slots__ = ("found", "looked")

    def __init__(self, **kept: Any) -> None:
        super().__init__(**kept)
        self.found: frozenset[int] = frozenset()
        self.looked = 0.0

    @classmethod
    def all_news(
        cls, sockets: Sequence["HomeSocket"], shown: Sequence[str | None]
    ) -> Sequence[News | Exception | None]:
        """Return the lists that are not those that the clients show; everybody may see their own."""
        return [each.news(at) for each, at in zip(sockets, shown, strict=True)]

    def news(self, shown: str | None) -> News | None:
        """Return the list if it is not the one that the client shows.

        Raises:
            NoPerson: its person is there no more.
        """
        viewer = User.objects.filter(pk=self.user_id or 0, is_active=True).first()
        if viewer is None:
            raise NoPerson
        if shown is None:
            return None
        # First: a table that comes while the list is made rings for it.
        self.found = tables_of({viewer.pk})[viewer.pk]
        frame = home_frame(user=viewer, since=shown, now=timezone.now())
        return None if frame is None else News(frame.digest, frame.html, {"mine": frame.mine})

    def asked(self) -> None:
        """Hear from now on of the tables that the list has now."""
        self.looked = time.monotonic()
        hub.moved(self, self.found)


def _news(frame: Frame) -> News:
    return News(f"{frame.since.version}.{frame.since.revision}", frame.html, {})


def since_of(text: str) -> Since | None:
    """Return how new a board is from what a client says of it, whatever that is; None if that is no board's."""
    found = _SINCE.fullmatch(text)
    return Since(int(found[1]), int(found[2])) if found else None
