"""Series as they are lived: played, left, taken over, stopped, voided, corrected and undone, each by its service."""

from datetime import timedelta
from random import Random
from typing import Any, Final

import pytest

from games.models import Correction, Game, Holder, Table
from games.selectors.series import series_of
from games.services.dealing import game_next, game_start
from games.services.erasing import person_erased
from games.services.office.results import correction_undo, deal_void, game_end, result_correct
from games.services.office.seats import seat_replace
from games.services.office.seen import seen_of
from games.services.seats import seat_left
from games.services.verify import game_verify
from tests.games.pages import client_of, page_of
from tests.games.serial import conceded
from tests.games.stored import NOW, person, table_of
from tests.games.test_random_series import Line, from_the_log

pytestmark = pytest.mark.django_db

SEATS = 4
HOUR = timedelta(hours=1)


class Lived:
    """A series that is lived, and who lost each of its deals, as an operator with a sheet of paper would note it."""

    def __init__(self, seed: int) -> None:
        self.rng, self.boss = Random(seed), person("Boss")
        self.people = [person(f"P{seat}") for seat in range(SEATS)]
        self.table = table_of(persons=self.people, deals=4)
        self.sheet: list[list[int | None]] = []
        Table.objects.filter(pk=self.table.pk).update(watch=Table.Watch.ANYONE)
        for number in range(4):
            self.now = NOW + 3 * number * HOUR
            self._deal()

    def _deal(self) -> None:
        game = (game_next if self.sheet else game_start)(table_id=self.table.pk, now=self.now)
        self.now += HOUR
        if self.rng.random() < 0.3:
            self._leave()
        self.now = NOW + 3 * game.number * HOUR
        if self.rng.random() < 0.2:
            self._stop(game)
            self.sheet.append([None])
        else:
            loser = self.rng.randrange(SEATS)
            conceded(game, loser)
            self.sheet.append([loser])
        for _ in range(self.rng.choice([0, 0, 1, 2])):
            self._correct(game, self.sheet[-1])

    def _leave(self) -> None:
        """Let somebody leave or be replaced, as long as one stays."""
        rows = Holder.objects.filter(table=self.table, until=None, user__isnull=False).select_related("user", "seat")
        holder = self.rng.choice(list(rows))
        if rows.count() < 2 or holder.user is None:
            return
        if self.rng.random() < 0.5:
            seat_left(table_id=self.table.pk, user=holder.user, now=self.now)
            return
        table, seat = Table.objects.get(pk=self.table.pk), holder.seat.number
        seat_replace(table_id=table.pk, seat=seat, by=self.boss, why="Gone", seen=seen_of(table), now=self.now)

    def _stop(self, game: Game) -> None:
        stop = self.rng.choice([game_end, deal_void])
        stop(game_id=game.pk, by=self.boss, why="Stuck", seen=seen_of(game), now=self.now)

    def _correct(self, game: Game, ends: list[int | None]) -> None:
        game = Game.objects.get(pk=game.pk)
        last = Correction.objects.filter(game=game).order_by("number").last()
        given: dict[str, Any] = {"by": self.boss, "why": "A slip", "now": self.now}
        if last is not None and self.rng.random() < 0.4:
            correction_undo(correction_id=last.pk, seen=seen_of(last), **given)
            ends.append(ends[-2])
            return
        loser = self.rng.choice([each for each in (None, *range(SEATS)) if each != ends[-1]])
        if loser is None:
            deal_void(game_id=game.pk, seen=seen_of(game), **given)
        else:
            result_correct(game_id=game.pk, loser=loser, cards_left=3, seen=seen_of(game), **given)
        ends.append(loser)

    @property
    def standings(self) -> list[tuple[int, int]]:
        """(seat, losses) by the sheet."""
        return [(seat, sum(ends[-1] == seat for ends in self.sheet)) for seat in range(SEATS)]


# Each a test of its own: in one transaction PostgreSQL keeps every row as it ever was, and reads them all again.
MANY: Final = [pytest.param(seed, marks=pytest.mark.soak) for seed in range(1_000, 1_250)]


@pytest.mark.parametrize("seed", [*range(8), *MANY])
def test_a_series_as_it_is_lived(seed: int) -> None:
    lived = Lived(seed)
    if lived.rng.random() < 0.3:
        assert person_erased(user_id=lived.people[0].pk, now=lived.now, due=False)
    found = series_of(viewer=lived.boss, code=lived.table.code, now=lived.now)
    shown: list[Line] = sorted((each.seat, each.place, each.losses, each.legs) for each in found.standings)
    assert [(seat, losses) for seat, _, losses, _ in shown] == lived.standings
    assert shown == from_the_log(lived.table)
    assert [len(each.changes) for each in found.games] == [len(ends) - 1 for ends in lived.sheet]
    for game in Game.objects.filter(table=lived.table):
        game_verify(game_id=game.pk)


def test_of_a_stopped_deal_the_way_leads_to_the_reason() -> None:
    people, boss = [person(f"P{seat}") for seat in range(SEATS)], person("Boss")
    game = game_start(table_id=table_of(persons=people).pk, now=NOW)
    path = f"/tables/{game.table.code}/"
    game_end(game_id=game.pk, by=boss, why="It was stuck", seen=seen_of(game), now=NOW + HOUR)
    client = client_of(people[0])
    assert len(page_of(client, f"/games/{game.code}/").all("a", href=path)) == 1
    found = page_of(client, path)
    assert "It was stuck" in found.one("ul", aria_labelledby="of-acts").text
    assert "An operator stopped the deal: nobody loses it." in found.one("li", id="deal-1").text
