"""A table: make one, look at it, deal its next game, open the same again."""

import secrets
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from accounts.gates import only, person_only, problem
from accounts.models import User
from accounts.zones import zone_or_utc
from games.forms.new import PEOPLE, NewTableForm, asked_like
from games.models import Game, Table
from games.selectors.company import NotAtTable, company
from games.selectors.gather import gathering, table_like
from games.selectors.invitations import watchers_link
from games.selectors.options import OPTION_WORDS
from games.selectors.ratings import series_rated
from games.selectors.reports import reportable
from games.selectors.series import newest_code, series_of
from games.services.again import table_again
from games.services.dealing import game_next
from games.services.errors import EmailNeeded, GameRunning, PersonGone, SeriesOver, ServiceError, TooManyTables
from games.services.invites import invite_shared
from games.services.tables import SeatPlan, table_drafted, table_open
from games.views.answers import not_found
from games.views.gather import gathered
from games.views.sight import for_lookers, invited_in, office_in

_NO_TABLE: Final = "There is no such table, or you have no seat at it."


@only("GET", "POST")
@person_only
def new(request: HttpRequest, person: User) -> HttpResponse:
    """Ask for a new table; with bots alone its first game is dealt at once, else it waits for people."""
    if request.method != "POST":
        return _asked(request, person, NewTableForm(initial=_at_first(request, person)))
    form = NewTableForm(request.POST)
    if not form.is_valid():
        return _asked(request, person, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    plan, seats, key = form.plan(person), form.seating(person), form.cleaned_data["key"]
    try:
        if SeatPlan() not in seats:
            return _to(table_open(plan=plan, seats=seats, key=key, now=timezone.now()).code)
        table = table_drafted(plan=plan, seats=seats, key=key, now=timezone.now())
    except (EmailNeeded, PersonGone, TooManyTables) as error:
        form.add_error(None, str(error))
        return _asked(request, person, form, error.status)
    if table.joins != Table.Joins.INVITED:
        # Whoever asks for a link, or for everybody, wants to pass it on at once; sent twice, the form makes one.
        with suppress(ServiceError):
            invite_shared(table_id=table.pk, sender=person, uses=table.seats, fresh=False, now=timezone.now())
    return _to_table(table.code)


def _at_first(request: HttpRequest, person: User) -> dict[str, Any]:
    """Return what the form says at first: for people if the address says so, or like a table that one may look at."""
    like = table_like(viewer=person, code=request.GET.get("like", ""))
    if like is not None:
        return asked_like(like)
    return {"company": PEOPLE} if request.GET.get("with") == PEOPLE else {}


def _asked(request: HttpRequest, person: User, form: NewTableForm, status: int = HTTPStatus.OK) -> HttpResponse:
    context = {
        "form": form,
        "seats": str(form["seats"].value()),
        "bots": [form[name] for name in form.fields if name.startswith("bot_")],
        "others": [form[name] for name in form.fields if name.startswith("who_")],
        "choices": [form[name] for name in ("joins", "starts", "watch")],
        "options": [form[option.name] for option in OPTION_WORDS],
        "zone": zone_or_utc(person.zone).key,
    }
    return render(request, "games/new.html", context, status=status)


def _to(code: str) -> HttpResponse:
    return HttpResponseRedirect(reverse("table", args=[code]), status=HTTPStatus.SEE_OTHER)


def _to_table(code: str) -> HttpResponse:
    return HttpResponseRedirect(reverse("series", args=[code]), status=HTTPStatus.SEE_OTHER)


@only("GET")
@for_lookers
def series(request: HttpRequest, code: str) -> HttpResponse:
    """Show a table: before the start who is there and what they will play, later the standings and the deals.

    To its people, past ones too, to those who may sit down or watch, and to those who run the site.
    """
    invited, now = invited_in(request), timezone.now()
    try:
        if isinstance(request.user, User):
            waiting = gathering(viewer=request.user, code=code, invited=invited, now=now)
            if waiting is not None:
                return gathered(request, request.user, waiting)
        shown = series_of(viewer=request.user, code=code, invited=invited, office=office_in(request), now=now)
        if request.GET.get("wait") and shown.seated:
            # Whoever waited for the start wants to see their cards.
            return _to(shown.games[-1].code)
    except NotAtTable:
        if isinstance(request.user, User):
            return not_found(request, _NO_TABLE)
        raise
    context: dict[str, Any] = {"series": shown, "key": secrets.token_urlsafe(12), "ratings": series_rated(code=code)}
    if isinstance(request.user, User):
        context["link"] = watchers_link(viewer=request.user, code=code)
        # Whoever runs the site answers reports.
        context["report"] = None if shown.office else reportable(viewer=request.user, code=code)
    return render(request, "games/series.html", context)


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
def again(request: HttpRequest, person: User, code: str) -> HttpResponse:
    """Open a new table like this one: with bots alone its first game is dealt, other people are asked."""
    try:
        key = request.POST.get("key", "")
        opened = table_again(code=code, host=person, key=key, now=timezone.now())
    except NotAtTable:
        return not_found(request, _NO_TABLE)
    except ServiceError as error:
        return _conflict(request, "Not now", error, code)
    return _to(opened.code) if isinstance(opened, Game) else _to_table(opened.code)


def _conflict(request: HttpRequest, title: str, error: ServiceError, code: str) -> HttpResponse:
    back = reverse("series", args=[code])
    return problem(request, status=error.status, title=title, sentence=str(error), back=back)
