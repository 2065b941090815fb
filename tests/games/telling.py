"""People who can be told, games that await them, and what they are told, for tests."""

import datetime as dt
from typing import Any, Final

from django.core import mail
from django.core.mail import EmailMessage

from accounts.models import User
from games.models import Game, Holder, Notice, PushDevice, Table, Turn
from games.rules.ruleset import Ruleset
from games.selectors.games import held_seats
from games.selectors.reach import reach_of
from games.services.locks import game_locked, writing
from games.services.notices import notices_due_sent
from games.services.stand_ins import stood_in
from games.services.turn_notices import DELAY, turn_told
from tests.games.stored import NOW, game_of

HOUR: Final = dt.timedelta(hours=1)
LATER: Final = NOW + DELAY


def reader(name: str, **fields: Any) -> User:
    return User.objects.create_user(f"{name.lower()}@example.org", name=name, verified=True, **fields)


def readers(count: int = 3, **fields: Any) -> list[User]:
    return [reader(name, **fields) for name in ("Asha", "Bilal", "Chandni", "Dev", "Esha")[:count]]


def device(user: User) -> PushDevice:
    return PushDevice.objects.create(user=user, endpoint=f"https://push.example/{user.pk}", created=NOW)


def paced(game: Game, hours: float, kind: str = "move", **more: Any) -> Game:
    """A game whose table gives so many hours for each card; the turn that is open began just now."""
    span = dt.timedelta(hours=hours)
    pace = {"pace": kind, "pace_start": span, "pace_increment": span, "pace_cap": span}
    Table.objects.filter(pk=game.table_id).update(**pace | more)
    Turn.objects.filter(game=game).update(bank=span, due_at=NOW + span, warn_at=NOW + span * 4 // 5)
    return Game.objects.select_related("table").get(pk=game.pk)


def waits(
    hours: float = 24, people: list[User] | None = None, rules: Ruleset | None = None, **more: Any
) -> tuple[Game, User]:
    """A game of three at such a pace, and whose turn it is; nothing has been written down."""
    game = paced(game_of(rules, persons=people or readers()), hours, **more)
    Notice.objects.all().delete()
    return game, awaited(game)


def awaited(game: Game) -> User:
    turn = Turn.objects.get(game=game)
    return User.objects.get(pk=held_seats(game.table_id)[turn.seat].user_id or 0)


def holder_of(game: Game, user: User) -> Holder:
    return Holder.objects.get(table=game.table_id, user=user, until=None)


def told(game: Game, *, by: User | None = None, now: dt.datetime = NOW) -> list[tuple[str, str, dt.datetime]]:
    """Write down the turn that is open, and return (kind, channel, due) of all that waits."""
    with writing():
        turns = list(Turn.objects.filter(game=game))
        locked = game_locked(game.pk)
        held = held_seats(game.table_id)
        reach = reach_of([held[turn.seat].awaited_user for turn in turns])
        turn_told(game=locked, turns=turns, held=held, reach=reach, by=by.pk if by else None, now=now)
    return list(Notice.objects.order_by("pk").values_list("kind", "channel", "due"))


def mailed(now: dt.datetime) -> list[EmailMessage]:
    before = len(mail.outbox)
    notices_due_sent(now=now)
    return list(mail.outbox[before:])


def wish(user: User, **notices: Any) -> None:
    User.objects.filter(pk=user.pk).update(notices=notices)


def unheard(game: Game, user: User) -> None:
    """Let a bot play for a person who does not want to be told of that."""
    wish(user, stood_in="never")
    with writing():
        stood_in(table=Table.objects.get(pk=game.table_id), holder=holder_of(game, user), now=NOW)
