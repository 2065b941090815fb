"""People at the table of one running game, and what an answer tells them."""

from typing import Any

from games.models import Game
from tests.games.pages import Page, clients, page_of
from tests.games.stored import game_of, people, play_on

HX = {"HX-Request": "true"}


def third_trick() -> Game:
    """A game of four people in its third trick, where somebody must follow suit and could not play everything."""
    game = game_of(persons=people(4))
    play_on(game, lambda state: state.tricks >= 2 and len(state.trick) == 1)
    return game


class Seat:
    """Somebody at a game, with the page before them."""

    def __init__(self, game: Game, *, awaited: bool) -> None:
        self.game = game
        for self.number, self.client in clients(game).items():
            self.page = page_of(self.client, f"/games/{game.code}/")
            if (self.page.state == "my-turn") == awaited:
                return
        raise AssertionError("nobody such")

    def post(self, headers: Any = None, **fields: Any) -> Any:
        form: dict[str, Any] = self.page.form() | fields
        data = {name: value for name, value in form.items() if value is not None}
        return self.client.post(f"/games/{self.game.code}/play/", data, headers=headers)

    @property
    def refused(self) -> str:
        """A card of the hand that may not be played."""
        found = next(each for each in self.page.all("button", css="no"))
        return found.attrs["id"].split("-")[1]


def sentence(response: Any) -> str:
    """The one sentence that an answer says, by which a reader knows what is wrong."""
    alerts = [each.text for each in Page(response.content.decode()).all(role="alert")]
    assert len(alerts) == 1, alerts
    assert alerts[0].endswith(".")
    return alerts[0]
