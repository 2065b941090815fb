"""Reporting a name or somebody with one tap, and the page that says what came of it."""

from http import HTTPStatus
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from accounts.gates import only, person_only, problem
from accounts.models import User
from games.models import Holder, Report, Table
from games.models.table import MAX_SEATS
from games.selectors.company import NotAtTable, by_code
from games.selectors.people import NoSuchPerson, person_found
from games.selectors.reports import reports_of
from games.services.errors import ServiceError
from games.services.report_errors import NothingToReport
from games.services.reports import report_made
from games.views.answers import made_no_sense, not_found
from games.views.sight import invited_in

REPORTED: Final = "Reported. You will be told what comes of it."
_CHOOSE: Final = "Choose whether you report a name or how somebody behaves."
_SEATS: Final = frozenset(map(str, range(MAX_SEATS)))
_OF_PEOPLE: Final = (Report.Kind.NAME.value, Report.Kind.PERSON.value)


@only("GET")
@person_only
def mine(request: HttpRequest, person: User) -> HttpResponse:
    """List what somebody has reported with what came of it, and what was decided of reports about them."""
    return render(request, "games/reports.html", {"reports": reports_of(user=person)})


@only("POST")
@person_only
def person_report(request: HttpRequest, person: User, code: str) -> HttpResponse:
    """Report what a person is called or how they behave (`what`), with words if there are any."""
    kind, back = request.POST.get("what", ""), reverse("person", args=[code])
    try:
        about = person_found(viewer=person, code=code)
    except NoSuchPerson:
        return not_found(request, str(NothingToReport()))
    if kind not in _OF_PEOPLE:
        return made_no_sense(request, _CHOOSE, back)
    return _reported(request, person, back, kind=Report.Kind(kind), about=about)


@only("POST")
@person_only
def table_report(request: HttpRequest, person: User, code: str) -> HttpResponse:
    """Report what a table is called, or (`what` is like "name-2") a person who sits there, by their seat."""
    try:
        table = by_code(Table.objects.all(), code)
    except NotAtTable:
        return not_found(request, str(NothingToReport()))
    kind, _, seat = request.POST.get("what", "").partition("-")
    back = reverse("series", args=[code])
    if kind == Report.Kind.TABLE and not seat:
        return _reported(request, person, back, kind=Report.Kind.TABLE, table=table)
    if kind not in _OF_PEOPLE or seat not in _SEATS:
        return made_no_sense(request, _CHOOSE, back)
    sits = Holder.objects.filter(table=table, seat__number=int(seat), until=None, user__isnull=False)
    holder = sits.select_related("user").first()
    if holder is None:
        return not_found(request, str(NothingToReport()))
    return _reported(request, person, back, kind=Report.Kind(kind), about=holder.user, table=table)


def _reported(request: HttpRequest, person: User, back: str, **what: Any) -> HttpResponse:
    words = request.POST.get("words", "")
    try:
        report_made(by=person, words=words, invited=invited_in(request), now=timezone.now(), **what)
    except NothingToReport as error:
        return not_found(request, str(error))
    except ServiceError as error:
        return problem(request, status=error.status, title="Not reported", sentence=str(error), back=back)
    messages.success(request, REPORTED)
    return HttpResponseRedirect(back, status=HTTPStatus.SEE_OTHER)
