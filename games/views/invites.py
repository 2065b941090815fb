"""What an invitation leads to: the table and a way to sit down; looking at it changes nothing."""

from functools import partial
from http import HTTPStatus
from secrets import token_urlsafe
from typing import Any, Final

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from accounts.fields import masked
from accounts.forms import Address, PersonName, Zone
from accounts.gates import only
from accounts.models import User
from accounts.services import code_asked, email_proved, guest_allowed, guest_sent, guest_signed_in, person_started
from accounts.views.answers import too_many
from games.models import Game, Invite
from games.selectors.invites import Fault, InvitePage, invite_page, name_instead, similar_tables
from games.selectors.sight import may_watch
from games.selectors.tokens import invite_found
from games.services.declining import invite_declined
from games.services.errors import InviteGone, ServiceError
from games.services.invites import FAULTS
from games.services.letters import no_mail_invite
from games.services.notices import no_mail_set
from games.views.answers import not_found
from games.views.joining import ANYBODY, joining_set, remembered, seat_taken, table_url

_WAYS: Final = ("email", "guest", "me")


class JoinForm(forms.Form):
    """Who sits down: a name, and an address for those who want to be known again."""

    name = PersonName(help_text="What the others at the table call you.")
    email = Address(required=False)
    zone = Zone()
    seat = forms.IntegerField(min_value=0, max_value=11, required=False, widget=forms.HiddenInput)
    # Sent twice, by two taps or a lost answer, the form makes one guest.
    key = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput, initial=partial(token_urlsafe, 16))

    def __init__(self, *args: Any, invite: Invite, viewer: User | None, way: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._invite, self._way = invite, way
        self.fields["name"].initial = viewer.name if viewer else invite.name

    def clean_email(self) -> str:
        """Return the address in lower case; without one the invitation's own, if it has one."""
        email: str = self.cleaned_data["email"].lower() or self._invite.email
        if self._way == "email" and not email:
            raise forms.ValidationError("Write your email address, like name@example.org, or play as a guest.")
        return email

    def clean(self) -> dict[str, Any]:
        """Refuse a name that looks like one at the table, before anybody is made who bears it."""
        data = super().clean() or {}
        name = data.get("name", "")
        instead = name_instead(self._invite.table, name) if name else ""
        if instead and not (self._way == "guest" and guest_sent(data.get("key", ""), name)):
            self.add_error("name", f"Somebody at this table is called that, or looks like it: try “{instead}”.")
        return data


@only("GET", "POST")
def invite(request: HttpRequest, token: str) -> HttpResponseBase:
    """Show the table that an invitation is for; let somebody sit down who asks by POST."""
    found = invite_found(token)
    if found is None:
        return _gone(request)
    viewer = request.user if isinstance(request.user, User) else None
    page = invite_page(invite=found, viewer=viewer, now=timezone.now())
    if page.seated:
        return _to_table(found)
    way = request.POST.get("way", "")
    if page.fault is not None or request.method != "POST" or way not in _WAYS:
        form = JoinForm(invite=found, viewer=viewer, way="")
        return _shown(
            request, found, page, form, HTTPStatus.OK if request.method != "POST" else HTTPStatus.UNPROCESSABLE_ENTITY
        )
    form = JoinForm(request.POST, invite=found, viewer=viewer, way=way)
    return _asked(request, found, page, form, way)


def _gone(request: HttpRequest) -> HttpResponse:
    return not_found(request, InviteGone.sentence)


def _to_table(invite: Invite) -> HttpResponse:
    game = Game.objects.filter(table=invite.table).order_by("-number").first()
    return HttpResponseRedirect(table_url(invite.table, game), status=HTTPStatus.SEE_OTHER)


def _shown(request: HttpRequest, invite: Invite, page: InvitePage, form: JoinForm, status: int) -> HttpResponse:
    viewer = request.user if isinstance(request.user, User) else None
    fault = FAULTS[page.fault] if page.fault else None
    context = {
        "page": page,
        "form": form,
        "fault": fault.sentence if fault else "",
        "address": masked(invite.email) if invite.email else "",
        "similar": similar_tables(table=invite.table, viewer=viewer) if fault else [],
        "can_watch": page.fault in (Fault.STARTED, Fault.OVER)
        and invite.expires > timezone.now()
        and may_watch(viewer=request.user, table=invite.table, invited=(invite.pk,)),
        "can_decline": page.personal and page.fault in (None, Fault.FULL),
        "path": request.path,
    }
    return render(request, "games/invite.html", context, status=fault.status if fault else status)


def _asked(request: HttpRequest, invite: Invite, page: InvitePage, form: JoinForm, way: str) -> HttpResponseBase:
    """Do what the form asks for, once it is right; whoever is signed in sits down as who they are."""
    viewer = request.user if isinstance(request.user, User) else None
    if viewer is None and way == "me":
        joining_set(request, invite=invite, email=ANYBODY)
        return HttpResponseRedirect(f"{reverse('signin')}?next={request.path}", status=HTTPStatus.SEE_OTHER)
    if viewer is not None and way != "me":
        return _shown(request, invite, page, form, HTTPStatus.CONFLICT)
    if not form.is_valid():
        return _shown(request, invite, page, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    data = form.cleaned_data
    if viewer is not None:
        remembered(request, invite)
        return seat_taken(request, viewer, invite.pk, name=data["name"], seat=data["seat"])
    return _in_by_address(request, invite, data) if way == "email" else _in_as_guest(request, invite, data)


def _in_as_guest(request: HttpRequest, invite: Invite, data: dict[str, Any]) -> HttpResponseBase:
    if not guest_allowed(request):
        return too_many(request)
    joining_set(request, invite=invite, email=None, name=data["name"], seat=data["seat"])
    # Signing in leads on to the seat (`joining_done`).
    return _onward(guest_signed_in(request, data["name"], data["zone"], key=data["key"]))


def _in_by_address(request: HttpRequest, invite: Invite, data: dict[str, Any]) -> HttpResponseBase:
    """Sign a new person up, at once if the invitation came to this very address; mail everybody else a code."""
    email: str = data["email"]
    if not code_asked(request, email):
        return too_many(request)
    joining_set(request, invite=invite, email=email, name=data["name"], seat=data["seat"])
    if email == invite.email:
        email_proved(request, email)
    return _onward(person_started(request, email=email, name=data["name"], zone=data["zone"]))


def _onward(response: HttpResponseBase) -> HttpResponseBase:
    if response.status_code == HTTPStatus.FOUND:
        response.status_code = HTTPStatus.SEE_OTHER
    return response


@only("POST")
def decline(request: HttpRequest, token: str) -> HttpResponseBase:
    """Say no to a personal invitation."""
    found = invite_found(token)
    if found is None:
        return _gone(request)
    try:
        invite_declined(invite_id=found.pk, now=timezone.now())
    except ServiceError:
        return _gone(request)
    return HttpResponseRedirect(reverse("invite", args=[token]), status=HTTPStatus.SEE_OTHER)


# A mail program posts here by itself when its reader wants no more of such mails: it has no cookie of ours. The address
# is signed, and says whose mail it is about; all that it can do is to stop invitations, or to let them come again.
@csrf_exempt
@only("GET", "POST")
def no_mail(request: HttpRequest, token: str) -> HttpResponseBase:
    """Ask whether an address shall get no more invitations; keep that in mind when told so by POST."""
    found = no_mail_invite(token)
    if found is None:
        return not_found(request, "There is no such address: look at the mail again.")
    done = ""
    if request.method == "POST":
        wanted = request.POST.get("wanted") == "yes"
        no_mail_set(email=found.email, wanted=wanted, now=timezone.now())
        done = "again" if wanted else "stopped"
    return render(request, "games/no_mail.html", {"address": masked(found.email), "done": done})
