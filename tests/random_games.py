"""Random tables, deals and games, and the bridge between the engine and the reference."""

from collections.abc import Iterator
from random import Random

from games.rules.cards import Card, card
from games.rules.deal import deal_hands, full_deck, start
from games.rules.engine import apply
from games.rules.legality import draw_pool, foul_cards, legal_moves
from games.rules.moves import Draw, Entry, Play, Take
from games.rules.ruleset import OPTIONS, SEATS_FOR_PACKS, Ruleset
from games.rules.shuffle import shuffled
from games.rules.state import GameState
from tests import reference
from tests.reference import Reference


def allowed(options: dict[str, str | int]) -> bool:
    """Section 2's last sentence, spelled once more."""
    counts = options["opening_tochoo"] == "counts"
    any_order = options["opening"] == "any_order"
    donkey = options["game"] == "donkey"
    return not (any_order and counts) and not (donkey and counts) and not (donkey and any_order)


def random_rules(rng: Random, **fixed: str | int) -> Ruleset:
    while True:
        options = {name: rng.choice(values) for name, values in OPTIONS.items()} | fixed
        if allowed(options):
            return Ruleset(**options)  # type: ignore[arg-type]


def random_start(rng: Random, rules: Ruleset | None = None, players: int | None = None) -> GameState:
    rules = rules or random_rules(rng)
    players = players or rng.choice(SEATS_FOR_PACKS[rules.packs])
    dealer = rng.randrange(players)
    return start(rules, dealer, deal_hands(rules, players, dealer, shuffled(full_deck(rules), rng.randrange)))


def random_entry(state: GameState, rng: Random, *, fouls: float = 0.04, takes: float = 0.01) -> Entry:
    """An entry that the rules accept; takes and fouls are possible at most steps, and would soon end each game."""
    if state.due is not None:
        return Draw(state.power, rng.choice(draw_pool(state)))
    if rng.random() < fouls:
        seat = rng.randrange(state.players)
        tries = foul_cards(state, seat)
        if tries:
            return Play(seat, rng.choice(tries))
    if not state.trick and rng.random() < takes * state.left:
        taken = [move for seat in range(state.players) for move in legal_moves(state, seat) if isinstance(move, Take)]
        if taken:
            return rng.choice(taken)
    seat = rng.choice(state.awaited)
    return rng.choice([move for move in legal_moves(state, seat) if isinstance(move, Play)])


def random_game(state: GameState, rng: Random, *, fouls: float = 0.04, takes: float = 0.01) -> Iterator[Entry]:
    """The entries of a whole random game from a state on."""
    while state.result is None:
        entry = random_entry(state, rng, fouls=fouls, takes=takes)
        yield entry
        state = apply(state, entry)


def all_cards(state: GameState) -> list[Card]:
    """Every card of a state, wherever it lies, in order."""
    found = [each for hand in state.hands for each in hand]
    found += state.waste
    found += state.held
    found += [play.card for play in state.trick]
    return sorted(found)


def plain(entry: Entry) -> reference.Entry:
    match entry:
        case Play(seat, what):
            return seat, "play", what.code
        case Take(seat, victim):
            return seat, "take", victim
        case Draw(seat, what):
            return seat, "draw", what.code


def entry_from(found: reference.Entry) -> Entry:
    seat, kind, what = found
    if kind == "take":
        return Take(seat, int(what))
    return Play(seat, card(str(what))) if kind == "play" else Draw(seat, card(str(what)))


def beside(state: GameState) -> Reference:
    """The reference at the same start."""
    hands = [[each.code for each in hand] for hand in state.hands]
    return Reference(state.rules.as_dict(), state.players, state.dealer, hands)


def summary(state: GameState) -> dict[str, object]:
    """What the two engines must agree on, of the engine."""
    result = state.result
    return {
        "hands": [sorted(each.code for each in hand) for hand in state.hands],
        "waste": sorted(each.code for each in state.waste),
        "pending": sorted(each.code for each in state.held),
        "table": [(play.seat, play.card.code) for play in state.trick],
        "power": state.power,
        "away": list(state.away),
        "trump": None if state.trump is None else state.trump.value,
        "due": state.due,
        "drawn": None if state.drawn is None or result else state.drawn.code,
        "tricks": state.tricks,
        "result": None if result is None else result.as_dict(),
        "awaited": list(state.awaited),
    }


def reference_summary(game: Reference) -> dict[str, object]:
    """The same, of the reference."""
    end = game.ending
    result = None
    if end:
        result = {"away": game.away, "loser": end.loser, "void": end.void, "cards_left": end.cards_left}
    return {
        "hands": [sorted(hand) for hand in game.hands],
        "waste": sorted(game.waste),
        "pending": sorted(game.pending),
        "table": game.table,
        "power": game.power,
        "away": game.away,
        "trump": game.trump,
        "due": game.due,
        "drawn": game.drawn,
        "tricks": game.tricks,
        "result": result,
        "awaited": [] if game.due else game.awaited(),
    }
