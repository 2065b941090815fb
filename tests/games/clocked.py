"""Boards of tables where time runs, for tests."""

import datetime as dt

from django.template.loader import render_to_string

from accounts.models import User
from games.models import Game, Holder
from games.selectors.sight import looking
from games.selectors.updates import updates_for
from games.services.locks import table_locked, writing
from games.services.stand_ins import stood_in
from tests.games.pacing import HOUR
from tests.games.pages import Page
from tests.games.stored import NOW

LATER = NOW + HOUR
ZONES = {
    "America/Toronto": "By Sun 07:00",
    "Asia/Karachi": "By Sun 17:00",
    "Asia/Kolkata": "By Sun 17:30",
    "Asia/Dhaka": "By Sun 18:00",
}


def user_at(game: Game, seat: int) -> User:
    holder = Holder.objects.select_related("user").get(table=game.table_id, seat__number=seat, until=None)
    assert holder.user is not None
    return holder.user


def other_than(seat: int) -> int:
    return (seat + 1) % 3


def shown(game: Game, seat: int, now: dt.datetime = LATER) -> Page:
    """The board that whoever sits there reads."""
    user = user_at(game, seat)
    board = updates_for(viewer=user, found=looking(viewer=user, code=game.code), now=now)
    context = {"board": board, "key": "k" * 16, "csrf_token": "t" * 64}
    return Page(render_to_string("games/board.html", context))


def banner(page: Page) -> str:
    return page.one(id="banner").text


def mark(page: Page, seat: int) -> str:
    return page.one("li", data_seat=str(seat)).text


def stand_in(game: Game, seat: int, now: dt.datetime = LATER) -> None:
    holder = Holder.objects.get(table=game.table_id, seat__number=seat, until=None)
    with writing():
        assert stood_in(table=table_locked(game.table_id), holder=holder, now=now)
    game.refresh_from_db()
