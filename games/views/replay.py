"""The replay of a game, and its record."""

import json

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.gates import only, person_only
from accounts.models import User
from games.models import Game
from games.selectors.company import NotAtTable
from games.selectors.games import game_record
from games.selectors.replays import NoSuchStep, replay_of
from games.selectors.updates import sitting
from games.views.answers import not_found
from games.views.lie import lie_of


@only("GET")
@person_only
def replay(request: HttpRequest, person: User, code: str, step: int) -> HttpResponse:
    """Show one step of a game to one of its people."""
    try:
        shown = replay_of(viewer=person, code=code, step=step, lie=lie_of(request))
        return render(request, "games/replay.html", {"replay": shown})
    except NotAtTable:
        return not_found(request)
    except NoSuchStep:
        return not_found(request, "The game has not come to that step.")


@only("GET")
@person_only
def record(request: HttpRequest, person: User, code: str) -> HttpResponse:
    """Let one of its people download a finished game as a record (rules.md 12)."""
    try:
        game = sitting(viewer=person, code=code).game
    except NotAtTable:
        return not_found(request)
    if game.status != Game.Status.OVER:
        return not_found(request, "This game is not over yet: its record comes with the end.")
    text = json.dumps(game_record(game), separators=(",", ":")) + "\n"
    headers = {"Content-Disposition": f'attachment; filename="getaway-{game.code}.json"'}
    return HttpResponse(text, content_type="application/json", headers=headers)
