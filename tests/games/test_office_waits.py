"""An operator and somebody who is just at it: what one has begun the other waits for, and neither undoes it."""

import pytest
from django.db import transaction

from accounts.models import User
from games.models import Game, Holder, Table
from games.rules.ruleset import Ruleset
from games.services.errors import PersonGone
from games.services.office.errors import Changed
from games.services.office.people import guest_merge, person_ban
from games.services.office.results import result_correct
from games.services.office.seen import seen_of
from games.services.ratings import ratings_kept, ratings_recomputed
from games.services.seats import seat_join
from games.services.tables import SeatPlan, TablePlan, table_drafted
from tests.games.gathering import draft
from tests.games.office import WHY, boss
from tests.games.rating import HOUR, deal, rated_table
from tests.games.stored import NOW, people, person
from tests.games.waiting import Begun, waiting

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_correction_made_while_its_deal_is_rated_is_rated_too() -> None:
    by, users = boss(), people(3)
    deal(rated_table(users), 0, NOW + HOUR)
    game = Game.objects.select_related("table").get()
    seen = seen_of(game)

    def corrected() -> object:
        return result_correct(game_id=game.pk, by=by, why=WHY, loser=1, cards_left=2, seen=seen, now=NOW)

    with transaction.atomic():
        # Whom the correction is told to is held here, so that it is not over before its deal is looked at.
        User.objects.select_for_update().get(pk=users[0].pk)
        correction = Begun(corrected)
        waiting(1)
        ratings = Begun(ratings_kept)
        waiting(2)
    assert (correction.result.loser, ratings.result) == (1, 1)
    ratings_kept()
    assert ratings_recomputed().differ == []


def test_two_become_one_while_they_are_rated() -> None:
    by, nani, guest = boss(), person("Nani"), User.objects.create_guest("Gul")
    others = people(4)
    deal(rated_table([guest, *others[:2]]), 0, NOW + 2 * HOUR)
    table = rated_table([nani, *others[2:]])
    deal(table, 0, NOW + 3 * HOUR)
    ratings_kept()
    # It comes late: what came after it is worked out anew.
    deal(table, 1, NOW + HOUR)
    seen = seen_of(guest)

    def merged() -> object:
        return guest_merge(guest_id=guest.pk, into_id=nani.pk, by=by, why=WHY, seen=seen, now=NOW)

    with transaction.atomic():
        Holder.objects.select_for_update(no_key=True).get(user=guest)
        merge = Begun(merged)
        waiting(1)
        ratings = Begun(ratings_kept)
        waiting(2)
    assert (merge.result.person, ratings.result) == (nani, 3)
    ratings_kept()
    assert ratings_recomputed().differ == []


def test_whoever_is_kept_out_while_they_sit_down_sits_nowhere() -> None:
    by, nani, host = boss(), person("Nani"), person("Host")
    table, seen = draft(host), seen_of(nani)
    with transaction.atomic():
        # The host is told of them, and held here.
        User.objects.select_for_update().get(pk=host.pk)
        joining = Begun(lambda: seat_join(table_id=table.pk, user=nani, now=NOW))
        waiting(1)
        banning = Begun(lambda: person_ban(user_id=nani.pk, by=by, why=WHY, seen=seen, now=NOW))
        waiting(2)
    # They sit there by now: the operator looks again, and they are taken from their seat as well.
    assert joining.result.user == nani
    assert isinstance(banning.result, Changed)
    person_ban(user_id=nani.pk, by=by, why=WHY, seen=seen_of(User.objects.get(pk=nani.pk)), now=NOW)
    assert not Holder.objects.filter(user=nani, until=None).exists()


@pytest.mark.sqlite_too
def test_whoever_was_kept_out_just_now_sits_down_nowhere_and_opens_no_table() -> None:
    by, nani, host = boss(), person("Nani"), person("Host")
    table = draft(host)
    person_ban(user_id=nani.pk, by=by, why=WHY, seen=seen_of(nani), now=NOW)
    # As a page that was asked for before knows them.
    nani.is_active = True
    with pytest.raises(PersonGone):
        seat_join(table_id=table.pk, user=nani, now=NOW)
    with pytest.raises(PersonGone):
        table_drafted(plan=TablePlan(host=nani, name="Late", rules=Ruleset()), seats=[SeatPlan()] * 3, now=NOW)
    assert list(Table.objects.all()) == [table]
