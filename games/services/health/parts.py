"""What the site is made of: database, cache, broker, channel layer."""

import asyncio
import secrets
from datetime import datetime, timedelta
from typing import Any, Final

from celery import current_app
from channels.layers import InMemoryChannelLayer, channel_layers
from django.core.cache import cache
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from games.services.health.check import Found, broken, warning, well
from games.services.pulse import site_now

APART: Final = timedelta(seconds=2)
"""How far this computer's clock may be from the database's."""

_PATIENCE: Final = 1.0


def database(_now: datetime) -> Found:
    """Look whether the database answers, and keeps what it is given."""
    if connection.vendor != "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        return well("SQLite answers.")
    most = connection.settings_dict["OPTIONS"].get("pool", {}).get("max_size", 1)
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        [version] = cursor.fetchone()
        cursor.execute("SHOW fsync")
        [fsync] = cursor.fetchone()
    if fsync != "on":
        return warning("PostgreSQL runs with fsync off: games are lost when its computer stops.", "Set fsync to on.")
    return well(f"PostgreSQL {version} answers; at most {most} connections a process.")


def clock(_now: datetime) -> Found:
    """Look whether this computer and the database agree on the time."""
    apart = abs(timezone.now() - site_now())
    if apart > APART:
        said = f"This computer's clock and the database's are {apart.total_seconds():.0f} seconds apart."
        return broken(said, "Let NTP set the clocks of both.")
    return well("This computer and the database agree on the time.")


def migrations(_now: datetime) -> Found:
    """Look whether the database has the tables of this version of the site."""
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if missing:
        return broken(f"Migrations that are not applied: {len(missing)}.", "Run manage.py migrate.")
    return well("All migrations are applied.")


def keeping(_now: datetime) -> Found:
    """Look whether the cache gives back what it was given."""
    key, value = f"health.{secrets.token_hex(8)}", secrets.token_hex(8)
    cache.set(key, value, 10)
    found = cache.get(key)
    cache.delete(key)
    if found != value:
        return broken("The cache loses what it is given.", "Give Redis more memory, or another maxmemory-policy.")
    return well("The cache keeps what it is given.")


def broker(_now: datetime) -> Found:
    """Look whether tasks can be sent."""
    with current_app.connection_for_write(connect_timeout=_PATIENCE) as line:
        line.ensure_connection(max_retries=1, interval_start=0, timeout=1)
        # Redis is spoken to with the first channel only: it answers a PING then.
        channel: Any = line.default_channel
        channel.close()
    return well("The broker answers.")


def layer(_now: datetime) -> Found:
    """Look whether what is sent to a channel comes out of it."""
    # One of its own: the one that sockets wait at belongs to their loop.
    asked: Any = channel_layers.make_backend("default")
    if isinstance(asked, InMemoryChannelLayer):
        return well("The channel layer is this process's memory.")
    if not asyncio.run(_through(asked)):
        return broken("What is sent through the channel layer does not arrive.", "Look at Redis, and at REDIS_URL.")
    return well("The channel layer delivers.")


async def _through(asked: Any) -> bool:
    word = secrets.token_hex(8)
    try:
        async with asyncio.timeout(2 * _PATIENCE):
            channel = await asked.new_channel("health")
            await asked.send(channel, {"type": "health", "word": word})
            return bool((await asked.receive(channel))["word"] == word)
    finally:
        await asked.close_pools()
