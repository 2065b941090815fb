"""Votes and pauses of a table, for tests."""

import datetime as dt

from allauth.account.models import EmailAddress
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.models import Game, Holder, Vote
from games.selectors.pauses import StopsShown, stops_shown
from games.services.votes import Question, vote_cast, vote_opened
from tests.games.stored import NOW, people

PAUSE = Question(Vote.Kind.PAUSE, days=3)
EXTEND = Question(Vote.Kind.EXTEND, days=2)
RESUME = Question(Vote.Kind.RESUME)


def ask(game: Game, user: User, question: Question = PAUSE, at: dt.datetime = NOW) -> Vote:
    return vote_opened(table_id=game.table_id, user=user, question=question, now=at)


def say(vote: Vote, user: User, *, yes: bool = True, at: dt.datetime = NOW) -> Vote:
    return vote_cast(vote_id=vote.pk, user=user, yes=yes, now=at)


def reachable(count: int) -> list[User]:
    """People who have shown that their addresses are theirs: they are mailed to."""
    persons = people(count)
    EmailAddress.objects.filter(user__in=persons).update(verified=True)
    return persons


def agree(game: Game, persons: list[User], question: Question, at: dt.datetime) -> None:
    """The table of three does what two of them want."""
    assert say(ask(game, persons[0], question, at), persons[1], at=at).passed


def shown(game: Game, viewer: User | AnonymousUser, at: dt.datetime = NOW) -> StopsShown:
    """What the board says, in one query."""
    game = Game.objects.select_related("table").get(pk=game.pk)
    rows = list(Holder.objects.filter(table=game.table).select_related("seat").order_by("seat__number", "since"))
    with CaptureQueriesContext(
        connection,
    ) as queries:
        found = stops_shown(game=game, rows=rows, viewer=viewer, now=at)
    assert len(queries) <= 1
    return found
