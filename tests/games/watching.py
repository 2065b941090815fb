"""People who watch, people who leave, and how a test makes them."""

import datetime as dt
from typing import Any, Final

from django.test import Client

from games.models import Game, Holder, Invite, Table
from games.services.seats import seat_handed
from tests.games.pages import client_of
from tests.games.stored import NOW, person

HOUR: Final = dt.timedelta(hours=1)


def lets(game: Game, watch: str) -> Game:
    """The game, at a table that lets these watch."""
    Table.objects.filter(pk=game.table_id).update(watch=watch)
    game.table.refresh_from_db()
    return game


def invite_to(table: Table, number: int = 1, **changes: Any) -> Invite:
    """An invitation to a table: its shared link unless told otherwise."""
    given = {"nonce": bytes(16), "token_hash": f"{number:064}", "uses": 3, "created": NOW, "expires": NOW + HOUR}
    return Invite.objects.create(table=table, **given | changes)


def came_by(invite: Invite, client: Client | None = None) -> Client:
    """A client, of nobody unless told otherwise, that has come by an invitation."""
    client = client or Client()
    session = client.session
    session["invited"] = [invite.pk]
    session.save()
    return client


def watcher() -> Client:
    """Somebody who is signed in and sits nowhere."""
    return client_of(person("Watcher"))


def handed(game: Game, seat: int, *, name: str = "Botli", at: dt.datetime | None = None) -> None:
    """Give a seat to a bot of that name."""
    seat_handed(table_id=game.table_id, seat=seat, now=at or NOW + HOUR)
    Holder.objects.filter(table=game.table, seat__number=seat, until=None).update(name=name)
    game.refresh_from_db()
