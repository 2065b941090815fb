"""The start page, and the page of help."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from accounts.gates import only
from accounts.models import User
from games.selectors.invites import invited
from games.selectors.lobby import waiting_of
from games.selectors.options import OPTION_WORDS, PRESET_WORDS
from games.selectors.tables import home_of


@only("GET")
def home(request: HttpRequest) -> HttpResponse:
    """List a person's games, the tables where they wait or are asked to; tell everybody else what this is."""
    if not isinstance(request.user, User):
        return render(request, "games/welcome.html")
    person, now = request.user, timezone.now()
    found, asked = home_of(person, now), invited(viewer=person, now=now)
    context = {"home": found, "mine": found.count, "tables": waiting_of(person), "invited": asked}
    return render(request, "games/home.html", context)


@only("GET")
def rules_help(request: HttpRequest) -> HttpResponse:
    """Explain the game in a page."""
    return render(request, "games/help.html", {"presets": PRESET_WORDS, "options": OPTION_WORDS})
