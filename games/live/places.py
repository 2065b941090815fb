"""The sockets of the two places that are live: a table and a home."""

import time
from typing import Any

from django.utils import timezone

from accounts.models import User
from games.live.frames import board_frame
from games.live.home import home_frame
from games.live.hub import hub
from games.live.rooms import tables_of
from games.live.sockets import News, NoPerson, Socket
from games.selectors.faces import USUAL, Lie
from games.selectors.sight import looking
from games.selectors.updates import Since


class TableSocket(Socket):
    """A game that somebody has open."""

    __slots__ = ("code", "here", "lie", "table_id")

    def __init__(self, *, code: str, lie: Lie = USUAL, **kept: Any) -> None:
        super().__init__(**kept)
        self.code, self.lie = code, lie
        self.table_id = 0
        self.here: tuple[int, ...] | None = None

    def look(self) -> None:
        """Ask whether the person may look at the game."""
        looking(viewer=self.viewer(), code=self.code, invited=self.invited)

    def news(self) -> News | None:
        """Return the board if it is not the one that the client shows."""
        frame = board_frame(
            viewer=self.viewer(),
            code=self.code,
            since=since_of(self.since),
            invited=self.invited,
            lie=self.lie,
            now=timezone.now(),
        )
        return None if frame is None else News(f"{frame.since.version}.{frame.since.revision}", frame.html, {})

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

    def look(self) -> None:
        """Everybody may see their own."""
        self.viewer()

    def news(self) -> News | None:
        """Return the list if it is not the one that the client shows."""
        viewer = self.viewer()
        if not isinstance(viewer, User):
            raise NoPerson
        # First: a table that comes while the list is made rings for it.
        self.found = tables_of({viewer.pk})[viewer.pk]
        frame = home_frame(user=viewer, since=self.since, now=timezone.now())
        return None if frame is None else News(frame.digest, frame.html, {"mine": frame.mine})

    def asked(self) -> None:
        """Hear from now on of the tables that the list has now."""
        self.looked = time.monotonic()
        hub.moved(self, self.found)


def since_of(text: str) -> Since | None:
    """Return how new a board is from what a client says of it, None if that is no board's."""
    version, _, revision = text.partition(".")
    return Since(int(version), int(revision)) if version.isdigit() and revision.isdigit() else None
