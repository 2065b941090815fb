"""The replay of a game, and its record."""

import json

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.gates import only
from games.models import Game
from games.selectors.records import game_record
from games.selectors.replays import NoSuchStep, replay_of
from games.selectors.sight import looking
from games.views.answers import not_found
from games.views.lie import lie_of
from games.views.sight import for_lookers, invited_in, office_in


@only("GET")
@for_lookers
def replay(request: HttpRequest, code: str, step: int) -> HttpResponse:
    """Show one step of a game to its people and to those who may watch it."""
    try:
        shown = replay_of(
            viewer=request.user,
            code=code,
            step=step,
            lie=lie_of(request),
            invited=invited_in(request),
            office=office_in(request),
        )
        return render(request, "games/replay.html", {"replay": shown})
    except NoSuchStep:
        return not_found(request, "The game has not come to that step.")


@only("GET")
@for_lookers
def record(request: HttpRequest, code: str) -> HttpResponse:
    """Let those who may look at a finished game download it as a record (rules.md 12)."""
    found = looking(viewer=request.user, code=code, invited=invited_in(request), office=office_in(request))
    game = found.game
    if game.status != Game.Status.OVER:
        return not_found(request, "This game is not over yet: its record comes with the end.")
    text = json.dumps(game_record(game), separators=(",", ":")) + "\n"
    headers = {"Content-Disposition": f'attachment; filename="getaway-{game.code}.json"'}
    return HttpResponse(text, content_type="application/json", headers=headers)
