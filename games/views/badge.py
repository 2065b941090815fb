"""How many games wait for whoever reads a page: in the title of each, and on the icon of the app (R23)."""

from collections.abc import Callable
from functools import cache

from django.http import HttpRequest

from accounts.models import User
from games.selectors.mine import mine_count


def badge(request: HttpRequest) -> dict[str, Callable[[], int]]:
    """Give every template `mine`, counted when first asked for; a view that knows the number gives it itself."""
    user = getattr(request, "user", None)

    @cache
    def mine() -> int:
        return mine_count(user) if isinstance(user, User) else 0

    return {"mine": mine}
