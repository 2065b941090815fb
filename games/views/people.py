"""A person's page for others, and their own: name, archive, and being forgotten."""

from typing import Final

from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from accounts.gates import only, person_only
from accounts.models import User
from accounts.services import block_set, block_unset
from games.selectors.people import NoSuchPerson, profile
from games.selectors.ratings import standings_of
from games.services.errors import NameUnfit
from games.services.people import GRACE, erase_asked, erase_kept, erase_now, exported, person_renamed
from games.views.answers import made_no_sense, not_found
from games.views.sight import office_in

CONFIRMATION: Final = "delete"
"""The word that somebody types who wants to be erased at once."""

_NOBODY: Final = "There is no such person, or you have not met them at a table."


def _to(name: str, *args: str) -> HttpResponse:
    return HttpResponseRedirect(reverse(name, args=args), status=303)


@only("GET")
@person_only
def person(request: HttpRequest, viewer: User, code: str) -> HttpResponse:
    """Show a person to one who has met them at a table, and what is not for two to those who run the site."""
    now = timezone.now()
    try:
        found, office = profile(viewer=viewer, code=code, now=now), False
    except NoSuchPerson:
        if not office_in(request):
            return not_found(request, _NOBODY)
        try:
            found, office = profile(viewer=viewer, code=code, office=True, now=now), True
        except NoSuchPerson:
            return not_found(request, _NOBODY)
    context = {"profile": found, "office": office, "ratings": standings_of(viewer=viewer, code=found.code)}
    return render(request, "games/person.html", context)


@only("POST")
@person_only
def block(request: HttpRequest, viewer: User, code: str) -> HttpResponse:
    """Keep a person away from one's tables (`way` is "on"), or no more ("off")."""
    try:
        found = profile(viewer=viewer, code=code, now=timezone.now())
    except NoSuchPerson:
        return not_found(request, _NOBODY)
    way = request.POST.get("way")
    if way not in ("on", "off") or found.you:
        return made_no_sense(request, "Choose somebody else, and whether to keep them away.", request.path)
    act = block_set if way == "on" else block_unset
    act(owner=viewer, other=User.objects.get(code=found.code))
    return _to("person", found.code)


@only("GET")
@person_only
def me(request: HttpRequest, viewer: User) -> HttpResponse:
    """List what a person may see and change of their own."""
    return render(request, "games/me.html")


@only("POST")
@person_only
def name(request: HttpRequest, viewer: User) -> HttpResponse:
    """Give a person another name; where somebody looks called that they keep the old one, and are told."""
    wanted = request.POST.get("name", "")
    try:
        kept = person_renamed(user=viewer, name=wanted, now=timezone.now())
    except NameUnfit as error:
        return render(request, "games/me.html", {"wanted": wanted, "fault": str(error)}, status=422)
    if kept:
        return render(request, "games/me.html", {"kept": kept})
    return _to("me")


@only("POST")
@person_only
def export(request: HttpRequest, viewer: User) -> HttpResponse:
    """Let a person download everything about themselves."""
    now = timezone.now()
    headers = {"Content-Disposition": f'attachment; filename="getaway-{viewer.code}-{now:%Y-%m-%d}.zip"'}
    return HttpResponse(exported(user=viewer, now=now), content_type="application/zip", headers=headers)


@only("GET", "POST")
@person_only
def delete(request: HttpRequest, viewer: User) -> HttpResponse:
    """Explain what being forgotten means, and begin with it (`when`): after two weeks, or at once.

    Whoever can shows first who they are; what they posted is done then. A guest has nothing to show.
    """
    if request.method != "POST":
        return _ask_delete(request)
    if not viewer.guest:
        raise_if_reauthentication_required(request, app="allauth.account")
    now = timezone.now()
    if request.POST.get("when") != "now":
        erase_asked(user=viewer, now=now)
        return _to("delete")
    if request.POST.get("confirm", "").strip().casefold() != CONFIRMATION:
        return _ask_delete(request, f"Type the word {CONFIRMATION} to be forgotten at once.")
    logout(request)
    erase_now(user=viewer, now=now)
    return _to("gone")


def _ask_delete(request: HttpRequest, fault: str = "") -> HttpResponse:
    context = {"days": GRACE.days, "word": CONFIRMATION, "fault": fault}
    return render(request, "games/delete.html", context, status=422 if fault else 200)


@only("POST")
@person_only
def keep(request: HttpRequest, viewer: User) -> HttpResponse:
    """Let a person stay after all."""
    erase_kept(user=viewer)
    return _to("me")


@only("GET")
def gone(request: HttpRequest) -> HttpResponse:
    """Say goodbye to somebody who was forgotten."""
    return render(request, "games/gone.html")
