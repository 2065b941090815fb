"""Random series: the standings shown, those worked out anew from the logs and those counted here are equal."""

from collections import Counter
from random import Random

import pytest
from django.db import connection

from accounts.models import User
from games.models import Correction, Game, Holder, Table
from games.rules.outcome import Result
from games.rules.scoring import Deal, standings
from games.selectors.games import game_state
from games.selectors.series import Series, series_of
from games.services.erasing import person_erased
from tests.games.pages import client_of, page_of
from tests.games.random_series import HOUR, Plan, numbered, plans, stored
from tests.games.stored import NOW, person

pytestmark = pytest.mark.django_db

LATER = NOW + 24 * HOUR
PEOPLE = 60

type Line = tuple[int, int, int, int]
"""(seat, place, losses, legs)."""


def tallied(plan: Plan) -> list[Line]:
    """The standings by what was planned: whoever lost last counts."""
    ends = [deal.versions[-1] for deal in plan.deals if deal.versions]
    losses = Counter(loser for loser, _ in ends if loser is not None)
    legs = {seat: sum(cards for loser, cards in ends if loser == seat) for seat in range(len(plan.seats))}
    late = {seat: max((at for at, (loser, _) in enumerate(ends) if loser == seat), default=-1) for seat in legs}
    ties = {"": dict.fromkeys(legs, 0), "cards": legs, "longest": late}[plan.tie_break]
    place = {seat: 1 + sum((losses[n], ties[n]) < (losses[seat], ties[seat]) for n in legs) for seat in legs}
    return sorted((seat, place[seat], losses[seat], legs[seat]) for seat in legs)


def from_the_log(table: Table) -> list[Line]:
    """The standings by the logs of a table, each folded anew, and by its newest corrections."""
    rows = Correction.objects.filter(game__table=table).order_by("number")
    newest = {each.game_id: Result((), each.loser, each.void, each.cards_left) for each in rows}
    games = Game.objects.filter(table=table).order_by("number")
    deals = [Deal(game.number, game.dealer, newest.get(game.pk, game_state(game).result)) for game in games]
    return sorted(
        (each.seat, each.place, each.losses, each.legs) for each in standings(table.seats, deals, table.tie_break)
    )


def check(plan: Plan, table: Table, found: Series) -> None:
    lines = sorted((each.seat, each.place, each.losses, each.legs) for each in found.standings)
    assert lines == tallied(plan) == from_the_log(table)
    for line in found.standings:
        ever = [number for number, deal in numbered(plan) if any(line.seat == loser for loser, _ in deal.versions)]
        assert [each.number for each in line.reasons] == ever
        counted = [each for each in line.reasons if each.text.startswith(("lost with", "lost as"))]
        assert len(counted) == line.losses
    for deal, shown in zip(plan.deals, found.games, strict=True):
        assert len(shown.changes) == len(deal.corrections)
        assert bool(shown.mark in ("Endless", "Stopped", "Void")) == (deal.over and deal.versions[-1][0] is None)


def campaign(seed: int, count: int, erased: int) -> list[Table]:
    """Store series, erase some of their people, and look at every page."""
    rng, stranger = Random(seed), person("Stranger")
    people = [person(f"P{number}") for number in range(PEOPLE)]
    made = plans(rng, count, PEOPLE)
    tables = stored(made, people)
    with connection.cursor() as cursor:
        # Nobody else sees these rows: PostgreSQL takes their tables for empty and reads them from end to end.
        cursor.execute("ANALYZE")
    for each in rng.sample(people, erased):
        assert person_erased(user_id=each.pk, now=LATER, due=False)
    for plan, table in zip(made, tables, strict=True):
        check(plan, table, series_of(viewer=stranger, code=table.code, now=LATER))
    return tables


def test_five_hundred_series() -> None:
    tables = campaign(6, 500, 5)
    kinds = Counter(Game.objects.values_list("status", "result__void", "result__stopped"))
    assert min(kinds.values()) > 3
    assert kinds.keys() == {
        ("running", None, None),
        ("over", False, False),
        ("over", True, False),
        ("over", True, True),
    }
    assert Holder.objects.filter(until__isnull=False).count() > 200
    assert Holder.objects.filter(name__startswith="Former player").count() > 50
    assert Correction.objects.filter(number=3).count() > 20
    # And as the page itself says.
    client = client_of(User.objects.get(name="Stranger"))
    for table in tables[::50]:
        page = page_of(client, f"/tables/{table.code}/")
        rows = [row for row in page.all("tr") if "why" not in row.classes][1:]
        cells = [[each.text for each in page.all("td") if each.inside[-1] is row] for row in rows]
        shown = sorted((int(place), int(losses)) for place, losses, *_ in cells)
        assert shown == sorted((place, losses) for _, place, losses, _ in from_the_log(table))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
def test_ten_times_as_many(seed: int) -> None:
    campaign(100 + seed, 500, 20)
