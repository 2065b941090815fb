"""A game whose middle was stored at once is, row for row, the game whose every card was sent."""

from functools import partial
from typing import Any

import pytest

from accounts.models import User
from games.clocks.pace import each_card
from games.models import Answer, Game, Move, Result, Turn, WastePile
from games.rules.ruleset import Ruleset
from games.services.verify import game_verify
from tests.games import ahead, stored
from tests.games.pacing import DAY, paced
from tests.games.stored import game_of, people, play_on
from tests.games.telling import readers

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_too]

OWN = {"id", "game", "game_id", "code", "holder_id", "seat_id", "table_id"}
GAMES = {
    "draws from the waste": (Ruleset(), 4),
    "draws from the next": (Ruleset(power="draw_next", penalties="penalise"), 3),
    "any order": (Ruleset(opening="any_order"), 5),
    "two packs": (Ruleset(packs=2, opening_tochoo="counts"), 5),
    "donkey": (Ruleset(game="donkey"), 4),
}


def rows(game: Game) -> dict[str, list[dict[str, Any]]]:
    """Every row of a game, without what tells two equal games apart."""
    found: dict[str, Any] = {"Game": Game.objects.filter(pk=game.pk).values()}
    for model in (Move, Answer, Turn, WastePile, Result):
        found[model.__name__] = model.objects.filter(game=game).order_by("pk").values()
    return {name: [{key: row[key] for key in row if key not in OWN} for row in each] for name, each in found.items()}


@pytest.mark.parametrize(("rules", "seats"), GAMES.values(), ids=GAMES)
def test_the_middle_at_once_is_the_same_as_card_by_card(
    rules: Ruleset, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Both draw the same.
    monkeypatch.setattr(stored, "play", partial(stored.play, source=lambda _: 0))
    slow, quick = (game_of(rules, persons=people(seats - 1), bots=1) for _ in range(2))
    for until in (lambda state: state.tricks >= 2, lambda state: state.result is not None):
        assert play_on(slow, until, each=True) == play_on(quick, until)
        assert rows(slow) == rows(quick)
    assert slow.status == Game.Status.OVER
    game_verify(game_id=quick.pk)


def test_where_more_hangs_on_a_card_each_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    forced = people(3)
    User.objects.filter(pk=forced[0].pk).update(notices={"forced": True})
    assert ahead.plain(game_of(persons=people(3)))
    assert not ahead.plain(paced(game_of(persons=people(3)), each_card(DAY)))
    assert not ahead.plain(game_of(persons=readers(3)))
    assert not ahead.plain(game_of(persons=forced))
    monkeypatch.setattr(stored, "skipped", lambda *_: pytest.fail("skipped"))
    play_on(game_of(persons=forced), lambda state: state.entries == 3)
