"""A site as it grows: some games with all that belongs to them, copied by PostgreSQL as often as is wanted."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import pytest
from django.apps import apps
from django.db import connection
from django.db.models import DateTimeField, Field, Max, Min, Model

from accounts.models import User
from games.models import Answer, Game, Halt, Holder, MissedTurn, Move, Notice, Pulse, Rating, RatingPool, Report, Table
from games.services.dealing import game_next, game_start
from games.services.office.results import deal_void, game_end, result_correct
from games.services.office.seen import seen_of
from games.services.ratings import ratings_kept
from tests.games.gathering import draft, invite, sit
from tests.games.stored import NOW, SECRET, game_of, over, people, person, play_on, table_of

SHARED: Final = 5
"""So many copies share their people: who plays has about as many games on a large site as on a small one."""
_FAR: Final = 100_000_000
"""Where copies are numbered from: far above what is made beside them."""
_AT_ONCE: Final = 500
_STAY: Final = {RatingPool, Pulse, Halt}
"""Of these there are as few on a large site as on a small one."""


@dataclass(frozen=True)
class Originals:
    """What is copied: the rows of each model between two ids.

    series: the table of four deals, at which the player sits. regular: plays one of a hundred series.
    """

    spans: Mapping[type[Model], tuple[int, int]]
    series: Table
    player: User
    regular: User

    def size(self, model: type[Model]) -> int:
        """How far the copies of a model's rows are apart."""
        low, high = self.spans[model]
        return high - low + 1

    def shift(self, model: type[Model]) -> str:
        """By how much the ids of a model's copy are higher than those of its originals, as SQL of n."""
        n = f"(n / {SHARED})" if model is User else "n"
        return f"({_FAR} + {n} * {self.size(model)})"

    def copy[Row: Model](self, row: Row, n: int) -> Row:
        """The n-th copy of a row."""
        model = type(row)
        step = n // SHARED if model is User else n
        return model._default_manager.get(pk=row.pk + _FAR + step * self.size(model))


def originals() -> Originals:
    """Play ten games: a series of four, five that are alone, and one that is not over."""
    users, boss, regular = people(10), person("Boss"), person("Regular")
    done = [*_series(users), *(over(game_of(persons=users[at : at + 6])) for at in range(4))]
    stuck = game_of(persons=users[4:])
    game_end(game_id=stuck.pk, by=boss, why="It was stuck", seen=seen_of(stuck), now=NOW)
    play_on(game_of(persons=users[2:6]), lambda state: state.tricks >= 3)
    _judged(done, boss)
    _told(done[0], users)
    _rated()
    apart = [boss.pk, regular.pk]
    return Originals(dict(_spans(apart)), Table.objects.get(pk=done[0].table_id), users[1], regular)


def _series(users: list[User]) -> Iterator[Game]:
    table = table_of(persons=users[:4], deals=4)
    Table.objects.filter(pk=table.pk).update(rated=True, host=users[0], watch=Table.Watch.ANYONE)
    for at in range(4):
        given: dict[str, Any] = {"table_id": table.pk, "now": NOW + timedelta(minutes=at)}
        yield over((game_next if at else game_start)(**given, secret=bytes([at]) * len(SECRET)))


def _judged(done: list[Game], boss: User) -> None:
    """Let an operator correct a deal, and void another."""
    loser = (done[0].result.loser or 0) + 1
    asked: dict[str, Any] = {"by": boss, "why": "A slip", "now": NOW}
    result_correct(game_id=done[0].pk, loser=loser % 4, cards_left=1, seen=seen_of(done[0]), **asked)
    deal_void(game_id=done[1].pk, seen=seen_of(done[1]), **asked)


def _told(game: Game, users: list[User]) -> None:
    """Let there be an open table with invitations, reports, missed turns, and notices most of which were sent."""
    table = draft(users[0])
    sit(table, users[1])
    for address in ("", "friend@example.org"):
        invite(table, address, sender=users[0])
    rows = Holder.objects.filter(table=game.table_id).select_related("seat")
    missed = [MissedTurn(game=game, seat=each.seat.number, holder=each, due_at=NOW, at=NOW) for each in rows]
    MissedTurn.objects.bulk_create(missed)
    for state in ("dismissed", "upheld", "open"):
        answered = None if state == "open" else NOW
        about: dict[str, Any] = {"by": users[1], "about": users[2], "said": "P2", "table": table, "answered": answered}
        Report.objects.create(kind="person", state=state, at=NOW, **about)
    Notice.objects.update(sent=NOW)
    Notice.objects.create(kind="over", user=users[3], game=game, table=game.table, key="one", created=NOW, due=NOW)


def _rated() -> None:
    """Let all be on the leaderboard who were rated."""
    ratings_kept()
    Rating.objects.update(deals=30)
    User.objects.filter(rating__isnull=False).update(notices={"listed": True})


def _spans(apart: list[int]) -> Iterator[tuple[type[Model], tuple[int, int]]]:
    for model in [each for app in ("accounts", "games") for each in apps.get_app_config(app).get_models()]:
        rows = model._default_manager.exclude(pk__in=apart) if model is User else model._default_manager.all()
        low, high = rows.aggregate(low=Min("pk"), high=Max("pk")).values()
        if low is not None and model not in _STAY:
            yield model, (low, high)


def grown(found: Originals, start: int, stop: int, *, logs_every: int = 1) -> None:
    """Copy the originals for each n from *start* to *stop*, and let the database count what there is.

    The log is left out but of each copy that *logs_every* divides.
    """
    if connection.vendor != "postgresql":
        pytest.fail("So many games are copied by PostgreSQL.")
    every = {model: 1 if _of_games(found, model) else SHARED for model in found.spans}
    # How long somebody took for a card is as many rows as there are cards: of some games they will do.
    every |= {Move: logs_every, Answer: 10 * logs_every}
    with connection.cursor() as cursor:
        # What refers to what is known to be right.
        cursor.execute("SET session_replication_role = replica")
        for model in found.spans:
            for at in range(start, stop, _AT_ONCE):
                cursor.execute(_copied(found, model, f"{at}, {min(at + _AT_ONCE, stop) - 1}, {every[model]}"))
        cursor.execute(
            f"UPDATE games_holder SET user_id = {found.regular.pk}"
            f" WHERE id >= {_FAR} AND (id - {_FAR + found.spans[Holder][0]}) % {100 * found.size(Holder)} = 0"
        )
        # Of the tables that wait for people most are closed some day.
        cursor.execute(
            "UPDATE games_table SET status = 'closed', closed = created WHERE status = 'open' AND id % 10 > 0"
        )
        cursor.execute("SET session_replication_role = DEFAULT")
        cursor.execute("VACUUM (ANALYZE)")


def _of_games(found: Originals, model: type[Model]) -> bool:
    """Whether there are the more of them the more games there are; of others, the more people."""
    return model is Table or any(each.related_model in found.spans.keys() - {User} for each in model._meta.fields)


def _copied(found: Originals, model: type[Model], steps: str) -> str:
    """An INSERT of the copies of a model's rows for each n of some steps; what is once a person comes once."""
    low, high = found.spans[model]
    fields, table = list(model._meta.concrete_fields), model._meta.db_table
    names, values = (", ".join(each) for each in zip(*(_column(found, each) for each in fields), strict=True))
    once = "ON CONFLICT DO NOTHING" if model is Report else ""
    return (
        f"INSERT INTO {table} ({names}) SELECT {values} FROM generate_series({steps}) n, {table} first"
        f" WHERE first.id BETWEEN {low} AND {high} ORDER BY n, first.id {once}"
    )


def _column(found: Originals, field: Field[Any, Any]) -> tuple[str, str]:
    """A column of a copy: its name, and its value as SQL of n and the first row."""
    name = f'"{field.column}"'
    first, refers = f"first.{name}", field.model if field.primary_key else field.related_model
    if refers is not None and refers in found.spans:
        return name, f"{first} + {found.shift(refers)}"
    if field.unique:
        # A code has eight signs, a hash 64.
        mine, most = f"to_hex(first.id + {found.shift(field.model)})", field.max_length or 0
        longer = f"md5({mine}) || md5({first})" if most == 64 else f"{mine} || {first}"
        return name, f"'z' || {mine}" if most <= 10 else longer
    if isinstance(field, DateTimeField) and field.model is not Move:
        # Of an entry the time is in its hash.
        return name, f"{first} + n * INTERVAL '1 minute'"
    return name, f"{first} || ' ' || to_hex(n)" if field.name == "name" else first
