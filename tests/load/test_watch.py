"""The watch of the campaigns itself: a turn that is left lying is seen, one that an outage holds is not."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from games.models import Halt, Holder, Pulse, Turn
from tests.games.stored import game_of, people
from tests.load.test_chaos import own_tables
from tests.load.watch import Watch

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def late() -> Turn:
    """A turn of a person whose time was up two minutes ago."""
    game = game_of(persons=people(3))
    Turn.objects.filter(game=game).update(due_at=timezone.now() - timedelta(minutes=2))
    return Turn.objects.get(game=game)


def seen(sweeps: int = 3) -> int:
    """How many sweeps the turn has outlasted, by the watch."""
    watch = Watch(own_tables(), 1.0)
    for ago in range(sweeps):
        Pulse.objects.update_or_create(name="sweep", defaults={"at": timezone.now() - timedelta(seconds=ago)})
        watch._look(watch._rows(), timedelta(minutes=10))
    return watch.sweeps


def test_a_turn_that_is_left_lying_is_seen_and_one_that_an_outage_holds_is_not(late: Turn) -> None:
    if connection.vendor != "postgresql":
        return
    assert seen() == 3
    now = timezone.now()
    outage = Halt.objects.create(kind=Halt.Kind.OUTAGE, since=now - timedelta(hours=1), until=None)
    assert seen() == 0
    Halt.objects.filter(pk=outage.pk).update(until=now - timedelta(minutes=4))
    assert seen() == 0
    # It holds no bot, and nobody for longer.
    Holder.objects.update(stand_in="easy", stood_in=now)
    assert seen() == 3
    Holder.objects.update(stand_in="", stood_in=None)
    Halt.objects.filter(pk=outage.pk).update(until=now - timedelta(minutes=6))
    assert seen() == 3
