"""Whole games between bots, under every option: nothing but legal moves, and an end."""

import hashlib
import json
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from games.bots import BOTS, LEVELS, bot_named
from games.bots.base import Bot
from games.rules.errors import RecordError
from games.rules.moves import Draw, Move, Play, Take
from games.rules.record import check_line, check_record, record_dict
from games.rules.ruleset import OPTIONS, PRESETS, SEATS_FOR_PACKS, Ruleset
from games.rules.shuffle import Source, keyed_source
from games.rules.view import SeatView
from games.services.simulation import Simulated, simulate_game
from tests.bots.strength import losses
from tests.conftest import ROOT
from tests.random_games import random_rules


@dataclass
class Watched:
    """A bot that is held to its promises at every move."""

    bot: Bot
    asked: Counter[str] = field(default_factory=Counter)

    def choose(self, view: SeatView, source: Source) -> Move | None:
        assert type(view) is SeatView
        move = self.bot.choose(view, source)
        assert vars(self.bot) == {}, "a bot keeps nothing"
        if move is None:
            assert not view.must_play
            self.asked["passes"] += 1
        else:
            assert move in view.legal
            assert isinstance(move, Take) or move.card not in view.fouls
            self.asked[type(move).__name__] += 1
        return move


def game(rules: Ruleset, bots: list[Bot], seed: object) -> Simulated:
    done = simulate_game(rules, bots, keyed_source(str(seed).encode(), "test"))
    verdict = check_record(done.record)
    assert verdict.ok
    assert verdict.over
    assert verdict.result == done.result
    return done


def rules_with(option: str, value: str | int, rng: Random) -> Ruleset:
    return random_rules(rng, **{option: value})


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("option", "value"), [(name, value) for name, values in OPTIONS.items() for value in values])
def test_bots_make_legal_moves_only_under_every_option(option: str, value: str | int, level: str) -> None:
    rng = Random(f"{option} {value}")
    for _ in range(4):
        rules = rules_with(option, value, rng)
        players = rng.choice(SEATS_FOR_PACKS[rules.packs])
        watched = Watched(bot_named(level))
        game(rules, [watched] * players, rng.random())
        assert watched.asked["Play"] >= players


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("players", range(3, 13))
def test_every_number_of_seats(players: int, level: str) -> None:
    for packs in (1, 2):
        if players in SEATS_FOR_PACKS[packs]:
            game(Ruleset(packs=packs), [Watched(bot_named(level))] * players, players)


@pytest.mark.soak
@pytest.mark.parametrize("level", LEVELS)
def test_soak_bots_make_legal_moves_only_and_games_end(level: str) -> None:
    rng = Random(level)
    endless = 0
    for n in range(2000):
        rules = random_rules(rng)
        players = rng.choice(SEATS_FOR_PACKS[rules.packs])
        endless += game(rules, [Watched(bot_named(level))] * players, n).result.loser is None
    assert endless == 0


def test_the_random_bot_takes_hands_and_leaves_hands() -> None:
    watched = Watched(bot_named("random"))
    for seed in range(20):
        game(Ruleset(), [watched] * 4, seed)
    assert watched.asked["Take"] >= 20
    assert watched.asked["passes"] > 20 * watched.asked["Take"]


def test_the_medium_bot_never_concedes() -> None:
    taken = 0
    for seed in range(60):
        record = game(Ruleset(), [bot_named("medium")] * 4, seed).record
        away = record.result["away"]  # type: ignore[index]
        takes = [move for move in record.moves if isinstance(move, Take)]
        taken += len(takes)
        assert all(move.victim != away[-1] for move in takes)
    assert taken > 0


def test_the_easy_bot_slips_in_three_plays_of_ten() -> None:
    """It differs from the medium bot where the slip gives another card, and only there."""
    compared: Counter[str] = Counter()

    class Both:
        def choose(self, view: SeatView, source: Source) -> Move | None:
            easy = bot_named("easy").choose(view, source)
            if view.must_play and len(view.playable) > 1:
                slips = 0

                def luck(n: int) -> int:
                    nonlocal slips
                    slips += 1
                    return 99 if slips == 1 else source(n)

                assert bot_named("easy").choose(view, luck) == bot_named("medium").choose(view, source)
                compared["slip" if easy != bot_named("medium").choose(view, source) else "same"] += 1
            return easy

    for seed in range(40):
        game(Ruleset(), [Both()] * 4, seed)
    share = compared["slip"] / compared.total()
    # A slip picks the medium bot's own card at times: with n cards once in n.
    assert 0.15 < share < 0.3


def test_a_level_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="There is no bot called hard"):
        bot_named("hard")
    assert tuple(BOTS) == LEVELS == ("random", "easy", "medium")


def test_medium_beats_random_and_easy() -> None:
    assert losses(Ruleset(), ["medium", "random", "random", "random"], 150)["medium"] <= 3
    # Nobody takes hands, so that the random bots cannot concede either.
    assert losses(Ruleset(taking="off"), ["medium", "random", "random", "random"], 150)["medium"] <= 3
    lost = losses(Ruleset(), ["medium", "easy"] * 2, 150)
    assert lost["medium"] < 0.4 * lost.total()


@pytest.mark.soak
@pytest.mark.parametrize("taking", ["anyone", "off"])
def test_soak_medium_loses_two_percent_at_most(taking: Any) -> None:
    lost = losses(Ruleset(taking=taking), ["medium", "random", "random", "random"], 2000)
    assert lost["medium"] <= 40


@pytest.mark.soak
@pytest.mark.parametrize("preset", PRESETS)
def test_soak_medium_is_better_than_random_under_every_preset(preset: str) -> None:
    rules = PRESETS[preset]
    others = ["random"] * (rules.seats.start if rules.packs == 2 else 3)
    lost = losses(rules, ["medium", *others], 600)
    assert lost["medium"] <= 0.02 * lost.total()


def test_offers_go_round_fairly() -> None:
    """Before the opening lead each of the three others is asked first as often, the opener last."""
    first: Counter[int] = Counter()

    class Asked:
        def __init__(self) -> None:
            self.order: list[tuple[int, bool]] = []

        def choose(self, view: SeatView, source: Source) -> Move | None:
            if view.version == 0:
                self.order.append(((view.seat - view.power) % 4, view.must_play))
            # The opener takes a hand, and then everybody does: the game is soon over.
            return view.take if view.version > 0 or view.must_play else None

    for seed in range(600):
        bot = Asked()
        game(Ruleset(), [bot] * 4, seed)
        seats = [seat for seat, _ in bot.order]
        assert bot.order[-1] == (0, True)
        assert seats[:-1] in ([1, 2, 3], [2, 3, 1], [3, 1, 2])
        first[seats[0]] += 1
    assert all(150 < first[seat] < 250 for seat in (1, 2, 3))


def test_in_any_order_the_seats_play_in_any_order() -> None:
    orders = set()
    for seed in range(40):
        moves = game(Ruleset(opening="any_order"), [bot_named("medium")] * 4, seed).record.moves
        orders.add(tuple((move.seat - moves[0].seat) % 4 for move in moves[1:4]))
    assert len(orders) == 6


def test_draws_come_from_the_source() -> None:
    rules = Ruleset(taking="off")
    drawn = [move for n in range(60) for move in game(rules, [bot_named("random")] * 4, n).record.moves]
    assert any(isinstance(move, Draw) for move in drawn)


@pytest.mark.parametrize("players", [0, 2, 9])
def test_so_many_may_not_play(players: int) -> None:
    with pytest.raises(RecordError):
        simulate_game(Ruleset(), [bot_named("random")] * players, keyed_source(b"", ""))


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_source_gives_the_same_game(level: str) -> None:
    rules = Ruleset(packs=2, opening="any_order")
    one, two = (game(rules, [bot_named(level)] * 6, "again") for _ in range(2))
    assert one == two
    assert any(isinstance(move, Play) for move in one.record.moves)


def test_games_are_the_same_on_every_python() -> None:
    """What these games are may change with the bots, but never with the machine, the hash seed or the version."""
    lines = []
    for level in LEVELS:
        for n, preset in enumerate(PRESETS.values()):
            done = game(preset, [bot_named(level)] * 5, n)
            lines.append(json.dumps(record_dict(done.record, done.result)))
    assert all(check_line(line).ok for line in lines)
    # Another digest is right only where a bot has been changed on purpose.
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    assert digest == "9c53253c3f1b082301376d4a8487ac4870b773f4a74b58301fa4e1af5e3cf4de"


def test_simulating_needs_no_django() -> None:
    code = "import sys, games.services.simulation; print({name.split('.')[0] for name in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "'games'" in loaded
    assert not any(f"'{name}'" in loaded for name in ("django", "asgiref", "structlog", "accounts", "bhabhi_site"))
