"""Sitting down at a table, leaving it, and bots that play on for those who left."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Q

from accounts.models import User
from accounts.names import looks, name_cleaned, name_problem, suggested
from games.models import Ballot, Game, Holder, Invite, Seat, Table
from games.selectors.access import kept_apart, may_sit
from games.selectors.games import held_seats
from games.services.bot_names import bot_name
from games.services.clocks import turn_closed
from games.services.errors import (
    EmailNeeded,
    NameTaken,
    NameUnfit,
    NotHost,
    NotInvited,
    NotYourSeat,
    Removed,
    SatBefore,
    SeatEmpty,
    SeatHeld,
    SeatTaken,
    TableFull,
    TableNotStarted,
    TableStarted,
)
from games.services.hosting import check_open, closed, free_seats, host_set, newest_game, started
from games.services.locks import people_held, table_locked, writing
from games.services.notices import notice_added
from games.services.projections import abandoned, seat_changed, series_ended
from games.services.stand_ins import PLAYS_ON
from games.services.votes import vote_recounted


def seat_join(
    *, table_id: int, user: User, name: str = "", seat: int | None = None, invite: Invite | None = None, now: datetime
) -> Holder:
    """Let a person sit down; raises what `seat_joined` raises, and TableGone."""
    with writing():
        return seat_joined(table=table_locked(table_id), user=user, name=name, seat=seat, invite=invite, now=now)


def seat_joined(
    *, table: Table, user: User, name: str = "", seat: int | None = None, invite: Invite | None = None, now: datetime
) -> Holder:
    """Let a person sit down at a table that this transaction holds; if it is full then and wants that, it starts.

    `name` ("": the person's own) is what they are called there, `seat` (None: the first free one) where they sit. The
    caller has checked that the invitation still holds.

    Raises:
        SeatHeld: they sit there already.
        NotInvited: the table is not open to them.
        EmailNeeded: they have no address, and nobody has invited them.
        SatBefore, TableStarted, TableOver, TableClosed: it does not wait for people.
        Removed: the host took them away, and has not invited them since.
        TableFull: no seat is free, or the host and they keep apart.
        SeatTaken: that seat is not free.
        NameTaken, NameUnfit: what is wrong with the name.
        PersonGone: they have just been kept out, or are being erased.
    """
    people_held([user.pk])
    holders = list(Holder.objects.filter(table=table).select_related("seat"))
    now_here = [each for each in holders if each.until is None]
    _check_welcome(table, user, invite, holders)
    if kept_apart(table.host_id, user.pk):
        raise TableFull
    place = _place(free_seats(table), seat)
    called = _called(name or user.name, now_here)
    holder = Holder.objects.create(table=table, seat=place, user=user, name=called, invite=invite, since=now)
    _bots_renamed(called, now_here)
    if invite is not None and invite.email:
        invite.accepted = now
        invite.save(update_fields=["accepted"])
    if len(now_here) + 1 == table.seats and table.starts == Table.Starts.FULL:
        started(table=table, by=user, now=now)
    elif table.host is not None and table.host != user:
        # Once for each person: they may come and go as often as they like.
        key = f"joined:{table.pk}:{user.pk}"
        notice_added(kind="joined", key=key, user=table.host, table=table, invite=invite, now=now)
    return holder


def _check_welcome(table: Table, user: User, invite: Invite | None, holders: Sequence[Holder]) -> None:
    """Check that a person may sit down at a table, whether or not there is room."""
    mine = [each for each in holders if each.user_id == user.pk]
    if any(each.until is None for each in mine):
        raise SeatHeld
    if not may_sit(table, user, invite):
        raise NotInvited
    if mine and table.status == Table.Status.RUNNING:
        raise SatBefore
    check_open(table)
    if any(each.until is not None and (invite is None or invite.created <= each.until) for each in mine):
        raise Removed
    if user.guest and invite is None:
        raise EmailNeeded


def _place(free: Sequence[Seat], wanted: int | None) -> Seat:
    if not free:
        raise TableFull
    found = next((each for each in free if wanted in (None, each.number)), None)
    if found is None:
        raise SeatTaken
    return found


def _called(name: str, holders: Sequence[Holder]) -> str:
    """Return the name by which a person is called among others.

    Raises:
        NameUnfit, NameTaken: what is wrong with it.
    """
    name = name_cleaned(name)
    fault = name_problem(name)
    if fault:
        raise NameUnfit(fault)
    if any(looks(name) & looks(each.name) for each in holders if not each.bot):
        raise NameTaken(suggested(name, [each.name for each in holders]))
    return name


def _bots_renamed(name: str, holders: Sequence[Holder]) -> None:
    """Give another name to bots that look called like a person who sits down: nobody knows them yet."""
    for bot in holders:
        if bot.bot and looks(bot.name) & looks(name):
            bot.name = bot_name([name, *(each.name for each in holders)])
            bot.save(update_fields=["name"])


def seat_left(*, table_id: int, user: User, now: datetime) -> None:
    """Let a person leave: before the start their seat is free again, later a bot plays on.

    A host who leaves hands the table over to the person who has sat there longest; before the start it closes if there
    is none.

    Raises:
        TableGone: there is no such table.
        NotYourSeat: they do not sit there.
        TableOver, TableClosed: there is nothing to leave.
    """
    with writing():
        table = table_locked(table_id)
        holder = Holder.objects.filter(table=table, user=user, until=None).select_related("seat", "invite").first()
        if holder is None:
            raise NotYourSeat
        if table.status == Table.Status.RUNNING:
            handed(table=table, holder=holder, bot=PLAYS_ON, now=now)
        else:
            check_open(table)
            seat_freed(holder)
        if table.host_id == user.pk:
            host_passed(table=table, user=user, now=now)


def seat_handed(*, table_id: int, seat: int, bot: str = PLAYS_ON, now: datetime) -> None:
    """Let a bot play on for the person at a seat, who will not come back to it.

    Raises:
        TableGone: there is no such table.
        TableNotStarted, TableOver, TableClosed: nobody plays there.
        SeatEmpty: no person sits at that seat.
    """
    with writing():
        table = table_locked(table_id)
        if table.status == Table.Status.OPEN:
            raise TableNotStarted
        if table.status != Table.Status.RUNNING:
            check_open(table)
        holder = (
            Holder.objects.filter(table=table, seat__number=seat, until=None, bot="").select_related("seat").first()
        )
        if holder is None:
            raise SeatEmpty
        handed(table=table, holder=holder, bot=bot, now=now)


def seat_removed(*, table_id: int, host: User, seat: int, now: datetime) -> None:
    """Free a seat before the start: whoever sits there goes, and comes back only by a new invitation.

    Raises:
        TableGone, NotHost: there is no such table, or it is somebody else's.
        TableStarted, TableOver, TableClosed: it does not wait for people.
        SeatEmpty: nobody sits there, or the host.
    """
    with writing():
        table = table_locked(table_id)
        if table.host_id != host.pk:
            raise NotHost
        check_open(table)
        holder = Holder.objects.filter(table=table, seat__number=seat, until=None).select_related("user").first()
        if holder is None or holder.user == host:
            raise SeatEmpty
        seat_emptied(table=table, holder=holder, now=now)
        if holder.user is not None:
            key = f"seat_removed:{table.pk}:{holder.pk}"
            notice_added(kind="seat_removed", key=key, user=holder.user, table=table, now=now)


def seat_emptied(*, table: Table, holder: Holder, now: datetime) -> None:
    """Take somebody from their seat before the start, and from a person the invitations that are theirs."""
    user = holder.user
    if user is None:
        holder.delete()
        return
    holder.until = max(now, holder.since)
    holder.save(update_fields=["until"])
    theirs = Q(pk=holder.invite_id) | Q(email__in=user.emailaddress_set.values("email"))
    Invite.objects.filter(theirs, table=table, revoked=None).exclude(email="").update(revoked=now)


def seat_freed(holder: Holder) -> None:
    """Free a seat before the start, as if nobody had sat there; a personal invitation may be used again."""
    if holder.invite is not None and holder.invite.accepted is not None:
        holder.invite.accepted = None
        holder.invite.save(update_fields=["accepted"])
    holder.delete()


def handed(*, table: Table, holder: Holder, bot: str, now: datetime) -> None:
    """Close a person's time at a seat of a running table and begin a bot's; boards are told, the bot is sent for."""
    game = newest_game(table)
    if game is None:
        raise TableStarted
    turn_closed(game=game, seat=holder.seat.number, held=held_seats(table.pk), now=now)
    holder.until, holder.stand_in, holder.stood_in = max(now, holder.since), "", None
    holder.save(update_fields=["until", "stand_in", "stood_in"])
    Ballot.objects.filter(holder=holder).delete()
    name = bot_name(Holder.objects.filter(table=table).values_list("name", flat=True))
    Holder.objects.create(table=table, seat=holder.seat, bot=bot, name=name, since=holder.until)
    held = held_seats(table.pk)
    seat_changed(game=game, seat=holder.seat.number, held=held, now=now)
    if game.status != Game.Status.RUNNING and abandoned(table.pk, held):
        series_ended(table)
    vote_recounted(table=table, now=now)


def host_passed(*, table: Table, user: User, now: datetime) -> None:
    """Hand a table over from a host who has left it; one that waits for people closes if nobody else sits there."""
    others = Holder.objects.filter(table=table, until=None, user__is_active=True).select_related("user")
    longest = [(each.user, bool(each.stand_in)) for each in others.order_by("since", "pk") if each.user is not None]
    # Somebody without an address can invite nobody, and somebody for whom a bot plays is not there.
    heir, _ = min(longest, key=lambda each: (each[0].guest, each[1]), default=(None, False))
    if heir is not None:
        host_set(table=table, user=heir, now=now)
    elif table.status == Table.Status.OPEN:
        closed(table=table, by=user, now=now)
