"""What the host of a table does with it."""

from collections.abc import Callable
from typing import Any

from django.core.exceptions import ValidationError
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.gates import only, person_only
from accounts.models import User
from games.forms.seats import RenameForm, SeatForm, StartForm
from games.models import Game, Table
from games.selectors.company import NotAtTable, by_code
from games.services.errors import ServiceError
from games.services.hosting import host_handed, table_closed, table_renamed, table_start
from games.services.seats import seat_removed
from games.views.answers import not_found
from games.views.gather import NO_TABLE, refused, to_board_or_page, to_page


def _hosted(request: HttpRequest, person: User, code: str, act: Callable[[int], Any]) -> HttpResponse:
    """Do something for the host of a table, and show its page; nobody else learns that there is one."""
    try:
        table = by_code(Table.objects.filter(host=person), code)
    except NotAtTable:
        return not_found(request, NO_TABLE)
    try:
        done = act(table.pk)
    except ServiceError as error:
        return refused(request, person, code, error, status=error.status)
    return to_board_or_page(table) if isinstance(done, Game) else to_page(code)


def _unfit(request: HttpRequest, person: User, code: str, form: Form) -> HttpResponse:
    """Say what is wrong with a form, to the host alone."""
    try:
        by_code(Table.objects.filter(host=person), code)
    except NotAtTable:
        return not_found(request, NO_TABLE)
    fault = next(iter(form.errors.values()))[0]
    return refused(request, person, code, ValidationError(fault), status=422, fault=str(fault))


@only("POST")
@person_only
def start(request: HttpRequest, person: User, code: str) -> HttpResponse:
    """Deal the first game, with what shall become of free seats."""
    form = StartForm(request.POST)
    if not form.is_valid():
        return _unfit(request, person, code, form)
    short, level = form.cleaned_data["short"] or "no", form.cleaned_data["level"] or "easy"
    now = timezone.now()
    return _hosted(
        request, person, code, lambda pk: table_start(table_id=pk, host=person, short=short, level=level, now=now)
    )


@only("POST")
@person_only
def rename(request: HttpRequest, person: User, code: str) -> HttpResponse:
    """Give the table another name."""
    form = RenameForm(request.POST)
    if not form.is_valid():
        return _unfit(request, person, code, form)
    name, now = form.cleaned_data["name"], timezone.now()
    return _hosted(request, person, code, lambda pk: table_renamed(table_id=pk, host=person, name=name, now=now))


@only("POST")
@person_only
def hand(request: HttpRequest, person: User, code: str) -> HttpResponse:
    """Make the person at a seat the host."""
    form = SeatForm(request.POST)
    if not form.is_valid():
        return _unfit(request, person, code, form)
    seat, now = form.cleaned_data["seat"], timezone.now()
    return _hosted(request, person, code, lambda pk: host_handed(table_id=pk, host=person, seat=seat, now=now))


@only("POST")
@person_only
def remove(request: HttpRequest, person: User, code: str) -> HttpResponse:
    """Free a seat before the start."""
    form = SeatForm(request.POST)
    if not form.is_valid():
        return _unfit(request, person, code, form)
    seat, now = form.cleaned_data["seat"], timezone.now()
    return _hosted(request, person, code, lambda pk: seat_removed(table_id=pk, host=person, seat=seat, now=now))


@only("POST")
@person_only
def close(request: HttpRequest, person: User, code: str) -> HttpResponse:
    """Close a table that has not started."""
    now = timezone.now()
    return _hosted(request, person, code, lambda pk: table_closed(table_id=pk, host=person, now=now))
