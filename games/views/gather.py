"""A table that waits for people: its page, sitting down and leaving."""

from http import HTTPStatus
from typing import Final

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from accounts.gates import only, person_only, problem
from accounts.models import User
from games.forms.seats import JoinForm
from games.models import Game, Table
from games.selectors.access import invite_to
from games.selectors.company import NotAtTable, by_code, company
from games.selectors.gather import Gathering, gathering
from games.selectors.invitations import invitations
from games.selectors.options import LEVEL_WORDS
from games.services.declining import table_declined
from games.services.errors import InviteGone, NameTaken, NameUnfit, SeatHeld, SeatTaken, ServiceError
from games.services.invites import invite_accepted
from games.services.seats import seat_join, seat_left
from games.views.answers import not_found
from games.views.sight import invited_in

NO_TABLE: Final = "There is no such table, or it is not open to you."


def gathered(
    request: HttpRequest, person: User, found: Gathering, *, status: int = HTTPStatus.OK, **faults: str
) -> HttpResponse:
    """Return the page of a table before its start; *faults* say what is wrong with a form that was sent."""
    host_part = None
    if found.hosts:
        host_part = invitations(table=found.table, viewer=person, free=len(found.free), now=timezone.now())
    context = {"gathering": found, "invitations": host_part, "levels": LEVEL_WORDS, **faults}
    return render(request, "games/gather.html", context, status=status)


def refused(
    request: HttpRequest, person: User, code: str, error: Exception, *, status: int, **faults: str
) -> HttpResponse:
    """Show a table's page again to whom something was refused, if they may see it still; else say why only."""
    if status == HTTPStatus.NOT_FOUND:
        return not_found(request, NO_TABLE)
    try:
        found = gathering(viewer=person, code=code, invited=invited_in(request), now=timezone.now())
    except NotAtTable:
        found = None
    if found is None:
        return problem(request, status=status, title="Not now", sentence=str(error), back=reverse("home"))
    return gathered(request, person, found, status=status, **faults or {"fault": str(error)})


def to_page(code: str) -> HttpResponse:
    """Lead to a table's page."""
    return HttpResponseRedirect(reverse("series", args=[code]), status=HTTPStatus.SEE_OTHER)


def to_board_or_page(table: Table) -> HttpResponse:
    """Lead to the game if it has begun, else to the table's page."""
    game = Game.objects.filter(table=table).order_by("-number").first()
    if game is None:
        return to_page(table.code)
    return HttpResponseRedirect(reverse("table", args=[game.code]), status=HTTPStatus.SEE_OTHER)


@only("POST")
@person_only
def join(request: HttpRequest, person: User, code: str) -> HttpResponse:
    """Sit down, and be led to the first game if that was the last free seat."""
    form = JoinForm(request.POST)
    name = str(form["name"].value() or "")
    if not form.is_valid():
        # Before the table is looked for: a stranger reads the same of one that is not there.
        error = ValidationError(form.errors["seat"][0])
        return refused(request, person, code, error, status=422, seat_fault=str(form.errors["seat"][0]), typed=name)
    try:
        table = by_code(Table.objects.all(), code)
    except NotAtTable:
        return not_found(request, NO_TABLE)
    try:
        _sat_down(request, person, table, name, form.cleaned_data["seat"])
    except SeatHeld:
        pass
    except ServiceError as error:
        return refused(request, person, code, error, status=error.status, **_faults(error, name[:200]))
    return to_board_or_page(table)


def _faults(error: ServiceError, typed: str) -> dict[str, str]:
    """Return which field of the form is at fault, and what it says now."""
    match error:
        case NameTaken():
            return {"name_fault": f"{error} \u201c{error.suggestion}\u201d is free.", "typed": typed}
        case NameUnfit():
            return {"name_fault": str(error), "typed": typed}
        case SeatTaken():
            return {"seat_fault": str(error), "typed": typed}
        case _:
            return {"fault": str(error)}


def _sat_down(request: HttpRequest, person: User, table: Table, name: str, seat: int | None) -> None:
    """Let a person sit down: by an invitation if they have one, which is looked at again under the table's lock."""
    now = timezone.now()
    invite = invite_to(table=table, user=person, remembered=invited_in(request), now=now)
    if invite is None:
        seat_join(table_id=table.pk, user=person, name=name, seat=seat, now=now)
    else:
        invite_accepted(invite_id=invite.pk, user=person, name=name, seat=seat, now=now)


@only("POST")
@person_only
def leave(request: HttpRequest, person: User, code: str) -> HttpResponse:
    """Leave a table: before the start the seat is free again; later a bot plays on, once the person is sure."""
    try:
        table = company(viewer=person, code=code).table
    except NotAtTable:
        return not_found(request, NO_TABLE)
    if table.status == Table.Status.RUNNING and request.POST.get("sure") != "yes":
        return render(request, "games/leave.html", {"table": table}, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        seat_left(table_id=table.pk, user=person, now=timezone.now())
    except ServiceError as error:
        return refused(request, person, code, error, status=error.status)
    if table.status == Table.Status.RUNNING:
        # How it stands may go on being read there.
        return to_page(code)
    messages.success(request, f"You have left \u2068{table.name}\u2069.")
    return HttpResponseRedirect(reverse("home"), status=HTTPStatus.SEE_OTHER)


@only("POST")
@person_only
def decline(request: HttpRequest, person: User, code: str) -> HttpResponse:
    """Say no to the invitations of a table, and be led back to the list on which they stood."""
    try:
        table = by_code(Table.objects.all(), code)
        table_declined(table_id=table.pk, user=person, now=timezone.now())
    except (NotAtTable, InviteGone):
        return not_found(request, InviteGone.sentence)
    messages.success(request, f"You do not play at \u2068{table.name}\u2069. Whoever invited you can see that.")
    return HttpResponseRedirect(reverse("home"), status=HTTPStatus.SEE_OTHER)
