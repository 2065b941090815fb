"""What is done in the database of a stack, by a process in its environment: python -m tests.load.made WHAT JSON."""

import json
import secrets
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from random import Random
from typing import Any, Final

import django

django.setup()

from django.conf import settings  # noqa: E402 - Django first
from django.contrib.sessions.backends.db import SessionStore  # noqa: E402
from django.contrib.sessions.models import Session  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts.models import User  # noqa: E402
from games.clocks.pace import live  # noqa: E402
from games.models import Game, Move, Table  # noqa: E402
from games.rules.engine import apply  # noqa: E402
from games.rules.legality import legal_cards  # noqa: E402
from games.rules.moves import Play  # noqa: E402
from games.rules.ruleset import Ruleset  # noqa: E402
from games.selectors.games import BrokenGame, game_state  # noqa: E402
from games.services.pacing import UNHURRIED, Pacing  # noqa: E402
from games.services.seats import seat_join  # noqa: E402
from games.services.tables import SeatPlan, TablePlan, table_drafted, table_open  # noqa: E402
from games.services.verify import game_ids, game_verify  # noqa: E402
from tests.load.client import TOKEN  # noqa: E402

BACKEND: Final = "allauth.account.auth_backends.AuthenticationBackend"


def people(count: int, prefix: str) -> list[User]:
    made = [User(email=f"{prefix}{number}@example.org", name=f"P{number}", zone="UTC") for number in range(count)]
    for each in made:
        each.set_unusable_password()
    return User.objects.bulk_create(made)


def cookies(persons: list[User]) -> list[str]:
    """Sign everybody in, and return what each browser would send."""
    rows, keys = [], []
    for each in persons:
        store = SessionStore()
        hashed = each.get_session_auth_hash()
        held = {"_auth_user_id": str(each.pk), "_auth_user_backend": BACKEND, "_auth_user_hash": hashed}
        keys.append(secrets.token_hex(16))
        ends = timezone.now() + timedelta(days=30)
        rows.append(Session(session_key=keys[-1], session_data=store.encode(held), expire_date=ends))
    Session.objects.bulk_create(rows)
    names = settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME
    return [f"{names[0]}={key}; {names[1]}={TOKEN}" for key in keys]


def entries(game: Game, rng: Random) -> Iterator[tuple[int, str]]:
    """Choose all cards of a game beforehand; by its rules nothing is drawn."""
    state = game_state(game)
    while state.result is None:
        seat = state.awaited[0]
        card = rng.choice(legal_cards(state, seat))
        yield seat, card.code
        state = apply(state, Play(seat, card))


def games(count: int, persons: int = 4, bots: int = 0, absent: int = 0, prefix: str = "p") -> list[dict[str, Any]]:
    """Deal games of people and bots; at the first *absent* ones the last person never plays, and has half a minute."""
    rules, now = Ruleset(power="escape"), timezone.now()
    everybody = people(count * persons, prefix)
    signed, made = cookies(everybody), []
    for number in range(count):
        here = slice(number * persons, (number + 1) * persons)
        missing = number < absent
        pacing = Pacing(live(timedelta(seconds=30)), missed=Table.Missed.KEEP) if missing else UNHURRIED
        seats = [*(SeatPlan(user=each) for each in everybody[here]), *(SeatPlan(bot="easy") for _ in range(bots))]
        plan = TablePlan(everybody[here][0], f"Table {number}", rules, pacing=pacing)
        game = table_open(plan=plan, seats=seats, now=now, secret=Random(number).randbytes(32), source=lambda _: 0)
        chosen = [] if bots or missing else list(entries(game, Random(number)))
        made.append({"code": game.code, "cookies": signed[here], "moves": chosen, "missing": missing})
    return made


def waiting(game: str) -> dict[str, str]:
    """Let the host of a game open a table that waits, and somebody else sit down at it."""
    host = Game.objects.get(code=game).table.host
    assert host is not None
    [guest], now = people(1, f"guest-{game}-"), timezone.now()
    plan = TablePlan(host, "Chai", Ruleset(), joins=Table.Joins.LOBBY)
    table = table_drafted(plan=plan, seats=[SeatPlan(user=host), SeatPlan(), SeatPlan(), SeatPlan()], now=now)
    seat_join(table_id=table.pk, user=guest, now=now)
    return {"code": table.code, "guest": guest.code, "cookie": cookies([guest])[0]}


def checked() -> dict[str, Any]:
    """Return every entry (game, number, seat, card, key, actor), how many games are in which state, what is broken."""
    rows = Move.objects.order_by("game", "number")
    log = list(rows.values_list("game__code", "number", "seat", "card", "key", "actor"))
    states = Counter("aside" if aside else str(status) for status, aside in Game.objects.values_list("status", "aside"))
    return {"log": log, "states": states, "broken": [why for each in game_ids() for why in broken(each)]}


def broken(game_id: int) -> Iterator[str]:
    """Prove one game, as `verify_games` does."""
    try:
        game_verify(game_id=game_id)
    except BrokenGame as error:
        yield str(error)


if __name__ == "__main__":
    act: Any = {"games": games, "waiting": waiting, "checked": checked}[sys.argv[1]]
    json.dump(act(**json.loads(sys.argv[2])), sys.stdout)
