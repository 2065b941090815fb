"""More time for everybody whom a game awaits, by one tap of any player (R28, R52)."""

from datetime import datetime, timedelta

from accounts.models import User
from games.clocks.pace import Pace
from games.models import Extension, Game, Turn
from games.selectors.clocks import pace_of
from games.selectors.games import held_seats
from games.selectors.pauses import LIVE_A_PERSON, SLOW_A_DEAL, extension_of
from games.services.clocks import turns_retimed
from games.services.errors import NotYourSeat, StaleGame, StoodIn
from games.services.locks import game_locked, writing
from games.services.projections import board_changed
from games.services.stop_errors import ExtensionsSpent, NothingToExtend


def everybody_extended(*, game_id: int, user: User, given: int | None = None, now: datetime) -> timedelta:
    """Give every person whom a game awaits more time to run, and return how much.

    `given` is how many extensions the page showed of which this is asked: two who tap at once give time once.

    Raises:
        GameGone: there is no such game.
        NotYourSeat: the person does not sit there now.
        StoodIn: a bot plays for them.
        StaleGame: somebody has just given time.
        NothingToExtend: the game awaits no person with a deadline.
        ExtensionsSpent: no more may be given in this deal.
    """
    with writing():
        game = game_locked(game_id)
        held = held_seats(game.table_id)
        mine = next((each for each in held.values() if each.user_id == user.pk), None)
        if mine is None:
            raise NotYourSeat
        if mine.stand_in:
            raise StoodIn
        pace = pace_of(game.table)
        turns = [turn for turn in Turn.objects.filter(game=game) if held[turn.seat].awaited_user is not None]
        if not turns or not pace.timed:
            raise NothingToExtend
        _check_given(game, user, pace, given)
        length = extension_of(pace)
        for turn in turns:
            turn.extended += length
        Turn.objects.bulk_update(turns, ["extended"])
        Extension.objects.create(game=game, user=user, at=now, length=length)
        turns_retimed(game=game, held=held)
        board_changed(game=game)
        return length


def _check_given(game: Game, user: User, pace: Pace, given: int | None) -> None:
    """Check that more time may be given, to one who saw how often it was."""
    rows = Extension.objects.filter(game=game)
    if given is not None and given != rows.count():
        raise StaleGame
    spent = rows.filter(user=user).count() >= LIVE_A_PERSON if pace.live else rows.count() >= SLOW_A_DEAL
    if spent:
        raise ExtensionsSpent
