"""Deals that do not count for ratings, and why."""

from typing import Any

import pytest

from accounts.models import User
from games.models import RatedSeat
from games.rules.outcome import Result
from games.selectors.rated import DealFacts, SeatFacts, exclusion_of
from games.services.dealing import game_start
from games.services.ratings import NEW, ratings_kept
from games.services.seats import seat_left
from tests.games.rating import HOUR, deal, rated_table, why
from tests.games.stored import NOW, over, people

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_too]


def facts(*seats: SeatFacts, **changes: Any) -> DealFacts:
    given: dict[str, Any] = {"rated": True, "result": Result((1, 2), 0, False, 1), "corrected": False}
    return DealFacts(**given | changes, seats=seats or tuple(SeatFacts(at, at, "", turns=4) for at in range(1, 4)))


VOID = Result.without_loser(())


class TestWhatDoesNotCount:
    @pytest.mark.parametrize(
        ("found", "expected"),
        [
            (facts(), None),
            (facts(rated=False), "This table does not count for ratings."),
            (facts(result=VOID), "Nobody lost this deal: it did not come to an end."),
            (facts(result=VOID, corrected=True), "An operator voided this deal."),
            (facts(result=Result.without_loser((), stopped=True)), "An operator ended this deal."),
            (facts(SeatFacts(1, 1, ""), SeatFacts(2, None, "easy")), "Fewer than two people played this deal."),
            (facts(SeatFacts(1, 1, "", hands=2), SeatFacts(2, 2, "")), "A seat changed hands during this deal."),
            (
                facts(SeatFacts(1, 1, ""), SeatFacts(2, None, "")),
                "Somebody who played this deal has deleted their account.",
            ),
            (facts(SeatFacts(1, 1, ""), SeatFacts(2, None, "", given=NEW)), None),
            (facts(SeatFacts(1, 1, "", turns=4, by_bots=2), SeatFacts(2, 2, "")), None),
            (
                facts(SeatFacts(1, 1, "", turns=4, by_bots=3), SeatFacts(2, 2, "")),
                "A bot played more than half of the cards of one of the people.",
            ),
            (
                facts(SeatFacts(1, 1, ""), SeatFacts(2, 2, ""), SeatFacts(3, None, "x")),
                "A bot of this deal has no rating.",
            ),
        ],
    )
    def test_why(self, found: DealFacts, expected: str | None) -> None:
        assert exclusion_of(found) == expected

    def test_as_deals_are_stored(self) -> None:
        table = rated_table([*people(3), "easy"])
        plain, endless = deal(table, 0, NOW), deal(table, None, NOW + HOUR)
        ended, stood_in = deal(table, None, NOW + 2 * HOUR, stopped=True), deal(table, 1, NOW + 3 * HOUR, by_bots=[2])
        late = NOW + 4 * HOUR
        seat_left(table_id=table.pk, user=User.objects.get(name="P0"), now=late - HOUR / 2)
        handed, after = deal(table, 1, late), deal(table, 1, late + 2 * HOUR)
        ratings_kept()
        assert [why(each) for each in (plain, after)] == ["", ""]
        assert why(endless).startswith("Nobody lost")
        assert why(ended).startswith("An operator ended")
        assert why(stood_in).startswith("A bot played")
        assert why(handed).startswith("A seat changed hands")
        assert RatedSeat.objects.count() == 5

    def test_a_game_that_was_played(self) -> None:
        table = rated_table(people(3))
        game = over(game_start(table_id=table.pk, now=NOW))
        ratings_kept()
        assert why(game) == ""
        assert RatedSeat.objects.filter(deal__game=game).count() == 3
