"""A board as a piece of a page: what a page, a poll, the answer to a form and a socket show is made here, and alike."""

import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone, translation

from accounts.models import User
from accounts.zones import zone_or_utc
from games.live.kept import told_at
from games.metrics import FRAME
from games.selectors.board import Board
from games.selectors.faces import USUAL, Lie
from games.selectors.lookers import Comer, Looker, lookers_of
from games.selectors.mine import NextGame, next_for
from games.selectors.sight import looked_at
from games.selectors.told import Told
from games.selectors.updates import Since, updates_for

BOARD: Final = "games/board.html"

NO_TOKEN: Final = "-"  # noqa: S105 - it says that there is none
"""What stands in the forms of a pushed board for the CSRF token, which the page's script puts its own in."""


class NoPerson(Exception):
    """The person who looks is there no more."""


class Asked(NamedTuple):
    """Who is to have a board, None for nobody who is known, and the invitations by which they came.

    since: how new the board is that they have. look: they are to have none now, if only they may look still.
    """

    user_id: int | None
    invited: Collection[int] = ()
    since: Since | None = None
    lie: Lie = USUAL
    look: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """A board for one viewer, as new as it says."""

    since: Since
    html: str


def board_frames(
    *, code: str, asked: Sequence[Asked], rung: Since | None = None, now: datetime
) -> list[Frame | Exception | None]:
    """Return for each of these the board of a game as a socket sends it, None if they are to have no newer one.

    Each is in its viewer's own language and zone. Who they are and what they may see is asked anew each time, of all at
    once; what all viewers of the game share is loaded for all. *rung* is how new a ring says that the game is. What one
    cannot have a board for stands in its place, and is nobody else's: `NoPerson`; `HasLeft`, the game is running, and
    they have left it; `NotAtTable`, they may not look at it; or any fault.

    Raises:
        NotAtTable: there is no such game.
    """
    told = told_at(code=code, rung=rung, now=now)
    lookers = lookers_of(around=told.around, comers=[Comer(each.user_id, each.invited) for each in asked])
    nexts = next_for({each.user_id for each in asked if each.user_id and not each.look}, told.around.game)
    return [_tried(told, looker, each, nexts, now) for looker, each in zip(lookers, asked, strict=True)]


def _tried(
    told: Told, looker: Looker | None, asked: Asked, nexts: Mapping[int, NextGame], now: datetime
) -> Frame | Exception | None:
    try:
        return _frame(told, looker, asked, nexts, now)
    except Exception as error:  # noqa: BLE001 - one viewer's fault takes nobody else's board
        return error


@FRAME.time()
def _frame(
    told: Told, looker: Looker | None, asked: Asked, nexts: Mapping[int, NextGame], now: datetime
) -> Frame | None:
    if looker is None:
        raise NoPerson
    viewer = looker.viewer
    found = looked_at(viewer=viewer, around=told.around, rights=looker.rights)
    if asked.look:
        return None
    zone, language = (viewer.zone, viewer.language) if isinstance(viewer, User) else ("", "")
    with timezone.override(zone_or_utc(zone)), translation.override(language or settings.LANGUAGE_CODE):
        shown = updates_for(
            viewer=viewer,
            found=found,
            since=asked.since,
            lie=asked.lie,
            folded=told.folded,
            stored=told.stored,
            nexts=nexts,
            now=now,
        )
        if shown is None:
            return None
        html = render_to_string(BOARD, {**board_context(shown), "csrf_token": NO_TOKEN})
    return Frame(Since(told.version, told.revision), html)


def board_context(shown: Board, *, alert: str = "") -> dict[str, object]:
    """Return what the template of a board needs, with a fresh key against doing the same twice."""
    return {"board": shown, "mine": shown.mine, "alert": alert, "key": secrets.token_urlsafe(12)}
