"""A week of ten people at six tables: whatever is sent is listed and explained, and no turn goes by untold."""

import datetime as dt
import secrets
from collections.abc import Iterator
from itertools import groupby
from random import Random
from typing import Any, Final, NamedTuple

import pytest
import time_machine
from django.core import mail
from django.db.models import Q

from accounts.models import User
from accounts.zones import zone_or_utc
from games.clocks.days import digest_after, quiet_until
from games.clocks.pace import NO_LIMIT, banked, each_card
from games.models import Answer, Game, Holder, MissedTurn, Move, Notice, Turn
from games.rules.ruleset import Ruleset
from games.selectors.games import game_state
from games.selectors.reach import Reach, reach_of
from games.services import bot_turns, notices, timeouts
from games.services.bot_turns import bot_move
from games.services.digests import digests_sent
from games.services.notices import notices_due_sent
from games.services.pacing import Pacing
from games.services.presence import looked
from games.services.tables import SeatPlan, TablePlan, table_open
from games.services.timeouts import came_back
from games.services.turn_notices import DELAY
from games.services.vacations import vacation_set
from games.services.verify import game_verify
from tests.games.pacing import DAY, HOUR
from tests.games.stored import NOW, SECRET, chosen, play
from tests.games.sweeping import SECOND, ZERO, sweep
from tests.games.telling import device, reader

pytestmark = [pytest.mark.django_db]

STEPS: Final = [dt.timedelta(minutes=20), pytest.param(dt.timedelta(minutes=10), marks=pytest.mark.soak)]
"""How often the site looks; more often in the long campaign."""
START: Final = NOW.replace(hour=6, microsecond=0)

PEOPLE: Final[dict[str, tuple[float, str, dict[str, Any]]]] = {
    "Asha": (9, "Europe/London", {}),
    "Bilal": (13, "Asia/Karachi", {}),
    "Chandni": (11, "Asia/Kolkata", {"your_turn": "now", "quiet": ["22:00", "07:00"]}),
    "Dev": (17, "America/Toronto", {"hour": "08:00", "deal_over": "now"}),
    "Esha": (15, "Asia/Dhaka", {"your_turn": "never"}),
    "Farid": (10, "Asia/Karachi", {}),
    "Gul": (19, "", {}),
    "Hari": (0, "Asia/Kolkata", {}),
    "Iqra": (12, "Europe/London", {}),
    "Jaya": (4, "Australia/Lord_Howe", {"digest": "never"}),
}
"""Who they are: every how many hours they look, where they live, what they have chosen. Hari never comes."""

GUESTS: Final = {"Farid", "Gul"}
DEVICES: Final = {"Bilal", "Farid"}


def pacing(hours: float, **more: Any) -> Pacing:
    return Pacing(each_card(dt.timedelta(hours=hours)), **more)


def plans() -> Iterator[tuple[list[str], int, dict[str, Any]]]:
    """Who sits at each table, with how many bots, and how it plays."""
    yield ["Asha", "Bilal", "Chandni"], 1, {"pacing": pacing(24)}
    yield ["Dev", "Esha", "Iqra"], 0, {"pacing": pacing(48)}
    yield ["Jaya", "Asha", "Gul"], 0, {"pacing": Pacing(NO_LIMIT)}
    yield ["Farid", "Jaya"], 2, {"pacing": Pacing(banked(10 * HOUR, 5 * HOUR, 20 * HOUR))}
    asks = {"pacing": pacing(12, rest="56", zone="Asia/Kolkata", missed="nudge")}
    yield ["Hari", "Bilal", "Dev", "Chandni"], 0, asks | {"rules": Ruleset(opening="any_order")}
    yield ["Iqra", "Hari", "Jaya"], 0, {"pacing": pacing(5, missed="keep", next="once"), "deals": 3}


class Had(NamedTuple):
    """A turn that somebody had, from its beginning until it ended or the week was over."""

    game: Game
    seat: int
    user: User
    start: dt.datetime
    end: dt.datetime


class Week:
    """What happens in it; time is moved on from outside."""

    def __init__(self) -> None:
        self.people = {name: self._person(name) for name in PEOPLE}
        for number, (names, bots, plan) in enumerate(plans()):
            seats = [SeatPlan(user=self.people[name]) for name in names] + [SeatPlan(bot="random")] * bots
            given = {"host": None, "name": f"Table {number}", "rules": Ruleset(taking="off")} | plan
            table_open(plan=TablePlan(**given), seats=seats, now=START, source=lambda _: 0, secret=SECRET)

    @staticmethod
    def _person(name: str) -> User:
        _, zone, chosen = PEOPLE[name]
        fields = {"zone": zone, "notices": chosen}
        user = User.objects.create_guest(name, **fields) if name in GUESTS else reader(name, **fields)
        if name in DEVICES:
            device(user)
        return user

    def visit(self, user: User, now: dt.datetime) -> None:
        """Look at all games, and play wherever one is awaited."""
        for holder in Holder.objects.filter(user=user, until=None).exclude(stand_in=""):
            came_back(table_id=holder.table_id, user=user, now=now)
        mine = Q(table__holder__user=user, table__holder__until=None, status="running")
        for game in Game.objects.filter(mine).order_by("pk"):
            looked(user.pk, game.pk)
            seat = Holder.objects.get(table=game.table_id, user=user, until=None).seat.number
            if Turn.objects.filter(game=game, seat=seat).exists():
                play(game, chosen(game_state(game), seat), now=now)
                bots_play(game, now)

    def step(self, now: dt.datetime) -> None:
        """Let people come, one after the other, and then all that the site does by itself."""
        since = now - START
        for number, (name, user) in enumerate(self.people.items()):
            every = dt.timedelta(hours=PEOPLE[name][0])
            if every and since and not since % every:
                self.visit(user, now + number * SECOND)
        now += 30 * SECOND
        if sweep(now).bots:
            for game in Game.objects.filter(status="running"):
                bots_play(game, now)
        notices_due_sent(now=now)
        digests_sent(now=now)


def bots_play(game: Game, now: dt.datetime) -> None:
    version = -1
    game.refresh_from_db()
    while game.version > version:
        version = game.version
        bot_move(game_id=game.pk, version=version, now=now)
        game.refresh_from_db()


def turns_had(end: dt.datetime) -> Iterator[Had]:
    """Every turn of a person, put together from its parts: one that was waited on has several."""
    rows = Answer.objects.select_related("game__table", "holder__user").order_by("game", "seat", "at", "pk")
    for _, each in groupby(rows, key=lambda row: (row.game_id, row.seat)):
        start: dt.datetime | None = None
        for row in each:
            start = start or row.since
            if row.how != "nudge":
                yield Had(row.game, row.seat, whose(row.holder), start, row.at)
                start = None
    for turn in Turn.objects.select_related("game__table"):
        holder = Holder.objects.get(table=turn.game.table_id, seat__number=turn.seat, until=None)
        if holder.user is not None and not holder.stand_in:
            yield Had(turn.game, turn.seat, holder.user, turn.since, end)


def whose(holder: Holder) -> User:
    assert holder.user is not None
    return holder.user


def saw_it_begin(had: Had) -> bool:
    """Whether a turn began by its person's own hand: by their card, or because they came back."""
    # Bots here take no time: what they played then came after the hand.
    last = Move.objects.filter(game=had.game, at=had.start).order_by("-number").first()
    if last is not None:
        return (last.seat, last.actor) == (had.seat, "hand")
    return Holder.objects.filter(table=had.game.table, user=had.user, back=had.start).exists()


def first_told(row: Notice, reach: Reach, had: Had) -> dt.datetime:
    """When a notice can be told at the earliest, by steps."""
    hour, quiet = reach.wishes.hour, reach.wishes.quiet
    if row.channel == "digest":
        assert hour is not None
        return digest_after(had.start, hour, reach.zone)
    at = had.start + DELAY
    return quiet_until(at, *quiet, reach.zone) if quiet else at


def why(row: Notice, turns: list[Had]) -> str:
    """Why a notice was sent; "" if there is no reason."""
    assert row.sent is not None
    if row.kind == "digest":
        told = Notice.objects.filter(user=row.user, channel="digest", sent=row.sent).exclude(kind="digest")
        return f"the mail of the day with {told.count()}" if told else ""
    if row.kind in ("your_turn", "deadline", "nudge"):
        open_then = [had for had in turns if had.user == row.user and had.game == row.game and _then(had, row.sent)]
        return f"awaited since {open_then[0].start:%a %H:%M}" if len(open_then) == 1 else ""
    if row.kind == "stood_in":
        missed = MissedTurn.objects.filter(game=row.game, holder__user=row.user, at=row.created)
        return "time was up" if missed else ""
    return "the deal is over" if row.game is not None and row.game.ended == row.created else ""


def _then(had: Had, at: dt.datetime) -> bool:
    return had.start < at <= had.end


@pytest.mark.parametrize("step", STEPS)
def test_a_week_of_ten_people(step: dt.timedelta, monkeypatch: pytest.MonkeyPatch) -> None:
    pushed: list[Any] = []
    # The same week each time.
    for module in (bot_turns, timeouts):
        monkeypatch.setattr(module, "system_source", Random(7).randrange)
    monkeypatch.setattr(secrets, "token_bytes", Random(7).randbytes)

    def push(**message: Any) -> bool:
        pushed.append(message)
        return True

    monkeypatch.setattr(notices, "pushed", push)
    end = START + 7 * DAY
    with time_machine.travel(START, tick=False) as clock:
        week, now = Week(), START
        vacation_set(user=week.people["Iqra"], first=START.date() + 2 * DAY, last=START.date() + 3 * DAY, now=START)
        while now <= end:
            clock.move_to(now)
            week.step(now)
            now += step
    turns = list(turns_had(end))
    sent = list(Notice.objects.filter(sent__isnull=False).select_related("user", "game").order_by("sent", "pk"))
    listed = [
        f"{row.sent:%a %H:%M} {row.user} {row.kind} {row.game} #{row.number} {row.channel}: {why(row, turns)}"
        for row in sent
    ]
    print(*listed, sep="\n")
    check_explained(listed, sent, pushed)
    check_announced(turns, step)
    check_digests(sent)
    for game in Game.objects.all():
        game_verify(game_id=game.pk)


def check_explained(listed: list[str], sent: list[Notice], pushed: list[Any]) -> None:
    """Each that went out stands in the list, once, with its reason."""
    assert [each for each in listed if each.endswith(": ")] == []
    guests = [row for row in sent if row.kind == "digest" and row.user and row.user.guest]
    digests = [row for row in sent if row.kind == "digest"]
    assert len(mail.outbox) == sum(row.channel == "mail" for row in sent) + len(digests) - len(guests)
    assert len({each.extra_headers["Message-ID"] for each in mail.outbox}) == len(mail.outbox)
    assert len(pushed) == sum(row.channel == "push" for row in sent) + len(guests)
    assert {"your_turn", "deadline", "nudge", "stood_in", "deal_over", "digest"} <= {row.kind for row in sent}
    assert {"Gul", "Hari"} & {row.user.name for row in sent if row.user} == {"Hari"}


def check_announced(turns: list[Had], step: dt.timedelta) -> None:
    """Every turn that began without its person is written down once, and told once if it lasted until then."""
    reaches = reach_of([had.user.pk for had in turns])
    rows = {(row.game_id, row.seat, row.created): row for row in Notice.objects.filter(kind="your_turn")}
    told = 0
    for had in turns:
        row = rows.pop((had.game.pk, had.seat, had.start), None)
        reach = reaches[had.user.pk]
        if saw_it_begin(had) or not reach.channel("your_turn", soon=ZERO < had.game.table.pace_start < 36 * HOUR):
            assert row is None, had
            continue
        assert row is not None, had
        first = first_told(row, reach, had)
        if row.sent is not None:
            assert first <= row.sent < had.end, had
            told += 1
        elif had.user.name != "Iqra":
            # It was over before, or looked at in the last step of all.
            assert had.end <= first + step, had
    assert rows == {}
    assert told > 30


def check_digests(sent: list[Notice]) -> None:
    days = [(row.user, (row.sent or START).astimezone(zone_or_utc(row.user.zone)).date()) for row in sent if row.user]
    digests = [day for day, row in zip(days, sent, strict=True) if row.kind == "digest"]
    assert len(set(digests)) == len(digests) >= 3
