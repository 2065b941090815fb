"""What the services refuse, each with one plain sentence; nothing has changed. Illegal moves are `RulesError`s."""

from typing import ClassVar


class ServiceError(Exception):
    """Something that cannot be done now, for a reason that a person can read: `str()` gives it.

    `status` is that of the answer to whoever asked for it.
    """

    sentence: ClassVar[str]
    status: ClassVar[int] = 409

    def __str__(self) -> str:
        return self.sentence


class StaleGame(ServiceError):
    """The game has moved on since the version that a move was made for."""

    sentence = "The game has moved on: look at the table and choose again."


class TimeUp(StaleGame):
    """The game has moved on because a bot played for the person when their time was up."""

    sentence = "Your time was up: a bot has played."


class StoodIn(ServiceError):
    """A bot plays at the person's seat until they say that they are back."""

    sentence = "A bot plays for you: tap I am back first."


class KeyReused(ServiceError):
    """An idempotency key came a second time with another move or from another seat."""

    sentence = "This form was used for another card already: look at the table and choose again."


class PersonGone(ServiceError):
    """Whoever asks is being erased, or kept out, at this very moment."""

    sentence = "This account has just been closed."


class NotYourSeat(ServiceError):
    """Whoever acts does not hold that seat now."""

    sentence = "You do not sit at this table."
    status = 404


class GameGone(ServiceError):
    """There is no such game."""

    sentence = "There is no such game."
    status = 404


class TableGone(ServiceError):
    """There is no such table."""

    sentence = "There is no such table."
    status = 404


class GameRunning(ServiceError):
    """The table's last game is not over yet."""

    sentence = "The game at this table is still being played."


class NotAlone(ServiceError):
    """Other people sit at the table, who have not been asked."""

    sentence = "Other people sit at this table: ask them first."


class SeriesRunning(ServiceError):
    """The table's series is not over yet."""

    sentence = "This table has deals left to play: play them first."


class SeriesOver(ServiceError):
    """All deals of the table's series have been played."""

    sentence = "All deals of this table have been played."


class TableStarted(ServiceError):
    """What can be done only before the start is asked for after it."""

    sentence = "The cards have been dealt at this table: its seats and its invitations stay as they are now."


class TableNotStarted(ServiceError):
    """What can be done only during the series is asked for before it."""

    sentence = "No cards have been dealt at this table yet."


class TableOver(ServiceError):
    """The table's series has ended."""

    sentence = "The games at this table are over: nobody can sit down here any more."


class TableClosed(ServiceError):
    """The table was closed before it started."""

    sentence = "This table was closed before it started."


class TableFull(ServiceError):
    """No seat is free; what a person is told, too, whom the host has blocked."""

    sentence = "All seats at this table are taken."


class SeatTaken(ServiceError):
    """The seat that was asked for is not free, though others are."""

    sentence = "That seat has just been taken: choose another."


class SeatEmpty(ServiceError):
    """Nobody sits at the seat of which something is asked, or not somebody of whom it can be."""

    sentence = "No other person sits at that seat."


class NotInvited(ServiceError):
    """The table is not open to this person: nobody learns more about it."""

    sentence = "There is no such table, or it is not open to you."
    status = 404


class NotHost(ServiceError):
    """Only the host may do this."""

    sentence = "Only the host of this table can do that."
    status = 404


class SatBefore(ServiceError):
    """The person left this table after it had started: one person, one seat a game, for ever."""

    sentence = "You have left this table: a seat that was given up is not given back."


class SeatHeld(ServiceError):
    """The person sits at this table already."""

    sentence = "You sit at this table already."


class NameTaken(ServiceError):
    """Somebody at the table has a name that looks the same; `suggestion` does not."""

    sentence = "Somebody at this table is called that, or looks like it: choose another name."
    status = 422

    def __init__(self, suggestion: str = "") -> None:
        super().__init__(suggestion)
        self.suggestion = suggestion


class NameUnfit(ServiceError):
    """The name cannot be shown to others; `str()` says why."""

    sentence = "Choose another name."
    status = 422

    def __init__(self, fault: str) -> None:
        super().__init__(fault)
        self.fault = fault

    def __str__(self) -> str:
        return self.fault


class SeatsFree(ServiceError):
    """Seats are free still, and nobody said what to do with them."""

    sentence = "Seats are still free: fill them with bots, leave them out, or wait."


class Removed(ServiceError):
    """The host took the person from the table, and has not invited them since."""

    sentence = "The host took you from this table: only a new invitation brings you back."


class TooFewSeats(ServiceError):
    """With so few people the rules of the table cannot be played."""

    sentence = "These rules need more people: fill the free seats with bots, or wait."


class EmailNeeded(ServiceError):
    """Somebody without an email address asks for what needs one."""

    sentence = "Add an email address first: without one only this browser knows you."


class TooManyTables(ServiceError):
    """Somebody has as many tables that wait for people as one may have: the lobby is for others, too."""

    sentence = "You have twenty tables that wait for people: start or close some of them first."


class InviteExpired(ServiceError):
    """The invitation is too old."""

    sentence = "This invitation has run out: ask for a new one."
    status = 410


class InviteRevoked(ServiceError):
    """The invitation was taken back."""

    sentence = "This invitation was taken back."
    status = 410


class InviteUsed(ServiceError):
    """As many as it was for have come by this invitation."""

    sentence = "This invitation has been used already."


class InviteDeclined(ServiceError):
    """Whoever got the invitation said no."""

    sentence = "This invitation was declined: whoever sent it can send another."
    status = 410


class InviteGone(ServiceError):
    """There is no such invitation."""

    sentence = "There is no such invitation: look at the address again, or ask for a new one."
    status = 404


class AddressesUnfit(ServiceError):
    """Some of what was typed are no email addresses (`wrong`); nothing was sent."""

    sentence = "Nothing has been sent: write each address like name@example.org."
    status = 422

    def __init__(self, wrong: tuple[str, ...] = ()) -> None:
        super().__init__(wrong)
        self.wrong = wrong


class TooManyAddresses(ServiceError):
    """More addresses than may be invited at a time."""

    sentence = "Nothing has been sent: invite at most 50 people at a time."
    status = 422


class InviteLimit(ServiceError):
    """So many invitations were sent today that no more may be."""

    sentence = "That is enough mail for today: go on tomorrow, or share the link."
    status = 429


class ResentTooSoon(ServiceError):
    """An invitation was sent again just now, or too often."""

    sentence = "That invitation was sent a short while ago: give it some time, or share the link."
    status = 429


class PushUnfit(ServiceError):
    """What a browser gave to be told by is no push service's address, or its keys are none."""

    sentence = "We cannot send notices to this browser: try another one, or have them mailed."
    status = 422


class BackupFailed(ServiceError):
    """A backup cannot be made, restored or verified; whoever runs the site reads why, and what to do."""

    sentence = "The backup failed."

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why

    def __str__(self) -> str:
        return self.why
