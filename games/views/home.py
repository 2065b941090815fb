"""The start page, and the page of help."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from accounts.gates import only, person_only
from accounts.models import User
from games.live.home import home_frame
from games.selectors.options import OPTION_WORDS, PRESET_WORDS


@only("GET")
def home(request: HttpRequest) -> HttpResponse:
    """List a person's games, the tables where they wait or are asked to; tell everybody else what this is."""
    if not isinstance(request.user, User):
        return render(request, "games/welcome.html")
    found = home_frame(user=request.user, since="", now=timezone.now())
    return render(request, "games/home.html", {"list": found.html, "mine": found.mine} if found else {})


@only("GET")
@person_only
def home_list(request: HttpRequest, person: User) -> HttpResponse:
    """Return the list of the start page alone, or 204 if it is the one that `since` names."""
    found = home_frame(user=person, since=request.GET.get("since", ""), now=timezone.now())
    return HttpResponse(status=HTTPStatus.NO_CONTENT) if found is None else HttpResponse(found.html)


@only("GET")
def rules_help(request: HttpRequest) -> HttpResponse:
    """Explain the game in a page."""
    return render(request, "games/help.html", {"presets": PRESET_WORDS, "options": OPTION_WORDS})
