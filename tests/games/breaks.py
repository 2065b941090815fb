"""Ways to break each constraint of the database that tables, games and invitations have."""

import datetime as dt
import itertools
from collections.abc import Callable
from typing import Any

from django.db import models

from games.models import Game, Holder, Invite, Move, NoMail, Notice, Result, Seat, Turn
from tests.games.stored import NOW, person

type Ways = dict[str, list[Callable[[Game], Any]]]

BEFORE = NOW - dt.timedelta(seconds=1)
AFTER = NOW + dt.timedelta(days=14)
HASH = b"h" * 32
_hashes = (f"{number:064}" for number in itertools.count())


def copied[Row: models.Model](row: Row, **changes: Any) -> Row:
    """Store another row like this one, but for some columns."""
    fields = {
        field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields if not field.primary_key
    }
    return type(row)._default_manager.create(**fields | changes)


def table(game: Game, **changes: Any) -> None:
    copied(game.table, **{"code": "x"} | changes)


def another(game: Game, **changes: Any) -> Game:
    return copied(game, **{"code": "x", "number": 2} | changes)


def holder(game: Game, seat: int = 0, **changes: Any) -> None:
    copied(Holder.objects.get(table=game.table, seat__number=seat), **changes)


def move(game: Game, **changes: Any) -> None:
    played = {"game": game, "number": 2, "kind": "play", "seat": 0, "card": "AS", "actor": "hand", "at": NOW}
    Move.objects.create(**{**played, "hash": HASH, **changes})


def turn(game: Game, **changes: Any) -> None:
    Turn.objects.filter(game=game).delete()
    Turn.objects.create(**{"game": game, "seat": 0, "since": NOW} | changes)


def result(game: Game, **changes: Any) -> None:
    sat = Holder.objects.filter(table=game.table).first()
    Result.objects.create(**{"game": game, "loser": 0, "holder": sat, "cards_left": 3, "away": [1, 2]} | changes)


def invite(game: Game, **changes: Any) -> Invite:
    fields = {"table": game.table, "nonce": b"n" * 16, "token_hash": next(_hashes), "created": NOW, "expires": AFTER}
    return Invite.objects.create(**fields | changes)


def notice(game: Game, **changes: Any) -> None:
    Notice.objects.create(**{"kind": "invite", "game": game, "key": "k", "due": NOW, "created": NOW} | changes)


BREAKS: Ways = {
    "table_seats_3_to_12": [lambda game: table(game, seats=2), lambda game: table(game, seats=13)],
    "table_deals_1_to_50": [lambda game: table(game, deals=0), lambda game: table(game, deals=51)],
    "table_rules_version_from_1": [lambda game: table(game, rules_version=0)],
    "table_status_and_times_agree": [
        lambda game: table(game, status="open"),
        lambda game: table(game, status="open", started=None, closed=NOW),
        lambda game: table(game, started=None),
        lambda game: table(game, status="over", started=None),
        lambda game: table(game, closed=NOW),
        lambda game: table(game, status="closed", closed=NOW),
        lambda game: table(game, status="closed", started=None),
        lambda game: table(game, status="lost"),
    ],
    "table_choices_known": [
        lambda game: table(game, joins="all"),
        lambda game: table(game, watch="all"),
        lambda game: table(game, starts="now"),
    ],
    "table_tie_break_known": [lambda game: table(game, tie_break="luck")],
    "seat_once_a_table": [lambda game: Seat.objects.create(table=game.table, number=0)],
    "seat_number_0_to_11": [lambda game: Seat.objects.create(table=game.table, number=12)],
    "holder_person_xor_bot": [lambda game: holder(game, until=NOW, bot="easy")],
    "holder_until_after_since": [lambda game: holder(game, until=BEFORE)],
    "holder_one_a_seat": [lambda game: holder(game, seat=2), lambda game: holder(game, user_id=person().pk)],
    "holder_one_seat_a_person": [
        lambda game: holder(game, seat_id=Seat.objects.create(table=game.table, number=9).pk),
    ],
    "game_number_once_a_table": [lambda game: another(game, number=1)],
    "game_number_from_1": [lambda game: another(game, number=0)],
    "game_dealer_0_to_11": [lambda game: another(game, dealer=12), lambda game: another(game, dealer=-1)],
    "game_rules_version_from_1": [lambda game: another(game, rules_version=0)],
    "game_version_from_0": [lambda game: another(game, version=-1), lambda game: another(game, revision=-1)],
    "game_over_has_an_end": [
        lambda game: another(game, status="over"),
        lambda game: another(game, ended=NOW),
        lambda game: another(game, status="lost"),
    ],
    "game_last_hash_32": [lambda game: another(game, last_hash=b"short")],
    "move_number_once_a_game": [lambda game: move(game, number=1)],
    "move_key_once_a_game": [lambda game: move(game, key="k")],
    "move_number_from_1": [lambda game: move(game, number=0)],
    "move_seat_0_to_11": [lambda game: move(game, seat=12)],
    "move_kind_and_columns_agree": [
        lambda game: move(game, card=""),
        lambda game: move(game, card="1X"),
        lambda game: move(game, card="as"),
        lambda game: move(game, victim=1),
        lambda game: move(game, kind="draw", card=""),
        lambda game: move(game, kind="draw", key="draws have none"),
        lambda game: move(game, kind="take", card="", victim=None),
        lambda game: move(game, kind="take", card="AS", victim=1),
        lambda game: move(game, kind="take", card="", victim=0),
        lambda game: move(game, kind="take", card="", victim=12),
        lambda game: move(game, kind="pass"),
    ],
    "move_actor_known": [lambda game: move(game, actor="")],
    "move_hash_32": [lambda game: move(game, hash=HASH + b"h")],
    "turn_once_a_seat": [lambda game: [Turn.objects.create(game=game, seat=9, since=NOW) for _ in range(2)]],
    "turn_seat_0_to_11": [lambda game: turn(game, seat=12)],
    "turn_due_after_since": [lambda game: turn(game, due_at=BEFORE)],
    "result_void_xor_loser": [
        lambda game: result(game, void=True),
        lambda game: result(game, loser=None),
        lambda game: result(game, holder=None),
        lambda game: result(game, cards_left=None),
        lambda game: result(game, void=True, loser=None, holder=None),
    ],
    "result_loser_0_to_11": [lambda game: result(game, loser=12)],
    "invite_personal_once": [
        lambda game: invite(game, email="a@example.org", uses=2),
        lambda game: invite(game, uses=0),
    ],
    "invite_email_lower": [lambda game: invite(game, email="A@example.org")],
    "invite_token_lengths": [
        lambda game: invite(game, nonce=b"n" * 15),
        lambda game: invite(game, token_hash="short"),
    ],
    "invite_expires_after_created": [lambda game: invite(game, expires=NOW)],
    "invite_once_an_address": [lambda game: [invite(game, email="a@example.org") for _ in range(2)]],
    "invite_one_link_a_table": [lambda game: [invite(game, uses=4) for _ in range(2)]],
    "notice_has_a_kind": [lambda game: notice(game, kind="")],
    "notice_sent_or_gone": [lambda game: notice(game, sent=NOW, gone=NOW)],
    "no_mail_hash_64": [lambda game: NoMail.objects.create(email_hash="short", at=NOW)],
}
