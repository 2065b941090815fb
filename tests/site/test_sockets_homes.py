"""Open homes and lost rings: the checks find what no ring told, and an ear that was deaf hears again."""

from typing import Any

import pytest

from accounts.models import User
from bhabhi_site.layers import OneProcessChannelLayer
from games import effects
from games.live import checks
from games.live.checks import checked
from games.live.hub import hub
from games.metrics import LIVE_FAILED, RINGS_LOST
from games.models import Game, Table
from games.selectors.games import game_state
from games.services.declining import table_declined
from tests.games.gathering import LATER, draft, invite
from tests.games.stored import person
from tests.site.talks import Talk, cookie_of, in_thread, moved, path_of, world

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite_too]


async def opened() -> tuple[Game, str, Talk]:
    """A game, the cookie of whoever is to play, and their home, which shows what there is."""
    game, _, cookies = await in_thread(world)
    seat = await in_thread(lambda: game_state(game).awaited[0])
    home = await Talk("/ws/home/?since=", cookies[seat]).opened()
    await shown(home)
    return game, cookies[seat], home


async def shown(home: Talk) -> str:
    html = await home.board()
    for _ in range(2):
        await home.beat(html.split('data-digest="')[1].split('"')[0])
    while "ok" not in await home.heard():
        pass
    return html


def faults() -> float:
    return float(LIVE_FAILED.labels("fault")._value.get())


async def test_a_home_whose_rings_are_lost_is_healed_by_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effects._bell, "ring", lambda _: None)
    game, _, home = await opened()
    before = faults()
    await checked(hub)
    assert await home.receive_nothing(0.2)
    await in_thread(lambda: Table.objects.filter(pk=game.table_id).update(name="Chai"))
    await checked(hub)
    assert await home.receive_nothing(0.2)
    # What is no news of a game is found in a while; a game's at once.
    with monkeypatch.context() as later:
        later.setattr(checks, "RENEWED", 0.0)
        await checked(hub)
        assert "Chai" in await shown(home)
    await in_thread(moved, game)
    await checked(hub)
    assert 'data-mine="0"' in await shown(home)
    assert faults() == before
    await home.gone()


async def test_an_ear_that_was_deaf_hears_again_while_homes_are_open(monkeypatch: pytest.MonkeyPatch) -> None:
    game, cookie, home = await opened()
    lost, before = RINGS_LOST._value.get(), faults()

    async def deaf(*_: Any) -> Any:
        raise OSError

    with monkeypatch.context() as broken:
        broken.setattr(OneProcessChannelLayer, "receive", deaf)
        await in_thread(moved, game)
        assert 'data-mine="0"' in await shown(home)
        assert await home.receive_nothing(0.1)
    # Its next try lists it anew, and looks at what rang meanwhile.
    talk = await Talk(path_of(game), cookie).opened()
    assert await talk.heard() == {"here": []}
    assert await talk.receive_nothing(1.0)
    await in_thread(moved, game)
    assert 'data-version="2"' in await talk.board()
    assert (RINGS_LOST._value.get() > lost, faults()) == (True, before)
    for each in (home, talk):
        await each.gone()


async def test_an_invitation_comes_by_itself_and_goes_where_it_is_declined() -> None:
    def began() -> tuple[Table, User, str, str]:
        user = person("Nani")
        user.emailaddress_set.update(verified=True)
        return draft(person("Asha"), joins="invited"), user, user.emailaddress_set.get().email, cookie_of(user)

    table, user, address, cookie = await in_thread(began)
    home = await Talk("/ws/home/?since=", cookie).opened()
    assert table.code not in await shown(home)
    await in_thread(invite, table, address)
    assert f'formaction="/tables/{table.code}/decline/"' in await shown(home)
    await in_thread(table_declined, table_id=table.pk, user=user, now=LATER)
    assert table.code not in await shown(home)
    await home.gone()
