"""Sockets in one process: who gets one, what it is sent, and with which code it is closed."""

import asyncio
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from games.live.checks import checked
from games.live.hub import hub
from games.live.sockets import A_MINUTE
from games.metrics import SOCKETS
from games.models import Game
from games.services.invites import invites_sent
from tests.games.gathering import draft
from tests.games.stored import person
from tests.site.talks import Talk, at_of, cookie_of, in_thread, moved, path_of, world

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite_too]


def away(**_: Any) -> None:
    raise OSError


def sockets() -> float:
    return float(SOCKETS._value.get())


@pytest.mark.parametrize("path", ["/", "/ws/", "/games/bcdfgh2345/", "/%00", "/ws/games/", "/ws/games/a/b/"])
async def test_a_socket_that_is_not_there_is_turned_away(path: str) -> None:
    talk = Talk(path)
    accepted, _ = await talk.connect()
    assert not accepted
    await talk.wait()


async def test_each_board_comes_by_itself_and_one_at_a_time() -> None:
    game, _, cookies = await in_thread(world)
    late = await Talk(path_of(game, since="0.0"), cookies[2]).opened()
    assert 'data-version="0"' in await late.board()
    talk = await Talk(path_of(game), cookies[1]).opened()
    assert await talk.heard() == {"here": []}
    await in_thread(moved, game)
    assert 'data-version="1"' in await talk.board()
    # Unanswered as yet: it waits, and then skips what is old already.
    await in_thread(moved, game)
    await in_thread(moved, game)
    # Said before the board had come: no answer to it.
    await talk.beat("0.1")
    assert await talk.receive_nothing(0.3)
    await talk.beat("1.2", seen=1)
    assert f'data-version="{game.version}"' in await talk.board()
    # That is an answer itself, and gets none.
    await talk.beat(at_of(game))
    await talk.beat(at_of(game))
    while (said := await talk.heard()) != {"ok": 1}:
        assert said == {"here": [1]}
    # Late has never answered its first: it is sent no other, unless it says that it shows an old one.
    await checked(hub)
    while (said := await late.heard()) != {"here": [1]}:
        assert said == {"here": []}
    assert await late.receive_nothing(0.1)
    assert sockets() == 2
    await late.gone()
    await talk.gone()
    assert (sockets(), dict(hub.games), dict(hub.people)) == (0, {}, {})


async def test_a_board_holds_no_token_and_may_be_plain() -> None:
    game, _, cookies = await in_thread(world)
    talk = await Talk(path_of(game, "", "&plain=1"), cookies[0]).opened()
    found = await talk.heard()
    while "plain" not in found:
        found = await talk.heard()
    assert found["plain"].startswith('<div id="board"')
    assert 'name="csrfmiddlewaretoken" value="-"' in found["plain"]
    await talk.gone()


async def test_a_lost_ring_heals_and_what_fails_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _, cookies = await in_thread(world)
    talk = await Talk(path_of(game), cookies[1]).opened()
    assert await talk.heard() == {"here": []}
    await Game.objects.filter(pk=game.pk).aupdate(revision=F("revision") + 1)
    with monkeypatch.context() as broken:
        broken.setattr("games.live.places.board_frames", away)
        await checked(hub)
        assert await talk.receive_nothing(0.2)
    await checked(hub)
    assert 'data-revision="2"' in await talk.board()
    await talk.gone()


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        (b"http://evil.example", b"testserver"),
        (b"https://testserver", b"testserver"),
        (b"http://testserver:81", b"testserver"),
        (b"http://testserver.evil.example", b"testserver"),
        (b"null", b"testserver"),
        (None, b"testserver"),
        (b"http://evil.example", b"evil.example"),
    ],
)
async def test_other_sites_pages_get_none(origin: bytes | None, host: bytes) -> None:
    talk = await Talk("/ws/home/", origin=origin, host=host).opened()
    assert await talk.heard() == {"close": 4403}
    await talk.gone()


async def test_who_may_not_look_is_told_why() -> None:
    game, users, cookies = await in_thread(world)
    stranger = await in_thread(lambda: cookie_of(person("Stranger")))
    asked = {
        (path_of(game), ""): 4401,
        (path_of(game), "sessionid=\0"): 4401,
        (path_of(game), "sessionid=" + "a" * 32): 4401,
        ("/ws/home/", ""): 4401,
        (path_of(game), stranger): 4404,
        ("/ws/games/nosuchgame/", stranger): 4404,
        ("/ws/games/%00/", stranger): 4404,
    }
    for (path, cookie), code in asked.items():
        talk = await Talk(path, cookie).opened()
        assert await talk.heard() == {"close": code}, path
        await talk.gone()
    await in_thread(lambda: User.objects.filter(pk=users[0].pk).update(is_active=False))
    talk = await Talk(path_of(game), cookies[0]).opened()
    assert await talk.closed() == 4401
    await talk.gone()
    await asyncio.sleep(0.05)
    assert hub.newcomers == []


@pytest.mark.parametrize(
    "frame",
    [
        "x", "[]", "1", "{}", '{"at":"1.1"}', '{"at":"1.1","seen":2}', '{"at":"1.1","seen":true}', '{"at":1,"seen":1}',
        '{"at":"1.1","seen":1,"x":1}', '{"at":"' + "9" * 80 + '.1","seen":1}', '{"at":"<a>","seen":0}', "[" * 96,
        b"\x00",
    ],
)  # fmt: skip
async def test_whatever_is_no_heartbeat_is_refused(frame: str | bytes) -> None:
    talk = await Talk("/ws/home/").opened()
    sent = {"text_data": frame} if isinstance(frame, str) else {"bytes_data": frame}
    await talk.send_to(**sent)
    assert await talk.closed() == 4400
    await talk.gone()


async def test_heartbeats_have_a_limit_and_silence_too() -> None:
    game, _, cookies = await in_thread(world)
    talk, other = [await Talk(path_of(game), cookies[at]).opened() for at in (1, 2)]
    assert await other.heard() == {"here": []}
    for _ in range(31):
        await talk.beat(at_of(game))
    assert await talk.closed() == 4400
    for each in hub.sockets():
        each.heard -= 61
    await checked(hub)
    assert await other.closed() == 4408
    await talk.gone()
    await other.gone()


@pytest.mark.parametrize("home", [False, True])
async def test_whoever_never_shows_what_they_are_sent_is_sent_so_much_and_no_more(home: bool) -> None:
    game, _, cookies = await in_thread(world)
    game = await in_thread(lambda: moved(moved(game)))
    talk = await Talk("/ws/home/?since=" if home else path_of(game, "0.0"), cookies[1]).opened()
    found, boards = await talk.heard(), 0
    # A minute may end meanwhile, and another begin.
    while "close" not in found and boards <= 2 * (A_MINUTE + 1):
        if "board" in found:
            boards += 1
            await talk.beat(f"{boards % 2}.1")
        found = await talk.heard()
    assert found == {"close": 4400}
    assert boards > A_MINUTE
    await talk.gone()


async def test_a_person_and_an_address_have_a_limit(settings: Any) -> None:
    settings.SOCKETS_PER_PERSON, settings.SOCKETS_PER_ADDRESS, settings.ALLAUTH_TRUSTED_PROXY_COUNT = 2, 3, 1
    game, _, cookies = await in_thread(world)

    async def open_from(address: str, who: int) -> Talk:
        return await Talk(path_of(game), cookies[who], headers=((b"x-forwarded-for", address.encode()),)).opened()

    talks = [await open_from("192.0.2.1", 0) for _ in range(2)]
    third = await open_from("192.0.2.1, 192.0.2.2", 0)
    assert await third.closed() == 4429
    talks.append(await open_from("192.0.2.1", 1))
    fourth = await open_from("192.0.2.9, 192.0.2.1", 1)
    assert await fourth.closed() == 4429
    for each in (*talks[:1], third, fourth):
        await each.gone()
    talks += [await open_from("192.0.2.1", 1)]
    assert await talks[-1].heard() == {"here": []}
    for each in talks[1:]:
        await each.gone()


async def test_who_is_here_is_shown_unless_they_hide(monkeypatch: pytest.MonkeyPatch) -> None:
    game, users, cookies = await in_thread(world)
    await User.objects.filter(pk=users[3].pk).aupdate(hide_online=True)
    talks = [await Talk(path_of(game), cookies[at]).opened() for at in (1, 3)]
    assert [await each.heard() for each in talks] == [{"here": []}, {"here": []}]
    for each in talks:
        await each.beat(at_of(game), seen=1)
    heard = [await talks[0].heard(), await talks[0].heard()]
    assert {"here": [1]} in heard
    # It is kept for a while, not with every heartbeat, and long enough until the next.
    keeps: list[Any] = []
    monkeypatch.setattr("games.live.hub.all_looked", keeps.append)
    for gone_by in (0, 11, 2):
        hub._kept = {pair: since - gone_by for pair, since in hub._kept.items()}
        await talks[0].beat(at_of(game), seen=1)
        await asyncio.sleep(0.7)
    assert keeps == [{(users[1].pk, game.pk)}]
    # Two tabs are one person, and one that is hidden says nothing.
    second = await Talk(path_of(game), cookies[1]).opened()
    await second.beat(at_of(game), seen=0)
    assert await second.heard() in ({"ok": 1}, {"here": [1]})
    await talks[0].gone()
    await asyncio.sleep(0)
    assert hub.seats[game.table_id] == tuple((at, users[at].pk) for at in (0, 1, 2))
    for each in (*talks[1:], second):
        await each.gone()


def invited(host: User, guest: User) -> None:
    EmailAddress.objects.filter(user=guest).update(verified=True)
    table, now = draft(host), timezone.now()
    invites_sent(table_id=table.pk, sender=host, addresses=str(guest.email), now=now)


async def test_a_home_is_live() -> None:
    game, users, cookies = await in_thread(world)
    talk = await Talk("/ws/home/?since=", cookies[0]).opened()
    html = await talk.board()
    assert f"/games/{game.code}/" in html
    assert "mine" in await talk.heard()
    digest = html.split('data-digest="')[1].split('"')[0]
    await talk.beat(digest)
    await talk.beat(digest)
    assert await talk.heard() == {"ok": 1}
    assert await talk.receive_nothing(0.1)
    await in_thread(invited, users[3], users[0])
    html = await talk.board()
    assert "Chai" in html
    await talk.beat(html.split('data-digest="')[1].split('"')[0])
    await in_thread(moved, game)
    await in_thread(moved, game)
    # Read while a turn passed on, a list may miss the game; the ring that follows the turn sends the next.
    while f"/games/{game.code}/" not in (html := await talk.board()):
        await talk.beat(html.split('data-digest="')[1].split('"')[0])
    assert sorted(hub.tables) == [game.table_id]
    await talk.gone()
    assert dict(hub.tables) == {}
