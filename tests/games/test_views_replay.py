"""The replay: own view while the game runs, all hands after it, a link to each step."""

import re

import pytest
from django.test import Client

from games.models import Game
from games.rules.cards import hand_text
from games.rules.moves import Draw, Take
from games.rules.replay import steps
from games.rules.ruleset import Ruleset
from games.selectors import replays
from games.selectors.games import dealt_state, entries_of, game_state
from tests.games.pages import Page, cards_on, clients, page_of
from tests.games.stored import game_of, game_recorded, people, play, play_on, played, recorded

pytestmark = pytest.mark.django_db


def hands_on(page: Page) -> list[set[str]]:
    """The cards of each hand that lies open on a page."""
    return [
        {code for each in page.all("li") if hand in each.inside for code in cards_on(each.text)}
        for hand in page.all(css="open-hand")
    ]


def over(game: Game) -> Game:
    play_on(game, lambda state: state.result is not None)
    return game


def at(client: Client, game: Game, step: int) -> Page:
    return page_of(client, f"/games/{game.code}/replay/{step}/")


def test_while_the_game_runs_only_the_own_hand_is_shown() -> None:
    game = game_of(persons=people(4))
    play_on(game, lambda state: state.entries >= 20)
    states = list(steps(dealt_state(game), entries_of(game)))
    for seat, client in clients(game).items():
        for step in (0, 1, 4, 13, game.version):
            assert hands_on(at(client, game, step)) == [{each.code for each in states[step].hands[seat]}]


def test_after_the_end_all_hands_are_shown_the_own_one_first() -> None:
    game = over(game_of(Ruleset(packs=2), persons=people(5)))
    states = list(steps(dealt_state(game), entries_of(game)))
    for seat, client in clients(game).items():
        order = [seat, *(other for other in range(5) if other != seat)]
        for step in (0, 7, game.version):
            expected = [{each.code for each in states[step].hands[other]} for other in order]
            assert hands_on(at(client, game, step)) == expected


def test_links_lead_to_every_step() -> None:
    game = over(game_of(persons=people(4)))
    client, last = clients(game)[0], game.version
    first = at(client, game, 0)
    base = f"/games/{game.code}/replay/"
    tricks = first.one("ol", css="tricks")
    listed = [each.attrs["href"] for each in first.all("a") if tricks in each.inside]
    assert listed == [f"{base}{step}/" for step in range(1, last + 1)]
    assert [each.attrs["rel"] for each in first.all("a") if "rel" in each.attrs] == ["next", "last"]
    middle = at(client, game, 5)
    links = {each.attrs["rel"]: each.attrs["href"] for each in middle.all("a") if "rel" in each.attrs}
    assert links == {"first": f"{base}0/", "prev": f"{base}4/", "next": f"{base}6/", "last": f"{base}{last}/"}
    assert middle.one("a", aria_current="step").attrs["href"] == f"{base}5/"
    assert [each.attrs["rel"] for each in at(client, game, last).all("a") if "rel" in each.attrs] == ["first", "prev"]


def test_the_table_leads_to_the_first_step() -> None:
    game = game_of(persons=people(4))
    play_on(game, lambda state: state.entries >= 6)
    page = page_of(clients(game)[0], f"/games/{game.code}/")
    log = [each.attrs["href"] for each in page.all("a") if each.within(**{"aria-labelledby": "log-title"})]
    assert log == [f"/games/{game.code}/replay/0/"]


def test_the_list_tells_a_taken_hand_and_a_drawn_card_in_the_usual_sentences() -> None:
    game = game_of(persons=people(4))
    everybody = clients(game)
    state = play_on(game, lambda state: state.tricks >= 2 and not state.trick)
    taker = state.power
    victim = state.next_seat(taker)
    play(game, Take(taker, victim))
    counted = f"hand of {len(state.hands[victim])} cards."
    step = f"/games/{game.code}/replay/{game.version + 1}/"
    for seat, client in everybody.items():
        told = [each.text for each in at(client, game, 0).all("a", href=step) if "rel" not in each.attrs]
        takes = "You take" if seat == taker else f"P{taker} takes"
        whose = "your" if seat == victim else f"P{victim}\u2019s"
        assert told == [f"{takes} {whose} {counted}"]


def test_the_list_tells_a_drawn_card_to_its_drawer_alone() -> None:
    record, drawn = next(
        (record, number)
        for record in (recorded("getaway", line) for line in range(24))
        for number, each in enumerate(record.moves, start=1)
        if isinstance(each, Draw)
    )
    game = game_recorded(record)
    played(game, record, drawn)
    draw = record.moves[drawn - 1]
    assert isinstance(draw, Draw)
    step = f"/games/{game.code}/replay/{drawn}/"
    for seat, client in clients(game).items():
        told = {each.text for each in at(client, game, drawn).all("a", href=step) if "rel" not in each.attrs}
        mine = f"You draw the {draw.card.name} from the waste."
        assert told == {mine if seat == draw.seat else f"P{draw.seat} draws a card from the waste."}


def test_each_step_has_its_sentences() -> None:
    game = over(game_of(persons=people(4)))
    client = clients(game)[2]
    assert at(client, game, 0).one(css="banner").text == "The cards are dealt."
    assert "the ace of spades." in at(client, game, 1).one(css="banner").text
    assert re.search("(holds|hold|is|are) the last", at(client, game, game.version).one(css="banner").text)


def test_a_long_game_lists_its_tricks_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "TRICKS_LISTED", 5)
    game = over(game_of(persons=people(4)))
    client = clients(game)[0]
    seen: list[str] = []
    step: int | None = 0
    while step is not None:
        page = at(client, game, step)
        seen += [each.text for each in page.all("span", css="nth")]
        onward = [each.attrs["href"] for each in page.all("a") if each.text == "Later tricks"]
        step = int(onward[0].split("/")[-2]) if onward else None
    assert seen == [str(number) for number in range(1, len(seen) + 1)]
    assert len(seen) >= game_state(game).tricks
    back = [each.attrs["href"] for each in at(client, game, game.version).all("a") if each.text == "Earlier tricks"]
    assert len(back) == 1
    assert len(page_of(client, back[0]).all("span", css="nth")) == 5


def test_all_cards_dealt_are_named_at_the_start() -> None:
    game = over(game_of(persons=people(4)))
    hands = [hand_text(hand) for hand in dealt_state(game).hands]
    assert set().union(*hands_on(at(clients(game)[0], game, 0))) == set(" ".join(hands).split())
