"""The page of a game: look, and play."""

import re
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone

from accounts.gates import only, person_only
from accounts.models import User
from games.forms.moves import Asked, BadForm, asked_of
from games.live.frames import BOARD
from games.models import Move
from games.rules.errors import IllegalMove
from games.selectors.around import Standing, standing_of
from games.selectors.company import NotAtTable
from games.selectors.sight import HasLeft
from games.selectors.updates import Since
from games.services.errors import GameGone, NotYourSeat, ServiceError
from games.services.play import Outcome, move_play
from games.views.answers import made_no_sense, not_found
from games.views.boards import PAGE, after_post, board_shown
from games.views.sight import for_lookers

_SINCE: Final = re.compile(r"([0-9]{1,9})\.([0-9]{1,9})")


@only("GET")
@for_lookers
def table(request: HttpRequest, code: str) -> HttpResponse:
    """Show the page of a game to its people and to those who may watch it; who has left it learns how it stands."""
    try:
        return board_shown(request, code, PAGE)
    except HasLeft as left:
        return HttpResponseRedirect(reverse("series", args=[left.table_code]))


@only("GET")
@for_lookers
def board(request: HttpRequest, code: str) -> HttpResponse:
    """Return the fresh board alone, or 204 if there is nothing newer than `since`."""
    since = _since(request.GET.get("since", ""))
    if since is None and "since" in request.GET:
        return made_no_sense(request, "The address does not say since when: load the page again.")
    return board_shown(request, code, BOARD, since=since)


@only("POST")
@person_only
def play(request: HttpRequest, person: User, code: str) -> HttpResponse:
    """Play a card or take a hand, at once (architecture: 3)."""
    try:
        return _played(request, person, code)
    except (NotAtTable, NotYourSeat, GameGone):
        return not_found(request)


def _played(request: HttpRequest, person: User, code: str) -> HttpResponse:
    try:
        found = standing_of(code=code, viewer_id=person.pk)
        if found.seat is None:
            return not_found(request)
        asked = asked_of(request.POST, found.seat)
        done = _enter(found, found.seat, person, asked)
    except BadForm as error:
        return made_no_sense(request, str(error), reverse("table", args=[code]))
    except (NotYourSeat, GameGone):
        raise
    except ServiceError as error:
        return after_post(request, code, status=error.status, alert=str(error))
    except IllegalMove as error:
        return after_post(request, code, status=422, alert=str(error))
    return after_post(request, code, folded=done.folded)


def _since(text: str) -> Since | None:
    match = _SINCE.fullmatch(text)
    return Since(int(match[1]), int(match[2])) if match else None


def _enter(found: Standing, seat: int, person: User, asked: Asked) -> Outcome:
    # The board that they chose from was before their eyes.
    seen, before = min(asked.version, found.version), found.rights.seen
    return move_play(
        game_id=found.game_id,
        seat=seat,
        move=asked.move,
        version=asked.version,
        key=asked.key,
        actor=Move.Actor.HAND,
        user_id=person.pk,
        seen=seen if before is None or before < seen else None,
        now=timezone.now(),
    )
