"""Ratings by Plackett-Luce: of a deal each seat is a team of one, and all are equal but the loser, who is last.

Deals count one after the other, by when they ended. One that comes late, or is corrected, lets all that came after it
in its pool be worked out anew; so do all of them by `manage.py ratings`, with the same numbers to the last bit.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Q, QuerySet
from openskill.models import PlackettLuce

from accounts.models import User
from games.models import Game, Holder, RatedDeal, RatedSeat, Rating, RatingPool
from games.selectors.rated import DealFacts, Estimate, SeatFacts, exclusion_of, facts_of
from games.services.locks import writing
from games.services.rating_marks import deal_to_rate

AT_ONCE: Final = 200
"""How many deals are worked out in one transaction; the next goes on."""

# Written out, lest a new release of the library change what all are rated by.
_MODEL: Final = PlackettLuce(mu=25.0, sigma=25.0 / 3, beta=25.0 / 6, kappa=0.0001, tau=25.0 / 300, limit_sigma=False)
NEW: Final = Estimate(25.0, 25.0 / 3)
"""What everybody begins with."""


def rated(before: Sequence[Estimate], loser: int) -> list[Estimate]:
    """Return what the seats of a deal are rated at after it, the first seat first."""
    teams = [[_MODEL.create_rating([*each])] for each in before]
    ranks = [float(seat == loser) for seat in range(len(before))]
    return [Estimate(team[0].mu, team[0].sigma) for team in _MODEL.rate(teams, ranks=ranks)]


def ratings_kept() -> int:
    """Work out whatever deals are new or have changed, and what came after them; return how many deals that were.

    Safe to run twice, late or in two places: whoever works at a pool holds its row.
    """
    done = 0
    for pool_id in list(RatingPool.objects.filter(rateddeal__stale=True).distinct().values_list("pk", flat=True)):
        while count := _portion_rated(pool_id):
            done += count
    return done


def _portion_rated(pool_id: int) -> int:
    with writing():
        pool = RatingPool.objects.select_for_update(no_key=True).get(pk=pool_id)
        deals = RatedDeal.objects.filter(pool=pool).order_by("ended", "game")
        first = deals.filter(stale=True).first()
        if first is None:
            return 0
        from_there = Q(ended__gt=first.ended) | Q(ended=first.ended, game__gte=first.game_id)
        *portion, more = [*deals.filter(from_there).select_related("game__table")[: AT_ONCE + 1], None]
        if len(portion) > AT_ONCE:
            more = portion.pop()
        _held(portion)
        _worked_out(pool, portion)
        if more is not None:
            RatedDeal.objects.filter(pk=more.pk).update(stale=True)
        return len(portion)


def _held(deals: Sequence[RatedDeal]) -> None:
    """Hold some deals and those who sat there: whoever corrects one, or makes two people one, waits or has done it.

    The people first, as whoever makes two one.
    """
    sat = Holder.objects.filter(table__game__rateddeal__in=deals, user__isnull=False)
    for rows in (
        User.objects.filter(pk__in=sat.values("user")),
        RatedDeal.objects.filter(pk__in=[each.pk for each in deals]),
    ):
        list(rows.select_for_update(no_key=True).order_by("pk").values_list("pk"))


def _worked_out(pool: RatingPool, deals: Sequence[RatedDeal]) -> None:
    """Store anew what some deals that follow each other did, the last ones before them being right."""
    facts, rows = facts_of(deals), list[RatedSeat]()
    there = RatedSeat.objects.filter(deal__in=deals)
    users = set(there.filter(holder__user__isnull=False).values_list("holder__user", flat=True))
    users |= {each.user_id for found in facts.values() for each in found.seats if each.user_id is not None}
    standing = _Standing(pool, deals[0])
    for deal in deals:
        why = exclusion_of(facts[deal.game_id])
        deal.why, deal.stale = why or "", False
        rows += _untouched(deal, facts[deal.game_id]) if why else _rated(deal, facts[deal.game_id], standing)
    there.delete()
    RatedSeat.objects.bulk_create(rows)
    RatedDeal.objects.bulk_update(deals, ["why", "stale"])
    _projected(pool, users)


class _Standing:
    """Where people stand in a pool just before a deal, and then after each that is worked out."""

    def __init__(self, pool: RatingPool, first: RatedDeal) -> None:
        earlier = Q(deal__ended__lt=first.ended) | Q(deal__ended=first.ended, deal__game__lt=first.game_id)
        self._rows = _in_order(pool).filter(earlier)
        self._known: dict[int, Estimate] = {}

    def of(self, seat: SeatFacts) -> Estimate:
        """Return where whoever plays at a seat stands."""
        if seat.user_id is None:
            return seat.given or NEW
        if seat.user_id not in self._known:
            row = self._rows.filter(holder__user=seat.user_id).values_list("mu", "sigma").last()
            self._known[seat.user_id] = Estimate(*row) if row else NEW
        return self._known[seat.user_id]

    def moved(self, seat: SeatFacts, after: Estimate) -> None:
        """Let a person stand somewhere else from now on."""
        if seat.user_id is not None:
            self._known[seat.user_id] = after


def _in_order(pool: RatingPool) -> QuerySet[RatedSeat]:
    """Return what counts in a pool, in the order of its deals."""
    return RatedSeat.objects.filter(deal__pool=pool, deal__why="").order_by("deal__ended", "deal__game", "seat")


def _rated(deal: RatedDeal, facts: DealFacts, standing: _Standing) -> list[RatedSeat]:
    loser = facts.result.loser
    if loser is None:
        raise ValueError("a deal that nobody lost does not count")
    before = [standing.of(each) for each in facts.seats]
    after = rated(before, loser)
    for seat, now in zip(facts.seats, after, strict=True):
        standing.moved(seat, now)
    return [
        _row(deal, number, seat, before[number], after[number])
        for number, seat in enumerate(facts.seats)
        if not seat.bot
    ]


def _untouched(deal: RatedDeal, facts: DealFacts) -> list[RatedSeat]:
    """Return what is kept of a deal that does not count: what erased people were before, should it count again."""
    seats = enumerate(facts.seats)
    return [_row(deal, number, seat, seat.given, seat.given) for number, seat in seats if seat.erased and seat.given]


def _row(deal: RatedDeal, number: int, seat: SeatFacts, before: Estimate, after: Estimate) -> RatedSeat:
    return RatedSeat(
        deal=deal,
        seat=number,
        holder_id=seat.holder_id,
        mu_before=before.mu,
        sigma_before=before.sigma,
        mu=after.mu,
        sigma=after.sigma,
    )


def _projected(pool: RatingPool, users: Collection[int]) -> None:
    """Store where some people stand now in a pool."""
    Rating.objects.filter(pool=pool, user__in=users).delete()
    rows = []
    for user_id in sorted(users):
        mine = _in_order(pool).filter(holder__user=user_id)
        last = mine.values_list("mu", "sigma").last()
        if last:
            rows.append(Rating(pool=pool, user_id=user_id, mu=last[0], sigma=last[1], deals=mine.count()))
    Rating.objects.bulk_create(rows)


@dataclass(frozen=True, slots=True)
class Recomputed:
    """What came of working out everything anew: the pools, and those of them that were not as they should have been."""

    deals: int
    people: int
    differ: Sequence[str]


def ratings_recomputed() -> Recomputed:
    """Work out all ratings anew from the games and their corrections, as if nothing had been worked out yet."""
    over = Game.objects.filter(table__rated=True, status=Game.Status.OVER, rateddeal=None)
    for game in over.select_related("table").order_by("pk").iterator():
        with writing():
            deal_to_rate(game=game)
    ratings_kept()
    before = _digests()
    for pool in RatingPool.objects.all():
        with writing():
            first = RatedDeal.objects.filter(pool=pool).order_by("ended", "game").first()
            if first is not None:
                first.stale = True
                first.save(update_fields=["stale"])
    deals, after = ratings_kept(), _digests()
    people = Rating.objects.values("user").distinct().count()
    return Recomputed(deals, people, [name for name, digest in after.items() if before.get(name) != digest])


def _digests() -> Mapping[str, str]:
    """Return a digest of everything that is rated, by pool: two are equal only if every number is, to the last bit."""
    found = {}
    for pool in RatingPool.objects.order_by("kind", "seats"):
        digest = hashlib.sha256()
        seats = RatedSeat.objects.filter(deal__pool=pool).order_by("deal__ended", "deal__game", "seat")
        columns = ("deal__game", "deal__why", "seat", "holder", "mu_before", "sigma_before", "mu", "sigma")
        for row in seats.values_list(*columns).iterator():
            digest.update(repr(row).encode())
        for row in Rating.objects.filter(pool=pool).order_by("user").values_list("user", "mu", "sigma", "deals"):
            digest.update(repr(row).encode())
        found[str(pool)] = digest.hexdigest()
    return found
