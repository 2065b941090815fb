"""Who is told that their time runs out, that a table pauses, that a bot plays for them, that a deal is over."""

import datetime as dt
from typing import Any, Final

import pytest
from allauth.account.models import EmailAddress

from accounts.models import User
from games.models import Game, Halt, Notice, Seen, Table, Turn
from games.selectors.games import game_state
from games.services import notices
from games.services.locks import writing
from games.services.pauses import pause_begun, pause_ended
from games.services.presence import looked
from games.services.stand_ins import stood_in
from games.services.turn_notices import DELAY, MOST_PAUSES, turn_warned
from tests.games.stored import NOW, chosen, game_recorded, play, played, recorded
from tests.games.telling import HOUR, LATER, awaited, holder_of, mailed, readers, told, unheard, waits, wish

pytestmark = [pytest.mark.django_db]


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
    # Somebody gave more time before it went out.
    assert mailed(NOW + 16 * HOUR) == mailed(NOW + 27 * HOUR) == []
    (sent,) = mailed(NOW + 28 * HOUR)
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


def test_a_reminder_outlives_a_freeze() -> None:
    game, _ = waits(10)
    assert warned(game, NOW + 8 * HOUR)
    freeze = Halt.objects.create(kind="freeze", since=NOW + 8 * HOUR)
    Turn.objects.update(due_at=None)
    assert mailed(NOW + 8 * HOUR) == []
    freeze.delete()
    Turn.objects.update(due_at=NOW + 10 * HOUR)
    assert len(mailed(NOW + 9 * HOUR)) == 1


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
    unheard(game, user)
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
    Seen.objects.create(user_id=other.user_id or 0, game=game, number=game.version)
    assert mailed(LATER) == []
