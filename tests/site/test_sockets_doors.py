"""The limits of sockets at a real server: too many are told so after they are accepted, and who is silent is closed."""

import asyncio
from collections.abc import Iterator

import pytest
from django.db import connection

from tests.load.client import Gone, Person, Socket
from tests.load.stack import stack
from tests.load.test_chaos import own_tables
from tests.site.real import Page, Site, path_of

# That the tables are there, which the servers' database is made like.
pytestmark = pytest.mark.django_db

SILENCE = 8.0


@pytest.fixture(scope="module")
def site(django_db_setup: None) -> Iterator[Site]:
    like = own_tables() if connection.vendor == "postgresql" else ""
    with stack(
        worker=False,
        like=like,
        SOCKETS_PER_PERSON="3",
        SOCKETS_PER_ADDRESS="5",
        LIVE_CHECK="1",
        TEST_SILENCE=str(SILENCE),
    ) as found:
        yield Site(found, iter(found.made("games", count=5)))


async def came(site: Site, code: str, person: Person) -> Page:
    return Page(site, {"code": code}, person, await Socket.open(site.stack.ports[0], path_of(code), person))


async def test_a_person_has_so_many_sockets_from_wherever(site: Site) -> None:
    game = next(site.games)
    pages = [await came(site, game["code"], Person(game["cookies"][0])) for _ in range(3)]
    for each in pages:
        await each.board()
    one_more = await came(site, game["code"], Person(game["cookies"][0]))
    assert await one_more.closed() == 4429
    # Somebody else has their own, and whoever closes one has room for another.
    pages.append(await came(site, game["code"], Person(game["cookies"][1])))
    pages.pop(0).socket.close()
    await asyncio.sleep(0.5)
    pages.append(await came(site, game["code"], Person(game["cookies"][0])))
    for each in pages[-2:]:
        await each.board()
    for each in pages:
        each.socket.close()


async def test_an_address_has_so_many_sockets_whoever_comes_from_it(site: Site) -> None:
    games = [next(site.games), next(site.games)]
    people = [(each["code"], cookie) for each in games for cookie in each["cookies"]]
    pages = [await came(site, code, Person(cookie, "192.0.2.7")) for code, cookie in people[:5]]
    for each in pages:
        await each.board()
    code, cookie = people[5]
    assert await (await came(site, code, Person(cookie, "192.0.2.7"))).closed() == 4429
    elsewhere = await came(site, code, Person(cookie, "192.0.2.8"))
    await elsewhere.board()
    for each in (*pages, elsewhere):
        each.socket.close()


async def test_who_is_silent_is_closed_and_who_speaks_is_not(site: Site) -> None:
    game = next(site.games)
    silent, speaks = [await came(site, game["code"], Person(game["cookies"][at])) for at in (0, 1)]
    await speaks.board()
    beats = asyncio.create_task(beaten(speaks))
    # It has read its board, and has never said so.
    assert await silent.closed(SILENCE + 20) == 4408
    beats.cancel()
    speaks.socket.shown(speaks.at)
    with pytest.raises(TimeoutError):
        await heard_until_closed(speaks)
    speaks.socket.close()


async def beaten(page: Page) -> None:
    while True:
        await asyncio.sleep(SILENCE / 4)
        page.socket.shown(page.at)


async def heard_until_closed(page: Page) -> None:
    """Raise TimeoutError if it is open still."""
    async with asyncio.timeout(1):
        try:
            while True:
                await page.socket.frame()
        except Gone:
            pytest.fail(f"closed: {page.socket.code}")


async def test_who_pings_without_end_is_dropped_and_keeps_no_memory(site: Site) -> None:
    game = next(site.games)
    page, other = [await came(site, game["code"], Person(game["cookies"][at])) for at in (2, 3)]
    for each in (page, other):
        await each.board()
    for _ in range(30):
        other.socket.ping(b"p" * 125)
    before, many = site.stack.memory("web1"), 40_000
    for at in range(many):
        page.socket.ping(b"p" * 125)
        if at % 5_000 == 0:
            # On a busy computer this takes longer than one may be silent here.
            other.socket.shown(other.at)
            await asyncio.sleep(0)
    # It reads no answers: nothing is kept for it.
    assert await page.closed() is None
    assert site.stack.memory("web1") - before < many * 125 // 1024 / 2
    other.socket.shown(other.at)
    with pytest.raises(TimeoutError):
        await heard_until_closed(other)
    other.socket.close()
