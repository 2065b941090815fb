"""What stands before the pages of a game: who asks, and by which invitations they came."""

from functools import wraps

from django.http import HttpRequest, HttpResponse, HttpResponseBase

from accounts.gates import View, person_only
from accounts.models import User
from accounts.roles import factor_shown, role_of
from games.selectors.company import NotAtTable
from games.selectors.sight import invitations_in
from games.views.answers import not_found


def invited_in(request: HttpRequest) -> tuple[int, ...]:
    """Return the numbers of the invitations by which a visitor came."""
    return invitations_in(request.session)


def office_in(request: HttpRequest) -> bool:
    """Tell whether a visitor runs the site and may use the desk now: deals that are over lie open to them."""
    user = request.user
    return isinstance(user, User) and role_of(user) != "" and factor_shown(request, user)


def for_lookers[**P](view: View[P]) -> View[P]:
    """Send away those who may not look at what the view shows: strangers to sign in, others with a 404."""

    @wraps(view)
    def gated(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not request.user.is_authenticated and not invited_in(request):
            return _nothing(request)
        try:
            return view(request, *args, **kwargs)
        except NotAtTable:
            return _nothing(request)

    return gated


@person_only
def _nothing(request: HttpRequest, _: User) -> HttpResponse:
    return not_found(request)
