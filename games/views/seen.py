"""How far a person has seen a game: told by the page's script, or by a button where there is no script (R25)."""

import re
from http import HTTPStatus
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from accounts.gates import only, person_only
from accounts.models import User
from games.selectors.company import NotAtTable
from games.selectors.sight import sitting
from games.services.seen import seen_set
from games.views.answers import made_no_sense, not_found

_NUMBER: Final = re.compile(r"[0-9]{1,9}")


@only("POST")
@person_only
def seen(request: HttpRequest, person: User, code: str) -> HttpResponse:
    """Keep in mind up to which entry a person was shown their game."""
    try:
        found = sitting(viewer=person, code=code)
    except NotAtTable:
        return not_found(request)
    back, number = reverse("table", args=[code]), request.POST.get("number", "")
    if not _NUMBER.fullmatch(number) or int(number) > found.game.version:
        return made_no_sense(request, "The form does not say up to where: load the page again.", back)
    seen_set(user_id=person.pk, game_id=found.game.pk, number=int(number))
    if request.headers.get("HX-Request") == "true":
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    return HttpResponseRedirect(back, status=HTTPStatus.SEE_OTHER)
