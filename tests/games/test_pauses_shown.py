"""What a board says of pauses, votes and halts, and to whom."""

import pytest
from django.contrib.auth.models import AnonymousUser

from games.models import Halt
from tests.games.pacing import DAY, HOUR, slow_game
from tests.games.stored import NOW, people, person
from tests.games.test_pauses import PAUSE, RESUME, agree, ask, shown

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_too]


class TestTheBoard:
    def test_says_what_is_asked_and_who_has_said_what(self) -> None:
        persons = people(3)
        game = slow_game(persons)
        assert shown(game, persons[0]).asks == ("pause",)
        ask(game, persons[1])
        found = shown(game, persons[0])
        assert found.asks == ()
        assert found.vote is not None
        vote = found.vote
        assert (vote.asker, vote.kind, vote.days, vote.yes, vote.no, vote.voters, vote.needed) == (
            *("P1", "pause", 3),
            *(1, 0, 3, 2),
        )
        assert (vote.mine, vote.may) == (None, True)
        mine = shown(game, persons[1]).vote
        assert mine is not None
        assert mine.mine is True

    def test_watchers_learn_what_stands_still_and_ask_nothing(self) -> None:
        persons = people(3)
        game = slow_game(persons)
        agree(game, persons, PAUSE, NOW)
        ask(game, persons[0], RESUME)
        for viewer in (AnonymousUser(), person("Roza")):
            found = shown(game, viewer)
            assert found.pause is not None
            assert (found.vote, found.asks, found.bots, found.more) == (None, (), (), "")

    def test_tells_of_freezes_and_outages_for_a_day(self) -> None:
        nani = person("Nani")
        game = slow_game([nani], bots=2)
        Halt.objects.create(kind="outage", since=NOW - 9 * HOUR, until=NOW - HOUR)
        Halt.objects.create(kind="outage", since=NOW + HOUR, until=NOW + 2 * HOUR)
        Halt.objects.create(kind="freeze", since=NOW + 3 * HOUR, why="We move house")
        found = shown(game, nani, NOW + 4 * HOUR)
        # Not of one before the game.
        assert [(each.kind, each.why, bool(each.ended)) for each in found.halts] == [
            ("outage", "", True),
            ("freeze", "We move house", False),
        ]
        assert found.stand
        assert [each.kind for each in shown(game, nani, NOW + 27 * HOUR).halts] == ["freeze"]

    def test_a_pause_that_is_over_is_not_shown_though_nobody_ended_it(self) -> None:
        persons = people(3)
        game = slow_game(persons)
        agree(game, persons, PAUSE, NOW)
        assert shown(game, persons[0], NOW + 3 * DAY - HOUR).stand
        assert not shown(game, persons[0], NOW + 3 * DAY).stand
