"""The host's part of a table that waits for people: whom to invite, what has become of it, the link to pass on."""

from datetime import timedelta
from http import HTTPStatus

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from accounts.gates import only, person_only
from accounts.models import User
from games.models import Table
from games.selectors.invitations import invitations
from games.selectors.invites import seats_free
from games.services.errors import AddressesUnfit, NotHost, ServiceError, TableGone
from games.services.invites import Sent, invite_resent, invite_revoked, invite_shared, invites_sent
from games.views.answers import not_found

_MOST_DAYS = 14


@only("GET", "POST")
@person_only
def invites(request: HttpRequest, person: User, code: str) -> HttpResponse:
    """Show the invitations of a table to its host; mail some more."""
    table = _hosted(code, person)
    if table is None:
        return not_found(request, TableGone.sentence)
    if request.method != "POST":
        return _shown(request, table, person)
    typed = request.POST.get("addresses", "")
    try:
        sent = invites_sent(table_id=table.pk, sender=person, addresses=typed, now=timezone.now())
    except AddressesUnfit as error:
        wrong = ", ".join(each[:80] for each in error.wrong[:5])
        return _shown(
            request,
            table,
            person,
            typed=typed,
            fault=f"{error} Look at: {wrong}" if wrong else str(error),
            status=error.status,
        )
    except ServiceError as error:
        return _shown(request, table, person, typed=typed, fault=str(error), status=error.status)
    messages.success(request, _said(sent))
    return _back(code)


def _said(sent: Sent) -> str:
    """Return what came of inviting, in a sentence or two."""
    count = len(sent.invited)
    said = (
        [ngettext("%d invitation is on its way.", "%d invitations are on their way.", count) % count] if count else []
    )
    if sent.known:
        said.append(gettext("Invited already: %s.") % ", ".join(sent.known))
    if sent.own:
        said.append(gettext("You need no invitation yourself."))
    return " ".join(said)


@only("POST")
@person_only
def invite_act(request: HttpRequest, person: User, code: str) -> HttpResponse:
    """Send an invitation again, take one back, or make the table's link anew."""
    table = _hosted(code, person)
    if table is None:
        return not_found(request, TableGone.sentence)
    try:
        said = _acted(request.POST, table, person)
    except NotHost:
        return not_found(request, TableGone.sentence)
    except ServiceError as error:
        return _shown(request, table, person, fault=str(error), status=error.status)
    if not said:
        return _shown(
            request, table, person, fault=gettext("Choose what to do."), status=HTTPStatus.UNPROCESSABLE_ENTITY
        )
    messages.success(request, said)
    return _back(code)


def _acted(form: QueryDict, table: Table, host: User) -> str:
    """Do what a button asks for and return what was done, "" if it asks for nothing that is known."""
    now = timezone.now()
    if "link" in form:
        uses, days = _whole(form, "uses", max(seats_free(table), 1)), _whole(form, "days", _MOST_DAYS)
        life = timedelta(days=max(1, min(days, _MOST_DAYS)))
        invite_shared(table_id=table.pk, sender=host, uses=uses, life=life, now=now)
        return gettext("Here is the new link.")
    resend, revoke = _whole(form, "resend", 0), _whole(form, "revoke", 0)
    if resend:
        invite_resent(invite_id=resend, table_id=table.pk, sender=host, now=now)
        return gettext("The invitation is on its way again.")
    if revoke:
        invite_revoked(invite_id=revoke, table_id=table.pk, host=host, now=now)
        return gettext("Taken back: nobody can sit down by it any more.")
    return ""


def _whole(form: QueryDict, name: str, otherwise: int) -> int:
    text = form.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else otherwise


def _hosted(code: str, person: User) -> Table | None:
    """Return the table of that code if the person is its host; nobody else learns that there is one."""
    return None if "\0" in code else Table.objects.filter(code=code, host=person).first()


def _shown(
    request: HttpRequest, table: Table, person: User, *, typed: str = "", fault: str = "", status: int = HTTPStatus.OK
) -> HttpResponse:
    found = invitations(table=table, viewer=person, now=timezone.now())
    context = {"table": table, "invitations": found, "typed": typed[:5000], "invite_fault": fault}
    return render(request, "games/invites.html", context, status=status)


def _back(code: str) -> HttpResponse:
    return HttpResponseRedirect(reverse("series", args=[code]), status=HTTPStatus.SEE_OTHER)
