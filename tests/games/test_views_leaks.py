"""S1, S8, S9: no answer names a card that its reader cannot know, at any step of a game, at any address."""

from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest
from django.test import Client

from games.models import Game, Turn
from games.rules.moves import Entry, Play
from games.rules.replay import steps
from games.rules.ruleset import Ruleset
from games.rules.state import GameState
from games.selectors.games import dealt_state, entries_of
from tests.games.pages import Page, cards_on, client_of, clients
from tests.games.stored import game_of, people, person

pytestmark = pytest.mark.django_db


def known_to(seat: int | None, states: list[GameState], entries: tuple[Entry, ...]) -> set[str]:
    """Every card that a seat has had in hand or seen by now, worked out from what was done at the table alone."""
    held = [] if seat is None else [each for state in states for each in state.hands[seat]]
    known = {each.code for each in held}
    for (before, after), entry in zip(pairwise(states), entries, strict=True):
        # What is drawn comes from one's own hand or goes into it, or is not seen; hands are taken unseen.
        hidden = before.face_down and bool(before.trick)
        if isinstance(entry, Play) and not hidden:
            known.add(entry.card.code)
        if after.last is not None:
            known |= {each.card.code for each in after.last.plays}
    return known


def answers(client: Client, game: Game, rng: Random) -> Iterator[tuple[str, bytes]]:
    """What one reader gets from every address, right and wrong ones."""
    base = f"/games/{game.code}/"
    step = rng.randrange(game.version + 1)
    for path in (
        base,
        f"{base}board/",
        f"{base}replay/{step}/",
        f"{base}replay/{game.version}/",
        f"{base}replay/{game.version + 1}/",
        f"{base}record.json",
        f"/tables/{game.table.code}/",
        "/",
        "/help/",
    ):
        response = client.get(path)
        assert response.status_code in {200, 404}
        yield path, response.content + str(response.headers).encode()
    for fields in ({"card": rng.choice(["AS", "2C", "7D"]), "version": "99999", "key": "k" * 12}, {"card": "ZZ"}):
        for headers in ({}, {"HX-Request": "true"}):
            response = client.post(f"{base}play/", fields, headers=headers)
            assert response.status_code in {400, 404, 409}
            yield f"play {fields}", response.content


def check_reader(client: Client, seat: int | None, game: Game, states: list[GameState], rng: Random) -> int:
    """Check all that a reader gets now; return how many cards it named."""
    asked = {"AS", "2C", "7D"} if seat is None else set()
    known = known_to(seat, states, entries_of(game)) | asked
    named = 0
    for path, content in answers(client, game, rng):
        found = cards_on(content.decode())
        if path != "/help/":
            assert found <= known, f"seat {seat} at {path} of version {game.version}: {sorted(found - known)}"
            named += len(found)
        if path == f"/games/{game.code}/replay/{game.version}/" and seat is not None:
            assert {each.code for each in states[-1].hands[seat]} <= found
    return named


def move(game: Game, readers: dict[int, Client], rng: Random) -> None:
    """Let somebody choose among the buttons on their page, and send the form."""
    awaited = Turn.objects.filter(game=game).order_by("seat").values_list("seat", flat=True)
    seats = readers if rng.random() < 0.1 else awaited
    pages = {seat: Page(readers[seat].get(f"/games/{game.code}/").content.decode()) for seat in seats}
    takers = [seat for seat, page in pages.items() if page.takes]
    if takers and rng.random() < 0.03:
        seat = rng.choice(takers)
        fields = pages[seat].form(take=pages[seat].takes[0])
    else:
        seat = rng.choice([seat for seat, page in pages.items() if page.playable])
        fields = pages[seat].form(card=rng.choice(pages[seat].playable))
    response = readers[seat].post(f"/games/{game.code}/play/", fields)
    assert response.status_code == 303
    game.refresh_from_db()


GAMES = {
    "any order, waste": (Ruleset(opening="any_order"), 5),
    "next hand, strict": (Ruleset(power="draw_next", penalties="penalise"), 3),
    "donkey": (Ruleset(game="donkey"), 4),
    "two packs, any order": (Ruleset(packs=2, opening="any_order", tochoo="finish_trick"), 5),
}


@pytest.mark.parametrize(("most", "some"), [(7, 2), pytest.param(40, 5, marks=pytest.mark.soak)])
@pytest.mark.parametrize(("rules", "seats"), GAMES.values(), ids=GAMES)
def test_nobody_reads_a_card_that_they_cannot_know(rules: Ruleset, seats: int, most: int, some: int) -> None:
    """S1, in the opening trick and every ninth entry after it, by some who sit there, in turn, and who does not.

    More of it, and by everybody, in the long campaign.
    """
    rng = Random(str(rules))
    game = game_of(rules, persons=people(seats))
    readers, outsider = clients(game), client_of(person("Outsider"))
    named = checked = 0
    while game.status == Game.Status.RUNNING and checked < most:
        if game.version % (2 if game.version < seats + 2 else 9) == 0:
            states = list(steps(dealt_state(game), entries_of(game)))
            for seat in {(checked * some + each) % seats for each in range(some)}:
                named += check_reader(readers[seat], seat, game, states, rng)
            check_reader(outsider, None, game, states, rng)
            checked += 1
        move(game, readers, rng)
    assert checked > 5
    assert named > 30 * some * checked


def test_strangers_read_no_card_at_all() -> None:
    game = game_of(persons=people(4))
    for path in (f"/games/{game.code}/", f"/games/{game.code}/board/", f"/games/{game.code}/replay/0/", "/"):
        assert not cards_on(Client().get(path).content.decode())
