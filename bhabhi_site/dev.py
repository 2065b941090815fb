"""The one-time address that `manage.py serve` prints: for people at this computer, on the embedded default only."""

from django.contrib.auth import login
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render

from accounts.entry import entry_user
from accounts.gates import wrong_method
from accounts.middleware import for_nobody
from accounts.services import session_kept

_LOOPBACK = {"127.0.0.1", "::1"}
_FORWARDED = ("HTTP_FORWARDED", "HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_HOST", "HTTP_X_REAL_IP", "HTTP_VIA")


def at_this_computer(request: HttpRequest, *hosts: str) -> bool:
    """Tell whether the request comes from here, to one of *hosts*, through no proxy."""
    local = request.META.get("REMOTE_ADDR") in _LOOPBACK and request.get_host().partition(":")[0] in hosts
    return local and not any(name in request.META for name in _FORWARDED)


@for_nobody
def enter(request: HttpRequest, token: str) -> HttpResponse:
    """Sign in the person for whom *token* was made, once; 410 for one that is used, old or made up."""
    # A HEAD, by which programs look at addresses, must not use it up.
    if request.method != "GET":
        return wrong_method(request, ("GET",))
    if not at_this_computer(request, "localhost"):
        raise Http404
    # Signing in changes what the token was made from; the lock lets only one of two simultaneous requests see it whole.
    with transaction.atomic():
        user = entry_user(token)
        if user is not None:
            login(request, user)
            session_kept(request)
            return HttpResponseRedirect("/")
    return render(request, "410.html", status=410)
