"""Many at once at one table: never a hole, never two in a seat, never one person twice."""

import datetime as dt
import io
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from django.core.management import call_command

from accounts.models import User
from games.models import Game, Holder, Move, Result, Table, Turn
from games.selectors.games import game_state
from games.services.again import table_again
from games.services.clean import tables_cleaned
from games.services.dealing import game_next
from games.services.errors import ServiceError
from games.services.hosting import host_handed, table_closed, table_renamed, table_start
from games.services.seats import seat_handed, seat_left, seat_removed
from tests.games.gathering import LATER, check_seats_whole, draft, invite, seated, sit
from tests.games.stored import chosen, in_threads, people, person, play, play_on

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite_too]

six_times = pytest.mark.parametrize("nth", range(6))


def kinds(results: list[object]) -> Counter[str]:
    """What came of it, by kind; an error that is not one of the services' own is none of these games."""
    wrong = [each for each in results if isinstance(each, Exception) and not isinstance(each, ServiceError)]
    assert wrong == []
    return Counter(type(each).__name__ for each in results)


def at_once(*acts: Callable[[], Any]) -> Counter[str]:
    return kinds(in_threads(len(acts), lambda number: acts[number]()))


def verify() -> None:
    call_command("verify_games", stdout=io.StringIO())


def test_twenty_who_want_the_last_seat_are_one() -> None:
    table = draft(person("Nani"), 3)
    sit(table), sit(table)
    persons = people(20)
    found = kinds(in_threads(20, lambda number: sit(table, persons[number])))
    assert found == {"Holder": 1, "TableStarted": 19}
    assert Game.objects.filter(table=table).count() == 1
    check_seats_whole(table, persons)
    verify()


def test_twenty_who_want_one_seat_of_a_table_that_waits() -> None:
    table = draft(person("Nani"), 3, starts="host")
    persons = people(20)
    found = kinds(in_threads(20, lambda number: sit(table, persons[number], seat=2)))
    assert found == {"Holder": 1, "SeatTaken": 19}
    check_seats_whole(table, persons)


def test_one_person_who_sits_down_ten_times_sits_once() -> None:
    table, roza = draft(person("Nani"), 3), person("Roza")
    assert kinds(in_threads(10, lambda _: sit(table, roza))) == {"Holder": 1, "SeatHeld": 9}
    check_seats_whole(table, [roza])


def test_ten_of_one_name_are_one() -> None:
    table, persons = draft(person("Nani"), 7), [person("Roza") for _ in range(10)]
    assert kinds(in_threads(10, lambda number: sit(table, persons[number]))) == {"Holder": 1, "NameTaken": 9}


def test_a_full_house_at_once_starts_once() -> None:
    table = draft(person("Nani"), 7)
    persons = people(20)
    found = kinds(in_threads(20, lambda number: sit(table, persons[number])))
    assert found == {"Holder": 7, "TableStarted": 13}
    assert Game.objects.filter(table=table).count() == 1
    check_seats_whole(table, persons)
    verify()


@six_times
@pytest.mark.parametrize("short", ["bots", "fewer"])
def test_sitting_down_and_the_start(short: str, nth: int) -> None:
    nani = person("Nani")
    table = draft(nani, 4)
    sit(table, seat=4), sit(table, seat=2)
    roza, bilal = people(2)
    found = at_once(
        lambda: sit(table, roza, seat=3),
        lambda: table_start(table_id=table.pk, host=nani, short=short, now=LATER),
        lambda: sit(table, bilal),
        lambda: table_start(table_id=table.pk, host=nani, short=short, now=LATER),
    )
    assert found["Game"] <= 1
    assert Game.objects.filter(table=table).count() == 1
    check_seats_whole(table, [roza, bilal])
    assert len(game_state(Game.objects.get(table=table)).hands) == len(seated(table))
    verify()


def test_two_starts_at_once_are_one() -> None:
    nani = person("Nani")
    table = draft(nani, 3)
    found = kinds(in_threads(10, lambda _: table_start(table_id=table.pk, host=nani, short="bots", now=LATER)))
    assert found == {"Game": 1, "TableStarted": 9}
    check_seats_whole(table)


@six_times
def test_leaving_and_the_start(nth: int) -> None:
    nani, roza = person("Nani"), person("Roza")
    table = draft(nani, 3, starts="host")
    sit(table, roza), sit(table), sit(table)
    at_once(
        lambda: seat_left(table_id=table.pk, user=roza, now=LATER),
        lambda: table_start(table_id=table.pk, host=nani, short="bots", now=LATER),
        lambda: seat_left(table_id=table.pk, user=roza, now=LATER),
    )
    check_seats_whole(table, [roza])
    assert not Holder.objects.filter(table=table, user=roza, until=None).exists()
    assert table.status == "running"
    verify()


@six_times
def test_leaving_and_the_last_seat(nth: int) -> None:
    table, roza = draft(person("Nani"), 3), person("Roza")
    sit(table, roza), sit(table)
    last = person("Last")
    at_once(lambda: seat_left(table_id=table.pk, user=roza, now=LATER), lambda: sit(table, last))
    check_seats_whole(table, [roza, last])
    # Either Roza was quicker and their seat is free, or a bot plays on for them.
    assert len(seated(table)) == (4 if table.status == "running" else 3)


@six_times
def test_taking_away_and_sitting_down(nth: int) -> None:
    nani, roza, bilal = person("Nani"), person("Roza"), person("Bilal")
    table = draft(nani, 3)
    sit(table, roza), sit(table)
    at_once(
        lambda: seat_removed(table_id=table.pk, host=nani, seat=1, now=LATER),
        lambda: sit(table, bilal, seat=1),
        lambda: sit(table, roza),
        lambda: seat_removed(table_id=table.pk, host=nani, seat=1, now=LATER),
    )
    check_seats_whole(table, [roza, bilal])


@pytest.mark.parametrize(("starts", "status"), [("host", "closed"), ("full", "running")])
def test_all_leave_at_once(starts: str, status: str) -> None:
    persons = people(4)
    table = draft(persons[0], 3, starts=starts)
    for each in persons[1:]:
        sit(table, each)
    found = kinds(in_threads(4, lambda at: seat_left(table_id=table.pk, user=persons[at], now=LATER)))
    assert found == {"NoneType": 4}
    check_seats_whole(table, persons)
    assert table.status == status


@six_times
def test_leaving_and_the_last_cards(nth: int) -> None:
    table = draft(person("Nani"), 2)
    sit(table), sit(table)
    game = Game.objects.get(table=table)
    play_on(game, lambda state: min(map(len, state.hands)) <= 2)
    users = list(User.objects.order_by("pk"))

    def play_out() -> None:
        while (state := game_state(game)).result is None:
            with suppress(ServiceError):
                play(game, chosen(state, state.awaited[0]), version=state.entries)

    def act(number: int) -> None:
        if number == 3:
            play_out()
        else:
            seat_left(table_id=table.pk, user=users[number], now=LATER + dt.timedelta(minutes=1))

    kinds(in_threads(4, act))
    check_seats_whole(table)
    assert table.status == "over"
    assert not Turn.objects.filter(game=game).exists()
    result = Result.objects.get(game=game)
    assert result.holder is not None
    # Whoever sat there when it began is charged, a bot never.
    assert result.holder.bot == ""
    verify()


def test_the_last_card_and_whoever_holds_the_table() -> None:
    """The last card changes the table, too: were the game held first, each would wait for the other here."""
    nani = person("Nani")
    table = draft(nani, 2)
    sit(table), sit(table)
    game = Game.objects.get(table=table)
    play_on(game, lambda state: min(map(len, state.hands)) <= 2)

    done = threading.Event()

    def act(number: int) -> None:
        try:
            while not done.is_set() and (state := game_state(game)).result is None:
                with suppress(ServiceError):
                    if number:
                        table_renamed(table_id=table.pk, host=nani, name=f"Chai {number}", now=LATER)
                    else:
                        play(game, chosen(state, state.awaited[0]), version=state.entries)
        finally:
            done.set()

    assert in_threads(4, act) == [None] * 4
    check_seats_whole(table)
    assert table.status == "over"


def test_a_seat_changes_hands_while_cards_are_played_and_deals_dealt() -> None:
    """Whoever holds a table holds it before its game: none waits for the other for ever."""
    table = draft(person("Nani"), 3, deals=3)
    sit(table), sit(table), sit(table)
    game = Game.objects.get(table=table)

    def act(number: int) -> None:
        for at in range(25):
            try:
                if number == 0:
                    seat_handed(table_id=table.pk, seat=at % 4, now=LATER)
                elif number == 1:
                    game_next(table_id=table.pk, now=LATER)
                else:
                    newest = Game.objects.filter(table=table).latest("number")
                    state = game_state(newest)
                    play(newest, chosen(state, state.awaited[0], seed=at), version=state.entries)
            except ServiceError:
                continue

    assert in_threads(5, act) == [None] * 5
    assert Move.objects.filter(game=game).exists()
    check_seats_whole(table)
    verify()


@six_times
def test_the_host_goes_while_everything_else_happens(nth: int) -> None:
    nani, roza = person("Nani"), person("Roza")
    table = draft(nani, 3, starts="host")
    sit(table, roza)
    at_once(
        lambda: seat_left(table_id=table.pk, user=nani, now=LATER),
        lambda: host_handed(table_id=table.pk, host=nani, seat=1, now=LATER),
        lambda: seat_left(table_id=table.pk, user=roza, now=LATER),
        lambda: table_closed(table_id=table.pk, host=nani, now=LATER),
        lambda: tables_cleaned(now=LATER),
    )
    check_seats_whole(table, [nani, roza])
    sits = {holder.user for holder in Holder.objects.filter(table=table, until=None)}
    # The host sits there, or it is closed.
    assert table.status == "closed" or table.host in sits


def test_all_who_want_to_play_again_at_once_make_one_table() -> None:
    table = draft(person("Nani"), 2, bots=1)
    sit(table), sit(table)
    play_on(Game.objects.get(table=table), lambda state: state.result is not None)
    users = list(User.objects.all())
    results = in_threads(9, lambda number: table_again(code=table.code, host=users[number % 3], now=LATER))
    assert kinds(results) == {"Table": 9}
    assert Table.objects.filter(like=table).count() == 1


def test_a_link_and_an_address_of_one_person_are_one_seat() -> None:
    table, roza = draft(person("Nani"), 3, joins="link"), person("Roza")
    ways = [invite(table), invite(table, str(roza.email))]
    assert kinds(in_threads(8, lambda number: sit(table, roza, invite=ways[number % 2]))) == {
        "Holder": 1,
        "SeatHeld": 7,
    }
    check_seats_whole(table, [roza])
