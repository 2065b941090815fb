"""What waits for a person: in the list of the start page, in every title, and after a card."""

import datetime as dt
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.models import Game, Holder, Result, Seat, Table, Turn
from games.rules.ruleset import RULES_VERSION, Ruleset
from games.selectors.mine import mine_count, next_of
from games.selectors.tables import RUNNING_SHOWN, home_of
from tests.games.invitees import asked, host, waiting
from tests.games.pages import client_of, page_of
from tests.games.stored import NOW, game_of, people, person
from tests.games.telling import reader

pytestmark = pytest.mark.django_db

HOUR = dt.timedelta(hours=1)


def many(user: User, count: int, *, seat: int) -> None:
    """Games in play of a person and two bots, in which a seat is awaited; none has cards."""
    fixed: dict[str, Any] = {"rules": Ruleset().as_dict(), "rules_version": RULES_VERSION, "created": NOW}
    named = (f"T{number}" for number in range(count))
    tables = Table.objects.bulk_create(
        Table(name=name, seats=3, status="running", started=NOW, **fixed) for name in named
    )
    seats = Seat.objects.bulk_create(Seat(table=table, number=at) for table in tables for at in range(3))
    who = ({"bot": "easy"} if each.number else {"user": user} for each in seats)
    Holder.objects.bulk_create(
        Holder(table=each.table, seat=each, name="N", since=NOW, **sits) for each, sits in zip(seats, who, strict=True)
    )
    games = Game.objects.bulk_create(
        Game(table=table, number=1, dealer=0, last_hash=bytes(32), **fixed) for table in tables
    )
    dues = (NOW + HOUR * at if at % 2 else None for at in range(count))
    Turn.objects.bulk_create(
        Turn(game=game, seat=seat, since=NOW, due_at=due) for game, due in zip(games, dues, strict=True)
    )


def waits(user: User, seats: tuple[int, ...], due: dict[int, int], **table: object) -> Game:
    """A game of a person with three others in which some seats are awaited, until so many hours later."""
    game = game_of(persons=[user, *people(3)])
    Table.objects.filter(pk=game.table_id).update(**table)
    Turn.objects.filter(game=game).delete()
    hours = {seat: due.get(seat) for seat in seats}
    Turn.objects.bulk_create(
        Turn(game=game, seat=seat, since=NOW, due_at=None if at is None else NOW + HOUR * at)
        for seat, at in hours.items()
    )
    return game


def test_the_soonest_deadline_comes_first_and_says_when(nani: User) -> None:
    none, late, soon = waits(nani, (0,), {}), waits(nani, (0,), {0: 30}), waits(nani, (0, 1), {0: 5})
    other = waits(nani, (2,), {2: 7})
    nani.zone = "Asia/Karachi"
    nani.save()
    page = page_of(client_of(nani), "/")
    mine = [each for each in page.all("a") if each.attrs["href"].startswith("/games/")]
    assert [each.attrs["href"] for each in mine] == [f"/games/{each.code}/" for each in (soon, late, none, other)]
    told = [each.text for each in page.all("span", css="now")]
    assert told[0].startswith("Your turn: all may play now, by ")
    assert "22:00" in told[0]
    assert told[1].startswith("Your turn, by ")
    assert told[2] == "Your turn"
    assert told[3].startswith("P1\u2019s turn, until ")
    assert page.all("time")[0].attrs["datetime"] == (NOW + 5 * HOUR).isoformat(timespec="seconds")


def test_it_goes_from_what_the_reader_must_do_to_what_is_over() -> None:
    """R23."""
    user, now = reader("Nani"), timezone.now()
    asked(waiting(host(), now=now), user.email or "", now=now)
    done = waits(user, (), {}, status="over")
    Result.objects.create(game=done, void=True, away=[])
    Game.objects.filter(pk=done.pk).update(status="over", ended=NOW)
    for seat in (1, 0):
        waits(user, (seat,), {})
    heads = [each.text for each in page_of(client_of(user), "/").all("h2")]
    assert heads == ["Your turn", "Waiting for others", "You are invited", "Finished"]


def test_every_title_has_the_number_of_what_waits(nani: User) -> None:
    waits(nani, (0,), {0: 5})
    waits(nani, (1,), {})
    stood = waits(nani, (0,), {0: 5})
    Holder.objects.filter(table=stood.table, user=nani).update(stand_in="medium", stood_in=NOW)
    client = client_of(nani)
    for path in ("/", "/me/", "/lobby/", "/help/", "/accounts/settings/"):
        response = client.get(path)
        assert "<title>(1) " in response.content.decode(), path
        assert 'data-mine="1"' in response.content.decode(), path
    assert [each.text for each in page_of(client, "/").all("span", css="now")].count("A bot plays for you") == 1
    other = client_of(person("Other"))
    assert "<title>My games</title>" in other.get("/").content.decode()


def test_a_thousand_games_ask_no_more_and_are_all_counted(nani: User) -> None:
    client, here = client_of(nani), waits(nani, (1,), {1: 7})
    queries: dict[str, list[int]] = {"/": [], f"/games/{here.code}/": [], f"/games/{here.code}/board/": []}
    for mine, others in ((5, 4), (495, 495)):
        many(nani, mine, seat=0)
        many(nani, others, seat=1)
        # As the database does by itself soon after so many rows have come: its plans are for few of them until then.
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        for path, counts in queries.items():
            with CaptureQueriesContext(connection) as found:
                assert client.get(path).status_code == 200
            counts.append(len(found))
    home, *table = queries.values()
    assert home[0] == home[1] <= 12
    assert all(few == more <= 8 for few, more in table)
    shown = home_of(nani, NOW)
    assert (len(shown.mine), shown.count, shown.unlisted) == (RUNNING_SHOWN, 500, 400)
    assert (len(shown.waiting), shown.more) == (RUNNING_SHOWN, True)
    assert shown.between == ()
    assert "<title>(500) My games</title>" in client.get("/").content.decode()


def test_after_a_card_the_soonest_other_game_is_next(nani: User) -> None:
    here, late, soon = waits(nani, (0,), {0: 1}), waits(nani, (0,), {0: 9}), waits(nani, (0,), {0: 5})
    waits(nani, (1,), {1: 1})
    found = next_of(nani, here)
    assert found is not None
    assert (found.code, found.count, mine_count(nani)) == (soon.code, 2, 3)
    after = next_of(nani, soon)
    assert after is not None
    assert after.code == here.code
    Turn.objects.filter(game__in=[late, soon]).delete()
    assert next_of(nani, here) is None


def test_the_next_deal_says_when_it_comes_by_itself(nani: User) -> None:
    game = waits(nani, (), {}, deals=3)
    Result.objects.create(game=game, void=True, away=[])
    Game.objects.filter(pk=game.pk).update(status="over", ended=NOW, next_at=NOW + HOUR)
    (line,) = home_of(nani, NOW).between
    assert line.now.startswith("Next deal at ")
    assert "in 60 minutes" in line.now
    Game.objects.filter(pk=game.pk).update(next_at=None)
    (line,) = home_of(nani, NOW).between
    assert line.now.endswith("Deal the next one when you like.")


def test_no_time_runs_in_a_game_that_was_set_aside(nani: User) -> None:
    game = waits(nani, (0,), {0: 5})
    assert "in 5 hours" in home_of(nani, NOW).mine[0].now
    Game.objects.filter(pk=game.pk).update(aside=NOW)
    assert home_of(nani, NOW).mine[0].now == "Your turn"
