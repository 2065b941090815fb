"""Taking a seat by an invitation, at once or as soon as somebody has signed in."""

from datetime import timedelta
from http import HTTPStatus
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.services import JOINING
from games.models import Game, Invite, Table
from games.selectors.sight import INVITED, MOST
from games.selectors.tokens import token_of
from games.services.errors import NameTaken, ServiceError
from games.services.invites import invite_accepted
from games.views.sight import invited_in

ANYBODY: Final = "*"
# As long as a code is good, and a little.
_LIFE: Final = timedelta(minutes=15)


def joining_set(
    request: HttpRequest, *, invite: Invite, email: str | None, name: str = "", seat: int | None = None
) -> None:
    """Keep in mind that whoever signs in next with the address (None: as a guest) takes a seat by an invitation.

    ANYBODY stands for whoever it is: a person who has asked for the way to sign in.
    """
    until = (timezone.now() + _LIFE).timestamp()
    asked = {"invite": invite.pk, "email": email, "name": name, "seat": seat, "until": until}
    request.session[JOINING] = asked
    remembered(request, invite)


def remembered(request: HttpRequest, invite: Invite) -> None:
    """Keep in mind that this browser came by an invitation, and may look at its table."""
    kept = [each for each in invited_in(request) if each != invite.pk]
    request.session[INVITED] = [*kept, invite.pk][-MOST:]


def joining_done(request: HttpRequest, user: User) -> HttpResponse | None:
    """Seat somebody who has just signed in where they asked to sit, and lead them there; None if they did not ask.

    Only whoever asked is meant: another person who signs in at the same browser, or much later, sits down nowhere.
    """
    asked: dict[str, Any] | None = request.session.pop(JOINING, None)
    if asked is None or asked["email"] not in (user.email, ANYBODY) or asked["until"] < timezone.now().timestamp():
        return None
    return seat_taken(request, user, asked["invite"], name=asked["name"], seat=asked["seat"])


def seat_taken(request: HttpRequest, user: User, invite_id: int, *, name: str, seat: int | None) -> HttpResponse:
    """Seat a person by an invitation and lead them to the table; if it fails back to the invitation, which says why."""
    try:
        found = invite_accepted(invite_id=invite_id, user=user, name=name, seat=seat, now=timezone.now())
    except NameTaken as error:
        return _back(request, invite_id, f"{error} Try “{error.suggestion}”." if error.suggestion else str(error))
    except ServiceError as error:
        return _back(request, invite_id, str(error))
    return HttpResponseRedirect(table_url(found.table, found.game), status=HTTPStatus.SEE_OTHER)


def _back(request: HttpRequest, invite_id: int, sentence: str) -> HttpResponse:
    messages.error(request, sentence)
    invite = Invite.objects.filter(pk=invite_id).first()
    token = token_of(invite) if invite else ""
    target = reverse("invite", args=[token]) if token else reverse("home")
    return HttpResponseRedirect(target, status=HTTPStatus.SEE_OTHER)


def table_url(table: Table, game: Game | None) -> str:
    """Return where a person who sits at a table wants to be: at its cards, or at the page of who is there."""
    return reverse("table", args=[game.code]) if game else reverse("series", args=[table.code])
