"""A guest is asked for an address once they have played a card; and anybody seated may leave."""

import pytest

from accounts.models import User
from games.models import Game
from games.selectors.games import game_state
from tests.games.pages import Page, client_of, page_of
from tests.games.stored import chosen, game_of, over, people, play, play_on
from tests.games.watching import handed, lets, watcher

pytestmark = pytest.mark.django_db


@pytest.fixture
def guest() -> User:
    return User.objects.create_guest("Bilal")


@pytest.fixture
def game(guest: User) -> Game:
    game = game_of(persons=[guest, *people(3)])
    play_on(game, lambda state: state.awaited == (0,) and state.tricks == 0)
    return game


def board(game: Game, user: User) -> Page:
    return page_of(client_of(user), f"/games/{game.code}/")


def play_one(game: Game) -> None:
    state = game_state(game)
    play(game, chosen(state, state.awaited[0]))
    game.refresh_from_db()


def test_a_guest_is_asked_after_their_first_card(game: Game, guest: User) -> None:
    assert not board(game, guest).all(id="guest")
    play_one(game)
    notice = board(game, guest).one(id="guest")
    assert notice.text.startswith("Only this browser holds your seat. Add an email")
    page = board(game, guest)
    links = [each.attrs["href"] for each in page.all("a") if page.one(id="guest") in each.inside]
    assert links == ["/accounts/email/", "/accounts/device/"]
    client = client_of(guest)
    assert {client.get(each).status_code for each in links} == {200}
    over(game)
    assert board(game, guest).all(id="guest")


def test_the_fragment_asks_as_well(game: Game, guest: User) -> None:
    play_one(game)
    assert page_of(client_of(guest), f"/games/{game.code}/board/").all(id="guest")


def test_who_has_an_address_is_not_asked(game: Game, guest: User) -> None:
    play_one(game)
    other = User.objects.get(holder__table=game.table, holder__seat__number=1)
    while game_state(game).awaited != (1,):
        play_one(game)
    play_one(game)
    assert not board(game, other).all(id="guest")
    guest.email = "bilal@example.org"
    guest.save()
    assert not board(game, guest).all(id="guest")


def test_a_guest_who_watches_holds_no_seat(game: Game, guest: User) -> None:
    play_one(game)
    handed(lets(game, "anyone"), 0)
    assert not board(game, guest).all(id="guest")


def test_the_board_leads_to_where_one_leaves(game: Game, guest: User) -> None:
    href = board(game, guest).one(css="leave").text
    assert href == "Leave the game"
    links = [each.attrs["href"] for each in board(game, guest).all("a") if each.text == "Leave the game"]
    assert links == [f"/tables/{game.table.code}/#leave"]
    over(game)
    assert not board(game, guest).all(css="leave")
    assert not page_of(watcher(), f"/games/{lets(game, 'anyone').code}/").all(css="leave")


def test_whoever_has_company_asks_the_same_people_again(game: Game, guest: User) -> None:
    over(game)
    assert board(game, guest).one("form", id="again").text == "Same people again"
    alone = over(game_of(persons=[guest], bots=3))
    assert board(alone, guest).one("form", id="again").text == "Same table again"
