"""What people and operators look at on a large site: every list of the desk in every way, and the pages of players."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.contrib import admin
from django.contrib.admin import ModelAdmin
from django.test import Client

from accounts.models import User
from accounts.roles import ROLES, SUPERUSER, role_given
from games.admin.base import COUNTED
from games.models import Game, Holder
from tests.accounts.doors import sign_in
from tests.load.grown import SHARED, Originals

REGULAR: Final = "regular"
PLAYER: Final = "player"


@dataclass(frozen=True)
class Look:
    """Somebody looks at a page: who, where, and what one calls it that is on each site."""

    who: str
    path: str
    name: str


class Lookers:
    """Those who look, each by a client that is signed in: one of each role, and two players."""

    def __init__(self, found: Originals) -> None:
        self._found, self._clients = found, dict[str, Client]()
        users = {SUPERUSER: User.objects.create_superuser("root@example.org", name="Root", verified=True)}
        for role in ROLES:
            users[role] = User.objects.create_user(f"{role}@example.org", name=role.title(), verified=True)
            role_given(users[role], role)
        for who, user in (users | {REGULAR: found.regular}).items():
            self._clients[who] = sign_in(Client(), user)

    def at(self, look: Look) -> Any:
        """What the page says."""
        answer = self._clients[look.who].get(look.path)
        assert answer.status_code == 200, (look, answer.status_code)
        return answer

    def looks(self, n: int) -> list[Look]:
        """All there is to look at, of tables and people among the n-th copies."""
        player = self._found.copy(self._found.player, n)
        self._clients[PLAYER] = sign_in(Client(), player)
        table = self._found.copy(self._found.series, n)
        game = Game.objects.get(table=table, number=1)
        wanted = {
            "a table": table.code,
            "a game": game.code,
            "a person": player.code,
            "an address": str(player.email),
            "many tables": "A tab",
            "many people": "P1",
            "one person": player.name,
            "nothing": "nobody-is-called-so",
        }
        return [*_desk(wanted), *_played(PLAYER, player, game), *_played(REGULAR, self._found.regular, game)]


def _desk(wanted: Mapping[str, str]) -> Iterator[Look]:
    """Every list of the desk: for every role, by every filter, by searches that find many, few and nothing."""
    for model, desk in admin.site._registry.items():
        path = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        roles = [SUPERUSER, *(each for each in ROLES if each in getattr(desk, "seen_by", ()))]
        yield from (Look(role, path, f"{model._meta.model_name} as {role}") for role in roles)
        for name, asked in _asked(model, desk, wanted):
            yield Look(SUPERUSER, f"{path}{asked}", f"{model._meta.model_name} {name}")
    yield Look(SUPERUSER, "/admin/health/", "how the site is")


def _asked(model: Any, desk: ModelAdmin[Any], wanted: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    rows = model._default_manager.order_by("-pk")
    if len(rows.values_list("pk")[: COUNTED + 1]) > COUNTED:
        yield "on page 20", f"?p={COUNTED // desk.list_per_page}"
    for each in desk.list_filter:
        make: Any = each
        chosen = make(None, {}, model, desk)
        for key, _ in chosen.lookup_choices:
            yield f"{chosen.parameter_name} is {key or 'none'}", f"?{chosen.parameter_name}={key}"
    if getattr(desk, "finds", ""):
        yield from ((f"by {name}", f"?q={term}") for name, term in wanted.items())
    for name in getattr(desk, "narrowed", ()):
        column = f"{name.partition('__')[0]}_id"
        of = rows.exclude(**{column: None}).values_list(column, flat=True)[SHARED : SHARED + 1]
        yield from ((f"of one {column}", f"?{name}={each}") for each in of)
    for pk in rows.values_list("pk", flat=True)[:1]:
        yield "itself", f"{pk}/change/"


def _played(who: str, user: User, game: Game) -> Iterator[Look]:
    """What a player looks at: the start page, the lobby, a series and a replay, people, ratings, reports."""
    other = Holder.objects.filter(table=game.table_id, user__isnull=False).exclude(user=user).earliest("pk").user
    assert other is not None
    yield from (Look(who, f"/{path}", f"/{path}") for path in ("", "list/", "lobby/", "leaderboards/", "me/reports/"))
    yield Look(who, "/lobby/?game=getaway&seats=4", "/lobby/ narrowed")
    for name, path in {
        "a series": f"/tables/{game.table.code}/",
        "the first step of a replay": f"/games/{game.code}/replay/0/",
        "the last step of a replay": f"/games/{game.code}/replay/{game.version}/",
        "a record": f"/games/{game.code}/record.json",
        "a board": f"/games/{game.code}/",
        "oneself": f"/people/{user.code}/",
        "one's ratings": f"/people/{user.code}/ratings/",
        "somebody": f"/people/{other.code}/",
    }.items():
        # Who is no player there watches the series, and has not met its people.
        if who == PLAYER or name != "somebody":
            yield Look(who, path, name)
