"""The page of a game: look, and play."""

import re
import secrets
from http import HTTPStatus
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from accounts.gates import only, person_only
from accounts.models import User
from games.forms.moves import Asked, BadForm, asked_of
from games.models import Move
from games.rules.errors import IllegalMove
from games.selectors.company import NotAtTable
from games.selectors.sight import HasLeft, Sitting, sitting
from games.selectors.updates import Since, updates_for
from games.services.errors import GameGone, KeyReused, NotYourSeat, StaleGame, StoodIn
from games.services.play import move_play
from games.views.answers import made_no_sense, not_found
from games.views.lie import lie_of
from games.views.sight import for_lookers, invited_in

_SINCE: Final = re.compile(r"([0-9]{1,9})\.([0-9]{1,9})")


@only("GET")
@for_lookers
def table(request: HttpRequest, code: str) -> HttpResponse:
    """Show the page of a game to its people and to those who may watch it; who has left it learns how it stands."""
    try:
        return _board(request, code, "games/table.html")
    except HasLeft as left:
        return HttpResponseRedirect(reverse("series", args=[left.table_code]))


@only("GET")
@for_lookers
def board(request: HttpRequest, code: str) -> HttpResponse:
    """Return the fresh board alone, or 204 if there is nothing newer than `since`."""
    since = _since(request.GET.get("since", ""))
    if since is None and "since" in request.GET:
        return made_no_sense(request, "The address does not say since when: load the page again.")
    return _board(request, code, "games/board.html", since=since)


@only("POST")
@person_only
def play(request: HttpRequest, person: User, code: str) -> HttpResponse:
    """Play a card or take a hand, at once (architecture: 3)."""
    try:
        return _played(request, person, code)
    except (NotAtTable, NotYourSeat, GameGone):
        return not_found(request)


def _played(request: HttpRequest, person: User, code: str) -> HttpResponse:
    back, template = reverse("table", args=[code]), _template(request)
    try:
        found = sitting(viewer=person, code=code)
        _enter(found, person, asked_of(request.POST, found.seat))
    except BadForm as error:
        return made_no_sense(request, str(error), back)
    except (StaleGame, KeyReused, StoodIn) as error:
        return _board(request, code, template, status=409, alert=str(error))
    except IllegalMove as error:
        return _board(request, code, template, status=422, alert=str(error))
    if _wants_fragment(request):
        return _board(request, code, template)
    return HttpResponseRedirect(back, status=303)


def board_answer(request: HttpRequest, code: str, *, status: int = HTTPStatus.OK, alert: str = "") -> HttpResponse:
    """Answer a form of the board: with the fresh board, or by leading to it where a form without script went well.

    Raises:
        NotAtTable: the visitor may not look at it any more.
    """
    if status == HTTPStatus.OK and not _wants_fragment(request):
        return HttpResponseRedirect(reverse("table", args=[code]), status=HTTPStatus.SEE_OTHER)
    return _board(request, code, _template(request), status=status, alert=alert)


def _since(text: str) -> Since | None:
    match = _SINCE.fullmatch(text)
    return Since(int(match[1]), int(match[2])) if match else None


def _enter(found: Sitting, person: User, asked: Asked) -> None:
    move_play(
        game_id=found.game.pk,
        seat=found.seat,
        move=asked.move,
        version=asked.version,
        key=asked.key,
        actor=Move.Actor.HAND,
        user_id=person.pk,
        now=timezone.now(),
    )


def _wants_fragment(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


def _template(request: HttpRequest) -> str:
    return "games/board.html" if _wants_fragment(request) else "games/table.html"


def _board(
    request: HttpRequest, code: str, template: str, *, since: Since | None = None, status: int = 200, alert: str = ""
) -> HttpResponse:
    """Render the board as the visitor may see it, whole page or fragment.

    Raises:
        NotAtTable: they may not look at it.
    """
    shown = updates_for(viewer=request.user, code=code, since=since, lie=lie_of(request), invited=invited_in(request))
    if shown is None:
        return HttpResponse(status=204)
    context = {"board": shown, "alert": alert, "key": secrets.token_urlsafe(12)}
    return render(request, template, context, status=status)
