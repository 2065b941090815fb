"""The board as an answer: the whole page or a fragment of it."""

from contextlib import nullcontext
from datetime import datetime
from http import HTTPStatus
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from games.live.frames import BOARD, board_context
from games.live.kept import loading, told_keep
from games.selectors.folded import Folded
from games.selectors.sight import Sitting, Watching, looking
from games.selectors.told import Told, told_with
from games.selectors.updates import Since, updates_for
from games.services.presence import looked
from games.views.lie import lie_of
from games.views.sight import invited_in, office_in

PAGE: Final = "games/table.html"


def board_shown(
    request: HttpRequest,
    code: str,
    template: str,
    *,
    since: Since | None = None,
    status: int = HTTPStatus.OK,
    alert: str = "",
    folded: Folded | None = None,
) -> HttpResponse:
    """Render the board as the visitor may see it, 204 if nothing is newer than *since*.

    *folded* is the game, if the caller has it as it stands, or stood a moment ago: what is loaded beside it is kept for
    the sockets of the game, which a ring has told of it.

    Raises:
        HasLeft: the game is running, and they have left it, or run the site.
        NotAtTable: they may not look at it.
    """
    viewer, now = request.user, timezone.now()
    with nullcontext() if folded is None else loading(code):
        found = looking(viewer=viewer, code=code, invited=invited_in(request), office=office_in(request))
        told = _told(found, folded, now)
    if "visible" in request.GET and isinstance(found, Sitting) and viewer.pk is not None:
        looked(viewer.pk, found.game.pk)
    # Who has the table before their eyes knows what happens; who comes to it, or has it in a tab behind, does not.
    away = template == PAGE or (request.method == "GET" and "visible" not in request.GET)
    shown = updates_for(
        viewer=viewer,
        found=found,
        since=since,
        lie=lie_of(request),
        away=away,
        folded=told.folded if told else None,
        stored=told.stored if told else None,
        now=now,
    )
    if shown is None:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    return render(request, template, board_context(shown, alert=alert), status=status)


def _told(found: Sitting | Watching, folded: Folded | None, now: datetime) -> Told | None:
    """Keep the game for its sockets, if the caller has it as it stands; None if not."""
    if folded is None or not folded.fits(found.game):
        return None
    told = told_with(around=found.around, folded=folded, now=now)
    told_keep(told)
    return told


def after_post(
    request: HttpRequest,
    code: str,
    *,
    status: int = HTTPStatus.OK,
    alert: str = "",
    folded: Folded | None = None,
) -> HttpResponse:
    """Answer a form of the board: with the fresh board for the script, else with the page; if all is well, lead to it.

    *folded* is the game, if the caller has it.

    Raises:
        HasLeft: the game is running, and the visitor has left it.
        NotAtTable: they may not look at it.
    """
    if request.headers.get("HX-Request") == "true":
        return board_shown(request, code, BOARD, status=status, alert=alert, folded=folded)
    if status == HTTPStatus.OK:
        return HttpResponseRedirect(reverse("table", args=[code]), status=HTTPStatus.SEE_OTHER)
    return board_shown(request, code, PAGE, status=status, alert=alert)
