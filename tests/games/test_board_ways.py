"""What a board says of how each card was played, and of the deal to come."""

from typing import Any

import pytest

from games.models import Game, Move
from games.selectors.games import game_state, seat_of
from games.selectors.replays import replay_of
from games.selectors.sight import looking
from games.selectors.updates import updates_for
from games.services.bot_turns import bot_move
from games.services.dealing import game_start
from games.services.timeouts import turn_due
from tests.games.pacing import DAY, awaited, slow_game
from tests.games.pages import Page, client_of
from tests.games.stored import NOW, chosen, over, people, play, play_on, table_of
from tests.games.test_board_clocks import LATER, banner, shown, stand_in, user_at

pytestmark = pytest.mark.django_db


def made(page: Page) -> dict[int, str]:
    """How each entry that a board tells of was made, by its step."""
    return {int(each.attrs["data-step"]): each.attrs["data-by"] for each in page.all("li") if "data-by" in each.attrs}


class TestHowCardsWerePlayed:
    def test_all_is_told_once_the_deal_is_over(self) -> None:
        """R29, S12: until then others read of an order what they read of a hand."""
        game = slow_game()
        user = user_at(game, awaited(game))
        play(game, chosen(game_state(game), awaited(game)), actor=Move.Actor.ORDER)
        timed = awaited(game)
        turn_due(game_id=game.pk, seat=timed, now=NOW + DAY)
        away = awaited(game)
        stand_in(game, away, NOW + DAY)
        bot_move(game_id=game.pk, version=2, now=NOW + DAY)
        game.refresh_from_db()
        owner = seat_of(game, user)
        assert owner is not None
        told = {1: "order", 2: "timeout", 3: "stand-in"}
        page = shown(game, owner, NOW + DAY)
        assert made(page) == told
        assert [each.text for each in page.all("i", css="made")] == [
            "by a bot, standing in",
            "by a bot: the time was up",
            "by itself",
        ]
        page = shown(game, timed, NOW + DAY)
        assert made(page) == told | {1: "hand"}
        replay = replay_of(viewer=user_at(game, timed), code=game.code, step=1)
        assert [link.mark for row in replay.tricks for link in row.links] == ["", "time-out", "stand-in"]
        assert replay.lines[0].made == "by hand"
        play_on(game, lambda state: state.result is not None)
        replay = replay_of(viewer=user_at(game, timed), code=game.code, step=1)
        assert replay.lines[0].made == "by itself"
        late = {each.name: each.late for each in self.places(game, timed)}
        assert late == {f"P{owner}": "", f"P{timed}": "timed out", f"P{away}": "a bot played for them"}
        assert [each.late for each in self.places(game, away) if each.you] == ["a bot played for you"]

    @staticmethod
    def places(game: Game, seat: int) -> Any:
        user = user_at(game, seat)
        board = updates_for(viewer=user, found=looking(viewer=user, code=game.code), now=LATER)
        assert board is not None
        return board.places


class TestNextDeal:
    def test_it_comes_by_itself_unless_somebody_asks_to_wait(self) -> None:
        game = over(game_start(table_id=table_of(persons=people(3), deals=3).pk, now=NOW))
        page = shown(game, 0, NOW)
        assert banner(page).endswith("Next deal at 12:10 UTC (in 10 minutes).")
        assert page.one(id="next-deal").text == "The next deal starts by itself at 12:10 UTC (in 10 minutes)."
        assert page.one("button", css="main").text == "Deal now"
        hold = page.one("form", id="hold").attrs["action"]
        assert client_of(user_at(game, 1)).post(hold).status_code == 303
        game.refresh_from_db()
        page = shown(game, 0, NOW)
        assert page.one(id="next-deal").text.startswith("P1 asks to wait with the next deal")
        assert shown(game, 1, NOW).one(id="next-deal").text.startswith("You ask to wait with the next deal")
        assert page.one("button", css="main").text == "Next deal"
        assert not page.all("form", id="hold")


def test_less_motion_is_said_on_every_page_with_cards() -> None:
    """R41: the script and the sheet read it there."""
    game = slow_game()
    user, said = user_at(game, 0), '<html lang="en" dir="ltr" data-still>'
    pages = [f"/games/{game.code}/", f"/games/{game.code}/replay/0/"]
    assert [said in client_of(user).get(each).content.decode() for each in pages] == [False, False]
    user.notices = {"still": True}
    user.save()
    assert [said in client_of(user).get(each).content.decode() for each in pages] == [True, True]
