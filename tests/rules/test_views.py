"""What a view says, beyond what it must not: its own sums, and every word of a refusal."""

from collections import Counter
from functools import cache
from random import Random

import pytest

from games.rules.cards import Suit, card, hand_of, hand_text
from games.rules.deal import full_deck
from games.rules.errors import SENTENCES
from games.rules.knowledge import Known
from games.rules.legality import foul_cards, legal_moves
from games.rules.moves import Play, Take
from games.rules.replay import steps
from games.rules.view import PublicView, SeatView, TableCard, open_view, public_view, seat_view
from tests.random_games import random_game, random_start
from tests.rules.positions import after, position


@cache
def views() -> list[tuple[PublicView, list[SeatView]]]:
    """Every view of some random games."""
    found = []
    for seed in range(20):
        first = random_start(Random(seed))
        states = steps(first, random_game(first, Random(seed)))
        found += [(public_view(state), [seat_view(state, seat) for seat in range(state.players)]) for state in states]
    return found


def test_the_numbers_of_a_view_add_up() -> None:
    for public, seats in views():
        assert sum(public.counts) + len(public.table) + public.waste_count == len(full_deck(public.rules))
        for view in seats:
            assert len(view.hand) == view.counts[view.seat]
            assert view.must_play == (view.seat in view.awaited)
            assert (
                sum(len(known) <= count for known, count in zip(view.known, view.counts, strict=True)) == view.players
            )
        assert (public.hands is None) == (public.result is None)


def test_each_card_of_a_hand_is_playable_a_foul_or_refused_with_a_sentence() -> None:
    for _, seats in views():
        for view in seats:
            named = [*view.playable, *view.fouls, *(each.card for each in view.refusals)]
            assert Counter(named) == Counter(set(view.hand))
            for each in view.refusals:
                assert each.code in SENTENCES
                assert each.sentence.endswith(".")
                assert "{" not in each.sentence
            assert bool(view.playable) == view.must_play


def test_what_a_view_says_is_legal_is_what_the_rules_say() -> None:
    first = random_start(Random(5))
    for state in steps(first, random_game(first, Random(5))):
        for seat in range(state.players):
            view = seat_view(state, seat)
            assert view.legal == legal_moves(state, seat)
            assert view.fouls == foul_cards(state, seat)
            takes = [move for move in view.legal if isinstance(move, Take)]
            assert takes == ([] if view.take is None else [Take(seat, view.next_seat(seat))])
            assert view.take in (None, *takes)


def test_no_view_but_its_owners_names_a_card_of_a_hand_that_nobody_saw() -> None:
    """Before the lead nothing is known of the others at all."""
    state = random_start(Random(3))
    for seat in range(state.players):
        view = seat_view(state, seat)
        assert view.hand == state.hands[seat]
        assert view.known == ((),) * state.players
        assert view.gone == ()
        assert view.unseen == tuple(sorted((Counter(full_deck(view.rules)) - Counter(view.hand)).elements()))


def test_unseen_cards_are_those_whose_place_a_seat_does_not_know() -> None:
    for _, seats in views():
        for view in seats:
            placed = Counter(view.hand) + Counter(view.gone)
            placed += Counter(each.card for each in view.table if each.card is not None)
            for seat, known in enumerate(view.known):
                placed += Counter(known if seat != view.seat else ())
            assert Counter(view.unseen) + placed == Counter(full_deck(view.rules))


def test_the_winning_seat() -> None:
    state = after(position("8H 2D", "QH 3D", "9H 4D"), "0 8H", "1 QH")
    assert public_view(state).winning == 1
    assert public_view(after(state, "2 9H")).winning is None
    ignored = after(position("AS 2D", "3S 3D", "4H 4D", tricks=0), "0 AS", "1 3S")
    assert public_view(ignored).winning is None
    donkey = after(position("AS 2D", "3H 3D", "4S 4D", tricks=0, game="donkey"), "0 AS", "1 3H")
    assert public_view(donkey).winning == 1


def test_the_last_trick_stays_to_be_looked_at() -> None:
    state = after(position("8H 2D", "QH 3D", "9H 4D"), "0 8H", "1 QH", "2 9H")
    last = public_view(state).last
    assert last is not None
    assert [(play.seat, play.card.code) for play in last.plays] == [(0, "8H"), (1, "QH"), (2, "9H")]
    assert (last.best, last.taker) == (1, None)
    state = after(state, "1 3D", "2 4D", "0 2D")
    assert public_view(state).last != last
    picked = after(position("8H 2D", "QH 3D", "4C 4D"), "0 8H", "1 QH", "2 4C")
    found = public_view(picked).last
    assert found is not None
    assert (found.best, found.taker) == (1, 1)


def test_a_foul_with_no_card_on_the_table_leaves_the_last_trick_as_it_was() -> None:
    opening = after(position("AS 2D", "3S 3D", "4S 4D", tricks=0, penalties="penalise"), "0 AS", "1 3S", "2 4S")
    first = public_view(opening).last
    assert first is not None
    assert (first.number, first.best, first.taker) == (1, None, None)
    fouled = after(opening, "1 3D")
    assert public_view(fouled).tricks == 2
    assert public_view(fouled).last == first


def test_a_foul_that_takes_a_trick_shows_it_anew_with_its_highest_card() -> None:
    state = after(position("8H 2D", "QH 3D", "9H 4D 5H", penalties="penalise"), "0 8H", "1 QH", "2 4D")
    found = public_view(state).last
    assert found is not None
    assert (found.number, found.best, found.taker) == (public_view(state).tricks, 1, 2)


# What is known of a hand


def known(view: PublicView, seat: int) -> str:
    return hand_text(view.known[seat])


def voids(view: PublicView, seat: int) -> str:
    return "".join(suit.value for suit in view.voids[seat])


def test_picked_up_cards_are_known_until_they_are_played() -> None:
    state = after(position("8H 2D", "QH 3D", "4C 4D"), "0 8H", "1 QH", "2 4C")
    assert known(public_view(state), 1) == "4C 8H QH"
    assert voids(public_view(state), 2) == "H"
    state = after(state, "1 QH")
    assert known(public_view(state), 1) == "4C 8H"


def test_a_void_is_cleared_by_a_card_of_its_suit_and_comes_back_when_that_is_played() -> None:
    state = after(position("8H 2H 9H", "QH 3D 3S", "4C 5D 6C"), "0 8H", "1 QH", "2 4C")
    assert voids(public_view(state), 2) == "H"
    state = after(state, "1 3D", "2 5D", "0 2H")
    assert (known(public_view(state), 2), voids(public_view(state), 2)) == ("3D 5D 2H", "")
    state = after(state, "2 2H", "0 9H", "1 QH")
    assert (known(public_view(state), 2), voids(public_view(state), 2)) == ("3D 5D", "H")


def test_knowledge_passes_with_a_taken_hand() -> None:
    state = after(position("8H 2D", "QH 3D", "4C 4D"), "0 8H", "1 QH", "2 4C", "0 takes 1")
    view = public_view(state)
    assert (known(view, 0), known(view, 1)) == ("4C 8H QH", "")
    assert view.counts == (5, 0, 1)


def test_two_hidden_hands_together_lack_what_both_lack() -> None:
    state = position("8H 2D 3C", "4C 3D", "5C 4D", "KH 2H", tochoo="finish_trick")
    state = after(state, "0 8H", "1 4C", "2 5C", "3 KH")
    assert [voids(public_view(state), seat) for seat in range(4)] == ["", "H", "H", ""]
    assert voids(public_view(after(state, "1 takes 2")), 1) == "H"
    assert voids(public_view(after(state, "0 takes 1")), 0) == ""


def test_a_hand_known_whole_lacks_every_suit_that_is_not_in_it() -> None:
    state = after(position("8H", "QH", "4C 4D", "KH 2C"), "0 8H", "1 QH", "2 4C")
    view = public_view(state)
    assert (known(view, 1), view.counts[1]) == ("4C 8H QH", 3)
    assert voids(view, 1) == "DS"


@pytest.mark.parametrize(("drawn", "left", "lacking"), [("2C", "3S", "D"), ("4C", "2C 3S", "DH")])
def test_a_card_drawn_unseen_blurs_what_is_known_of_the_hand_until_it_is_led(
    drawn: str, left: str, lacking: str
) -> None:
    state = position("KH", "5H 2C 3S 4C", "9H 3C", power="draw_next")
    partly = Known(hand_of("2C 3S"), frozenset({Suit.DIAMONDS}))
    state = state._replace(known=(Known(), partly, Known()))
    state = after(state, "0 KH", "1 5H", "2 9H")
    assert known(public_view(state), 1) == "2C 3S"
    view = public_view(after(state, f"0 draws {drawn}"))
    assert [known(view, seat) for seat in range(3)] == ["", "", ""]
    assert [voids(view, seat) for seat in range(3)] == ["D", "D", ""]
    view = public_view(after(state, f"0 draws {drawn}", f"0 {drawn}"))
    assert (known(view, 1), voids(view, 1)) == (left, lacking)


def test_the_table_of_a_finished_game_is_open() -> None:
    state = after(position("AS 2H", "3S", "4S", tricks=0, opening="any_order"), "0 AS", "1 3S")
    assert [each.card for each in public_view(state).table] == [card("AS"), None]
    assert open_view(state).table == (TableCard(0, card("AS")), TableCard(1, card("3S")))


def test_refusals_are_for_each_face_once() -> None:
    state = after(position("7H 7H 2C", "4H 5S 5S", "8H", "9H", "2D", packs=2), "0 7H")
    view = seat_view(state, 1)
    assert view.playable == (card("4H"),)
    assert [(each.card.code, each.code, each.sentence) for each in view.refusals] == [
        ("5S", "follow_suit", "You hold hearts: follow hearts.")
    ]
    assert seat_view(state, 0).legal == ()
    assert seat_view(state, 0).hand == hand_of("2C 7H")
    assert view.legal == (Play(1, card("4H")),)
