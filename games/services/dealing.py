"""Dealing: the first game of a table, and the next one of its series."""

import secrets
from datetime import datetime

from games.models import Deal, Game, Table, WastePile
from games.rules.cards import hand_text
from games.rules.deal import deal_hands, full_deck, next_dealer, start
from games.rules.ruleset import ruleset_of
from games.rules.shuffle import Source, keyed_source, shuffled, system_source
from games.rules.state import GameState
from games.selectors.games import held_seats
from games.services.chain import deal_hash
from games.services.errors import GameRunning, SeriesOver
from games.services.locks import table_locked, writing
from games.services.projections import board_changed, game_projected, turns_set


def game_start(*, table_id: int, now: datetime, source: Source = system_source, secret: bytes | None = None) -> Game:
    """Deal the first game of a table; the source chooses its dealer, *secret* (32 bytes) decides the cards.

    Raises:
        TableGone: there is no such table.
        GameRunning: its first game has begun already.
    """
    with writing():
        table = table_locked(table_id)
        if Game.objects.filter(table=table).exists():
            raise GameRunning
        return game_dealt(table=table, number=1, dealer=source(table.seats), secret=secret, now=now)


def game_next(*, table_id: int, now: datetime, secret: bytes | None = None) -> Game:
    """Deal the next game of a table's series; the deal goes round by one seat (rules.md 3.2).

    Raises:
        TableGone: there is no such table.
        GameRunning: its last game is not over, or none has begun.
        SeriesOver: all its deals have been played.
    """
    with writing():
        table = table_locked(table_id)
        last = Game.objects.filter(table=table).order_by("-number").first()
        if last is None or last.status != Game.Status.OVER:
            raise GameRunning
        if table.status == Table.Status.OVER:
            raise SeriesOver
        return next_game_dealt(table=table, last=last, secret=secret, now=now)


def next_game_dealt(*, table: Table, last: Game, secret: bytes | None = None, now: datetime) -> Game:
    """Deal the game after the last one of a table that this transaction holds."""
    dealer = next_dealer(ruleset_of(table.rules), table.seats, last.dealer)
    if last.next_at is not None:
        last.next_at = None
        last.save(update_fields=["next_at"])
    # Its board shows the way to the next game.
    board_changed(game=last)
    return game_dealt(table=table, number=last.number + 1, dealer=dealer, secret=secret, now=now)


def game_dealt(*, table: Table, number: int, dealer: int, secret: bytes | None = None, now: datetime) -> Game:
    """Shuffle and deal a game of a table that this transaction holds."""
    secret = secret or secrets.token_bytes(32)
    rules = ruleset_of(table.rules)
    deck = shuffled(full_deck(rules), keyed_source(secret, "deck"))
    state = start(rules, dealer, deal_hands(rules, table.seats, dealer, deck))
    return _stored(table, number, state, secret, now)


def _stored(table: Table, number: int, state: GameState, secret: bytes, now: datetime) -> Game:
    """Store a game that has just been dealt; the first makes the table a running one."""
    if number == 1:
        table.status, table.started = Table.Status.RUNNING, now
        table.save(update_fields=["status", "started"])
    hands = [hand_text(hand) for hand in state.hands]
    begun = {"rules_version": table.rules_version, "rules": table.rules, "dealer": state.dealer}
    first = deal_hash(**begun, hands=hands)
    game = Game.objects.create(table=table, number=number, last_hash=first, created=now, **begun)
    Deal.objects.create(game=game, hands=hands, secret=secret, hash=first)
    WastePile.objects.create(game=game)
    held = held_seats(table.pk)
    turns_set(game=game, state=state, kept=(), held=held, now=now)
    game_projected(game=game, state=state, last_hash=first, held=held, now=now)
    return game
