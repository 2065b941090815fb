"""How long a table will take, from how long its people usually take; and how often they left a deal."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from statistics import median
from typing import Final

from django.db.models import Count, Exists, F, OuterRef, Q, Subquery, Window
from django.db.models.functions import Coalesce, RowNumber

from games.models import Game, Holder, Move
from games.rules.ruleset import Ruleset

LOOKED_BACK: Final = timedelta(days=90)
"""How far back somebody's cards tell how long they take."""
CARDS_LOOKED_AT: Final = 50
"""How many of their last cards tell it."""
UNKNOWN: Final = timedelta(hours=4)
"""How long somebody takes of whom nothing is known: they look in every few hours."""
TOGETHER: Final = timedelta(seconds=15)
"""How long a card takes when everybody is there at once."""

_AT: Final = "game__table__holder__"


def usual_responses(user_ids: Collection[int], now: datetime) -> Mapping[int, timedelta]:
    """Return how long each of some people usually takes to play a card among other people, in one query.

    It is the median of their last cards; who has played none lately is left out.
    """
    before = Move.objects.filter(game=OuterRef("game"), number=OuterRef("number") - 1).values("at")[:1]
    others = Holder.objects.filter(table=OuterRef("game__table"), user__isnull=False)
    there = Q(**{f"{_AT}until": None}) | Q(**{f"{_AT}until__gte": F("at")})
    mine = {f"{_AT}user__in": list(user_ids), f"{_AT}seat__number": F("seat"), f"{_AT}since__lte": F("at")}
    # One filter, so that it is one and the same holder everywhere.
    rows = Move.objects.filter(
        there,
        Exists(others.exclude(user=OuterRef(f"{_AT}user"))),
        actor=Move.Actor.HAND,
        at__gte=now - LOOKED_BACK,
        **mine,
    )
    newest = Window(RowNumber(), partition_by=F(f"{_AT}user"), order_by=F("at").desc())
    rows = rows.annotate(newest=newest, before=Coalesce(Subquery(before), F("game__created")))
    spans = defaultdict[int, list[float]](list)
    for user_id, at, asked in rows.filter(newest__lte=CARDS_LOOKED_AT).values_list(f"{_AT}user", "at", "before"):
        spans[user_id].append((at - asked).total_seconds())
    return {user_id: timedelta(seconds=median(found)) for user_id, found in spans.items()}


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


def estimate_words(*, rules: Ruleset, deals: int, seats: int, people: Sequence[timedelta | None]) -> str:
    """Say how long a series will take, like "about 80 cards to play, about 5 days".

    *people* are those at the seats that bots do not hold, each with how long they usually take (None: unknown). Where
    somebody is unknown it says both how long it takes together and how long by looking in.
    """
    cards = cards_to_play(rules, seats)
    each = sum(((span or UNKNOWN) for span in people), timedelta(0)) * cards / seats
    said, span = f"about {cards * deals} cards to play", span_words(each * deals)
    if None not in people:
        return f"{said}, {span}"
    return f"{said}: {span_words(TOGETHER * cards * deals)} if all are there at once, {span} by looking in now and then"
