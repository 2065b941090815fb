"""What the services refuse, each with one plain sentence; nothing has changed. Illegal moves are `RulesError`s."""

from typing import ClassVar


class ServiceError(Exception):
    """Something that cannot be done now, for a reason that a person can read: `str()` gives it."""

    sentence: ClassVar[str]

    def __str__(self) -> str:
        return self.sentence


class StaleGame(ServiceError):
    """The game has moved on since the version that a move was made for (409)."""

    sentence = "The game has moved on: look at the table and choose again."


class KeyReused(ServiceError):
    """An idempotency key came a second time with another move or from another seat (409)."""

    sentence = "This form was used for another card already: look at the table and choose again."


class NotYourSeat(ServiceError):
    """Whoever acts does not hold that seat now (404)."""

    sentence = "You do not sit at this table."


class GameGone(ServiceError):
    """There is no such game (404)."""

    sentence = "There is no such game."


class TableGone(ServiceError):
    """There is no such table (404)."""

    sentence = "There is no such table."


class GameRunning(ServiceError):
    """The table's last game is not over yet (409)."""

    sentence = "The game at this table is still being played."


class NotAlone(ServiceError):
    """Other people sit at the table, who have not been asked (409)."""

    sentence = "Other people sit at this table: ask them first."


class SeriesRunning(ServiceError):
    """The table's series is not over yet (409)."""

    sentence = "This table has deals left to play: play them first."


class SeriesOver(ServiceError):
    """All deals of the table's series have been played (409)."""

    sentence = "All deals of this table have been played."
