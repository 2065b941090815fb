"""Who watches reads what everybody at the table knows, and not a card more (S1 to S4, S8, S9)."""

import re
from collections.abc import Iterator, Sequence
from random import Random

import pytest
from django.test import Client

from games.models import Game
from games.rules.events import Played
from games.rules.moves import Draw, Entry
from games.rules.replay import steps
from games.rules.ruleset import Ruleset
from games.rules.state import GameState
from games.rules.view import public_view
from games.selectors import folded, replays
from games.selectors.games import dealt_state, entries_of, game_state, log_of
from tests.games.pages import cards_on, client_of, page_of
from tests.games.stored import game_of, over, people, play, play_on
from tests.games.test_views_leaks import GAMES, known_to
from tests.games.watching import came_by, handed, invite_to, lets, watcher
from tests.random_games import random_entry
from tests.watcher import Watcher
from tests.worlds import Worlds, replayed

pytestmark = pytest.mark.django_db

RANDOM = re.compile(rb'name="csrfmiddlewaretoken" value="[^"]*"|nonce="[^"]*"|data-now="[0-9]+"')


def addresses(game: Game, rng: Random) -> list[str]:
    base = f"/games/{game.code}/"
    replay = [f"{base}replay/{step}/" for step in {0, rng.randrange(game.version + 1), game.version}]
    return [base, f"{base}board/", *replay]


def others(game: Game) -> list[str]:
    """Where there is nothing for who only watches."""
    base = f"/games/{game.code}/"
    return [f"{base}replay/{game.version + 1}/", f"{base}record.json"]


def played_at_random(game: Game, rng: Random) -> Iterator[GameState]:
    """The states of a game as it is stored, with fouls and taken hands."""
    state = game_state(game)
    while state.result is None:
        yield state
        entry = random_entry(state, rng, fouls=0.03, takes=0.01)
        assert not isinstance(entry, Draw)
        play(game, entry, version=state.entries)
        state = game_state(game)
        game.refresh_from_db()


def onlookers(game: Game) -> dict[str, Client]:
    """Somebody signed in, somebody who came by the link, and somebody who left a seat to a bot."""
    return {"signed in": watcher(), "by the link": came_by(invite_to(game.table))}


@pytest.mark.parametrize(("first", "most"), [(3, 7), pytest.param(0, 15, marks=pytest.mark.soak)])
@pytest.mark.parametrize(("rules", "seats"), GAMES.values(), ids=GAMES)
def test_no_watcher_reads_a_card_that_the_table_does_not_know(
    rules: Ruleset, seats: int, first: int, most: int
) -> None:
    """In the opening trick and after it; from the deal and twice as often in the long campaign."""
    rng = Random(str(rules))
    persons = people(seats)
    game = lets(game_of(rules, persons=persons), "anyone")
    readers = onlookers(game) | {"left": client_of(persons[1])}
    handed(game, 1)
    game.refresh_from_db()
    checked = named = 0
    for state in played_at_random(game, rng):
        if checked >= most:
            break
        if state.entries < first or (state.entries > seats + 3 and state.entries % 7):
            continue
        checked += 1
        states = list(steps(dealt_state(game), entries_of(game)))
        known = known_to(None, states, entries_of(game))
        for who, reader in readers.items():
            for path in (*addresses(game, rng), *others(game), f"/tables/{game.table.code}/", "/"):
                response = reader.get(path)
                assert response.status_code < 500
                if path in addresses(game, rng):
                    assert response.status_code == 200
                found = cards_on(response.content.decode() + str(response.headers))
                assert found <= known, f"{who} at {path} of version {game.version}: {sorted(found - known)}"
                named += len(found)
    assert checked > most // 2
    assert named > 50 * checked


def pages(reader: Client, paths: Sequence[str]) -> list[bytes]:
    """What the pages say, without what is random."""
    found = []
    for path in paths:
        response = reader.get(path)
        assert response.status_code == 200
        found.append(RANDOM.sub(b"", response.content))
    return found


@pytest.mark.parametrize("most", [12, pytest.param(24, marks=pytest.mark.soak)])
@pytest.mark.parametrize(("rules", "seats"), GAMES.values(), ids=GAMES)
def test_other_cards_where_nobody_has_looked_change_no_byte(
    rules: Ruleset, seats: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S3: deal anew what the public has not seen, and swap two unseen cards: a watcher reads the same bytes."""
    rng = Random(f"{rules} again")
    game = lets(game_of(rules, persons=people(seats)), "anyone")
    reader = watcher()
    worlds = changed = 0
    for state in played_at_random(game, rng):
        if worlds >= most:
            break
        if state.entries > seats + 1 and state.entries % 6:
            continue
        entries = entries_of(game)
        states = list(steps(dealt_state(game), entries))
        sights = [public_view(each) for each in states]
        onlooker = Watcher(sights[0])
        for sight in sights[1:]:
            onlooker.observe(sight)
        paths = addresses(game, rng)
        before = pages(reader, paths)
        for other in elsewhere(onlooker, states, entries, rng):
            worlds += 1
            changed += other[-1].hands != states[-1].hands
            log = log_of(game)._replace(entries=logged(other, entries))
            with monkeypatch.context() as patch:
                for at in ("folded.dealt_state", "games.dealt_state"):
                    patch.setattr(f"games.selectors.{at}", lambda _, first=other[0]: first)
                patch.setattr(folded, "log_of", lambda _, log=log: log)
                patch.setattr(replays, "log_of", lambda _, log=log: log)
                assert pages(reader, paths) == before, game.version
    assert worlds >= most // 2
    assert changed > worlds / 2


def elsewhere(
    onlooker: Watcher, states: Sequence[GameState], entries: Sequence[Entry], rng: Random
) -> Iterator[list[GameState]]:
    """The game in two other worlds that look the same from outside."""
    worlds = Worlds(onlooker)
    for world in (worlds.shuffled(rng), worlds.swapped(rng)):
        found = None if world is None else replayed(onlooker, world, states, list(entries), rng)
        if found is not None:
            yield found


def logged(states: Sequence[GameState], entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entries that led through these states: those of the game, but for cards that nobody has seen."""
    return tuple(_entry(state, entry) for state, entry in zip(states[1:], entries, strict=True))


def _entry(state: GameState, entry: Entry) -> Entry:
    first = state.events[0]
    if isinstance(first, Played) and first.card is not None:
        return type(entry)(entry.seat, first.card)  # type: ignore[arg-type]
    if isinstance(entry, Draw) and state.drawn is not None:
        return Draw(entry.seat, state.drawn)
    return entry


class Unseen(tuple[object, ...]):
    """A hand of which nothing but the number of its cards may be asked."""

    def _refuse(self, *_: object) -> object:
        raise AssertionError("somebody looks at a hand")

    __iter__ = __getitem__ = __contains__ = __eq__ = __hash__ = __repr__ = _refuse  # type: ignore[assignment]


@pytest.mark.parametrize(("rules", "seats"), GAMES.values(), ids=GAMES)
def test_the_public_view_is_made_without_looking_at_a_hand(rules: Ruleset, seats: int) -> None:
    """S2: a state whose hands nobody may look into gives the same view."""
    rng = Random(3)
    game = game_of(rules, persons=people(seats))
    for state in played_at_random(game, rng):
        closed = tuple(Unseen(hand) for hand in state.hands)
        assert public_view(state._replace(hands=closed)) == public_view(state)  # type: ignore[arg-type]


class TestTheBoard:
    @pytest.fixture
    def game(self) -> Game:
        game = lets(game_of(persons=people(4)), "anyone")
        play_on(game, lambda state: state.tricks == 2 and len(state.trick) == 1)
        return game

    def test_of_a_watcher_has_no_hand_and_no_form(self, game: Game) -> None:
        page = page_of(watcher(), f"/games/{game.code}/")
        assert page.state == "waiting"
        assert "data-watch" in page.board.attrs
        assert not page.all("form")
        assert not page.all("button", name="card")
        assert not page.all(id="lie")
        assert not page.all(id="guest")
        assert not page.all(css="leave")
        awaited = game_state(game).awaited[0]
        assert page.one(id="banner").text.startswith(f"You watch P{awaited}\u2019s turn.")
        seats = page.all(css="seat")
        assert [each.attrs["data-count"] for each in sorted(seats, key=lambda each: each.attrs["data-seat"])] == [
            str(len(hand)) for hand in game_state(game).hands
        ]
        assert not any("You" in each.text.split() for each in seats)

    def test_comes_alone_and_only_when_there_is_news(self, game: Game) -> None:
        reader, path = watcher(), f"/games/{game.code}/board/"
        assert reader.get(f"{path}?since={game.version}.{game.revision}").status_code == 204
        page = page_of(reader, f"{path}?since={game.version - 1}.{game.revision}")
        assert not page.all("html")
        assert page.board.attrs["data-version"] == str(game.version)

    def test_hides_voids_where_the_table_does(self, game: Game) -> None:
        play_on(game, lambda state: any(public_view(state).voids))
        assert page_of(watcher(), f"/games/{game.code}/").all(css="nope")
        game.table.show_voids = False
        game.table.save()
        assert not page_of(watcher(), f"/games/{game.code}/").all(css="nope")

    def test_leads_nowhere_where_a_watcher_may_not_go(self, game: Game) -> None:
        game.table.deals = 2
        game.table.save()
        over(game)
        reader = watcher()
        page = page_of(reader, f"/games/{game.code}/")
        assert page.state == "over"
        assert not page.all("form")
        for link in page.all("a"):
            if link.attrs["href"].startswith("/"):
                assert reader.get(link.attrs["href"]).status_code == 200, link.attrs["href"]

    def test_after_the_end_all_hands_lie_open(self, game: Game) -> None:
        over(game)
        reader = came_by(invite_to(game.table))
        assert len(page_of(reader, f"/games/{game.code}/replay/0/").all(css="open-hand")) == 4
        assert reader.get(f"/games/{game.code}/record.json").json()["result"]

    def test_a_watcher_who_is_not_signed_in_is_led_to_the_front_page(self, game: Game) -> None:
        page = page_of(came_by(invite_to(game.table)), f"/games/{game.code}/")
        assert page.one("a", css="back").text == "\u2039 Home"


def test_cards_that_lie_face_down_are_backs_to_a_watcher() -> None:
    game = lets(game_of(Ruleset(opening="any_order"), persons=people(5)), "anyone")
    reader = watcher()
    play_on(game, lambda state: len(state.trick) == 4)
    for path in (f"/games/{game.code}/", f"/games/{game.code}/replay/{game.version}/"):
        page = page_of(reader, path)
        assert cards_on(page.html) == {"AS"}
        assert len(page.all(css="facedown")) == 3
    play_on(game, lambda state: state.tricks == 1)
    assert len(cards_on(page_of(reader, f"/games/{game.code}/").html)) == 5
    assert cards_on(page_of(reader, f"/games/{game.code}/replay/4/").html) >= {"AS"}
