"""Whether a deal counts for ratings, and if not, why: asked of plain facts, which are read for many deals at once."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from django.db.models import Count, Q

from games.models import Holder, Move, RatedDeal, RatedSeat
from games.rules.outcome import Result
from games.selectors.effective import Effective, effective_of


class Estimate(NamedTuple):
    """How good somebody is thought to be, and how unsure that is."""

    mu: float
    sigma: float


# Measured by 1,500 deals of two against two for each pair of levels (tests/bots/strength.py). A medium bot stands where
# people begin. How much oftener one level loses than the other says how far apart they are, as Plackett-Luce reads it
# (beta * sqrt(4) * ln of the ratio). At Getaway easy bots lost 73 % to medium ones, random ones 96 % to easy, 99 % to
# medium ones; at Donkey, where luck has more of it, 60 %, 94 % and 96 %. These numbers are never edited, since all that
# was rated by them would change: others are another rule, and a new level gets a line.
_GETAWAY: Final = {"random": Estimate(-12.0, 1.0), "easy": Estimate(17.0, 1.0), "medium": Estimate(25.0, 1.0)}
_DONKEY: Final = {"random": Estimate(-1.5, 1.0), "easy": Estimate(21.5, 1.0), "medium": Estimate(25.0, 1.0)}


def bot_ratings(kind: str, rule: int) -> Mapping[str, Estimate]:
    """Return what bots are rated at in a game, by their level; deals do not change it.

    *rule*: by which the deal is rated (`RatedDeal.rule`). By the first, bots had the same numbers in both games.
    """
    return _DONKEY if kind == "donkey" and rule > 1 else _GETAWAY


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """Who played at a seat: a person (`user_id`), a bot, or somebody who has been erased since (neither).

    hands: how many held it during the deal. turns, by_bots: how many cards were played there, and how many by bots.
    given: what a bot is rated at, or an erased person was before; None if that is not known.
    """

    holder_id: int
    user_id: int | None
    bot: str
    hands: int = 1
    turns: int = 0
    by_bots: int = 0
    given: Estimate | None = None

    @property
    def erased(self) -> bool:
        """Whether it was a person who is here no more."""
        return self.user_id is None and not self.bot


@dataclass(frozen=True, slots=True)
class DealFacts:
    """A deal that is over, as it counts now; seat 0 first. corrected: it counts otherwise than it ended."""

    rated: bool
    result: Result
    corrected: bool
    seats: tuple[SeatFacts, ...]


def exclusion_of(deal: DealFacts) -> str | None:
    """Return why a deal does not count for ratings, in a sentence; None if it does."""
    return _of_its_end(deal) or _of_its_people(deal.seats)


def _of_its_end(deal: DealFacts) -> str | None:
    if not deal.rated:
        return "This table does not count for ratings."
    if deal.result.stopped:
        return "An operator ended this deal."
    if deal.result.void and deal.corrected:
        return "An operator voided this deal."
    return "Nobody lost this deal: it did not come to an end." if deal.result.loser is None else None


def _of_its_people(seats: Sequence[SeatFacts]) -> str | None:
    if any(each.hands != 1 for each in seats):
        return "A seat changed hands during this deal."
    if sum(not each.bot for each in seats) < 2:
        return "Fewer than two people played this deal."
    if any(each.erased and each.given is None for each in seats):
        return "Somebody who played this deal has deleted their account."
    if any(not each.bot and each.by_bots * 2 > each.turns for each in seats):
        return "A bot played more than half of the cards of one of the people."
    return "A bot of this deal has no rating." if any(each.bot and each.given is None for each in seats) else None


def facts_of(deals: Collection[RatedDeal]) -> Mapping[int, DealFacts]:
    """Return the facts of some deals by the ids of their games, in four queries; their games and tables are loaded."""
    ids = [each.game_id for each in deals]
    held = _held(deals)
    counts = effective_of(ids)
    plays = Move.objects.filter(game__in=ids, kind=Move.Kind.PLAY).values("game", "seat")
    by_bots = Count("pk", filter=Q(actor__in=[Move.Actor.BOT, Move.Actor.TIMEOUT]))
    counted = plays.annotate(all=Count("pk"), by_bots=by_bots).values_list("game", "seat", "all", "by_bots")
    turns = {(row[0], row[1]): row[2:] for row in counted}
    rows = RatedSeat.objects.filter(deal__in=[each.pk for each in deals], holder__user=None)
    given = {(row[0], row[1]): Estimate(*row[2:]) for row in rows.values_list(*_GIVEN)}
    return {each.game_id: _facts(each, held[each.game_id], counts[each.game_id], turns, given) for each in deals}


_GIVEN: Final = ("deal__game", "seat", "mu_before", "sigma_before")


def _facts(
    deal: RatedDeal,
    held: Mapping[int, Sequence[Holder]],
    counts: Effective,
    turns: Mapping[tuple[int, int], tuple[int, ...]],
    given: Mapping[tuple[int, int], Estimate],
) -> DealFacts:
    seats, bots = [], bot_ratings(deal.game.rules["game"], deal.rule)
    for seat in range(deal.game.table.seats):
        holders, at = held[seat], (deal.game_id, seat)
        last, (played, by_bots) = holders[-1], turns.get(at, (0, 0))
        stands = bots.get(last.bot) if last.bot else given.get(at)
        seats.append(SeatFacts(last.pk, last.user_id, last.bot, len(holders), played, by_bots, stands))
    return DealFacts(deal.game.table.rated, counts.result, counts.corrected, tuple(seats))


def _held(deals: Collection[RatedDeal]) -> Mapping[int, Mapping[int, Sequence[Holder]]]:
    """Return who held each seat while each deal was played, by the game's id and the seat, earliest first."""
    found: dict[int, defaultdict[int, list[Holder]]] = {each.game_id: defaultdict(list) for each in deals}
    rows = Holder.objects.filter(table__in={each.game.table_id for each in deals}).select_related("seat")
    at = defaultdict[int, list[Holder]](list)
    for row in rows.order_by("since", "pk"):
        at[row.table_id].append(row)
    for deal in deals:
        for row in at[deal.game.table_id]:
            if row.since <= deal.ended and (row.until is None or row.until > deal.game.created):
                found[deal.game_id][row.seat.number].append(row)
    return found
