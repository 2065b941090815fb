"""Who is told of a turn, by which way and when; that it is looked at again; that nobody is told twice."""

import datetime as dt
from collections.abc import Callable
from typing import Any, Final

import pytest
from allauth.account.models import EmailAddress

from accounts.models import User
from games.models import Game, Halt, Notice, Pause, Seen, Table, Turn, Vacation
from games.rules.legality import legal_moves
from games.rules.ruleset import Ruleset
from games.selectors.games import game_state, held_seats
from games.services import notices
from games.services.forced import order_played
from games.services.locks import writing
from games.services.pauses import pause_begun, pause_ended
from games.services.presence import looked
from games.services.seats import seat_handed
from games.services.stand_ins import stood_in
from games.services.turn_notices import DELAY, MOST_PAUSES, turn_warned
from tests.games.stored import NOW, chosen, game_of, game_recorded, play, play_on, played, recorded
from tests.games.telling import (
    HOUR,
    LATER,
    awaited,
    device,
    holder_of,
    mailed,
    paced,
    reader,
    readers,
    told,
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


def _stood_in(game: Game, user: User) -> None:
    wish(user, stood_in="never")
    with writing():
        stood_in(table=Table.objects.get(pk=game.table_id), holder=holder_of(game, user), now=NOW)


OVER: Final[dict[str, Callable[[Game, User], object]]] = {
    "played": _played,
    "handed to a bot": _handed,
    "a bot stands in": _stood_in,
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


def warned(game: Game, now: dt.datetime) -> list[str]:
    seat = Turn.objects.get(game=game).seat
    turn_warned(game_id=game.pk, seat=seat, now=now)
    return list(Notice.objects.filter(kind="deadline").values_list("user__name", flat=True))


def test_one_reminder_at_four_fifths_and_later_if_there_is_more_time() -> None:
    game, user = waits(10)
    assert warned(game, NOW + 7 * HOUR) == []
    Turn.objects.update(extended=10 * HOUR)
    assert warned(game, NOW + 8 * HOUR) == []
    assert Turn.objects.get().warn_at == NOW + 16 * HOUR
    assert warned(game, NOW + 16 * HOUR) == [user.name]
    assert Turn.objects.get().warn_at is None
    Turn.objects.update(extended=24 * HOUR, warn_at=NOW + 16 * HOUR)
    assert warned(game, NOW + 30 * HOUR) == [user.name]
    (sent,) = mailed(NOW + 16 * HOUR)
    assert "runs out" in sent.subject
    assert mailed(NOW + 30 * HOUR) == []


SHORT: Final[dict[str, tuple[float, str, dict[str, Any]]]] = {
    "less than half an hour": (0.49, "move", {}),
    "live": (1 / 60, "live", {}),
    "not wanted": (10, "move", {"deadline": "never"}),
}


@pytest.mark.parametrize(("hours", "kind", "wishes"), SHORT.values(), ids=SHORT)
def test_nobody_is_reminded_of_little_time_or_against_their_will(
    hours: float, kind: str, wishes: dict[str, Any]
) -> None:
    game, user = waits(hours, kind=kind)
    wish(user, **wishes)
    assert warned(game, NOW + hours * HOUR * 0.9) == []
    assert Turn.objects.get().warn_at is None


def test_a_reminder_that_comes_too_late_is_none() -> None:
    game, _ = waits(10)
    assert warned(game, NOW + 9 * HOUR)
    assert mailed(NOW + 10 * HOUR) == []


def test_a_day_in_which_no_mail_went_out_is_told_once_and_truly() -> None:
    """Fifty turns while the worker was frozen: nobody hears of one that is over."""
    game, _ = waits(24, readers(5))
    for number in range(50):
        now = NOW + number * HOUR / 2
        play(game, chosen(game_state(game), Turn.objects.filter(game=game).order_by("seat")[0].seat), now=now)
    assert Notice.objects.filter(kind="your_turn", sent=None, gone=None).count() > 30
    sent = mailed(NOW + 25 * HOUR) + mailed(NOW + 25 * HOUR)
    assert [each.to for each in sent] == [[awaited(game).email]]
    assert not Notice.objects.filter(sent=None, gone=None, due__lte=NOW + 25 * HOUR).exclude(channel="digest").exists()


def test_nobody_is_told_all_day_of_pauses_but_always_that_one_is_over() -> None:
    """One person is enough to vote for it where bots play for the others."""
    game, user = waits(24)
    table = Table.objects.get(pk=game.table_id)
    rows = Notice.objects.filter(user=user).order_by("pk")
    rows.delete()
    for number in (*range(MOST_PAUSES + 1), 25):
        with writing():
            pause_begun(table=table, days=1, by=None, now=NOW + number * HOUR)
        notices.notices_due_sent(now=LATER + number * HOUR)
        with writing():
            pause_ended(table=table, now=LATER + number * HOUR)
        notices.notices_due_sent(now=LATER + number * HOUR + DELAY)
    sent = list(rows.filter(gone=None).values_list("kind", flat=True))
    assert sent == ["paused", "resumed"] * (MOST_PAUSES + 1)


def test_a_pause_is_told_to_all_and_so_is_its_end() -> None:
    game, _ = waits(24)
    told(game)
    table = Table.objects.get(pk=game.table_id)
    with writing():
        pause_begun(table=table, days=1, by=None, now=NOW)
    assert sorted(each.subject for each in mailed(LATER)) == ["\u2068A table\u2069 pauses"] * 3
    with writing():
        pause_ended(table=table, now=NOW + HOUR)
    sent = sorted(each.subject for each in mailed(NOW + HOUR + DELAY))
    # What was put off by the pause comes soon after it.
    assert sent == ["Your turn at \u2068A table\u2069", *["\u2068A table\u2069 plays on"] * 3]


def test_a_pause_that_was_called_off_at_once_is_told_to_nobody() -> None:
    game, _ = waits(24)
    table = Table.objects.get(pk=game.table_id)
    with writing():
        pause_begun(table=table, days=1, by=None, now=NOW)
    with writing():
        pause_ended(table=table, now=NOW)
    assert mailed(LATER) == []


def test_whom_a_bot_plays_for_hears_how_to_come_back() -> None:
    game, user = waits(24)
    _stood_in(game, user)
    assert not Notice.objects.filter(user=user).exists()
    User.objects.filter(pk=user.pk).update(notices={})
    holder = holder_of(game, user)
    type(holder).objects.filter(pk=holder.pk).update(stand_in="", stood_in=None)
    with writing():
        stood_in(table=Table.objects.get(pk=game.table_id), holder=holder, now=NOW)
    assert [each.subject for each in mailed(LATER)] == ["A bot plays for you at \u2068A table\u2069"]


def test_the_end_is_told_to_those_who_have_not_seen_it() -> None:
    record = recorded("bhabhi_thulla", 6)
    game = game_recorded(record)
    User.objects.update(notices={"series_over": "now"})
    EmailAddress.objects.update(verified=True)
    played(game, record)
    # Whose card ended it has seen it.
    one, other = Notice.objects.filter(kind="series_over").order_by("pk")
    sent = mailed(LATER)
    assert [each.subject for each in sent] == ["The game is over at \u2068A table\u2069"] * 2
    assert all("loses this deal" in str(each.body) or "lose this deal" in str(each.body) for each in sent)
    Notice.objects.update(sent=None)
    looked(one.user_id or 0, game.pk)
    Seen.objects.create(user_id=other.user_id, game=game, number=game.version)
    assert mailed(LATER) == []
