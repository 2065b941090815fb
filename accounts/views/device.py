"""Going on as oneself on another device, by a link that works once."""

from http import HTTPStatus
from typing import Any, Final

import segno
from allauth.account.utils import perform_login
from django.core import signing
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse

from accounts.gates import only, problem
from accounts.models import User
from accounts.views.answers import fresh_only

_SALT: Final = "accounts.device"
LASTS: Final = 15 * 60
"""How many seconds a link works."""


def device_token(user: User) -> str:
    """Return what signs a person in on another device: once, since it dies with the next sign-in, and soon."""
    return signing.dumps([user.pk, _last(user)], salt=_SALT, compress=True)


def _last(user: User) -> str:
    return user.last_login.isoformat() if user.last_login else ""


def device_user(token: str, *, locked: bool = False) -> User | None:
    """Return whom a token signs in, None if it is used, too old or made up; *locked* until the transaction ends."""
    try:
        key, last = signing.loads(token, salt=_SALT, max_age=LASTS)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    people = User.objects.select_for_update() if locked else User.objects
    user = people.filter(pk=key, is_active=True).first()
    return user if user is not None and _last(user) == last else None


@only("GET", "POST")
@fresh_only
def device(request: HttpRequest, user: User) -> HttpResponse:
    """Say what the link is for; make one, as an address and as a code for a camera."""
    made: dict[str, Any] = {}
    if request.method == "POST":
        link = request.build_absolute_uri(reverse("device_use", args=[device_token(user)]))
        made = {"link": link, "drawn": drawn(link)}
    return render(request, "accounts/device.html", made)


def drawn(link: str) -> str:
    """Return a link as a QR code, an SVG without styles; its colours come by the classes "qr" and "qr-ink"."""
    code = segno.make(link, error="m", micro=False)
    return str(code.svg_inline(scale=4, omitsize=True, svgclass="qr", lineclass="qr-ink"))


@only("GET", "POST")
def device_use(request: HttpRequest, token: str) -> HttpResponseBase:
    """Show whom the link goes on as, and sign them in when told to; reading it uses nothing up."""
    if request.method == "POST":
        with transaction.atomic():
            user = device_user(token, locked=True)
            if user is not None:
                return _entered(request, user)
    else:
        user = device_user(token)
    if user is None:
        return problem(
            request,
            status=HTTPStatus.GONE,
            title="This link has been used",
            sentence="It works once, for a quarter of an hour: make a new one on the device where you are signed in.",
        )
    here = request.user if isinstance(request.user, User) else None
    return render(request, "accounts/device_use.html", {"person": user, "here": here, "same": here == user})


def _entered(request: HttpRequest, user: User) -> HttpResponse:
    response: HttpResponse = perform_login(request, user, email_verification="none", redirect_url=reverse("home"))
    if response.status_code == HTTPStatus.FOUND:
        response.status_code = HTTPStatus.SEE_OTHER
    return response
