"""Boards without a database: the real template on views made by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from django.template.loader import render_to_string

from games.rules.cards import Card
from games.rules.view import PublicView, SeatView
from games.selectors.board import Board, Frame, board_of
from games.selectors.cast import Cast
from games.selectors.sentences import Line
from games.selectors.waits import NO_CLOCKS, Clocks

FRAME = Frame(
    code="bcdfgh2345",
    table_code="bcdf2345",
    table_name="Nani's table",
    number=3,
    deals=5,
    revision=7,
    title="Last Hand",
    next_code="",
    can_deal=False,
    can_repeat=False,
)
NOBODY: Mapping[int, str] = MappingProxyType({})
NAMES = (
    *("Amrit", "Bilal", "Chandni", "Dilip", "Esha", "Farid"),
    *("Gurnam", "Hema", "Iqbal", "Jaya", "Kabir", "Lata"),
)


def board(
    view: PublicView,
    lines: Sequence[Line] = (),
    *,
    instead: Mapping[int, str] = NOBODY,
    clocks: Clocks = NO_CLOCKS,
    **frame: Any,
) -> Board:
    viewer = view.seat if isinstance(view, SeatView) else None
    cast = Cast(NAMES[: view.players], viewer, donkey=view.rules.game == "donkey", instead=instead)
    frame = {"seated": viewer is not None} | frame
    return board_of(view, cast, replace(FRAME, **frame), lines, {}, clocks=clocks)


def html(view: PublicView, template: str = "games/board.html", **context: Any) -> str:
    return drawn(context.pop("board", None) or board(view), template, **context)


def drawn(shown: Board, template: str = "games/board.html", **context: Any) -> str:
    given = {"board": shown, "key": "k" * 16, "alert": "", "csrf_token": "t" * 64}
    return render_to_string(template, given | context)


def with_hand(view: SeatView, hand: Sequence[Card], **changes: Any) -> SeatView:
    """The view with another hand, all of it refused unless told otherwise."""
    counts = tuple(len(hand) if seat == view.seat else count for seat, count in enumerate(view.counts))
    given = {"hand": tuple(sorted(hand)), "counts": counts, "legal": (), "fouls": (), "refusals": ()}
    return replace(view, **given | changes)
