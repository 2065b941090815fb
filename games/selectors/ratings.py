"""Ratings as people read them: a cautious estimate with its uncertainty, the deals behind it, and leaderboards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Count, F, FloatField, Q
from django.db.models.functions import Cast

from accounts.choices import wants
from accounts.models import User
from games.models import Game, Holder, RatedDeal, RatedSeat, Rating, RatingPool, Table
from games.selectors.effective import effective_of
from games.selectors.rated import Estimate

PROVISIONAL: Final = 30
"""With fewer deals an estimate is provisional, and on no leaderboard."""

LISTED: Final = 100
"""How many people a leaderboard lists."""

DEALS_SHOWN: Final = 50
"""How many deals are listed behind a rating, the newest first."""

NOT_RATED: Final = "Its deals do not count for ratings."
IS_RATED: Final = "Its deals count for the ratings of those who play them."
_SOON: Final = "This deal is rated in a moment."
_COUNTS: Final = "This deal counts for ratings."

_KINDS: Final = {"getaway": "Getaway", "donkey": "Donkey"}
_ZERO: Final = 1000
_SCALE: Final = 40
_CAUTION: Final = 3
_SCORE: Final = Cast(F("mu") - _CAUTION * F("sigma"), FloatField())


def points(value: float) -> int:
    """Return a value of the model as people read it: everybody begins at 1000."""
    return round(_ZERO + _SCALE * value)


@dataclass(frozen=True, slots=True)
class Shown:
    """An estimate in points.

    about: what somebody is at least worth, nearly for sure. guess: what they likely are, give or take `unsure`.
    """

    about: int
    guess: int
    unsure: int


def shown(estimate: Estimate) -> Shown:
    """Return an estimate as it is shown."""
    mu, sigma = estimate
    return Shown(points(mu - _CAUTION * sigma), points(mu), round(_SCALE * _CAUTION * sigma))


@dataclass(frozen=True, slots=True)
class Standing:
    """Where somebody stands in a pool, after so many deals."""

    pool: str
    now: Shown
    deals: int

    @property
    def provisional(self) -> bool:
        """Whether it rests on too few deals to say much."""
        return self.deals < PROVISIONAL


def pool_words(kind: str, seats: int) -> str:
    """Return what a pool is called."""
    return f"{_KINDS[kind]}, {seats} seats"


def may_read(*, viewer: User, person: User) -> bool:
    """Tell whether somebody who may look at a person's page reads their ratings."""
    return viewer == person or wants(person, "rating") or wants(person, "listed")


def standings_of(*, viewer: User, code: str) -> tuple[Standing, ...] | None:
    """Return where a person stands in each pool, the most played first; None if that is not for this viewer."""
    person = User.objects.get(code=code)
    if not may_read(viewer=viewer, person=person):
        return None
    rows = Rating.objects.filter(user=person).select_related("pool").order_by("-deals", "pool")
    return tuple(_standing(each) for each in rows)


def _standing(row: Rating) -> Standing:
    return Standing(pool_words(row.pool.kind, row.pool.seats), shown(Estimate(row.mu, row.sigma)), row.deals)


@dataclass(frozen=True, slots=True)
class DealBehind:
    """A deal behind a rating; of one that does not count `why` says why, and there is no before and after.

    table, code: "" where the viewer never sat.
    """

    pool: str
    at: datetime
    table: str
    code: str
    lost: bool
    before: Shown | None
    after: Shown | None
    why: str


def deals_behind(*, viewer: User, person: User) -> tuple[DealBehind, ...]:
    """Return the newest deals by which a person was rated; to themselves those as well that do not count, and why."""
    rows = RatedSeat.objects.filter(holder__user=person, deal__why="").select_related("deal__game__table", "deal__pool")
    seats = list(rows.order_by("-deal__ended", "-deal__game")[:DEALS_SHOWN])
    ends = effective_of([each.deal.game_id for each in seats])
    # Whoever was taken away before the start is a stranger there.
    there = Q(until=None) | Q(until__gt=F("table__started"))
    sat = set(Holder.objects.filter(there, user=viewer).values_list("table", flat=True))
    found = [_behind(each, lost=ends[each.deal.game_id].result.loser == each.seat, sat=sat) for each in seats]
    if viewer == person:
        found += [_left_out(each) for each in _not_counted(person)]
    return tuple(sorted(found, key=lambda each: each.at, reverse=True))


def _behind(row: RatedSeat, *, lost: bool, sat: set[int]) -> DealBehind:
    deal, game = row.deal, row.deal.game
    there = game.table_id in sat
    return DealBehind(
        pool=pool_words(deal.pool.kind, deal.pool.seats),
        at=deal.ended,
        table=game.table.name if there else "",
        code=game.code if there else "",
        lost=lost,
        before=shown(Estimate(row.mu_before, row.sigma_before)),
        after=shown(Estimate(row.mu, row.sigma)),
        why="",
    )


def _not_counted(person: User) -> list[RatedDeal]:
    sat = Q(game__table__holder__user=person, game__table__holder__since__lte=F("ended")) & (
        Q(game__table__holder__until=None) | Q(game__table__holder__until__gt=F("game__created"))
    )
    rows = RatedDeal.objects.exclude(why="").filter(sat).select_related("game__table", "pool").distinct()
    return list(rows.order_by("-ended", "-game")[:DEALS_SHOWN])


def _left_out(deal: RatedDeal) -> DealBehind:
    pool = pool_words(deal.pool.kind, deal.pool.seats)
    return DealBehind(pool, deal.ended, deal.game.table.name, deal.game.code, False, None, None, deal.why)


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a leaderboard."""

    place: int
    name: str
    you: bool
    now: Shown
    deals: int


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A pool's best.

    pools: those that there are, each with how it is asked for. mine: where the viewer stands, with their place among
    those who are listed. listed: the viewer is one of them.
    """

    pool: str
    pools: tuple[tuple[str, str, int], ...]
    places: tuple[Place, ...]
    mine: Standing | None
    my_place: int
    listed: bool


def leaderboard(*, viewer: User, kind: str, seats: str) -> Leaderboard:
    """Return the leaderboard of a pool, of the one with the most people if there is no such pool."""
    pools = list(RatingPool.objects.annotate(people=Count("rating")).order_by("kind", "seats"))
    asked = [each for each in pools if (each.kind, str(each.seats)) == (kind, seats)]
    chosen = next(iter(asked or sorted(pools, key=lambda each: -each.people)), None)
    listed, links = wants(viewer, "listed"), tuple((pool_words(each.kind, each.seats), *_link(each)) for each in pools)
    if chosen is None:
        return Leaderboard("", links, (), None, 0, listed)
    # Guests come and go with a browser.
    rows = Rating.objects.filter(pool=chosen, deals__gte=PROVISIONAL, user__notices__listed=True)
    rows = rows.filter(user__is_active=True, user__email__isnull=False).annotate(score=_SCORE)
    best = rows.select_related("user").order_by("-score", "user")[:LISTED]
    mine = Rating.objects.filter(pool=chosen, user=viewer).select_related("pool").annotate(score=_SCORE).first()
    ahead = rows.exclude(user=viewer).filter(score__gt=mine.score).count() if mine else 0
    return Leaderboard(
        pool=pool_words(chosen.kind, chosen.seats),
        pools=links,
        places=_places(list(best), viewer),
        mine=_standing(mine) if mine else None,
        my_place=ahead + 1,
        listed=listed,
    )


def _link(pool: RatingPool) -> tuple[str, int]:
    return pool.kind, pool.seats


def _places(best: Sequence[Any], viewer: User) -> tuple[Place, ...]:
    """Return the lines of a leaderboard; equal scores share the place."""
    scores = [each.score for each in best]
    return tuple(_place(scores.index(each.score) + 1, each, viewer) for each in best)


def _place(at: int, row: Rating, viewer: User) -> Place:
    return Place(at, row.user.name, row.user == viewer, shown(Estimate(row.mu, row.sigma)), row.deals)


def deal_note(game: Game) -> str:
    """Return what is said of a deal that is over, "" if its table does not count for ratings."""
    if not game.table.rated or game.status != Game.Status.OVER:
        return ""
    row = RatedDeal.objects.filter(game=game).values_list("stale", "why").first()
    if row is None or row[0]:
        return _SOON
    return f"Not rated: {row[1]}" if row[1] else _COUNTS


@dataclass(frozen=True, slots=True)
class SeriesRated:
    """Whether a table counts for ratings, and which of its deals do not, by their numbers."""

    rated: bool
    left_out: Mapping[int, str]

    @property
    def words(self) -> str:
        """What is said of the table."""
        return IS_RATED if self.rated else NOT_RATED


def series_rated(*, code: str) -> SeriesRated:
    """Return what is told of ratings on the page of a series."""
    rated = Table.objects.filter(code=code).values_list("rated", flat=True).first() or False
    rows = RatedDeal.objects.filter(game__table__code=code).exclude(why="").order_by("game__number")
    return SeriesRated(rated, dict(rows.values_list("game__number", "why")))
