"""What the site does when somebody signs in, whichever door they took."""

from typing import Any

from django.http import HttpRequest, HttpResponse

from accounts.adapters import AccountAdapter
from accounts.models import User
from games.services.push import devices_moved
from games.views.joining import joining_done


class SiteAdapter(AccountAdapter):
    """The accounts' own adapter, and what waits for a person in the games."""

    def post_login(self, request: HttpRequest, user: Any, **kwargs: Any) -> HttpResponse:
        """Return where signing in leads: to the table that the person was about to join, if there is one."""
        response: HttpResponse = super().post_login(request, user, **kwargs)
        return joining_done(request, user) or response

    def session_moved(self, user: User, before: str, after: str) -> None:
        """Let a browser that a person is told in be so under the session's new key."""
        devices_moved(user=user, before=before, after=after)
