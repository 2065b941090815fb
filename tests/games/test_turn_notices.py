"""Who is told of a turn, by which way and when; that it is looked at again; that nobody is told twice."""

import datetime as dt
from collections.abc import Callable
from typing import Any, Final

import pytest

from accounts.models import User
from games.models import Game, Halt, Notice, Pause, Turn, Vacation
from games.rules.legality import legal_moves
from games.rules.ruleset import Ruleset
from games.selectors.games import game_state, held_seats
from games.services import notices
from games.services.forced import order_played
from games.services.locks import writing
from games.services.presence import looked
from games.services.seats import seat_handed
from games.services.turn_notices import DELAY
from tests.games.stored import NOW, chosen, game_of, play, play_on
from tests.games.telling import (
    HOUR,
    LATER,
    awaited,
    device,
    mailed,
    paced,
    reader,
    readers,
    told,
    unheard,
    waits,
    wish,
)

pytestmark = [pytest.mark.django_db]

EVENING: Final = NOW.replace(hour=18, microsecond=0)
"""When a digest is due."""

WAYS: Final[dict[str, tuple[float, dict[str, Any], list[tuple[str, str, dt.datetime]]]]] = {
    "little time": (35, {}, [("your_turn", "mail", LATER)]),
    "much time": (36, {}, [("your_turn", "digest", EVENING)]),
    "little time, no digest": (35, {"digest": "never"}, [("your_turn", "mail", LATER)]),
    "much time, no digest": (48, {"digest": "never"}, []),
    "at once": (48, {"your_turn": "now"}, [("your_turn", "mail", LATER)]),
    "old choice": (48, {"your_turn": "mail"}, [("your_turn", "mail", LATER)]),
    "digest at eight": (1, {"your_turn": "digest", "hour": "20:00"}, [("your_turn", "digest", EVENING + 2 * HOUR)]),
    "never": (1, {"your_turn": "never"}, []),
    "quiet": (1, {"quiet": ["10:00", "13:30"]}, [("your_turn", "mail", EVENING - 4.5 * HOUR)]),
    "nonsense": (1, {"your_turn": 7, "quiet": ["x", 3], "hour": [], "push": "no"}, [("your_turn", "mail", LATER)]),
}


@pytest.mark.parametrize(("hours", "wishes", "expected"), WAYS.values(), ids=WAYS)
def test_each_hears_of_it_as_they_want(hours: float, wishes: dict[str, Any], expected: list[Any]) -> None:
    game, user = waits(hours)
    wish(user, **wishes)
    assert told(game) == expected
    assert told(game) == expected


def test_a_device_is_told_whatever_the_time_and_a_guest_by_nothing_else() -> None:
    guests = [User.objects.create_guest(name) for name in ("Asha", "Bilal", "Chandni")]
    game, user = waits(48, guests)
    assert told(game) == []
    device(user)
    assert told(game) == [("your_turn", "push", LATER)]


def test_a_live_table_tells_devices_at_once_and_mails_nobody() -> None:
    game, user = waits(1 / 60, kind="live")
    assert told(game) == []
    device(user)
    assert told(game) == [("your_turn", "push", NOW)]


@pytest.mark.parametrize(("hours", "kind"), [(24, "move"), (1 / 60, "live")])
def test_a_card_that_goes_by_itself_is_told_to_nobody(pushes: list[Any], hours: float, kind: str) -> None:
    persons = readers(4)
    for each in persons:
        device(each)
        wish(each, forced=True)
    game = paced(game_of(persons=persons), hours, kind)
    play_on(game, lambda state: bool(state.trick) and len(legal_moves(state, state.awaited[0])) == 1)
    turn = Turn.objects.get(game=game)
    Notice.objects.exclude(number=turn.number).delete()
    assert turn.order_at is not None
    mailed(turn.order_at)
    assert order_played(game_id=game.pk, seat=turn.seat, now=turn.order_at)
    mailed(turn.since + DELAY)
    row = Notice.objects.get(seat=turn.seat, number=turn.number)
    assert (row.sent, row.gone) == (None, turn.since + DELAY)


@pytest.mark.parametrize(("hours", "expected"), [(0, 0), (24, 1)])
def test_who_plays_with_bots_alone_is_told_only_if_time_runs(hours: float, expected: int) -> None:
    game = game_of(persons=[reader("Asha")], bots=2, dealer=0)
    while held_seats(game.table_id)[Turn.objects.get(game=game).seat].bot:
        play(game, chosen(game_state(game), Turn.objects.get(game=game).seat))
    assert not Notice.objects.exists()
    if hours:
        game = paced(game, hours)
    assert len(told(game)) == expected


def test_whoever_has_just_played_and_leads_is_not_told() -> None:
    game, user = waits()
    assert told(game, by=user) == []
    # By the writer: a card that somebody plays tells the next one, and nobody else.
    play(game, chosen(game_state(game), Turn.objects.get(game=game).seat))
    (row,) = Notice.objects.all()
    assert (row.user, row.number, row.kind) == (awaited(game), 1, "your_turn")


def _played(game: Game, user: User) -> None:
    play(game, chosen(game_state(game), Turn.objects.get(game=game).seat), now=NOW + DELAY / 2)


def _handed(game: Game, user: User) -> None:
    seat_handed(table_id=game.table_id, seat=Turn.objects.get(game=game).seat, now=NOW)


OVER: Final[dict[str, Callable[[Game, User], object]]] = {
    "played": _played,
    "handed to a bot": _handed,
    "a bot stands in": unheard,
    "not wanted": lambda _, user: wish(user, your_turn="never"),
    "mail came back": lambda _, user: User.objects.filter(pk=user.pk).update(mail_off="bounced", mail_off_at=NOW),
    "address not theirs": lambda _, user: user.emailaddress_set.update(verified=False),
    "may not sign in": lambda _, user: User.objects.filter(pk=user.pk).update(is_active=False),
}


@pytest.mark.parametrize("what", OVER.values(), ids=OVER)
def test_what_is_true_no_longer_is_not_told(what: Callable[[Game, User], object]) -> None:
    game, user = waits()
    told(game)
    what(game, user)
    assert [each.to for each in mailed(LATER) if each.to == [user.email]] == []
    row = Notice.objects.get(user=user, kind="your_turn")
    assert (row.sent, row.gone) == (None, LATER)


def _away(game: Game, user: User) -> None:
    Vacation.objects.create(user=user, first=NOW, last=NOW + dt.timedelta(days=3), zone="UTC", made=NOW)


HELD_UP: Final[dict[str, tuple[Callable[[Game, User], object], dt.timedelta]]] = {
    "they look": (lambda game, user: looked(user.pk, game.pk), dt.timedelta(minutes=1)),
    "a pause": (lambda game, _: Pause.objects.create(table=game.table, since=NOW, until=LATER + HOUR / 2), HOUR / 2),
    "a long pause": (lambda game, _: Pause.objects.create(table=game.table, since=NOW, until=LATER + 9 * HOUR), HOUR),
    "a freeze": (lambda *_: Halt.objects.create(kind="freeze", since=NOW), HOUR),
    "days away": (_away, HOUR),
    "quiet": (lambda _, user: wish(user, quiet=["00:00", "12:30"]), HOUR / 2 - DELAY - dt.timedelta(microseconds=250)),
    "now for the digest": (lambda _, user: wish(user, your_turn="digest"), EVENING - LATER),
}


@pytest.mark.parametrize(("what", "length"), HELD_UP.values(), ids=HELD_UP)
def test_it_waits_while_now_is_no_time(what: Callable[[Game, User], object], length: dt.timedelta) -> None:
    game, user = waits()
    told(game)
    what(game, user)
    assert mailed(LATER) == []
    row = Notice.objects.get()
    assert (row.due, row.gone) == (LATER + length, None)
    if row.channel == "digest":
        assert mailed(row.due) == []
        return
    Halt.objects.all().delete()
    Vacation.objects.all().delete()
    Pause.objects.filter(until__gt=row.due).delete()
    # Cleared by hand: the cache goes by the real clock.
    from django.core.cache import cache

    cache.clear()
    assert [each.to for each in mailed(row.due)] == [[user.email]]
    assert mailed(row.due + HOUR) == []


def test_the_mail_says_what_happened_how_long_there_is_and_shows_no_hand() -> None:
    people = readers(zone="Asia/Karachi")
    game, _ = waits(24, people)
    for _ in range(4):
        play(game, chosen(game_state(game), Turn.objects.get(game=game).seat))
    user = awaited(game)
    mailed(NOW)
    (sent,) = mailed(LATER)
    body, html = str(sent.body), str(vars(sent)["alternatives"][0].content)
    assert (sent.to, sent.subject) == ([user.email], "Your turn at \u2068A table\u2069")
    assert "Sunday 1 February, 17:00 (Asia/Karachi), in 23 hours 58 minutes" in body
    assert "a bot plays that turn" in body
    assert f"/games/{game.code}/" in body
    assert "of your cards can be played." in body
    seat = Turn.objects.get(game=game).seat
    hand = {card.name for card in game_state(game).hands[seat]}
    assert not [name for name in hand if name in body + html]
    others = {each.name for each in people} - {user.name}
    assert all(f"\u2068{name}\u2069" in body for name in others)
    stop = sent.extra_headers["List-Unsubscribe"]
    assert stop.strip("<>") in body
    assert sent.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_all_who_may_play_at_once_are_told_so_once_each() -> None:
    """R12."""
    people = readers(4)
    game, first = waits(24, people, rules=Ruleset(opening="any_order"))
    play(game, chosen(game_state(game), Turn.objects.get(game=game).seat))
    sent = mailed(LATER)
    assert sorted(each.to[0] for each in sent) == sorted(each.email or "" for each in people if each != first)
    assert all("All may play now, face down." in str(each.body) for each in sent)
    # Whoever has not played yet is told nothing of who has.
    seat = Turn.objects.filter(game=game).order_by("seat")[0].seat
    play(game, chosen(game_state(game), seat))
    assert mailed(LATER + HOUR) == []


@pytest.fixture
def pushes(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What devices are told; they take it as long as the first is None."""
    seen: list[Any] = []

    def pushed(**message: Any) -> bool:
        # Fails inside another transaction: nobody waits for a push service with a lock in hand.
        with writing():
            seen.append(message)
        return bool(seen) and seen[0] is not False

    monkeypatch.setattr(notices, "pushed", pushed)
    return seen


def test_a_device_is_told_instead_of_a_mail(pushes: list[Any]) -> None:
    game, user = waits(24)
    device(user)
    told(game)
    assert mailed(LATER) == []
    (message,) = pushes
    assert message["title"] == "Your turn at \u2068A table\u2069"
    assert message["text"] == "Until Sunday 1 February, 12:00 (UTC)"
    assert (message["path"], message["tag"]) == (f"/games/{game.code}/", f"game:{game.code}")
    assert message["ttl"] == NOW + 24 * HOUR - LATER
    assert Notice.objects.get().sent == LATER
    assert (mailed(LATER + HOUR), len(pushes)) == ([], 1)


def test_a_mail_comes_if_no_device_takes_it(pushes: list[Any]) -> None:
    game, user = waits(24)
    device(user)
    told(game)
    pushes.append(False)
    assert mailed(LATER) == []
    assert [each.to for each in mailed(LATER)] == [[user.email]]
    assert (mailed(LATER + HOUR), len(pushes)) == ([], 2)
