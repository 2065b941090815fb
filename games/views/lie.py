"""How a person's cards lie: a setting of the browser's, kept in a cookie (R3)."""

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from accounts.gates import only, person_only
from accounts.models import User
from games.selectors.company import NotAtTable
from games.selectors.faces import LIES, Lie, lie_kept
from games.selectors.sight import sitting
from games.views.answers import made_no_sense, not_found

_YEAR: Final = 365 * 24 * 60 * 60


def lie_of(request: HttpRequest) -> Lie:
    """Return how the cards shall lie, the usual way unless a cookie of ours says otherwise."""
    return lie_kept(request.COOKIES.get(settings.LIE_COOKIE_NAME, ""))


@only("POST")
@person_only
def lie(request: HttpRequest, person: User, code: str) -> HttpResponse:
    """Keep how the cards shall lie, and lead back to the game."""
    try:
        sitting(viewer=person, code=code)
    except NotAtTable:
        return not_found(request)
    back = reverse("table", args=[code])
    asked = f"{request.POST.get('first', '')}.{request.POST.get('edge', '')}"
    if asked not in LIES:
        return made_no_sense(request, "Choose one order and one edge for your cards.", back)
    response = HttpResponseRedirect(back, status=303)
    cookie: str = settings.LIE_COOKIE_NAME
    response.set_cookie(cookie, asked, max_age=_YEAR, secure=request.is_secure(), httponly=True, samesite="Lax")
    return response
