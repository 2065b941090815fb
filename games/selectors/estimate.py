"""How long a table will take, from how long its people usually take; how often they answer in time, or leave a deal."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median
from typing import Final

from django.db.models import Count, Exists, F, OuterRef, Q, Window
from django.db.models.functions import RowNumber

from games.clocks.pace import Kind, Pace
from games.models import Answer, Game, Holder, MissedTurn, Table
from games.rules.ruleset import Ruleset, ruleset_of
from games.selectors.clocks import pace_of

LOOKED_BACK: Final = timedelta(days=90)
"""How far back somebody's cards tell how long they take."""
CARDS_LOOKED_AT: Final = 50
"""How many of their last cards tell it."""
UNKNOWN: Final = timedelta(hours=4)
"""How long somebody takes of whom nothing is known: they look in every few hours."""
TOGETHER: Final = timedelta(seconds=15)
"""How long a card takes when everybody is there at once."""


def usual_responses(user_ids: Collection[int], now: datetime) -> Mapping[int, timedelta]:
    """Return how long each of some people usually takes for a card among other people, in one query.

    It is the median of their last turns at tables that are not live, while the clock ran; who had none lately is left
    out. A turn that was missed took as long as it might. Cards that went by themselves count until their deal is over:
    while it runs nobody may tell them from others by what changes here (S12).
    """
    others = Holder.objects.filter(table=OuterRef("game__table"), user__isnull=False)
    rows = Answer.objects.filter(
        Q(how__in=[Answer.How.HAND, Answer.How.TIMEOUT, Answer.How.NUDGE])
        | Q(how=Answer.How.ORDER, game__status=Game.Status.RUNNING),
        Exists(others.exclude(user=OuterRef("holder__user"))),
        holder__user__in=list(user_ids),
        at__gte=now - LOOKED_BACK,
    ).exclude(game__table__pace=Table.Paces.LIVE)
    newest = Window(RowNumber(), partition_by=F("holder__user"), order_by=[F("at").desc(), F("pk").desc()])
    newest_ones = rows.annotate(newest=newest).filter(newest__lte=CARDS_LOOKED_AT)
    spans = defaultdict[int, list[float]](list)
    for user_id, *parts in newest_ones.values_list("holder__user", "charged", "free", "late"):
        spans[user_id].append(sum(parts, timedelta(0)).total_seconds())
    return {user_id: timedelta(seconds=median(found)) for user_id, found in spans.items()}


@dataclass(frozen=True, slots=True)
class Reliability:
    """How many turns with a deadline somebody had, and how many of them they answered; excused ones are left out."""

    turns: int
    answered: int

    @property
    def percent(self) -> int:
        """The share of those answered; all of them only if none was missed."""
        return 100 * self.answered // self.turns if self.turns else 100


def reliability(user_id: int, now: datetime) -> Reliability:
    """Return how often somebody lately answered in time, in two queries."""
    since = now - LOOKED_BACK
    by_themselves = [Answer.How.HAND, Answer.How.ORDER]
    turns = Answer.objects.filter(holder__user=user_id, at__gte=since, how__in=by_themselves)
    answered = turns.exclude(game__table__pace=Table.Paces.NONE).count()
    missed = MissedTurn.objects.filter(holder__user=user_id, at__gte=since, excuse="").count()
    return Reliability(answered + missed, answered)


def deals_left_by(user_ids: Collection[int]) -> Mapping[int, int]:
    """Return how many deals each of some people left to a bot, in one query; who left none is left out."""
    running = Game.objects.filter(table=OuterRef("table"), created__lte=OuterRef("until")).filter(
        Q(ended=None) | Q(ended__gt=OuterRef("until"))
    )
    rows = Holder.objects.filter(Exists(running), user__in=list(user_ids), until__isnull=False)
    return dict(rows.values("user").annotate(times=Count("pk")).values_list("user", "times"))


def span_words(span: timedelta | None) -> str:
    """Return a time in words, like "about 3 hours"; "" for none."""
    if span is None:
        return ""
    minutes = span.total_seconds() / 60
    for unit, size, most in (("minute", 1, 90), ("hour", 60, 36 * 60)):
        if minutes < most:
            return _about(max(1, round(minutes / size)), unit)
    return _about(round(minutes / 60 / 24), "day")


def _about(count: int, unit: str) -> str:
    one = "an" if unit == "hour" else "a"
    return f"about {one} {unit}" if count == 1 else f"about {count} {unit}s"


def cards_to_play(rules: Ruleset, seats: int) -> int:
    """Return how many cards are played in a deal, in tens: as many as bots played in some thousand of them."""
    one_pack = 42 + 5 * seats if rules.game == "donkey" else 35 + 9 * seats
    cards = one_pack if rules.packs == 1 else (2 * one_pack if rules.game == "donkey" else 80 + 17 * seats)
    return round(cards, -1)


def estimate_words(*, table: Table, people: Sequence[timedelta | None]) -> str:
    """Say how long a series will take at its pace, like "about 80 cards to play, about 5 days".

    *people* are those at the seats that bots do not hold, each with how long they usually take (None: unknown). Where
    no clock runs and somebody is unknown it says both how long it takes together and how long by looking in.
    """
    pace, cards = pace_of(table), cards_to_play(ruleset_of(table.rules), table.seats)
    said, together = f"about {cards * table.deals} cards to play", span_words(TOGETHER * cards * table.deals)
    if pace.live:
        return f"{said}, {together}"
    most, unknown = _usual_at(pace, cards / table.seats)
    each = sum((min(span or unknown, most) for span in people), timedelta(0)) * cards / table.seats
    span = span_words(_rested(each * table.deals, table))
    if pace.timed or None not in people:
        return f"{said}, {span}"
    return f"{said}: {together} if all are there at once, {span} by looking in now and then"


def _usual_at(pace: Pace, turns: float) -> tuple[timedelta, timedelta]:
    """Return how long a card takes at the most, with so many turns a deal, and how long if nothing is known."""
    if not pace.timed:
        return timedelta.max, UNKNOWN
    if pace.kind is Kind.BANK:
        most = pace.start / turns + pace.increment + pace.grace
        return most, min(most, UNKNOWN)
    return pace.start, pace.start / 6


def _rested(span: timedelta, table: Table) -> timedelta:
    """Return a length with the days of rest that fall into it, and the rests between deals."""
    days = len(table.rest) if span > timedelta(days=1) else 0
    return span * 7 / (7 - days) + table.rest_between * (table.deals - 1)
