"""Ratings: what counts, in which order, and that they are the same however often and in whatever way worked out."""

import datetime as dt
import io
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from django.core.management import call_command
from openskill.models import PlackettLuce

from accounts.models import User
from games.bots import LEVELS
from games.models import Audit, Correction, Game, Holder, RatedDeal, RatedSeat, Rating
from games.selectors.effective import effective_of
from games.selectors.rated import Estimate, bot_ratings
from games.services import ratings as service
from games.services.erasing import person_erased
from games.services.locks import writing
from games.services.office.results import correction_undo, deal_void, result_correct
from games.services.office.seen import seen_of
from games.services.rating_marks import deals_to_rate_again
from games.services.ratings import NEW, rated, ratings_kept, ratings_recomputed
from tests.games.rating import HOUR, deal, rated_table, shuffled, why
from tests.games.stored import NOW, in_threads, people, person

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_too]


def standing() -> dict[str, tuple[float, float, int]]:
    """(mu, sigma, deals) of everybody in the only pool, by their names."""
    return {each.user.name: (each.mu, each.sigma, each.deals) for each in Rating.objects.select_related("user")}


def stored() -> list[tuple[Any, ...]]:
    """All that was worked out."""
    columns = ("deal__game", "deal__why", "seat", "holder", "mu_before", "sigma_before", "mu", "sigma")
    seats = RatedSeat.objects.order_by("deal__game", "seat").values_list(*columns)
    now = Rating.objects.order_by("pool", "user").values_list("pool", "user", "mu", "sigma", "deals")
    return [*seats, *now]


def _before(row: RatedSeat) -> Estimate:
    return Estimate(row.mu_before, row.sigma_before)


class TestOneDeal:
    def test_the_loser_is_last_and_all_others_are_equal(self) -> None:
        after = rated([NEW] * 4, loser=2)
        assert after[0] == after[1] == after[3]
        assert after[0].mu > NEW.mu > after[2].mu
        assert all(each.sigma < NEW.sigma for each in after)

    def test_whoever_did_not_lose_rises(self) -> None:
        table = rated_table(people(4))
        deal(table, 1, NOW)
        assert ratings_kept() == 1
        found = standing()
        assert found["P0"][0] > 25.0 > found["P1"][0]
        assert {each[2] for each in found.values()} == {1}
        assert ratings_kept() == 0

    def test_bots_stay_as_they_are(self) -> None:
        table = rated_table([*people(2), "easy", "medium"])
        deal(table, 2, NOW)
        ratings_kept()
        assert len(standing()) == 2
        model = PlackettLuce()
        bots = [model.create_rating([*bot_ratings("getaway", 2)[level]]) for level in ("easy", "medium")]
        ((first,), *_) = model.rate(
            [[model.rating()], [model.rating()], *[[each] for each in bots]], ranks=[0, 0, 1, 0]
        )
        assert standing()["P0"][:2] == (first.mu, first.sigma)

    def test_every_bot_has_a_rating(self) -> None:
        assert set(LEVELS) == set(bot_ratings("getaway", 1)) == set(bot_ratings("donkey", 2))

    def test_a_deal_stays_rated_by_the_rule_that_there_was(self) -> None:
        """Before the second rule bots had the numbers of the one game in the other as well."""
        users = people(2)
        for at in range(2):
            game = deal(rated_table([*users, "random"], game="donkey"), 0, NOW + at * HOUR)
            RatedDeal.objects.filter(game=game).update(rule=1 + at)
        ratings_kept()
        before = stored()
        assert ratings_recomputed().differ == []
        assert stored() == before
        corrected(Game.objects.earliest("pk"), 1, person("Boss"))
        ratings_kept()
        assert set(RatedDeal.objects.values_list("rule", flat=True)) == {1, 2}
        for rule, row in zip((1, 2), RatedSeat.objects.filter(seat=0).order_by("deal__ended"), strict=True):
            others = RatedSeat.objects.filter(deal=row.deal, seat=1).get()
            teams = [_before(row), _before(others), bot_ratings("donkey", rule)["random"]]
            assert (row.mu, row.sigma) == rated(teams, loser=2 - rule)[0]

    def test_each_game_and_number_of_seats_is_a_pool_of_its_own(self) -> None:
        users = people(4)
        for count, game in ((3, "getaway"), (4, "getaway"), (3, "donkey")):
            deal(rated_table(users[:count], game=game), 0, NOW)
        ratings_kept()
        assert Rating.objects.filter(user=users[0]).count() == 3
        assert {each.mu for each in Rating.objects.filter(user=users[0], pool__seats=3)} == {
            rated([NEW] * 3, 0)[0].mu
        }  # fmt: skip

    def test_a_table_that_does_not_count(self) -> None:
        deal(rated_table(people(3), rated=False), 0, NOW)
        assert ratings_kept() == 0
        assert not RatedDeal.objects.exists()


def corrected(game: Game, loser: int | None, boss: User) -> None:
    game.refresh_from_db()
    asked: dict[str, Any] = {"game_id": game.pk, "by": boss, "why": "Seen", "seen": seen_of(game), "now": NOW}
    if loser is None:
        deal_void(**asked)
    else:
        result_correct(**asked, loser=loser, cards_left=1)


class TestLater:
    def test_a_correction_moves_all_that_came_after(self) -> None:
        table, boss = rated_table(people(3)), person("Boss")
        games = [deal(table, at % 3, NOW + at * HOUR) for at in range(4)]
        ratings_kept()
        before = stored()
        corrected(games[1], None, boss)
        assert ratings_kept() == 3
        assert why(games[1]) == "An operator voided this deal."
        assert standing()["P0"][2] == 3
        correction = Correction.objects.get()
        correction_undo(correction_id=correction.pk, by=boss, why="No", seen=seen_of(correction), now=NOW)
        assert ratings_kept() == 3
        assert stored() == before

    def test_a_deal_that_comes_late(self) -> None:
        table = rated_table(people(3))
        deal(table, 0, NOW + 2 * HOUR)
        ratings_kept()
        deal(table, 1, NOW)
        assert ratings_kept() == 2
        first = RatedSeat.objects.get(deal__ended=NOW, seat=0)
        assert (first.mu_before, first.sigma_before) == NEW
        last = RatedSeat.objects.get(deal__ended=NOW + 2 * HOUR, seat=0)
        assert (last.mu_before, last.sigma_before) == (first.mu, first.sigma)

    def test_portions_come_to_the_same(self, monkeypatch: pytest.MonkeyPatch) -> None:
        table = rated_table(people(3))
        for at in range(7):
            deal(table, at % 3, NOW + at * HOUR)
        ratings_kept()
        before = stored()
        monkeypatch.setattr(service, "AT_ONCE", 2)
        assert ratings_recomputed().differ == []
        assert stored() == before
        assert not RatedDeal.objects.filter(stale=True).exists()

    def test_erased_people_leave_the_others_where_they_are(self) -> None:
        users = people(3)
        table, boss = rated_table(users), person("Boss")
        games = [deal(table, at % 3, NOW + at * HOUR) for at in range(3)]
        ratings_kept()
        before = stored()
        person_erased(user_id=users[0].pk, now=NOW + 9 * HOUR, due=False)
        assert ratings_recomputed().differ == []
        assert [row for row in stored() if row[1] != users[0].pk] == [
            row for row in before if len(row) == 8 or row[1] != users[0].pk
        ]  # fmt: skip
        # Voided and back, what the erased one was is known still.
        corrected(games[0], None, boss)
        ratings_kept()
        correction = Correction.objects.get()
        correction_undo(correction_id=correction.pk, by=boss, why="No", seen=seen_of(correction), now=NOW)
        ratings_kept()
        assert why(games[0]) == ""
        assert stored()[:9] == before[:9]

    def test_who_becomes_another_is_rated_as_they(self) -> None:
        users = people(4)
        deal(rated_table(users[:3]), 0, NOW)
        deal(rated_table([users[3], *users[1:3]]), 0, NOW + HOUR)
        ratings_kept()
        with writing():
            Holder.objects.filter(user=users[3]).update(user=users[0])
            deals_to_rate_again(user=users[0])
            Rating.objects.filter(user=users[3]).delete()
        ratings_kept()
        assert standing()["P0"][2] == 2
        assert ratings_recomputed().differ == []


@pytest.mark.django_db(transaction=True)
def test_many_at_once_count_each_deal_once() -> None:
    tables = [rated_table(people(3)) for _ in range(2)]
    for at in range(8):
        deal(tables[at % 2], at % 3, NOW + at * HOUR)
    found = in_threads(4, lambda _: ratings_kept())
    assert [each for each in found if isinstance(each, Exception)] == []
    assert sum(each for each in found if isinstance(each, int)) == 8
    assert ratings_recomputed().differ == []


def by_hand(users: Mapping[int, str]) -> dict[tuple[str, int, str], tuple[float, float]]:
    """Where people stand, by a loop of its own over the games; erased ones are as their rows were given."""
    model, now = PlackettLuce(), dict[tuple[str, int, str], Any]()
    for row in RatedDeal.objects.filter(why="").order_by("ended", "game").select_related("game"):
        count, rules, loser = row.game.table.seats, row.game.rules["game"], effective_of([row.game_id])[row.game_id]
        keys, teams = [], []
        for seat in range(count):
            holder = Holder.objects.filter(table=row.game.table_id, seat__number=seat).earliest("since")
            key = (rules, count, users.get(holder.user_id or 0, ""))
            given = RatedSeat.objects.filter(deal=row, seat=seat).first()
            if holder.bot:
                teams.append([model.create_rating([*bot_ratings(rules, row.rule)[holder.bot]])])
            elif holder.user_id is None and given:
                teams.append([model.create_rating([given.mu_before, given.sigma_before])])
            else:
                teams.append([now.get(key) or model.rating()])
            keys.append(key)
        after = model.rate(teams, ranks=[int(seat == loser.result.loser) for seat in range(count)])
        now |= {key: team[0] for key, team in zip(keys, after, strict=True) if key[2]}
    return {key: (each.mu, each.sigma) for key, each in now.items()}


def played(random: Random, users: list[User], boss: User) -> None:
    """300 deals, some late, some corrected, some voided, and three people erased; rated now and then."""
    kinds = [(count, game) for count in (3, 4) for game in ("getaway", "donkey") for _ in range(4)]
    tables = [rated_table(shuffled(users, count, random), game=game) for count, game in kinds]
    games = list[Game]()
    for at in range(300):
        table = random.choice(tables)
        loser = random.randrange(table.seats) if random.random() < 0.95 else None
        # Some come late, some at the same moment.
        ended = NOW + HOUR + dt.timedelta(minutes=at - random.choice([0, 0, 0, 1, 40]))
        stands = [random.randrange(table.seats)] if random.random() < 0.05 else []
        games.append(deal(table, loser, ended, by_bots=stands))
        if random.random() < 0.1:
            turned(random.choice(games), random, boss)
        if random.random() < 0.3:
            ratings_kept()
        if at in (120, 200, 260):
            ratings_kept()
            person_erased(user_id=users.pop().pk, now=NOW + 9 * HOUR, due=False)


def turned(game: Game, random: Random, boss: User) -> None:
    """Correct a deal to whatever comes, unless it counts so."""
    new = random.choice([None, *range(game.table.seats)])
    counts = effective_of([game.pk])[game.pk].result
    if (new, None if new is None else 1) != (counts.loser, counts.cards_left):
        corrected(game, new, boss)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.soak)])
def test_300_random_deals(seed: int) -> None:
    """What is kept up deal by deal is what is worked out anew, and what a loop by hand gives."""
    users = people(14)
    played(Random(seed), users, person("Boss"))
    ratings_kept()
    before, out = stored(), io.StringIO()
    call_command("ratings", stdout=out)
    assert out.getvalue().endswith("All was as it is now.\n")
    assert stored() == before
    found = {
        (each.pool.kind, each.pool.seats, each.user.name): (each.mu, each.sigma)
        for each in Rating.objects.select_related("pool", "user")
    }
    assert found == by_hand({each.pk: each.name for each in users})
    assert set(RatedDeal.objects.values_list("why", flat=True)) > {"", "An operator voided this deal."}
    assert Audit.objects.count() > 10
