"""The desk with something in every list, and somebody of every role before it."""

from datetime import timedelta
from typing import Final

from django.test import Client

from accounts.models import User
from accounts.roles import ROLES, role_given
from games.models import Audit, Game, Halt, MissedTurn, Notice, Pulse
from games.models.office import Report
from games.services.office.results import result_correct
from games.services.office.seen import seen_of
from tests.accounts.doors import sign_in
from tests.games.stored import NOW
from tests.site.crawl import World, world

STAFF: Final = (*ROLES, "superuser")
EVERYBODY: Final = ("outsider", "player", "staff", *STAFF)
"""`staff` may use the desk and has no role."""


def desk_world(folder: str) -> World:
    """A world whose every kind of row has one, and the first game is over and corrected."""
    found = world(folder)
    filled(found)
    for role in ROLES:
        user = User.objects.create_user(f"{role}@example.org", name=role.title(), verified=True)
        role_given(user, role)
        setattr(found, role, user)
    found.things |= {key: value for key, value in fresh_things(found).items() if key.startswith("admin/")}
    return found


def fresh_things(found: World) -> dict[str, dict[str, str]]:
    """What the addresses of the desk are about, now that there are rows."""
    from tests.site.crawl import _admin

    return _admin(Game.objects.filter(status="over")[0])


def filled(found: World) -> None:
    """Add what no game brings about by itself."""
    game = Game.objects.filter(status="over").select_related("table", "result").get()
    holder = game.table.holder_set.select_related("seat")[0]
    assert game.result.loser is not None
    loser = (game.result.loser + 1) % 3
    result_correct(
        game_id=game.pk, by=found.superuser, why="A slip", loser=loser, cards_left=1, seen=seen_of(game), now=NOW
    )
    Notice.objects.create(
        kind="over", user=found.player, table=game.table, game=game, key="desk", due=NOW, created=NOW, email=""
    )
    MissedTurn.objects.create(game=game, seat=holder.seat.number, holder=holder, due_at=NOW, at=NOW)
    Report.objects.create(kind="name", by=found.player, about=found.host, said="Host", words="rude", at=NOW)
    Halt.objects.create(kind="freeze", since=NOW, until=NOW + timedelta(hours=1), why="We moved", applied=NOW)
    Pulse.objects.get_or_create(name="sweep", defaults={"at": NOW})
    assert Audit.objects.exists()


def client_for(site: World, role: str, *, second: bool = True) -> Client:
    """A client of one of the roles."""
    client = Client()
    return client if role == "outsider" else sign_in(client, getattr(site, role), second=second)
