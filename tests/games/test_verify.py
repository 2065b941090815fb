import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import ClassVar

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import F, JSONNull

from games.models import Deal, Game, Holder, Move, Result, Turn, WastePile
from games.rules.cards import card
from games.rules.moves import Draw, Play, Take
from games.rules.ruleset import Ruleset
from games.selectors.games import BrokenGame, game_state
from games.services import play as play_service
from games.services.chain import deal_hash, entry_hash
from games.services.play import move_play
from tests.games.stored import NOW, everything, game_of, game_recorded, play, play_on, played, recorded

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_too]

# Entries: 1 the lead, 5 and more in the second trick.
ENTRIES = 7


@contextmanager
def guards_off() -> Iterator[None]:
    """Let the block change what PostgreSQL's triggers protect, as somebody with the database's password could."""
    tables = [each._meta.db_table for each in (Move, Deal, Game, Result)]
    for what in ("DISABLE", "ENABLE"):
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
                for table in tables:
                    cursor.execute(f"ALTER TABLE {table} {what} TRIGGER USER")
        if what == "DISABLE":
            yield


def verify() -> str:
    out = io.StringIO()
    call_command("verify_games", stdout=out)
    return out.getvalue()


@pytest.fixture
def game() -> Game:
    game_of(bots=3)
    game = game_of(bots=4)
    play_on(game, lambda state: state.entries == ENTRIES)
    game_of(bots=5)
    return game


@pytest.fixture
def over() -> Game:
    record = recorded("edges", why="conceded")
    game = game_recorded(record)
    played(game, record)
    return game


def entry(number: int, /, **changes: object) -> Callable[[Game], object]:
    return lambda game: Move.objects.filter(game=game, number=number).update(**changes)


def row(model: type[Deal] | type[WastePile] | type[Result], **changes: object) -> Callable[[Game], object]:
    return lambda game: model._default_manager.filter(game=game).update(**changes)


def whole(**changes: object) -> Callable[[Game], object]:
    return lambda game: Game.objects.filter(pk=game.pk).update(**changes)


def swap_hands(game: Game) -> None:
    hands = Deal.objects.get(game=game).hands
    row(Deal, hands=[hands[1], hands[0], *hands[2:]])(game)


def swap_cards(game: Game) -> None:
    """Exchange two cards of two hands, which leaves a right deal."""
    one, two, *rest = [hand.split() for hand in Deal.objects.get(game=game).hands]
    one[0], two[0] = two[0], one[0]
    row(Deal, hands=[" ".join(hand) for hand in (one, two, *rest)])(game)


def remove(number: int) -> Callable[[Game], object]:
    return lambda game: Move.objects.filter(game=game, number=number).delete()


def forge(game: Game) -> None:
    """Append an entry with a right hash that the rules refuse."""
    last = Move.objects.filter(game=game).latest("number")
    forged = Play(last.seat, card("AS"))
    digest = entry_hash(bytes(last.hash), last.number + 1, forged, "hand", NOW)
    Move.objects.create(
        game=game, number=last.number + 1, kind="play", seat=last.seat, card="AS", actor="hand", at=NOW, hash=digest
    )


TAMPERED: list[tuple[Callable[[Game], object], str]] = [
    (entry(5, card="9D"), "entry 5: its hash does not fit"),
    (entry(3, seat=F("seat") + 1), "entry 3: its hash does not fit"),
    (entry(2, actor="timeout"), "entry 2: its hash does not fit"),
    (entry(4, at=NOW + timedelta(microseconds=1)), "entry 4: its hash does not fit"),
    (entry(6, hash=b"x" * 32), "entry 6: its hash does not fit"),
    (entry(6, kind="draw", key=""), "entry 6: its hash does not fit"),
    (entry(7, kind="take", card="", victim=11), "entry 7: its hash does not fit"),
    (remove(1), "entry 1: it is missing"),
    (remove(4), "entry 4: it is missing"),
    (remove(ENTRIES), "the version is 7, but the log has 6 entries"),
    (entry(ENTRIES, number=9), "entry 7: it is missing"),
    (forge, r"entry 8: the rules refuse it \(not_held\)"),
    (swap_hands, "the hash of the deal does not fit"),
    (swap_cards, "the hash of the deal does not fit"),
    (row(Deal, hash=b"x" * 32), "the hash of the deal does not fit"),
    (row(Deal, hands=["AS", "2C", "3C", "4C"]), r"the deal or the rules cannot be \(not_whole_packs\)"),
    (row(Deal, hands=["XX"]), "the deal holds what is no card"),
    *(
        (row(Deal, hands=hands), "the deal is not one text for each seat")
        for hands in ([1], [None], [["AS"]], JSONNull(), "x", {"AS": "2C"}, 7, True)
    ),
    (row(Deal, hands=[]), r"the deal or the rules cannot be"),
    (whole(dealer=F("dealer") + 1), "the hash of the deal does not fit"),
    (whole(rules=Ruleset(taking="off").as_dict()), "the hash of the deal does not fit"),
    (whole(rules={}), r"the deal or the rules cannot be \(missing_option\)"),
    *((whole(rules=rules), r"the deal or the rules cannot be") for rules in ([1], JSONNull(), "x", 7)),
    (whole(rules_version=2), "rules version 2 is not known"),
    (whole(version=6), "the version is 6, but the log has 7 entries"),
    (whole(last_hash=b"x" * 32), "the last hash is not that of the log"),
    (whole(status="over", ended=NOW), "the status is over, which is not what the log gives"),
    (row(WastePile, cards="AS"), "the waste pile does not hold the cards"),
    (lambda game: WastePile.objects.filter(game=game).delete(), "the waste pile is missing"),
    (lambda game: Turn.objects.filter(game=game).delete(), r"turns are open for seats \[\]"),
    (lambda game: Turn.objects.create(game=game, seat=9, since=NOW), r"turns are open for seats \[\d, 9\]"),
]


@pytest.mark.parametrize(("tamper", "said"), TAMPERED, ids=lambda value: value if isinstance(value, str) else "")
def test_what_was_tampered_with_is_named(game: Game, tamper: Callable[[Game], object], said: str) -> None:
    assert verify() == "Games checked: 3. Each is what its log gives.\n"
    with guards_off():
        tamper(game)
    with pytest.raises(CommandError, match=f"^game {game.code}(, |: )({said})"):
        verify()


OVER: list[tuple[Callable[[Game], object], str]] = [
    (row(Result, loser=F("loser") + 1), "the result is not what the log gives"),
    (row(Result, cards_left=F("cards_left") + 1), "the result is not what the log gives"),
    *(
        (row(Result, away=away), "the result is not what the log gives")
        for away in ([], [None], [[1]], JSONNull(), "x", {"1": 2}, 7, True)
    ),
    (row(Result, void=True, loser=None, holder=None, cards_left=None), "the result is not what the log gives"),
    (whole(status="running", ended=None), "the status is running, which is not what the log gives"),
    (lambda game: Result.objects.filter(game=game).delete(), "there is a result only in the log"),
    (
        lambda game: Result.objects.update(holder=Holder.objects.exclude(result__game=game).first()),
        "the result charges somebody who did not sit",
    ),
]


@pytest.mark.parametrize(("tamper", "said"), OVER, ids=lambda value: value if isinstance(value, str) else "")
def test_a_finished_game_too(over: Game, tamper: Callable[[Game], object], said: str) -> None:
    verify()
    with guards_off():
        tamper(over)
    with pytest.raises(CommandError, match=f"^game {over.code}: {said}"):
        verify()


def test_a_result_of_a_running_game(game: Game) -> None:
    holder = Holder.objects.filter(table=game.table).first()
    with guards_off():
        Result.objects.create(game=game, loser=0, holder=holder, cards_left=1, away=[1, 2, 3])
    with pytest.raises(CommandError, match="there is a result, but none in the log"):
        verify()


def test_half_a_move_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    record = recorded("edges", why="drawn_thrice")
    at = next(at for at, move in enumerate(record.moves) if isinstance(move, Draw))
    game = game_recorded(record)
    played(game, record, upto=at - 1)
    monkeypatch.setattr(play_service, "waste_followed", lambda **_: None)
    move = record.moves[at - 1]
    assert isinstance(move, Play)
    play(game, move)
    with pytest.raises(CommandError, match=f"^game {game.code}: a draw is missing after entry {at}"):
        verify()


def test_checking_changes_nothing(over: Game) -> None:
    before = everything()
    verify()
    assert everything() == before


def test_a_broken_log_is_no_state(game: Game) -> None:
    with guards_off():
        forge(game)
    with pytest.raises(BrokenGame, match="entry 8") as broken:
        game_state(game)
    # A card that somebody holds must not get into a log file.
    assert not re.search(r"[2-9TJQKA][CDHS]\b|of (clubs|diamonds|hearts|spades)", str(broken.value))


def test_unknown_rules_are_not_played(game: Game) -> None:
    with guards_off():
        whole(rules_version=2)(game)
    with pytest.raises(BrokenGame, match="rules version 2 is not known"):
        move_play(
            game_id=game.pk, seat=0, move=Play(0, card("AS")), version=7, key="", actor=Move.Actor.TIMEOUT, now=NOW
        )


class TestFormat:
    """The format of the chain is for ever: these values come from the text of `games.services.chain`, by sha256sum."""

    RULES: ClassVar = {"packs": 1, "game": "getaway"}
    AT: ClassVar = datetime(2026, 1, 31, 12, 0, 0, 250, tzinfo=UTC)

    def test_deal(self) -> None:
        found = deal_hash(rules_version=1, rules=self.RULES, dealer=2, hands=["AS KD", "2C"])
        assert found.hex() == "e54a5c404766d53208cb8703e088e12341073a4fea63ae3e97b27285f5ec4bee"

    @pytest.mark.parametrize(
        ("entry", "digest"),
        [
            (Play(3, card("QH")), "e5005f1123d170038a7761b27caff23b53c9c915b79da391ab987ae75ec0b31f"),
            (Take(0, 1), "53dc3c31b260ccfa6076d5f494e591436a3bd1fe5b7fd9b00da89ae81f2505e1"),
            (Draw(2, card("TC")), "ab21f7e2f06f5f632c32c27a9dc59f694725a99703141a0b921dcd9f28342d4a"),
        ],
    )
    def test_entries(self, entry: Play | Take | Draw, digest: str) -> None:
        assert entry_hash(bytes(32), 7, entry, "hand", self.AT).hex() == digest
