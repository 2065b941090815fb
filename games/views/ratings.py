"""Leaderboards, and the deals behind a person's ratings."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.gates import only, person_only
from accounts.models import User
from games.selectors.people import NoSuchPerson, person_found
from games.selectors.ratings import deals_behind, leaderboard, may_read, standings_of
from games.views.answers import not_found
from games.views.sight import office_in


@only("GET")
@person_only
def leaders(request: HttpRequest, person: User) -> HttpResponse:
    """Show the best of a game and a number of seats (`game`, `seats`), and where the viewer stands."""
    found = leaderboard(viewer=person, kind=request.GET.get("game", ""), seats=request.GET.get("seats", ""))
    return render(request, "games/leaders.html", {"board": found})


@only("GET")
@person_only
def ratings(request: HttpRequest, viewer: User, code: str) -> HttpResponse:
    """Show a person's ratings and the deals behind them, if they let others read them."""
    try:
        person = person_found(viewer=viewer, code=code, office=office_in(request))
    except NoSuchPerson:
        return not_found(request, "There is no such person, or you have not met them at a table.")
    context = {"person": person, "you": person == viewer, "standings": standings_of(viewer=viewer, code=code)}
    if may_read(viewer=viewer, person=person):
        context["deals"] = deals_behind(viewer=viewer, person=person)
    return render(request, "games/ratings.html", context)
