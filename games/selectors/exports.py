"""Everything about a person, as data: no other person's address, and no card that they could not see (S37)."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db.models import F, Q

from accounts.fields import masked
from accounts.forgetting import addresses_of
from accounts.models import Block, User
from games.models import (
    Answer,
    Audit,
    Ballot,
    Correction,
    Extension,
    Game,
    Holder,
    Invite,
    MissedTurn,
    Notice,
    PushDevice,
    RatedSeat,
    Rating,
    Report,
    Seen,
    Table,
    Vacation,
)
from games.rules.cards import hand_text
from games.rules.replay import steps
from games.rules.view import SeatView, seat_view
from games.selectors.games import dealt_state, entries_of, holders_of
from games.selectors.paces import clock_facts
from games.selectors.records import game_record
from games.selectors.reports import about_me

type Data = Mapping[str, Any] | list[Mapping[str, Any]]

FORMAT: Final = 1
"""Counts up when a file of the archive changes its shape."""

_FILES: Final = {
    "profile.json": "what you told the site about yourself",
    "addresses.json": "your email addresses",
    "passkeys.json": "your passkeys: their names and when they were made and used",
    "sessions.json": "where you are signed in",
    "browsers.json": "the browsers in which you are told of your games",
    "blocks.json": "whom you keep away from your tables",
    "invites.json": "invitations that you sent, and those to your addresses",
    "notices.json": "what was mailed to you about tables, or waits to be",
    "turns.json": "the turns that you had: how long the clock ran and stood in each, and those you missed",
    "away.json": "the days on which you were or will be away",
    "asked.json": "what you said to the votes of your tables, and the time that you gave to everybody",
    "ratings.json": "how you are rated, and the deals behind it: mu and sigma of Plackett-Luce",
    "reports.json": "what you reported, and what was decided of reports about you",
    "operators.json": "what operators did at your tables and with your account, and why; results that they corrected",
    "seen.json": "up to which entry of each deal you were shown what happened",
    "tables/CODE.json": "each table at which you sat or whose host you are",
    "games/CODE/record.json": "each finished deal, with all hands",
    "games/CODE/my-view.json": "each deal in play, step by step as your seat saw it",
}


def export_files(*, user: User, now: datetime) -> Iterator[tuple[str, Data]]:
    """Yield the files of a person's archive: a path made of codes, never of names, and what is in it."""
    yield "about.json", {"format": FORMAT, "made": now, "files": _FILES}
    yield "profile.json", _profile(user)
    yield from _accounts(user)
    addresses = addresses_of(user)
    yield (
        "invites.json",
        {
            "sent": [_invite(each, "email") for each in _invites(Q(sender=user))],
            "received": [_invite(each, "sender") for each in _invites(Q(email__in=addresses))],
        },
    )
    notices = Notice.objects.filter(Q(user=user) | Q(email__in=addresses)).order_by("pk")
    columns = ("kind", "channel", "due", "created", "sent", "gone")
    yield "notices.json", list(notices.values(*columns, table_code=F("table__code"), game_code=F("game__code")))
    yield from _clocks(user)
    answered = ("kind", "said", "effect", "answer", "answered")
    made = Report.objects.filter(by=user).order_by("pk").values(*answered, "words", "at", "state")
    yield "reports.json", {"made": list(made), "about_me": list(about_me(user).order_by("pk").values(*answered))}
    yield "operators.json", _office(user)
    yield "ratings.json", _ratings(user)
    yield from _tables(user)


def _clocks(user: User) -> Iterator[tuple[str, Data]]:
    mine = Q(holder__user=user)
    of = {"game_code": F("game__code")}
    had = Answer.objects.filter(mine).order_by("at", "pk")
    missed = MissedTurn.objects.filter(mine).order_by("at", "pk")
    columns = ("seat", "number", "since", "at", "how", "charged", "free", "stood", "late", "lost")
    told = {"had": list(had.values(*columns, **of))}
    yield "turns.json", told | {"missed": list(missed.values("seat", "due_at", "at", "excuse", **of))}
    days = Vacation.objects.filter(user=user).order_by("first", "pk")
    yield "away.json", list(days.values("first", "last", "zone", "made", "ended"))
    votes = Ballot.objects.filter(mine).order_by("pk").values("yes", table_code=F("vote__table__code"), **_ASKED)
    given = Extension.objects.filter(user=user).order_by("at", "pk").values("at", "length", **of)
    yield "asked.json", {"votes": list(votes), "gave": list(given)}
    yield "seen.json", list(Seen.objects.filter(user=user).order_by("pk").values("number", **of))


_ASKED: Final = {name: F(f"vote__{name}") for name in ("kind", "days", "opened", "done", "passed")}


def _office(user: User) -> Data:
    """Return what operators did, without who: to others nothing but what the table reads."""
    of = {"table_code": F("table__code"), "game_code": F("game__code")}
    # Whoever was taken away before the start is a stranger there since.
    sat = Holder.objects.filter(Q(until=None) | Q(until__gt=F("table__started")), user=user).values("table")
    mine = Q(table__host=user) | Q(table__in=sat)
    done = Audit.objects.filter(mine | Q(person=user)).order_by("at", "pk")
    columns = ("number", "before", "loser", "void", "cards_left")
    found = Correction.objects.filter(game__table__in=sat).order_by("game", "number")
    corrected = found.values(*columns, at=F("audit__at"), why=F("audit__why"), game_code=F("game__code"))
    return {
        "done": list(done.values("action", "at", "why", "before", "after", **of)),
        "corrected": list(corrected),
    }


def _ratings(user: User) -> Data:
    pool = {"game": F("pool__kind"), "seats": F("pool__seats")}
    now = Rating.objects.filter(user=user).order_by("pool").values("mu", "sigma", "deals", **pool)
    rows = RatedSeat.objects.filter(holder__user=user, deal__why="").order_by("deal__ended", "deal__game")
    columns = ("seat", "mu_before", "sigma_before", "mu", "sigma")
    deals = rows.values(*columns, game_code=F("deal__game__code"), ended=F("deal__ended"))
    return {"now": list(now), "deals": list(deals)}


def _profile(user: User) -> Data:
    columns = ("name", "email", "code", "zone", "language", "hide_online", "notices", "date_joined", "last_login")
    told: dict[str, Any] = {column: getattr(user, column) for column in (*columns, "mail_off", "mail_off_at")}
    return told | {"has_password": user.has_usable_password(), "erased_at": user.erase_at, "is_staff": user.is_staff}


def _accounts(user: User) -> Iterator[tuple[str, Data]]:
    addresses = EmailAddress.objects.filter(user=user).order_by("pk")
    yield "addresses.json", list(addresses.values("email", "verified", "primary"))
    passkeys = Authenticator.objects.filter(user=user).order_by("pk")
    yield (
        "passkeys.json",
        [
            {"name": str(each), "type": each.type, "made": each.created_at, "used": each.last_used_at}
            for each in passkeys
        ],
    )
    sessions = UserSession.objects.filter(user=user).order_by("pk")
    yield "sessions.json", list(sessions.values("ip", "user_agent", "created_at", "last_seen_at"))
    # Not their addresses: who has those can send to them.
    browsers = PushDevice.objects.filter(user=user).order_by("pk")
    yield "browsers.json", list(browsers.values("agent", "created", "used"))
    yield "blocks.json", list(Block.objects.filter(owner=user).order_by("pk").values("at", name=F("other__name")))


def _invites(which: Q) -> Iterable[Invite]:
    return Invite.objects.filter(which).select_related("table", "sender").order_by("pk")


def _invite(invite: Invite, other: str) -> Mapping[str, Any]:
    """Return an invitation with the address it went to, masked, or with the name of who sent it."""
    columns = ("name", "created", "expires", "sent", "accepted", "declined", "revoked")
    told: dict[str, Any] = {column: getattr(invite, column) for column in columns}
    whom = masked(invite.email) if other == "email" else invite.sender and invite.sender.name
    return {"table": invite.table.code, other: whom} | told


def _tables(user: User) -> Iterator[tuple[str, Data]]:
    tables = Table.objects.filter(Q(host=user) | Q(holder__user=user)).distinct().order_by("pk")
    for table in tables:
        mine = list(Holder.objects.filter(table=table, user=user).select_related("seat").order_by("since", "pk"))
        yield f"tables/{table.code}.json", _table(table, user, mine)
        for game in Game.objects.filter(table=table).order_by("number"):
            yield from _game(game, mine)


def _table(table: Table, user: User, mine: Iterable[Holder]) -> Data:
    columns = (
        "code",
        "name",
        "title",
        "tie_break",
        "rules",
        "deals",
        "seats",
        "status",
        "joins",
        "watch",
        "created",
        "started",
    )
    told: dict[str, Any] = {column: getattr(table, column) for column in columns}
    told |= {"clocks": dict(clock_facts(table))}
    times = [{"seat": each.seat.number, "called": each.name, "since": each.since, "until": each.until} for each in mine]
    # Whoever was taken away before the start is a stranger there since.
    knows = table.host_id == user.pk or any(
        each.until is None or (table.started is not None and each.until > table.started) for each in mine
    )
    there = holders_of(table) if knows else ()
    sits = [{"seat": each.seat.number, "name": each.name, "bot": bool(each.bot)} for each in there]
    return told | {"closed": table.closed, "host": table.host_id == user.pk, "my_seats": times, "who_sits": sits}


def _game(game: Game, mine: Iterable[Holder]) -> Iterator[tuple[str, Data]]:
    """Yield a game in which the person had a seat: its record once it is over, until then what their seat sees."""
    there = [each for each in mine if _overlap(each, game)]
    if not there:
        return
    if game.status == Game.Status.OVER:
        yield f"games/{game.code}/record.json", game_record(game)
    elif there[-1].until is None:
        yield f"games/{game.code}/my-view.json", _views(game, there[-1].seat.number)


def _overlap(holder: Holder, game: Game) -> bool:
    begun = game.ended is None or holder.since <= game.ended
    return begun and (holder.until is None or holder.until > game.created)


def _views(game: Game, seat: int) -> list[Mapping[str, Any]]:
    states = steps(dealt_state(game), entries_of(game))
    return [_view(seat_view(state, seat)) for state in states]


def _view(view: SeatView) -> Mapping[str, Any]:
    return {
        "step": view.version,
        "seat": view.seat,
        "hand": hand_text(view.hand),
        "counts": view.counts,
        "table": [{"seat": each.seat, "card": each.card and each.card.code} for each in view.table],
        "power": view.power,
        "awaited": view.awaited,
        "away": view.away,
        "waste": view.waste_count,
        "trump": view.trump and view.trump.value,
    }
