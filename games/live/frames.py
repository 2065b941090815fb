"""A board as a piece of a page: what a page, a poll, the answer to a form and a socket show is made here, and alike."""

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone, translation

from accounts.models import User
from accounts.zones import zone_or_utc
from games.live.kept import told_at
from games.metrics import FRAME
from games.selectors.around import standing_of
from games.selectors.board import Board
from games.selectors.faces import USUAL, Lie
from games.selectors.sight import Viewer, looked_at
from games.selectors.updates import Since, updates_for

BOARD: Final = "games/board.html"

NO_TOKEN: Final = "-"  # noqa: S105 - it says that there is none
"""What stands in the forms of a pushed board for the CSRF token, which the page's script puts its own in."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A board for one viewer, as new as it says."""

    since: Since
    html: str


@FRAME.time()
def board_frame(
    *,
    viewer: Viewer,
    code: str,
    since: Since | None = None,
    invited: Collection[int] = (),
    lie: Lie = USUAL,
    now: datetime,
) -> Frame | None:
    """Return the board of a game for a viewer as a socket sends it, None if nothing is newer than *since*.

    It is in the viewer's own language and zone. What they may see is asked anew each time, in two queries; what all
    viewers of the game share is loaded for the first of them.

    Raises:
        HasLeft: the game is running, and they have left it.
        NotAtTable: they may not look at it.
    """
    standing = standing_of(code=code, viewer_id=viewer.pk, invited=invited)
    told = told_at(code=code, standing=standing, now=now)
    found = looked_at(viewer=viewer, around=told.around, rights=standing.rights)
    zone, language = (viewer.zone, viewer.language) if isinstance(viewer, User) else ("", "")
    with timezone.override(zone_or_utc(zone)), translation.override(language or settings.LANGUAGE_CODE):
        shown = updates_for(
            viewer=viewer, found=found, since=since, lie=lie, folded=told.folded, stored=told.stored, now=now
        )
        if shown is None:
            return None
        html = render_to_string(BOARD, {**board_context(shown), "csrf_token": NO_TOKEN})
    return Frame(Since(shown.version, shown.frame.revision), html)


def board_context(shown: Board, *, alert: str = "") -> dict[str, object]:
    """Return what the template of a board needs, with a fresh key against doing the same twice."""
    return {"board": shown, "mine": shown.mine, "alert": alert, "key": secrets.token_urlsafe(12)}
