"""The site as everybody finds it: every address of the URL conf with things that exist, and people of every kind."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import admin
from django.contrib.contenttypes.models import ContentType
from django.core.mail import EmailMessage
from django.db import connection
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.models import User
from bhabhi_site.mail import FolderMail
from games.models import Game, Invite, Rating, Report, Table, Vacation
from games.selectors.tokens import token_hash, token_made, token_of
from games.services.letters import no_mail_url
from games.services.locks import writing
from games.services.rating_marks import deal_to_rate
from games.services.ratings import ratings_kept
from games.services.unsubscribe import stop_url
from tests.accounts.doors import carried_on, sign_in
from tests.games.gathering import draft, invite, sit
from tests.games.stored import NOW, game_of, over, play_on

ROLES: Final = ("outsider", "stranger", "guest", "player", "host", "staff", "superuser")
# Sessions are kept by looking; everything else is changed by asking for it.
_BOOKKEEPING: Final = {"django_session", "usersessions_usersession"}
# A passkey as a browser hands it over, made once.
_CLIENT: Final = (
    "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiWXciLCJvcmlnaW4iOiJodHRwOi8vbG9jYWxob3N0IiwiY3Jv"
    "c3NPcmlnaW4iOmZhbHNlfQ"
)
_ATTESTATION: Final = (
    "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YViUcnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnJBAAAAATAwMDAwMDAw"
    "MDAwMDAwMDAAEGlkaWRpZGlkaWRpZGlkaWSlAQIDJiABIVggrbCJYnXL06PKetbC3-td1G7au14gLD1xPaTAAWZIVb0iWCDRqBxB"
    "uYxh_C7-k-TR32CWwyrwHC5i_Hg9zGIS79OLsg"
)
_CREDENTIAL: Final = {
    "id": "aWRpZGlkaWRpZGlkaWRpZA",
    "rawId": "aWRpZGlkaWRpZGlkaWRpZA",
    "type": "public-key",
    "clientExtensionResults": {},
    "response": {"clientDataJSON": _CLIENT, "attestationObject": _ATTESTATION},
}
_HOLES: Final = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>[^)]*\)")


def routes() -> Iterator[str]:
    """Every route of the site, as its parts are written in the URL confs."""

    def walk(patterns: list[Any], before: str) -> Iterator[str]:
        for each in patterns:
            route = before + str(each.pattern)
            if isinstance(each, URLResolver):
                yield from walk(each.url_patterns, route)
            elif isinstance(each, URLPattern):
                yield route

    return walk(get_resolver().url_patterns, "")


def _plain(row: tuple[Any, ...]) -> str:
    return repr([bytes(each) if isinstance(each, memoryview) else each for each in row])


def rows() -> dict[str, list[str]]:
    """Every row of every table of the database but those of sessions."""
    found = {}
    with connection.cursor() as cursor:
        for table in sorted({*connection.introspection.table_names(cursor)} - _BOOKKEEPING):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            found[table] = sorted(map(_plain, cursor.fetchall()))
    return found


def changed(before: dict[str, list[str]]) -> list[str]:
    """The tables of which some row is another than before."""
    after = rows()
    return [table for table in before if before[table] != after[table]]


@dataclass
class World:
    """People, tables, games, invitations and a mail; `things` says what a hole in a route may be filled with."""

    host: User
    player: User
    guest: User
    stranger: User
    staff: User
    superuser: User
    things: dict[str, dict[str, str]] = field(default_factory=dict)

    def client(self, role: str, **options: Any) -> Client:
        """A client of one of the roles."""
        client = Client(**options)
        return client if role == "outsider" else sign_in(client, getattr(self, role))

    def addresses(self) -> Iterator[tuple[str, str]]:
        """(a name for it, the path) of every address of the site, once for each thing that it may be about."""
        for route in dict.fromkeys(routes()):
            yield from _filled("/", "/", re.sub(r"[\^$]|\\Z", "", route), self.things)


def _filled(name: str, path: str, route: str, things: dict[str, dict[str, str]]) -> Iterator[tuple[str, str]]:
    """Fill the holes of a route with every kind of thing that its beginning is about."""
    hole = _HOLES.search(route)
    if hole is None:
        yield name + route, path + route
        return
    before, called = route[: hole.start()], hole[1] or hole[2]
    found = things.get(f"{name}{before}{called}".lstrip("/")) or things.get(called)
    if found is None:
        raise AssertionError(f"Nothing to crawl for {name}{route}: add it to the world.")
    for key, value in found.items():
        yield from _filled(f"{name}{before}{{{key}}}", path + before + value, route[hole.end() :], things)


def world(folder: str) -> World:
    """Make one, with its mails in a folder."""
    create = User.objects.create_user
    found = World(
        host=create("host@example.org", name="Host", verified=True),
        player=create("player@example.org", name="Player", verified=True),
        guest=User.objects.create_guest("Golu"),
        stranger=create("stranger@example.org", name="Stranger", verified=True),
        staff=create("staff@example.org", name="Staff", is_staff=True, verified=True),
        superuser=User.objects.create_superuser("root@example.org", name="Root", verified=True),
    )
    found.things = _things(found, folder)
    return found


def _things(found: World, folder: str) -> dict[str, dict[str, str]]:
    create = User.objects.create_user
    persons = [found.host, found.player, found.guest]
    # Of this one nobody is told, so that it needs no writing down of every turn; of the other everybody is.
    EmailAddress.objects.update(verified=False)
    done = over(game_of(persons=persons))
    EmailAddress.objects.update(verified=True)
    running = game_of(persons=persons)
    play_on(running, lambda state: state.tricks >= 1)
    watched = game_of(persons=persons)
    Table.objects.update(host=found.host)
    Table.objects.filter(pk=watched.table.pk).update(watch="anyone")
    waits, lobby = draft(found.host, joins="invited", watch="nobody"), draft(found.host, joins="lobby")
    invites = [_invite(waits, "friend@example.org", found.host), _invite(waits, "", found.host)]
    sit(waits, found.player, invite=invites[1])
    sit(waits, found.guest, invite=invites[1])
    tables = {"open": waits.code, "lobby": lobby.code, "running": running.table.code, "over": done.table.code}
    tables |= {"watched": watched.table.code}
    _reported(found.player, found.host)
    _rated(done, found.host)
    games = {"running": running.code, "over": done.code, "watched": watched.code}
    personal, shared = ({"personal": token_of(invites[0])}, {"shared": token_of(invites[1])})
    return {
        "tables/code": tables,
        "games/code": games,
        "step": {"start": "0"},
        "me/away/pk": {"days": str(_days_away(found.player))},
        "people/code": {"host": found.host.code, "stranger": found.stranger.code},
        "i/token": personal | shared,
        "nomail/token": {"personal": no_mail_url(invites[0]).rstrip("/").rsplit("/", 1)[1]},
        "hooks/mail/provider": {"nobody": "nobody"},
        "stop/token": {"again": stop_url(found.player, "again").rstrip("/").rsplit("/", 1)[1]},
        # Of somebody who does not sign in meanwhile, which would end it.
        "d/token": {"traveller": carried_on(create("traveller@example.org", name="Traveller"))},
        "dev/enter/token": {"made-up": "1.x"},
        "dev/mail/name": {"mail": _mailed(folder)},
        "accounts/passkeys/pk": {"passkey": str(_passkey(found.player))},
        **_admin(done),
    }


def _passkey(user: User) -> int:
    data = {"name": "Phone", "credential": _CREDENTIAL}
    return int(Authenticator.objects.create(user=user, type="webauthn", data=data).pk)


def _rated(game: Game, host: User) -> None:
    """Let a game count for ratings, and its host be on a leaderboard."""
    Table.objects.filter(pk=game.table_id).update(rated=True)
    game.table.refresh_from_db()
    with writing():
        deal_to_rate(game=game)
    ratings_kept()
    Rating.objects.update(deals=30)
    User.objects.filter(pk=host.pk).update(notices={"listed": True})


def _reported(one: User, other: User) -> None:
    """Let two people report each other; one of them was answered."""
    answer = {"state": "upheld", "effect": "warned", "answer": "Be kind", "answered": NOW}
    Report.objects.create(kind="person", by=one, about=other, said=other.name, words="Rude", at=NOW, **answer)
    Report.objects.create(kind="name", by=other, about=one, said=one.name, at=NOW)


def _days_away(user: User) -> int:
    day = NOW.date().replace(year=2100)
    return Vacation.objects.create(user=user, first=day, last=day, zone="UTC", made=NOW).pk


def _invite(table: Table, email: str, sender: User) -> Invite:
    nonce = bytes(15) + bytes([Invite.objects.count()])
    made = token_hash(token_made(nonce, settings.SECRET_KEY))
    far = NOW.replace(year=2100)
    return invite(table, email, sender=sender, nonce=nonce, token_hash=made, expires=far)


def _mailed(folder: str) -> str:
    FolderMail(folder=folder, alias="default").send_messages([EmailMessage("Hi", "See you", to=["a@example.org"])])
    return next(Path(folder).glob("*.eml")).stem


def _admin(game: Game) -> dict[str, dict[str, str]]:
    """What the admin's addresses are about: one row of each of its models."""
    rows: dict[str, dict[str, str]] = {}
    for model in admin.site._registry:
        label = f"admin/{model._meta.app_label}/{model._meta.model_name}/"
        first = model._default_manager.order_by("pk").first()
        rows[f"{label}object_id"] = {"first": "1" if first is None else str(first.pk)}
        deeds = {each.name: each.name for each in getattr(admin.site._registry[model], "deeds", ())}
        # An action that there is not, where there is none.
        rows[f"{label}{{first}}/do/deed"] = deeds or {"nothing": "nothing"}
    kind = ContentType.objects.get_for_model(Table).pk
    return rows | {
        "deed": {"void": "void", "close": "close"},
        "admin/games/halt/clocks/deed": {"freeze": "freeze", "thaw": "thaw"},
        "admin/app_label": {"games": "games"},
        "admin/r/content_type_id": {"table": str(kind)},
        "object_id": {"table": str(game.table_id)},
        "admin/url": {"nowhere": "nowhere/"},
    }
