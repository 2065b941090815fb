"""Random series stored at once: whole logs, seats that go to bots, deals in play, endless and stopped, corrections.

What is stored is planned first, in plain values, so that a test can count what must come out without asking anything.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final, NamedTuple

from accounts.models import User
from games.models import Audit, Correction, Deal, Game, Holder, Move, Result, Seat, Table
from games.rules.cards import hand_text
from games.rules.deal import deal_hands, full_deck, next_dealer, start
from games.rules.engine import apply
from games.rules.legality import legal_cards, legal_moves
from games.rules.moves import Entry, Play, Take
from games.rules.ruleset import RULES_VERSION, Ruleset
from games.rules.state import GameState
from games.services.chain import deal_hash, entry_hash
from games.services.play import _columns
from tests.games.stored import NOW, SECRET

HOUR: Final = timedelta(hours=1)


@dataclass
class Sat:
    """Who holds a seat from and until when: the number of a person, or None for a bot."""

    person: int | None
    since: datetime
    until: datetime | None = None

    def there(self, at: datetime) -> bool:
        return self.since <= at and (self.until is None or self.until > at)


@dataclass
class Planned:
    """A deal: its state before and after its moves, whether it is over, and the losers that operators put since."""

    first: GameState
    moves: list[Entry]
    last: GameState
    created: datetime
    over: bool = True
    corrections: list[tuple[int | None, int]] = field(default_factory=list)

    @property
    def ended(self) -> datetime:
        return self.created + HOUR

    @property
    def versions(self) -> list[tuple[int | None, int]]:
        """(loser, cards left) of each end that ever counted, the newest last; none of a deal in play."""
        result = self.last.result
        played = (None, 0) if result is None or result.loser is None else (result.loser, result.cards_left or 0)
        return [played, *self.corrections] if self.over else []


@dataclass
class Plan:
    """A series: its rules, who sits where, and its deals."""

    rules: Ruleset
    seats: list[list[Sat]]
    deals: list[Planned]
    tie_break: str

    def charged(self, seat: int, deal: Planned) -> int:
        """The place among those of a seat of who is charged with a loss: a person, if one was there in the deal."""
        rows = self.seats[seat]
        at_end = next(at for at, each in enumerate(rows) if each.there(deal.ended))
        people = [at for at, each in enumerate(rows) if each.person is not None]
        late = [at for at in people if rows[at].until is None or (rows[at].until or NOW) > deal.created]
        return at_end if rows[at_end].person is not None or not late else late[-1]


def plans(rng: Random, count: int, people: int) -> list[Plan]:
    return [_plan(rng, number, people) for number in range(count)]


def _plan(rng: Random, number: int, people: int) -> Plan:
    seats, deals = rng.randint(3, 5), rng.randint(1, 5)
    donkey = rng.random() < 0.3
    rules = Ruleset(game="donkey" if donkey else "getaway", penalties="penalise")
    plan = Plan(rules, [[Sat(each, NOW)] for each in rng.sample(range(people), seats)], [], "")
    plan.tie_break = rng.choice(["", "cards", "longest"])
    for seat in plan.seats:
        _maybe_left(rng, seat, deals)
    dealer = rng.randrange(seats)
    for at in range(deals):
        last = at == deals - 1
        endless = number % 125 == 0 and at == 0
        plan.deals.append(_deal(rng, plan, dealer, NOW + 2 * at * HOUR, endless=endless, running=last))
        dealer = next_dealer(rules, seats, dealer)
    return plan


def _maybe_left(rng: Random, seat: list[Sat], deals: int) -> None:
    """Let a bot hold a seat from the start, or from some moment on, which may be in a deal or between two."""
    lot = rng.random()
    if lot < 0.2:
        seat[0].person = None
    elif lot < 0.45:
        at = NOW + timedelta(minutes=rng.randrange(1, 120 * deals))
        seat[0].until = at
        seat.append(Sat(None, at))


def _deal(rng: Random, plan: Plan, dealer: int, created: datetime, *, endless: bool, running: bool) -> Planned:
    seats, deck = len(plan.seats), list(full_deck(plan.rules))
    rng.shuffle(deck)
    first = start(plan.rules, dealer, deal_hands(plan.rules, seats, dealer, deck))
    moves, last = list[Entry](), first
    stopped = not endless and rng.random() < 0.08
    running = not endless and not stopped and running and rng.random() < 0.4
    for move in _entries(rng, first, endless=endless):
        if (stopped or running) and apply(last, move).result is not None:
            break
        moves.append(move)
        last = apply(last, move)
    deal = Planned(first, moves, last, created, over=not running)
    if deal.over and rng.random() < 0.25:
        _correct(rng, deal, seats)
    return deal


def _entries(rng: Random, state: GameState, *, endless: bool) -> Iterator[Entry]:
    """Give the moves of a deal: perhaps the opening trick, then hands are taken, or one foul follows another."""
    if endless or rng.random() < 0.3:
        while state.opening:
            seat = state.awaited[0]
            move: Entry = Play(seat, rng.choice(legal_cards(state, seat)))
            yield move
            state = apply(state, move)
    while state.result is None:
        move = _foul(state) if endless else rng.choice(list(_takes(state)))
        yield move
        state = apply(state, move)


def _foul(state: GameState) -> Play:
    seat = state.next_seat(state.power)
    return Play(seat, state.hands[seat][0])


def _takes(state: GameState) -> Iterator[Take]:
    for seat in range(state.players):
        yield from (each for each in legal_moves(state, seat) if isinstance(each, Take))


def _correct(rng: Random, deal: Planned, seats: int) -> None:
    for _ in range(rng.randint(1, 3)):
        others = [(None, 0), *((seat, rng.randint(0, 20)) for seat in range(seats)), *deal.versions[-2:-1]]
        deal.corrections.append(rng.choice([each for each in others if each != deal.versions[-1]]))


def stored(made: Sequence[Plan], people: Sequence[User]) -> list[Table]:
    """Store what was planned, a model at a time, and return the tables; anybody who is signed in may watch them."""
    tables = Table.objects.bulk_create(_table(plan) for plan in made)
    seats = iter(
        Seat.objects.bulk_create(
            Seat(table=table, number=number)
            for table, plan in zip(tables, made, strict=True)
            for number in range(len(plan.seats))
        )
    )
    rows = [
        Holder(
            table=seat.table,
            seat=seat,
            user=None if sat.person is None else people[sat.person],
            bot="easy" if sat.person is None else "",
            name=f"Bot {seat.number}" if sat.person is None else people[sat.person].name,
            since=sat.since,
            until=sat.until,
        )
        for plan in made
        for sats in plan.seats
        for seat in [next(seats)]
        for sat in sats
    ]
    holders = iter(Holder.objects.bulk_create(rows))
    given = [[[next(holders) for _ in sats] for sats in plan.seats] for plan in made]
    _games_stored([_At(*each) for each in zip(tables, made, given, strict=True)])
    return tables


class _At(NamedTuple):
    """A table with its plan, and the rows of its seats."""

    table: Table
    plan: Plan
    holders: Sequence[Sequence[Holder]]

    def end(self, deal: Planned, at: int) -> dict[str, Any]:
        """The columns of an end of a deal."""
        loser, cards = deal.versions[at]
        if loser is None:
            return {"loser": None, "holder": None, "void": True, "cards_left": None}
        holder = self.holders[loser][self.plan.charged(loser, deal)]
        return {"loser": loser, "holder": holder, "void": False, "cards_left": cards}


def _table(plan: Plan) -> Table:
    over = plan.deals[-1].over
    return Table(
        name="A table",
        rules=plan.rules.as_dict(),
        rules_version=RULES_VERSION,
        seats=len(plan.seats),
        deals=len(plan.deals),
        title="Last Hand",
        tie_break=plan.tie_break,
        watch=Table.Watch.ANYONE,
        status=Table.Status.OVER if over else Table.Status.RUNNING,
        created=NOW,
        started=NOW,
    )


def _games_stored(places: Sequence[_At]) -> None:
    planned = [(at, number, deal, _log(at.table, deal)) for at in places for number, deal in numbered(at.plan)]
    games = Game.objects.bulk_create(_game(at.table, number, deal, log[-1][1]) for at, number, deal, log in planned)
    rows = [(game, at, deal, log) for game, (at, _, deal, log) in zip(games, planned, strict=True)]
    Deal.objects.bulk_create(
        Deal(game=game, hands=[hand_text(each) for each in deal.first.hands], secret=SECRET, hash=log[0][1])
        for game, _, deal, log in rows
    )
    Move.objects.bulk_create(
        Move(game=game, hash=found, **columns) for game, _, _, log in rows for columns, found in log[1:]
    )
    Result.objects.bulk_create(
        Result(game=game, away=list(deal.last.away), stopped=deal.last.result is None, **at.end(deal, 0))
        for game, at, deal, _ in rows
        if deal.over
    )
    corrected = [(game, at.end(deal, n), n) for game, at, deal, _ in rows for n in range(1, len(deal.versions))]
    audits = Audit.objects.bulk_create(
        Audit(action="correct", why=f"Slip {number}", at=NOW, table_id=game.table_id, game=game)
        for game, _, number in corrected
    )
    Correction.objects.bulk_create(
        Correction(game=game, number=number, audit=audit, before={}, **end)
        for audit, (game, end, number) in zip(audits, corrected, strict=True)
    )


def _game(table: Table, number: int, deal: Planned, last_hash: bytes) -> Game:
    return Game(
        table=table,
        number=number,
        dealer=deal.first.dealer,
        rules=table.rules,
        rules_version=RULES_VERSION,
        status=Game.Status.OVER if deal.over else Game.Status.RUNNING,
        version=len(deal.moves),
        last_hash=last_hash,
        created=deal.created,
        ended=deal.ended if deal.over else None,
    )


def _log(table: Table, deal: Planned) -> list[tuple[dict[str, Any], bytes]]:
    """The columns and the hash of each entry, before them the deal's."""
    hands = [hand_text(each) for each in deal.first.hands]
    last = deal_hash(rules_version=RULES_VERSION, rules=table.rules, dealer=deal.first.dealer, hands=hands)
    log = [(dict[str, Any](), last)]
    for number, move in enumerate(deal.moves, 1):
        last = entry_hash(last, number, move, "hand", deal.created)
        log.append(({"number": number, "actor": "hand", "at": deal.created, **_columns(move)}, last))
    return log


def numbered(plan: Plan) -> Iterator[tuple[int, Planned]]:
    """The deals of a plan with their numbers."""
    return zip(itertools.count(1), plan.deals, strict=False)
