"""What is refused of what stops clocks or gives more time: pauses, votes, extensions, days away."""

from games.services.errors import ServiceError


class PauseOn(ServiceError):
    """The table pauses already."""

    sentence = "This table pauses already: ask for a longer pause, or to go on."


class PauseOff(ServiceError):
    """The table does not pause, or no more."""

    sentence = "This table does not pause now."


class VoteOpen(ServiceError):
    """Another question to the table is not decided yet."""

    sentence = "The table is asked something already: say yes or no to that first."


class VoteOver(ServiceError):
    """The vote is decided, or its time is over."""

    sentence = "This vote is over: look at the table."


class VoteGone(ServiceError):
    """There is no such vote, or the person has no say in it."""

    sentence = "There is no such vote, or it is not yours to answer."
    status = 404


class NotKeptWaiting(ServiceError):
    """A bot is asked for at a seat where nobody let a deadline pass."""

    sentence = "Ask for a bot only at a seat whose time has passed, and not at your own."


class NothingToExtend(ServiceError):
    """Nobody has a deadline now."""

    sentence = "Nobody has a deadline now, so there is nothing to add time to."


class ExtensionsSpent(ServiceError):
    """All the time that may be given in a deal has been given."""

    sentence = "All the extra time of this deal has been given."


class DaysUnfit(ServiceError):
    """Days away that cannot be; `str()` says why, `field` which of `first` and `last` is at fault."""

    sentence = "Choose other days."
    status = 422

    def __init__(self, fault: str, field: str) -> None:
        super().__init__(fault)
        self.fault = fault
        self.field = field

    def __str__(self) -> str:
        return self.fault


class VacationGone(ServiceError):
    """There are no such days away of the person's."""

    sentence = "There are no such days: look at your list again."
    status = 404
