"""Notices in browsers: where a person is told, one more browser, one less."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from accounts.agents import agent_words
from accounts.gates import only, person_only
from accounts.models import User
from games.selectors.devices import devices_of
from games.services.errors import PushUnfit
from games.services.push import device_kept, device_left, device_removed, push_key
from games.views.answers import not_found


@only("GET", "POST")
@person_only
def push(request: HttpRequest, person: User) -> HttpResponse:
    """List the browsers in which a person is told; keep the one that asks for it (204, or 422 with a sentence)."""
    if request.method == "POST":
        return _kept(request, person)
    return render(request, "games/push.html", {"key": push_key(), "devices": devices_of(person)})


def _kept(request: HttpRequest, person: User) -> HttpResponse:
    given = {name: request.POST.get(name, "") for name in ("endpoint", "p256dh", "auth")}
    agent = agent_words(request.headers.get("User-Agent", ""))
    session = request.session.session_key or ""
    try:
        device_kept(user=person, **given, agent=agent, session=session, now=timezone.now())
    except PushUnfit as error:
        return HttpResponse(str(error), status=error.status, content_type="text/plain; charset=utf-8")
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


@only("POST")
@person_only
def push_remove(request: HttpRequest, person: User) -> HttpResponse:
    """Tell a person no more in one of their browsers: that of the list, or the one that asks for it by its address."""
    endpoint, key = request.POST.get("endpoint", ""), request.POST.get("device", "")
    if endpoint:
        if "\0" not in endpoint:
            device_left(user=person, endpoint=endpoint)
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    if not (key.isascii() and key.isdigit() and len(key) < 18 and device_removed(user=person, device_id=int(key))):
        return not_found(request, "You are not told in that browser any more.")
    return HttpResponseRedirect(reverse("push"), status=HTTPStatus.SEE_OTHER)
