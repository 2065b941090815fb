"""What is refused of what operators do; nothing has changed."""

from games.services.errors import ServiceError


class Changed(ServiceError):
    """Somebody was quicker: what the action changes is not what the operator's page showed."""

    sentence = "Somebody has changed this since you opened the page: look again."


class ReasonNeeded(ServiceError):
    """No reason was given, or one that cannot be shown to the people of the table; `str()` says why."""

    sentence = "Say why: the people whom it concerns read it."
    status = 422

    def __init__(self, fault: str = "") -> None:
        super().__init__(fault)
        self.fault = fault

    def __str__(self) -> str:
        return self.fault or self.sentence


class GameOver(ServiceError):
    """What can be done only to a running game is asked for after its end."""

    sentence = "This deal is over: correct its result, or void it."


class GameOn(ServiceError):
    """What can be done only after the end is asked for in a running game."""

    sentence = "This deal is still being played: nobody has lost it yet."


class NotAside(ServiceError):
    """The game was not set aside."""

    sentence = "This game was not set aside: nothing keeps it from going on."


class SameResult(ServiceError):
    """A correction would change nothing."""

    sentence = "That is how this deal counts already: there is nothing to correct."


class LoserUnfit(ServiceError):
    """The seat that shall have lost is none of the game."""

    sentence = "Choose a seat of this table as the loser, or none to void the deal."
    status = 422


class CardsUnfit(ServiceError):
    """The loser cannot have held so many cards, or nobody lost."""

    sentence = "Say how many cards the loser held: none at least, and no more than were dealt; none if nobody lost."
    status = 422


class CorrectionGone(ServiceError):
    """There is no such correction."""

    sentence = "There is no such correction."
    status = 404


class NotNewest(ServiceError):
    """Only the newest correction of a game can be undone."""

    sentence = "This deal was corrected again since: undo the newest correction first."


class LengthUnfit(ServiceError):
    """Time that cannot be added to deadlines."""

    sentence = "Add between one minute and thirty days."
    status = 422


class FrozenAlready(ServiceError):
    """The clocks of the site stand still already."""

    sentence = "The clocks of the site stand still already."


class NotFrozen(ServiceError):
    """Nobody has stopped the clocks of the site."""

    sentence = "Nobody has stopped the clocks of the site."


class LevelUnknown(ServiceError):
    """There is no bot of that level."""

    sentence = "There is no such bot: choose another level."
    status = 422


class UserGone(ServiceError):
    """There is no such person."""

    sentence = "There is no such person."
    status = 404


class NotYourself(ServiceError):
    """An operator would act upon themselves."""

    sentence = "Somebody else has to do that: it is about yourself."


class OwnReport(ServiceError):
    """An operator would answer what they reported themselves."""

    sentence = "Somebody else has to answer this: you reported it yourself."


class AboveYou(ServiceError):
    """Whoever runs the site, and those who help to, are not anybody's to keep out."""

    sentence = "Only a superuser can do that to somebody of the staff, and nobody to a superuser."
    status = 403


class BannedAlready(ServiceError):
    """The person may not sign in already."""

    sentence = "This person is kept out already."


class NotBanned(ServiceError):
    """The person may sign in."""

    sentence = "This person is not kept out."


class BeingErased(ServiceError):
    """The person is being erased: there is nobody to act upon any more."""

    sentence = "This person is being deleted, as they asked."


class MergeUnfit(ServiceError):
    """A guest cannot become part of an account; `str()` says why."""

    sentence = "These two cannot be made one."

    def __init__(self, fault: str) -> None:
        super().__init__(fault)
        self.fault = fault

    def __str__(self) -> str:
        return self.fault


class AddressUnfit(ServiceError):
    """The address is somebody's already."""

    sentence = "Somebody has this address already: write another one."
    status = 422


class RoleUnfit(ServiceError):
    """There is no such role, or the person can have none; whoever may do everything needs none."""

    sentence = "Choose a role there is, for somebody who may sign in by an address and is no superuser."
    status = 422


class RoleHeld(ServiceError):
    """The person has that role."""

    sentence = "That is their role already."


class EffectUnfit(ServiceError):
    """What was done does not fit the report or its answer."""

    sentence = "Nothing is done where a report is dismissed, and only a person can be kept out."
    status = 422
