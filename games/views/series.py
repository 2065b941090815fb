"""A table's series: make one, look at it, deal again, open the same again."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from accounts.gates import only, person_only, problem
from accounts.models import User
from games.forms import NewTableForm
from games.selectors.company import NotAtTable, company
from games.selectors.options import OPTION_WORDS
from games.selectors.series import newest_code, series_of
from games.services.errors import GameRunning, NotAlone, SeriesOver, SeriesRunning, ServiceError
from games.services.tables import game_next, table_open, table_repeat
from games.views.answers import not_found
from games.views.sight import for_lookers, invited_in

_NO_TABLE = "There is no such table, or you have no seat at it."


@only("GET", "POST")
@person_only
def new(request: HttpRequest, person: User) -> HttpResponse:
    """Ask for a new table, and deal its first game."""
    form = NewTableForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        plan, seats, key = form.plan(person), form.seating(person), form.cleaned_data["key"]
        return _to(table_open(plan=plan, seats=seats, key=key, now=timezone.now()).code)
    context = {
        "form": form,
        "seats": str(form["seats"].value()),
        "bots": [form[name] for name in form.fields if name.startswith("bot_")],
        "options": [form[option.name] for option in OPTION_WORDS],
    }
    return render(request, "games/new.html", context, status=422 if form.is_bound else 200)


def _to(code: str) -> HttpResponse:
    return HttpResponseRedirect(reverse("table", args=[code]), status=303)


@only("GET")
@for_lookers
def series(request: HttpRequest, code: str) -> HttpResponse:
    """Show the standings and the deals of a table to its people, past ones too, and to those who may watch it."""
    try:
        shown = series_of(viewer=request.user, code=code, invited=invited_in(request))
        return render(request, "games/series.html", {"series": shown})
    except NotAtTable:
        return not_found(request, _NO_TABLE)


@only("POST")
@person_only
def deal(request: HttpRequest, person: User, code: str) -> HttpResponse:
    """Deal the next game of a series; whoever comes second is led to the game that the first one dealt."""
    try:
        found = company(viewer=person, code=code)
    except NotAtTable:
        return not_found(request, _NO_TABLE)
    try:
        return _to(game_next(table_id=found.table.pk, now=timezone.now()).code)
    except GameRunning:
        newest = newest_code(found.table)
        return _to(newest) if newest else not_found(request, "No game has been dealt at this table yet.")
    except SeriesOver as error:
        return _conflict(request, "No more deals", error, code)


@only("POST")
@person_only
def repeat(request: HttpRequest, person: User, code: str) -> HttpResponse:
    """Open a new table like this one, with the same bots."""
    try:
        key = request.POST.get("key", "")
        return _to(table_repeat(code=code, host=person, key=key, now=timezone.now()).code)
    except NotAtTable:
        return not_found(request, _NO_TABLE)
    except (NotAlone, SeriesRunning) as error:
        return _conflict(request, "Not now", error, code)


def _conflict(request: HttpRequest, title: str, error: ServiceError, code: str) -> HttpResponse:
    return problem(request, status=409, title=title, sentence=str(error), back=reverse("series", args=[code]))
