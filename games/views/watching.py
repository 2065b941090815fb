"""Watching a game by the table's shared link."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone

from accounts.gates import only, problem
from games.models import Invite
from games.selectors.company import NotAtTable
from games.selectors.series import newest_code
from games.selectors.sight import looking
from games.selectors.tokens import invite_found
from games.services.errors import InviteGone
from games.views.answers import not_found
from games.views.joining import remembered
from games.views.sight import invited_in


@only("POST")
def watch(request: HttpRequest, token: str) -> HttpResponse:
    """Let whoever came by the shared link of a table watch what is played there, if its host lets them."""
    found = invite_found(token)
    if found is None:
        return not_found(request, InviteGone.sentence)
    code = newest_code(found.table)
    if not _lets_watch(request, found, code):
        sentence, back = "This table cannot be watched by this link.", reverse("invite", args=[token])
        return problem(request, status=HTTPStatus.CONFLICT, title="Not now", sentence=sentence, back=back)
    remembered(request, found)
    return HttpResponseRedirect(reverse("table", args=[code]), status=HTTPStatus.SEE_OTHER)


def _lets_watch(request: HttpRequest, link: Invite, code: str) -> bool:
    """Tell whether a link lets its visitor watch a game; whoever came while it was good goes on, nobody new comes."""
    if link.expires <= timezone.now():
        return False
    try:
        looking(viewer=request.user, code=code, invited=(*invited_in(request), link.pk))
    except NotAtTable:
        return False
    return True
