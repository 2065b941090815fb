"""The mail of the day: one a person and local day, at their hour, with what is true then."""

import datetime as dt
from typing import Any, Final
from zoneinfo import ZoneInfo

import pytest
from django.core import mail

from accounts.models import User
from games.models import Halt, Notice, Table, Turn
from games.selectors.games import game_state
from games.selectors.reach import reach_of
from games.services import notices
from games.services.digests import digests_sent
from tests.games.invitees import asked, host, waiting
from tests.games.stored import NOW, chosen, in_threads, play
from tests.games.telling import HOUR, device, mailed, reader, readers, told, waits

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_too]

EVENING: Final = NOW.replace(hour=18, microsecond=0)
DAY: Final = dt.timedelta(days=1)


def sent(now: dt.datetime) -> list[Any]:
    before = len(mail.outbox)
    digests_sent(now=now)
    return list(mail.outbox[before:])


def news(user: User, now: dt.datetime) -> Notice:
    """Something that a person is to be told by their digest: true as long as the table is theirs."""
    table = Table.objects.filter(host=user).first() or waiting(user)
    due, key = reach_of([user.pk])[user.pk].due("digest", now), f"news:{Notice.objects.count()}"
    row = {"kind": "table_warned", "channel": "digest", "created": now, "due": due}
    return Notice.objects.create(key=key, user=user, table=table, **row)


def test_it_comes_at_the_hour_and_says_what_waits() -> None:
    game, user = waits(48)
    told(game)
    assert sent(EVENING - HOUR / 60) == []
    (one,) = sent(EVENING)
    assert (one.to, one.subject) == ([user.email], "1 piece of news from your tables")
    body = str(one.body)
    assert "Your turn at \u2068A table\u2069" in body
    assert "Until Monday 2 February, 12:00 (UTC)" in body
    assert f"/games/{game.code}/" in body
    assert "/stop/" in one.extra_headers["List-Unsubscribe"]
    assert sent(EVENING + HOUR) == sent(EVENING + DAY) == []
    assert set(Notice.objects.values_list("sent", flat=True)) == {EVENING}
    assert mailed(EVENING + DAY) == []


def test_what_is_true_no_longer_makes_no_mail_and_uses_no_day() -> None:
    game, user = waits(48)
    told(game)
    play(game, chosen(game_state(game), Turn.objects.get(game=game).seat))
    Notice.objects.exclude(user=user).delete()
    assert sent(EVENING) == []
    news(user, EVENING - HOUR)
    assert len(sent(EVENING + HOUR)) == 1


def test_what_waits_is_told_the_next_time() -> None:
    game, user = waits(48)
    told(game)
    halt = Halt.objects.create(kind="freeze", since=NOW)
    assert sent(EVENING) == []
    halt.delete()
    assert sent(EVENING + HOUR) == []
    assert [each.to for each in sent(EVENING + DAY)] == [[user.email]]


ZONES: Final = [
    ("Europe/London", "2026-03-28", "01:30"), ("Europe/London", "2026-10-24", "01:30"),
    ("America/Toronto", "2026-03-07", "02:30"), ("America/Toronto", "2026-10-31", "01:30"),
    ("Australia/Lord_Howe", "2026-04-04", "01:30"), ("Australia/Lord_Howe", "2026-10-03", "02:00"),
    ("Asia/Kolkata", "2026-05-01", "18:00"),
]  # fmt: skip
"""Zones, the day before their clocks change, if they do, and an hour that comes twice then or not at all."""


@pytest.mark.parametrize(("zone", "first", "hour"), ZONES)
def test_one_a_local_day_while_clocks_change(zone: str, first: str, hour: str) -> None:
    user = host()
    User.objects.filter(pk=user.pk).update(zone=zone, notices={"hour": hour})
    here, days = ZoneInfo(zone), []
    start = dt.datetime.combine(dt.date.fromisoformat(first), dt.time(), here).astimezone(dt.UTC)
    for step in range(3 * 24 * 2):
        now = start + step * HOUR / 2
        if not Notice.objects.filter(sent=None).exists():
            news(user, now)
        if sent(now):
            days.append(now.astimezone(here))
    assert [each.date() for each in days] == [dt.date.fromisoformat(first) + DAY * number for number in range(3)]
    assert sum(f"{each:%H:%M}" != hour for each in days) <= 1


def test_who_moves_gets_one_for_each_date_of_theirs() -> None:
    user = host()
    User.objects.filter(pk=user.pk).update(zone="Asia/Kolkata")
    news(user, NOW)
    assert len(sent(NOW + HOUR / 2)) == 1
    User.objects.filter(pk=user.pk).update(zone="America/Toronto")
    news(user, NOW + HOUR)
    toronto = NOW.replace(hour=23, minute=0)
    # It is the same date still: that day's digest has come.
    assert sent(toronto) == sent(toronto + 23 * HOUR) == []
    assert len(sent(toronto + DAY)) == 1
    User.objects.filter(pk=user.pk).update(zone="Asia/Kolkata")
    news(user, toronto + DAY)
    assert sent(toronto + DAY + 12 * HOUR) == []
    assert len(sent(toronto + DAY + 13.5 * HOUR)) == 1


def test_beat_that_stops_and_starts_in_the_hour_sends_it_once_and_late_is_no_second() -> None:
    user = host()
    news(user, NOW)
    for minutes in (0, 0, 5, 40, 300):
        sent(EVENING + dt.timedelta(minutes=minutes))
        news(user, EVENING + dt.timedelta(minutes=minutes))
    assert len(mail.outbox) == 1
    # A whole day without beat: the one of that day comes late, and the next one at its own hour.
    assert len(sent(EVENING + DAY + 15 * HOUR)) == 1
    news(user, EVENING + DAY + 15 * HOUR)
    assert len(sent(EVENING + 2 * DAY)) == 1


@pytest.mark.django_db(transaction=True)
def test_three_beats_at_once_send_one() -> None:
    for user in readers(3):
        news(user, NOW)
    results = in_threads(3, lambda _: digests_sent(now=EVENING))
    assert all(isinstance(each, int) for each in results), results
    assert {each.to[0] for each in mail.outbox} == set(User.objects.values_list("email", flat=True))
    assert len(mail.outbox) == 3


def test_one_that_fails_is_tried_again_and_has_the_same_name(settings: Any) -> None:
    user = host()
    news(user, NOW)
    working = settings.MAILERS
    settings.MAILERS = working | {"notices": {"BACKEND": "tests.games.test_notices.Failing"}}
    assert sent(EVENING) == []
    settings.MAILERS = working
    assert sent(EVENING) == []
    (one,) = sent(EVENING + HOUR / 60)
    assert one.extra_headers["Message-ID"] == f"<digest.{user.pk}.20260131180000000000@getaway>"


DROPPED: Final[dict[str, dict[str, Any]]] = {
    "no digest": {"notices": {"digest": "never"}},
    "kind not wanted": {"notices": {"table_warned": "never"}},
    "mail came back": {"mail_off": "complained", "mail_off_at": NOW},
}


@pytest.mark.parametrize("change", DROPPED.values(), ids=DROPPED)
def test_what_nobody_wants_is_dropped(change: dict[str, Any]) -> None:
    user = host()
    row = news(user, NOW)
    User.objects.filter(pk=user.pk).update(**change)
    assert sent(EVENING) == []
    row.refresh_from_db()
    assert (row.sent, row.gone) == (None, EVENING)


def test_a_guest_hears_of_it_in_their_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []

    def pushed(**message: Any) -> bool:
        told.append(message)
        return True

    monkeypatch.setattr(notices, "pushed", pushed)
    guest = User.objects.create_guest("Roza")
    device(guest)
    Table.objects.filter(pk=waiting(host()).pk).update(host=guest)
    news(guest, NOW)
    assert digests_sent(now=EVENING) == 1
    assert [(each["title"], each["path"]) for each in told] == [("1 piece of news from your tables", "/")]
    assert mail.outbox == []


def test_an_invitation_may_wait_for_it() -> None:
    user = reader("Nani", notices={"invite": "digest"})
    asked(waiting(host()), user.email or "")
    assert mailed(NOW) == []
    assert Notice.objects.get().user == user
    (one,) = sent(EVENING)
    assert "invites you to" in str(one.body)
    assert "/i/" in str(one.body)
