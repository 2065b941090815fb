"""The lobby: tables that wait for anybody."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from accounts.gates import only, person_only
from accounts.models import User
from games.forms.lobby import LobbyForm
from games.selectors.lobby import lobby_of


@only("GET")
@person_only
def lobby(request: HttpRequest, person: User) -> HttpResponse:
    """List the open tables at which a person can sit down, of the kind that they look for."""
    form = LobbyForm(request.GET)
    tables = lobby_of(viewer=person, wanted=form.wanted(), now=timezone.now())
    return render(request, "games/lobby.html", {"form": form, "tables": tables})
