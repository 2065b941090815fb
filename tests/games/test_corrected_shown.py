"""A correction counts wherever an end is shown: board, home, person's page, mail, record, archive."""

from datetime import timedelta

import pytest
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.models import Game, Table
from games.rules.record import check_record, record_of
from games.selectors.exports import export_files
from games.selectors.people import Profile, profile
from games.selectors.reach import reach_of
from games.selectors.records import game_record
from games.selectors.sight import looking
from games.selectors.updates import updates_for
from games.services.letters.ends import verdict_told
from games.services.seats import seat_left
from tests.games.correcting import corrected
from tests.games.pages import client_of, page_of
from tests.games.serial import conceded, series_of_losers
from tests.games.stored import NOW, person

pytestmark = pytest.mark.django_db

VOIDED = "The operators voided this deal: nobody lost."
LATER = NOW + timedelta(days=1)


@pytest.fixture
def game(four: list[User]) -> Game:
    """Lost by Bilal; Amrit got away first, then Roza, then Nani."""
    return series_of_losers([1], persons=four, deals=3)[0]


def profile_of(user: User, viewer: User) -> Profile:
    return profile(viewer=viewer, code=user.code, now=LATER)


def test_the_board_shows_it_with_what_was_changed(game: Game, four: list[User]) -> None:
    corrected(game, 2, cards=4, why="He slipped")
    page = page_of(client_of(four[0]), f"/games/{game.code}/")
    assert page.one(id="banner").text.startswith("Over Amrit holds the last cards and loses this deal.")
    places = [each.text for each in page.all("li") if any("places" in around.classes for around in each.inside)]
    assert places == ["1. Roza First away", "2. You", "3. Bilal", "4. Amrit, lost with 4 cards Last Hand"]
    assert "Corrected by an operator: was Bilal, now Amrit. Why: He slipped" in [each.text for each in page.all("p")]
    marks = {each.attrs["data-seat"]: each.attrs.get("data-away") for each in page.all("li", css="seat")}
    assert marks == {"0": "2", "1": "3", "2": None, "3": "1"}
    # As the play gave it, where it is shown step by step.
    assert "Bilal" in page_of(client_of(four[0]), f"/games/{game.code}/replay/{game.version}/").html


def test_a_void_deal_has_no_loser_on_its_board(game: Game, four: list[User]) -> None:
    corrected(game, None, why="The cards were seen")
    page = page_of(client_of(four[0]), f"/games/{game.code}/")
    assert page.one(id="banner").text.startswith(f"Over {VOIDED}")
    assert not page.all("li", css="lost")
    assert not [each for each in page.all(css="badge") if each.text == "Last Hand"]


def test_a_void_deal_is_told_as_one_everywhere(game: Game, four: list[User]) -> None:
    corrected(game, None, why="The cards were seen")
    Game.objects.update(next_at=None)
    client = client_of(four[0])
    home, series = page_of(client, "/"), page_of(client, f"/tables/{game.table.code}/")
    assert VOIDED in home.one(id=f"game-{game.code}").text
    assert "An operator declared the deal void: nobody loses it." in series.html
    for page in (home, series, page_of(client, f"/games/{game.code}/")):
        assert ("stopped" in page.one(id="main").text, "endless" in page.one(id="main").text) == (False, False)
    reach = reach_of([four[0].pk])[four[0].pk]
    assert verdict_told(reach, game) == VOIDED
    # What was corrected to a loser again is no longer void.
    corrected(game, 1, cards=3)
    assert VOIDED not in client.get("/").content.decode()


def test_who_lost_by_a_correction_with_no_card_was_the_last_one_left(game: Game, four: list[User]) -> None:
    corrected(game, 2, cards=0)
    page = page_of(client_of(four[0]), f"/tables/{game.table.code}/").html
    assert ("lost as the last one left" in page, "0 cards" in page) == (True, False)
    corrected(game, 2, cards=3)
    page = page_of(client_of(four[0]), f"/tables/{game.table.code}/").one(id="main").text
    assert "was Amrit with no cards, now Amrit with 3 cards" in page


def test_who_watches_reads_what_was_changed_but_not_why(game: Game) -> None:
    Table.objects.update(watch=Table.Watch.ANYONE)
    corrected(game, 2, why="Between us")
    page = page_of(client_of(person("Stranger")), f"/games/{game.code}/")
    assert "Corrected by an operator: was Bilal, now Amrit." in [each.text for each in page.all("p")]
    assert "Between us" not in page.html


def test_one_question_more_for_a_corrected_end_only(
    game: Game, four: list[User], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(2):
        looking(viewer=four[0], code=game.code)
    for loser in (2, 1, 2):
        corrected(game, loser, cards=3)
    with django_assert_num_queries(3):
        found = looking(viewer=four[0], code=game.code)
    board = updates_for(viewer=four[0], found=found, now=LATER)
    assert board is not None
    assert len(board.changes) == 3


def test_the_list_of_games_shows_it(game: Game, four: list[User]) -> None:
    corrected(game, 2)
    Game.objects.update(next_at=None)
    page = page_of(client_of(four[2]), "/")
    assert "You are the last one left: you lose this deal." in page.one(id=f"game-{game.code}").text


def test_the_person_whom_it_charges_has_lost_it(game: Game, four: list[User]) -> None:
    def counts() -> list[tuple[int, int, int]]:
        found = [profile_of(each, four[0]) for each in four]
        return [(each.games, each.lost, each.first) for each in found]

    assert counts() == [(1, 0, 0), (1, 1, 0), (1, 0, 1), (1, 0, 0)]
    corrected(game, 2, cards=3)
    assert counts() == [(1, 0, 0), (1, 0, 0), (1, 1, 0), (1, 0, 1)]
    corrected(game, None)
    assert counts() == [(1, 0, 0), (1, 0, 0), (1, 0, 1), (1, 0, 0)]
    corrected(game, 1, cards=52)
    assert counts() == [(1, 0, 0), (1, 1, 0), (1, 0, 1), (1, 0, 0)]


def test_mails_tell_it(game: Game, four: list[User]) -> None:
    corrected(game, 2)
    reach = reach_of([four[0].pk])[four[0].pk]
    assert verdict_told(reach, game) == "\u2068Amrit\u2069 is the last one left and loses this deal."


def test_a_record_holds_what_was_played_and_what_counts(game: Game, four: list[User]) -> None:
    stored = game_record(game)
    assert "counts" not in stored
    corrected(game, 2, cards=3)
    found = game_record(game)
    counts = found.pop("counts")
    assert found == stored
    assert counts == {"away": [3, 0, 1], "loser": 2, "void": False, "cards_left": 3}
    assert check_record(record_of(found | {"counts": counts})).ok
    files = dict(export_files(user=four[0], now=LATER))
    assert files[f"games/{game.code}/record.json"] == found | {"counts": counts}


def test_who_had_left_is_charged_by_a_correction_too(game: Game, four: list[User]) -> None:
    seat_left(table_id=game.table_id, user=four[1], now=LATER)
    assert conceded(game, 1).version == 3
    corrected(game, 2, cards=3)
    page = page_of(client_of(four[0]), f"/games/{game.code}/")
    assert "loses this deal" in page.one(id="banner").text
    assert "Amrit" in page.one(id="banner").text
