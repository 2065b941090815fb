"""Pauses and the votes about them, more time for everybody, and what a board says of it."""

import pytest

from games.models import Holder, Vote
from games.selectors.pauses import stops_shown
from games.services.votes import Question, vote_cast, vote_opened
from tests.games.pacing import DAY, HOUR, slow_game, turn_of
from tests.games.stored import NOW, people

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_too]

PAUSE = Question(Vote.Kind.PAUSE, days=3)


def test_a_vote_pauses_the_table() -> None:
    persons = people(3)
    game = slow_game(persons)
    vote = vote_opened(table_id=game.table_id, user=persons[0], question=PAUSE, now=NOW + HOUR)
    assert turn_of(game).due_at == NOW + DAY
    assert vote_cast(vote_id=vote.pk, user=persons[1], yes=True, now=NOW + 2 * HOUR).passed
    assert turn_of(game).due_at == NOW + 4 * DAY
    rows = list(Holder.objects.filter(table=game.table).select_related("seat"))
    shown = stops_shown(game=game, rows=rows, viewer=persons[1], now=NOW + 3 * HOUR)
    assert (shown.pause is not None, shown.vote, shown.asks) == (True, None, ("extend", "resume"))
