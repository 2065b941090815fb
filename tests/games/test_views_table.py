"""The board's markup, which scripted clients rely on, in every state that a board can be in."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice

import pytest

from games.models import Game, Table
from games.rules.cards import card, hand_of
from games.rules.deal import full_deck, start
from games.rules.moves import Draw, Entry, Play, Take
from games.rules.record import parse_record
from games.rules.replay import steps
from games.rules.ruleset import Ruleset
from games.rules.state import GameState
from games.rules.view import SeatView, seat_view
from games.selectors.games import game_state
from tests.games import rendered
from tests.games.pages import Element, Page, clients, page_of
from tests.games.stored import RECORDS, game_of, people, person, play_on


def view_of(game: Game, seat: int) -> SeatView:
    return seat_view(game_state(game), seat)


def check_board(page: Page, view: SeatView) -> None:
    """The contract: what the form takes is what the rules accept, and nothing else is a button that sends."""
    over = view.result is not None
    assert page.state == ("over" if over else "my-turn" if view.must_play else "waiting")
    assert page.board.attrs["data-version"] == str(view.version)
    assert page.board.attrs["data-revision"].isdigit()
    buttons = page.all("button", css="card")
    assert len(buttons) == len(view.hand)
    for button in buttons:
        check_card(button, view)
    assert set(page.playable) == {each.code for each in (*view.playable, *view.fouls)}
    assert page.takes == ([str(view.take.victim)] if view.take else [])
    ids = Counter(each.attrs["id"] for each in page.elements if "id" in each.attrs)
    assert set(ids.values()) == {1}
    assert not [each for each in page.elements if "style" in each.attrs]


def check_card(button: Element, view: SeatView) -> None:
    if "name" not in button.attrs:
        assert (button.attrs["type"], button.attrs["aria-disabled"]) == ("button", "true")
        assert button.attrs["data-why"].endswith(".")
        assert "value" not in button.attrs
        return
    assert button.attrs["name"] == "card"
    assert not {"type", "disabled", "aria-disabled"} & button.attrs.keys()
    foul = card(button.attrs["value"]) in view.fouls
    assert ("foul" in button.classes) == (", a foul, " in button.text) == foul
    form = next(each for each in button.inside if each.tag == "form")
    assert form.attrs["method"] == "post"
    assert form.attrs["action"].endswith("/play/")


def states_of(name: str) -> Iterator[GameState]:
    """Some positions of some games of a file of records."""
    lines = (RECORDS / f"{name}.jsonl").read_text().splitlines()
    for line in lines[:: max(1, len(lines) // 7)]:
        record = parse_record(line)
        yield from list(steps(start(record.rules, record.dealer, record.hands), record.moves))[::13]


@pytest.mark.parametrize("name", ["bhabho", "big_family", "donkey", "edges", "mixed", "strict"])
def test_every_kind_of_position_keeps_the_contract(name: str) -> None:
    states = Counter[str]()
    for state in states_of(name):
        for seat in range(state.players):
            view = seat_view(state, seat)
            page = Page(rendered.html(view))
            check_board(page, view)
            states[page.state] += 1
    assert {"my-turn", "waiting"} <= states.keys()


def dealt(*hands: str, rules: Ruleset | None = None) -> GameState:
    """A game with certain cards at its seats and the rest dealt round; the last seat deals."""
    rules = rules or Ruleset()
    named = [hand_of(hand) for hand in hands]
    left = Counter(full_deck(rules))
    left.subtract(each for hand in named for each in hand)
    rest = left.elements()
    deck = len(full_deck(rules))
    sizes = [deck // len(hands) + (seat < deck % len(hands)) for seat in range(len(hands))]
    full = [(*hand, *islice(rest, size - len(hand))) for hand, size in zip(named, sizes, strict=True)]
    return start(rules, len(hands) - 1, full)


def after(state: GameState, *entries: Entry) -> GameState:
    return list(steps(state, entries))[-1]


def shown(state: GameState, seat: int) -> Page:
    return Page(rendered.html(seat_view(state, seat)))


SPADES = ("AS 2S KH", "KS QS 5H", "JS TS", "9S 8S")


def test_a_card_is_named_with_its_state_and_its_place() -> None:
    state = dealt(*SPADES)
    ace = shown(state, 0).one("button", value="AS")
    assert ace.text.endswith("Ace of spades, playable, 1 of 2 in spades")
    assert "data-only" in ace.attrs
    king = shown(state, 1).one(id="card-KS-1")
    assert ", not now, 1 of " in king.text
    assert king.attrs["data-why"] == "Wait: it is \u2068Amrit\u2069\u2019s turn."
    assert shown(state, 1).one(id="row-S").text.startswith("Spades, ")


def test_a_refused_card_says_what_to_follow() -> None:
    page = shown(after(dealt(*SPADES), Play(0, card("AS"))), 1)
    assert page.one(id="card-5H-1").attrs["data-why"] == "You hold spades: follow spades."
    assert [row.text[:6] for row in page.all(css="led")] == ["Spades"]
    assert page.one(id="banner").text == "Your turn follow spades"


def test_a_hand_lies_in_its_order() -> None:
    """R3: spades, hearts, clubs, diamonds; ace to two."""
    rank, suit = "23456789TJQKA", "SHCD"
    for state in states_of("mixed"):
        codes = [each.attrs["id"].split("-")[1] for each in shown(state, 0).all("button", css="card")]
        assert codes == sorted(codes, key=lambda code: (suit.index(code[1]), -rank.index(code[0])))


def test_taking_tells_how_many_cards_come() -> None:
    state = dealt(*SPADES)
    page = shown(state, 0)
    assert "Take Bilal\u2019s 13 cards: they come into your hand and Bilal has got away." in page.one(id="take").text
    state = after(state, Take(1, 2), Take(1, 3))
    page = shown(state, 1)
    assert page.state == "waiting"
    assert page.one("button", name="take", value="0").text == "Concede: take Amrit\u2019s 13 cards"
    assert "you lose this deal" in page.one(id="take").text


def test_cards_lie_face_down_until_all_have_played() -> None:
    state = after(dealt(*SPADES, rules=Ruleset(opening="any_order")), Play(0, card("AS")), Play(2, card("JS")))
    assert len(shown(state, 1).all(css="facedown")) == 1
    assert len(shown(state, 2).all(css="facedown")) == 0
    assert shown(state, 2).one(id="banner").text.startswith("You have played. Waiting for Bilal, Dilip.")
    assert shown(state, 1).one(id="banner").text == "Your turn follow spades, face down; all may play now"
    last = after(state, Play(3, card("9S")))
    assert shown(last, 1).one(id="banner").text == "Your turn follow spades, face down"
    turned = after(last, Play(1, card("KS")))
    assert "jack of spades" in shown(turned, 1).one(id="last").text


def test_a_drawn_card_is_marked_and_must_be_led() -> None:
    found = (state for name in ("getaway", "edges") for state in drawn_states(name))
    state = next(found)
    page = shown(state, state.power)
    assert page.one("button", css="drawn").attrs["name"] == "card"
    assert "lead the card you drew, the " in page.one(id="banner").text
    for seat in range(state.players):
        if seat != state.power:
            assert not shown(state, seat).all(css="drawn")


def drawn_states(name: str) -> Iterator[GameState]:
    for line in (RECORDS / f"{name}.jsonl").read_text().splitlines():
        record = parse_record(line)
        if any(isinstance(move, Draw) for move in record.moves):
            states = steps(start(record.rules, record.dealer, record.hands), record.moves)
            yield from (state for state in states if state.drawn is not None)


def test_seats_show_counts_power_turn_and_places() -> None:
    """R16, R18: what everybody sees of a seat, and of the waste."""
    for state in states_of("mixed"):
        view = seat_view(state, 1)
        page = Page(rendered.html(view))
        seats = {int(each.attrs["data-seat"]): each for each in page.all("li", css="seat")}
        assert list(seats) == [(1 + state.rules.step * n) % state.players for n in range(1, state.players + 1)]
        for seat, mark in seats.items():
            assert mark.attrs["data-count"] == str(len(state.hands[seat]))
            assert ("data-awaited" in mark.attrs) == (seat in state.awaited)
            assert ("data-power" in mark.attrs) == (seat == state.power and state.result is None)
            assert ("data-away" in mark.attrs) == (seat in state.away)
        waste = next(each for each in page.elements if "data-waste" in each.attrs)
        assert waste.attrs["data-waste"] == str(view.waste_count)
        assert f"Play goes {state.rules.direction}" in page.one(css="facts").text


def test_known_voids_are_marked_unless_the_table_hides_them() -> None:
    """R17: each mark leads to the step that proved it."""
    marked = 0
    for state in states_of("getaway"):
        view = seat_view(state, 0)
        page = Page(rendered.html(view))
        for mark in page.all("li", css="seat"):
            seat = int(mark.attrs["data-seat"])
            words = {each.text for each in page.all("a", css="nope") if mark in each.inside}
            hidden = seat == 0 or seat in view.away or view.result or not view.counts[seat]
            assert words == (set() if hidden else {suit.word for suit in view.voids[seat]})
            marked += len(words)
    assert marked > 5


@pytest.mark.django_db
def test_a_mark_of_a_void_leads_to_its_proof() -> None:
    game = game_of(persons=people(4))
    play_on(game, lambda state: bool(seat_view(state, 0).voids[1]) and not state.away)
    client = clients(game)[0]
    links = page_of(client, f"/games/{game.code}/").all("a", css="nope")
    assert links
    for link in links:
        assert len(page_of(client, link.attrs["href"]).all(css="replay")) == 1
    game.table.show_voids = False
    game.table.save()
    assert not page_of(client, f"/games/{game.code}/").all("a", css="nope")


@pytest.mark.django_db
def test_the_page_and_the_fragment_hold_the_same_board() -> None:
    game = game_of(persons=people(4))
    for seat, client in clients(game).items():
        whole, part = (page_of(client, f"/games/{game.code}/{end}") for end in ("", "board/"))
        check_board(whole, view_of(game, seat))
        check_board(part, view_of(game, seat))
        assert whole.board.text == part.board.text


@pytest.mark.django_db
def test_a_seat_that_is_away_waits_until_the_end() -> None:
    game = game_of(persons=people(4))
    state = play_on(game, lambda state: bool(state.away))
    client = clients(game)[state.away[0]]
    page = page_of(client, f"/games/{game.code}/")
    assert page.state == "waiting"
    assert "You have got away" in page.one(id="banner").text
    assert not page.playable
    play_on(game, lambda state: state.result is not None)
    page = page_of(client, f"/games/{game.code}/")
    assert page.state == "over"
    assert len(page.all("a", href=f"/games/{game.code}/record.json")) == 1
    assert len([each for each in page.all("li") if "places" in each.inside[-1].classes]) == 4
    assert [each.text for each in page.all(css="badge")] == ["First away", "Last Hand"]


NAMES = ["<script>alert(1)</script>", '" onfocus="alert(1)', "\u202eevil", "{{ 7|add:7 }}", "&lt;b&gt;", "\u200f\u05d0"]


@pytest.mark.django_db
@pytest.mark.parametrize("name", NAMES)
def test_names_and_titles_are_text(name: str) -> None:
    """S30: whatever people call themselves and their table, it is shown and does nothing."""
    game = game_of(persons=[person(name), person(name), person(name[:20]), person("Nani")])
    Table.objects.update(name=name, title=name)
    client = clients(game)[3]
    play_on(game, lambda state: state.result is not None)
    plain = [page_of(client, path) for path in (f"/games/{game.code}/", f"/games/{game.code}/replay/1/", "/")]
    for page in [*plain, page_of(client, f"/tables/{game.table.code}/")]:
        assert {each.attrs["type"] for each in page.all("script") if "type" in each.attrs} <= {"module"}
        assert not [each for each in page.elements if {"onfocus", "onclick", "onload"} & each.attrs.keys()]
        assert f"\u2068{' '.join(name.split())}\u2069" in page.one("title").text or page is plain[2]
        fenced = [each for each in page.all() if each.tag in {"bdi", "title"}]
        outside = page.one("body").text
        for each in fenced:
            outside = outside.replace(each.text, "", 1)
        assert name not in outside
        assert [each for each in page.all("bdi") if each.text == " ".join(name.split())]
