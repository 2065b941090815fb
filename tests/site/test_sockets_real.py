"""Sockets of two real servers that share PostgreSQL and Redis: closed in time, and right again after every fall."""

import asyncio
import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from channels_redis.core import RedisChannelLayer
from django.db import connection

from games.effects import RINGS
from tests.load.client import Person, Socket, at_of, html_of
from tests.load.stack import stack
from tests.load.test_chaos import own_tables
from tests.site.real import SOON, Page, Site, at_seat, nothing_shown, opened, path_of, table_of

# That the tables are there, which the servers' database is made like.
pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def site(django_db_setup: None) -> Iterator[Site]:
    like = own_tables() if connection.vendor == "postgresql" else ""
    with stack(webs=2, worker=False, like=like) as found:
        yield Site(found, iter(found.made("games", count=16)))


async def test_it_closes_within_seconds_whoever_may_look_no_more(site: Site) -> None:
    game = next(site.games)
    user = "(SELECT user_id FROM games_holder h JOIN games_table t ON t.id = h.table_id JOIN games_game g"
    user += " ON g.table_id = t.id JOIN games_seat s ON s.id = h.seat_id WHERE g.code = %s AND s.number = %s)"
    async with (
        opened(site, 0, game) as left,
        opened(site, 1, game) as stopped,
        opened(site, 2, game) as out,
        opened(site, 3, game) as changed,
        opened(site) as stays,
    ):
        [(table,)] = site.stored("SELECT t.code FROM games_table t JOIN games_game g ON g.table_id = t.id"
                                 " WHERE g.code = %s", game["code"])  # fmt: skip
        assert await out.post("/accounts/signout/") == 303
        assert await out.closed() == 4401
        site.stored(f"UPDATE accounts_user SET is_active = false WHERE id = {user}", game["code"], 1)
        assert await stopped.closed() == 4401
        site.stored(f"UPDATE accounts_user SET password = 'another' WHERE id = {user}", game["code"], 3)
        assert await changed.closed() == 4401
        assert await left.post(f"/tables/{table}/leave/", sure="yes") in (200, 204, 302, 303)
        assert await left.closed() == 4404
        assert await stays.moved() == await stays.board()


BANNED = """
import sys, django
django.setup()
from django.utils import timezone
from accounts.models import User
from games.services.office.people import person_ban
from games.services.office.seen import seen_of
user, by = (User.objects.get(pk=each) for each in sys.argv[1:])
person_ban(user_id=user.pk, by=by, why="Rude.", seen=seen_of(user), now=timezone.now())
"""


async def test_whom_an_operator_stops_is_out_everywhere_within_seconds(site: Site) -> None:
    async with opened(site) as operator, opened(site) as stopped:
        site.stored("UPDATE accounts_user SET is_staff = true, is_superuser = true WHERE id = %s", at_seat(operator))
        # As the desk does, in a process of its own.
        site.stack.python("-c", BANNED, str(at_seat(stopped)), str(at_seat(operator)))
        assert await stopped.closed() == 4401
        assert await nothing_shown(stopped) == 4401


async def test_whom_a_host_removes_or_blocks_sees_nothing_more_within_seconds(site: Site) -> None:
    async with opened(site) as host:
        code = host.game["code"]
        site.stored("UPDATE games_table SET watch = 'anyone' WHERE id = %s", table_of(host))
        waits = await asyncio.to_thread(site.stack.made, "waiting", game=code)
        guest = Person(waits["cookie"])
        home = Page(site, host.game, guest, await Socket.open(site.stack.ports[0], "/ws/home/?since=", guest))
        assert f"/tables/{waits['code']}/" in await home.html()
        watches = Page(site, host.game, guest, await Socket.open(site.stack.ports[0], path_of(code), guest))
        await watches.board()
        # Freed by the button of the page, of a seat that only the page names.
        [seat] = re.findall(r'name="seat" value="(\d+)">Free', await host.get(f"/tables/{waits['code']}/"))
        assert await host.post(f"/tables/{waits['code']}/remove/", seat=seat) == 303
        while f"/tables/{waits['code']}/" in await home.html():
            pass
        assert await host.post(f"/people/{waits['guest']}/block/", way="on") == 303
        assert await watches.closed() == 4404
        assert await nothing_shown(watches) == 4404
        await host.moved()
        await host.board()
        home.socket.close()


async def test_who_signs_out_in_another_tab_is_out_in_this_one(site: Site) -> None:
    async with opened(site) as page:
        home = Page(
            site, page.game, page.person, await Socket.open(site.stack.ports[0], "/ws/home/?since=", page.person)
        )
        await home.html()
        assert await page.post("/accounts/signout/") == 303
        assert (await page.closed(), await home.closed()) == (4401, 4401)
        assert await nothing_shown(page) == 4401


async def test_watchers_are_closed_within_seconds(site: Site) -> None:
    game, other = next(site.games), next(site.games)
    at_game = "UPDATE games_table t SET watch = %s FROM games_game g WHERE g.table_id = t.id AND g.code = %s"
    site.stored(at_game, "anyone", game["code"])
    async with opened(site, 0, game) as sits:
        watcher = Person(other["cookies"][0])
        socket = await Socket.open(site.stack.ports[0], path_of(game["code"]), watcher)
        watches = Page(site, game, watcher, socket)
        await watches.board()
        await sits.moved()
        await watches.board()
        site.stored(at_game, "nobody", game["code"])
        assert await watches.closed() == 4404
        await sits.upto(sits.at if sits.at[0] == 1 else await sits.board())


async def test_redis_falls_and_comes_back(site: Site) -> None:
    redis = site.stack.servers["redis"]
    async with opened(site) as page:
        await asyncio.to_thread(redis.kill)
        try:
            # Nobody could ring: the check finds it.
            await page.upto(await page.moved())
        finally:
            await asyncio.to_thread(redis.start)
        await page.upto(await page.moved(), 15)
        await listed(site, 20)
        await page.upto(await page.moved())


def layer(site: Site) -> Any:
    return RedisChannelLayer(hosts=[site.stack.env["REDIS_URL"]])


async def listed(site: Site, patience: float) -> None:
    """Wait until a process says that it hears rings."""
    until = time.monotonic() + patience
    while not await members(site):
        assert time.monotonic() < until
        await asyncio.sleep(0.2)


async def members(site: Site) -> int:
    """How many processes hear rings."""
    found = layer(site)
    try:
        return int(await found.connection(0).zcard(found._group_key(RINGS)))
    finally:
        await found.close_pools()


@pytest.mark.soak
async def test_postgresql_falls_and_comes_back(site: Site) -> None:
    async with opened(site) as page:
        await asyncio.to_thread(site.stack.servers["postgres"].kill)
        await asyncio.sleep(4)
        await asyncio.to_thread(site.stack.servers["postgres"].start)
        await page.upto(await page.moved(), 20)


@pytest.mark.soak
async def test_a_group_that_has_forgotten_a_process_is_told_again(site: Site) -> None:
    async with opened(site) as page:
        found = layer(site)
        await found.connection(0).delete(found._group_key(RINGS))
        await found.close_pools()
        await listed(site, SOON)
        await page.upto(await page.moved())


@pytest.mark.soak
async def test_five_hundred_rings_to_a_sleeper_are_one_board(site: Site) -> None:
    async with opened(site) as page:
        code, found = page.game["code"], layer(site)
        [(game, table)] = site.stored("SELECT id, table_id FROM games_game WHERE code = %s", code)
        version, revision = page.at
        for number in range(500):
            if number % 50 == 0:
                more = "UPDATE games_game SET revision = revision + 1 WHERE id = %s RETURNING version, revision"
                [(version, revision)] = site.stored(more, game)
            ring = {"type": "game.changed", "game": game, "table": table, "version": version, "revision": revision}
            await found.group_send(RINGS, ring | {"by": 0, "at": time.time()})
        await found.close_pools()
        await asyncio.sleep(3)
        boards = [each async for each in page.waiting() if isinstance(each, bytes)]
        assert len(boards) == 1
        page.at = at_of(html_of(boards[-1]))
        page.socket.shown(page.at)
        [last] = site.stored("SELECT version, revision FROM games_game WHERE id = %s", game)
        await page.upto(last)
