"""A person to look around as: one game waits for their card, and a finished one is there to replay."""

import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db.models import QuerySet

from accounts.models import User
from games.bots import bot_named
from games.models import Game, Move
from games.rules.ruleset import PRESETS, Ruleset
from games.rules.shuffle import system_source
from games.rules.view import SeatView, seat_view
from games.selectors.games import game_state, seat_of
from games.services.bot_turns import bot_move
from games.services.errors import StaleGame
from games.services.play import move_play
from games.services.tables import SeatPlan, TablePlan, table_open

EMAIL: Final = "asha@demo.invalid"
_TRICKS_BEFORE: Final = 3
_BETWEEN: Final = timedelta(minutes=4)


def demo_ensure(*, now: datetime) -> User:
    """Return the demo person, whom no password lets in, with a finished game and one that waits for their card.

    Games that are there already are let be, whoever's turn it is in them; one is dealt only where there is none of its
    kind.
    """
    user = User.objects.filter(email=EMAIL).first() or User.objects.create_user(EMAIL, name="Asha")
    if not _games(user).filter(status=Game.Status.OVER).exists():
        _play_to_the_end(user, now - timedelta(days=2), now)
    waits = any(_view(game, user).must_play for game in _games(user).filter(status=Game.Status.RUNNING))
    # A bot may take the person's hand before they have seen it (rules.md 4): then the next one is dealt.
    while not waits:
        game = _deal(user, "Chai and cards", PRESETS["Getaway (Punjab)"], ("easy", "medium", "easy"), now)
        waits = _played_up_to(_TRICKS_BEFORE, game, user, now)
    return user


def _games(user: User) -> QuerySet[Game]:
    return Game.objects.filter(table__holder__user=user, table__holder__until=None).order_by("-pk")


def _deal(user: User, name: str, rules: Ruleset, bots: Sequence[str], now: datetime) -> Game:
    """Deal the first game of a new table, at which the person and bots of these levels sit."""
    seats = [SeatPlan(user=user), *(SeatPlan(bot=level) for level in bots)]
    return table_open(plan=TablePlan(user, name, rules), seats=seats, now=now)


def _play_to_the_end(user: User, start: datetime, now: datetime) -> None:
    bots = ("medium", "easy", "medium", "easy")
    game = _deal(user, "Sunday at Nani's", PRESETS["Donkey (Kasaragod)"], bots, start)
    while game.status == Game.Status.RUNNING:
        start = min(start + _BETWEEN, now)
        _step(game, _view(game, user), user, start)


def _played_up_to(tricks: int, game: Game, user: User, now: datetime) -> bool:
    """Play a game just dealt until it waits for the person, *tricks* or more being over; False if it never will."""
    while game.status == Game.Status.RUNNING:
        view = _view(game, user)
        if view.seat in view.away:
            return False
        if view.must_play and view.tricks >= tricks:
            return True
        _step(game, view, user, now)
    return False


def _view(game: Game, user: User) -> SeatView:
    seat = seat_of(game, user)
    if seat is None:
        raise ValueError("The person does not sit at this table.")
    return seat_view(game_state(game), seat)


def _step(game: Game, view: SeatView, user: User, now: datetime) -> None:
    """Let whoever is awaited play; for the person a bot chooses."""
    if view.must_play:
        _play_for(game, view, user, now)
    elif bot_move(game_id=game.pk, version=game.version, now=now) is None:
        # A worker has taken this turn and is about to store it.
        time.sleep(0.05)
    game.refresh_from_db()


def _play_for(game: Game, view: SeatView, user: User, now: datetime) -> None:
    move = bot_named("medium").choose(view, system_source)
    if move is None:
        raise ValueError("A bot that is awaited must move.")
    try:
        move_play(
            game_id=game.pk,
            seat=view.seat,
            move=move,
            version=view.version,
            key="",
            actor=Move.Actor.HAND,
            user_id=user.pk,
            now=now,
        )
    except StaleGame:
        # A worker let a bot take a hand meanwhile.
        return
