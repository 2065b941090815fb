"""Votes of a table: to pause, to pause longer, to go on, or to let a bot play for somebody who keeps it waiting.

More than half of the people who are there decide: people for whom a bot stands in have no say, nor has whom a vote is
about. Whoever asks has said yes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import structlog

from accounts.models import User
from games.models import Ballot, Holder, Table, Turn, Vote
from games.selectors.clocks import pace_of
from games.selectors.games import holders_of
from games.selectors.pauses import MOST_DAYS, has_say, votes_needed
from games.services.errors import NotYourSeat, StoodIn, TableClosed, TableNotStarted, TableOver
from games.services.hosting import newest_game
from games.services.locks import table_locked, writing
from games.services.pauses import pause_begun, pause_ended, pause_on
from games.services.projections import board_changed
from games.services.stand_ins import stood_in
from games.services.stop_errors import NotKeptWaiting, PauseOff, PauseOn, VoteGone, VoteOpen, VoteOver

OPEN: Final = timedelta(hours=48)
"""How long a vote waits for those who have a say."""
OPEN_LIVE: Final = timedelta(minutes=2)
"""And at a live table."""
_AT_ONCE: Final = 200
_DAYS: Final = (Vote.Kind.PAUSE, Vote.Kind.EXTEND)

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Question:
    """What somebody asks the people of a table: to pause or pause longer for days, to resume, or a bot at a seat."""

    kind: Vote.Kind
    days: int = 0
    seat: int | None = None


def vote_opened(*, table_id: int, user: User, question: Question, now: datetime) -> Vote:
    """Ask the people of a table something, to which whoever asks says yes; where they alone have a say it is decided.

    Raises:
        TableGone: there is no such table.
        TableNotStarted, TableOver, TableClosed: nobody plays there.
        NotYourSeat: the person does not sit there now.
        StoodIn: a bot plays for them.
        VoteOpen: something else is asked.
        PauseOn, PauseOff: the table pauses, or does not.
        NotKeptWaiting: the seat has let no deadline pass, or no person is there.
        ValueError: the days are not 1 to 14, or are given for what has none.
    """
    if question.days not in (range(1, MOST_DAYS + 1) if question.kind in _DAYS else (0,)):
        raise ValueError("A vote is about 1 to 14 days of pause, or about none.")
    with writing():
        table = table_locked(table_id)
        holders = holders_of(table)
        mine = _say_of(table, holders, user)
        _check_none_open(table, now)
        about = _about(table, holders, mine, question, now)
        closes = now + (OPEN_LIVE if pace_of(table).live else OPEN)
        vote = Vote.objects.create(
            table=table, kind=question.kind, days=question.days, holder=about, opened=now, closes=closes
        )
        Ballot.objects.create(vote=vote, holder=mine, yes=True)
        _counted(vote, table, holders, now, by=user)
        return vote


def vote_cast(*, vote_id: int, user: User, yes: bool, now: datetime) -> Vote:
    """Say yes or no to a vote, or something else than before; the last who is needed decides it.

    Raises:
        VoteGone: there is no such vote at a table of the person's, or they have no say in it.
        StoodIn: a bot plays for them.
        TableOver: the series has ended.
        VoteOver: it is decided, or too late.
    """
    table_id = Vote.objects.filter(pk=vote_id).values_list("table", flat=True).first()
    if table_id is None:
        raise VoteGone
    with writing():
        table = table_locked(table_id)
        vote = Vote.objects.get(pk=vote_id)
        holders = holders_of(table)
        try:
            mine = _say_of(table, holders, user)
        except NotYourSeat:
            raise VoteGone from None
        if not has_say(mine, vote.holder_id):
            raise VoteGone
        if vote.done is not None or vote.closes <= now:
            raise VoteOver
        Ballot.objects.update_or_create(vote=vote, holder=mine, defaults={"yes": yes})
        _counted(vote, table, holders, now, by=user)
        return vote


def vote_recounted(*, table: Table, now: datetime) -> None:
    """Count the open vote of a table that this transaction holds again: others have a say in it than before."""
    vote = Vote.objects.filter(table=table, done=None).first()
    if vote is not None:
        _counted(vote, table, holders_of(table), now)


def votes_closed(*, now: datetime) -> int:
    """Close the votes whose time is over, each in a transaction of its own, and return how many there were.

    Safe to run twice or in two places; one that fails keeps no other.
    """
    due = Vote.objects.filter(done=None, closes__lte=now).order_by("closes", "pk").values_list("pk", "table")
    return sum(_closed_alone(vote_id, table_id, now) for vote_id, table_id in list(due[:_AT_ONCE]))


def _closed_alone(vote_id: int, table_id: int, now: datetime) -> bool:
    try:
        with writing():
            table = table_locked(table_id)
            vote = Vote.objects.filter(pk=vote_id, done=None, closes__lte=now).first()
            if vote is None:
                return False
            _counted(vote, table, holders_of(table), now)
            return True
    except Exception:  # noqa: BLE001 - whatever it is, it would come again at each sweep
        _log.exception("vote not closed", vote=vote_id, table=table_id)
        return False


def _say_of(table: Table, holders: Sequence[Holder], user: User) -> Holder:
    """Return who a person is at a table that plays, if they may ask and answer there.

    Raises:
        TableNotStarted, TableOver, TableClosed, NotYourSeat, StoodIn: why not.
    """
    mine = next((each for each in holders if each.user_id == user.pk), None)
    if mine is None:
        raise NotYourSeat
    why = {
        Table.Status.OPEN: TableNotStarted,
        Table.Status.OVER: TableOver,
        Table.Status.CLOSED: TableClosed,
    }.get(Table.Status(table.status))
    if why is not None:
        raise why
    if mine.stand_in:
        raise StoodIn
    return mine


def _check_none_open(table: Table, now: datetime) -> None:
    """Check that nothing else is asked; what is too old, or does not matter any more, is closed now.

    Raises:
        VoteOpen: something is.
    """
    vote = Vote.objects.filter(table=table, done=None).first()
    if vote is None:
        return
    _counted(vote, table, holders_of(table), now)
    if vote.done is None:
        raise VoteOpen


def _about(table: Table, holders: Sequence[Holder], mine: Holder, question: Question, now: datetime) -> Holder | None:
    """Return whom a question is about, None if nobody; checks that it can be asked as things are.

    Raises:
        PauseOn, PauseOff, NotKeptWaiting: why it cannot.
    """
    if question.kind == Vote.Kind.BOT:
        about = next((each for each in holders if each.seat.number == question.seat), None)
        if about is None or about == mine or not _keeps_waiting(table, about):
            raise NotKeptWaiting
        return about
    pauses = pause_on(table=table, now=now) is not None
    if pauses and question.kind == Vote.Kind.PAUSE:
        raise PauseOn
    if not pauses and question.kind != Vote.Kind.PAUSE:
        raise PauseOff
    return None


def _keeps_waiting(table: Table, holder: Holder) -> bool:
    """Tell whether a person who is there has let a deadline pass in the turn that they have (R29)."""
    turns = Turn.objects.filter(game__table=table, seat=holder.seat.number, nudges__gt=0)
    return has_say(holder, None) and turns.exists()


def _counted(vote: Vote, table: Table, holders: Sequence[Holder], now: datetime, *, by: User | None = None) -> None:
    """Decide a vote if it can be: more than half say yes, or no longer can, or its time is over; boards are told.

    *by* is whose answer it was that is counted now.
    """
    voters = {each.pk for each in holders if has_say(each, vote.holder_id)}
    said = dict(Ballot.objects.filter(vote=vote, holder__in=voters).values_list("holder", "yes"))
    yes, needed = sum(said.values()), votes_needed(len(voters))
    unlikely = len(voters) - (len(said) - yes) < needed
    moot = table.status != Table.Status.RUNNING or _moot(vote, table, holders)
    if yes >= needed or unlikely or moot or vote.closes <= now:
        vote.done, vote.passed = max(now, vote.opened), yes >= needed and not moot
        vote.save(update_fields=["done", "passed"])
    if vote.passed:
        _do(vote, table, holders, by, now)
    game = newest_game(table)
    if game is not None:
        board_changed(game=game)


def _moot(vote: Vote, table: Table, holders: Sequence[Holder]) -> bool:
    """Tell whether a vote is about somebody who keeps nobody waiting any more."""
    about = next((each for each in holders if each.pk == vote.holder_id), None)
    return vote.kind == Vote.Kind.BOT and (about is None or not _keeps_waiting(table, about))


def _do(vote: Vote, table: Table, holders: Sequence[Holder], by: User | None, now: datetime) -> None:
    """Do what the people of a table have agreed on."""
    match Vote.Kind(vote.kind):
        case Vote.Kind.PAUSE | Vote.Kind.EXTEND:
            pause_begun(table=table, days=vote.days, by=_asker(vote), but=by, now=now)
        case Vote.Kind.RESUME:
            pause_ended(table=table, but=by, now=now)
        case Vote.Kind.BOT:
            about = next(each for each in holders if each.pk == vote.holder_id)
            stood_in(table=table, holder=about, now=now)


def _asker(vote: Vote) -> User | None:
    """Return who has asked: whose answer was the first."""
    first = Ballot.objects.filter(vote=vote).order_by("pk").select_related("holder__user").first()
    return first.holder.user if first is not None else None
