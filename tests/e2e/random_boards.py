"""Boards of random games as one viewer is told them, with all that may stand around a game changing at random."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from django.utils import timezone
from django.utils.safestring import mark_safe

from games.rules.engine import apply
from games.rules.state import GameState
from games.rules.view import public_view, seat_view
from games.selectors.away import Away
from games.selectors.board import Board, board_of
from games.selectors.cast import Cast
from games.selectors.faces import Lie
from games.selectors.mine import NextGame
from games.selectors.pauses import HaltShown, PauseShown, StopsShown, VoteShown
from games.selectors.sentences import Line, lines_of
from games.selectors.waits import Clocks, Gone
from tests.games import rendered
from tests.random_games import random_entry, random_start

_HOUR = dt.timedelta(hours=1)
_SOON = mark_safe("tomorrow")


def _clocks(rng: Random, players: int, *, seated: bool) -> Clocks:
    now = timezone.now()
    return Clocks(
        now,
        timed=True,
        live=rng.random() < 0.3,
        missed=rng.choice(["bot", "nudge"]),
        due={seat: now + rng.randrange(1, 99) * _HOUR for seat in range(players)},
        stood_in=frozenset({rng.randrange(players)} if rng.random() < 0.2 else ()),
        away={rng.randrange(players): Gone("30 September", "30 Sep")} if rng.random() < 0.2 else {},
        forced=seated and rng.random() < 0.2,
    )


def _vote(rng: Random, *, seated: bool) -> VoteShown:
    kind, mine = rng.choice(["pause", "extend", "resume", "bot"]), rng.choice([None, True, False])
    may = seated and rng.random() < 0.8
    return VoteShown(rng.randrange(9), kind, 3, "Bilal", "Hema", timezone.now(), _SOON, 1, 0, 4, 3, mine, may)


def _stops(rng: Random, *, seated: bool) -> StopsShown:
    now = timezone.now()
    halt = HaltShown("freeze", now, None, "Repairs", _SOON, mark_safe(""))
    return StopsShown(
        pause=PauseShown(now, now, _SOON) if rng.random() < 0.3 else None,
        halts=(halt,) * rng.randrange(3),
        vote=_vote(rng, seated=seated) if rng.random() < 0.5 else None,
        given=rng.randrange(3),
        left=2,
        more=rng.choice(["", "24 hours"]) if seated else "",
        asks=rng.choice([(), ("pause",), ("extend", "resume")]) if seated else (),
        bots=tuple((seat, "Hema") for seat in range(rng.randrange(3) * seated)),
        alone=rng.random() < 0.5,
    )


def _frame(rng: Random, *, seated: bool) -> dict[str, Any]:
    flags = ("can_leave", "asks_email", "stood_in", "aside", "can_deal", "can_repeat", "left", "objected_mine")
    found: dict[str, Any] = {name: seated and rng.random() < 0.2 for name in flags}
    return found | {"objected": rng.choice(["", "", "Bilal"]), "next_code": rng.choice(["", "bcdfgh2346"])}


def _around(board: Board, rng: Random) -> Board:
    line = Line(1, "Played", mark_safe("Bilal plays."))
    return replace(
        board,
        stops=_stops(rng, seated=board.frame.seated) if rng.random() < 0.5 else StopsShown(),
        next=NextGame("bcdfgh2347", rng.randrange(1, 4), 2) if rng.random() < 0.3 else None,
        away=Away("Since you left", 1, (line,) * rng.randrange(1, 5))
        if board.frame.seated and rng.random() < 0.2
        else None,
    )


def _board(state: GameState, viewer: int | None, lines: list[Line], rng: Random) -> Board:
    view = public_view(state) if viewer is None else seat_view(state, viewer)
    cast = Cast(rendered.NAMES[: state.players], viewer, donkey=state.rules.game == "donkey")
    frame = replace(rendered.FRAME, seated=viewer is not None, **_frame(rng, seated=viewer is not None))
    lie = Lie(rng.choice(["ace", "two"]), rng.choice(["left", "right"])) if rng.random() < 0.1 else Lie()
    board = board_of(
        view, cast, frame, lines[:30], {}, lie=lie, clocks=_clocks(rng, state.players, seated=viewer is not None)
    )
    return _around(board, rng)


def random_boards(rng: Random, *, leap: int) -> Iterator[Board]:
    """The boards of one game after one to *leap* entries each, for one of its seats or somebody who watches."""
    state, lines = random_start(rng), list[Line]()
    viewer = rng.choice([None, *range(state.players), *range(state.players)])
    cast = Cast(rendered.NAMES[: state.players], viewer, donkey=state.rules.game == "donkey")
    yield _board(state, viewer, lines, rng)
    while state.result is None:
        for _ in range(rng.randint(1, leap)):
            if state.result is None:
                before, state = state, apply(state, random_entry(state, rng))
                lines = [*reversed(lines_of(state, before, cast)), *lines]
        yield _board(state, viewer, lines, rng)
