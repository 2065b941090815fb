"""What any page may need of whoever reads it: how many games wait (R23), and whether less motion is wanted (R41)."""

from collections.abc import Callable
from functools import cache

from django.http import HttpRequest

from accounts.choices import wants
from accounts.models import User
from games.selectors.mine import mine_count


def badge(request: HttpRequest) -> dict[str, Callable[[], int]]:
    """Give every template `mine` and `still`, found when first asked for; a view that knows them gives them itself."""
    user = getattr(request, "user", None)

    @cache
    def mine() -> int:
        return mine_count(user) if isinstance(user, User) else 0

    def still() -> bool:
        return isinstance(user, User) and wants(user, "still")

    return {"mine": mine, "still": still}
