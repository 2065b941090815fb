"""The mail of the day: what somebody is to be told by it, once a day at the hour that they chose."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any, Final

import structlog
from django.conf import settings
from django.urls import reverse

from accounts.choices import DIGEST, NEVER
from accounts.mails import line_of
from accounts.models import User
from games.clocks.days import digest_day, local_moment
from games.models import Notice
from games.selectors.reach import MAIL, PUSH, Reach, reach_of
from games.services.letters import Later, Letter, Message, News, addressed, news_of, wish_of
from games.services.locks import writing
from games.services.notices import delivered, message_sent, put_off

_AT_ONCE: Final = 200

_log = structlog.get_logger(__name__)


def digests_sent(*, now: datetime) -> int:
    """Send to everybody the digest that is due, and return how many went out.

    Each is for one day by its reader's clock, whenever it is sent, and there is one for such a day: safe to run twice,
    late or in two places. If nothing true is left to tell, no mail is sent and the day is not used up.
    """
    waiting = Notice.objects.filter(channel=DIGEST, sent=None, gone=None, due__lte=now)
    people = waiting.exclude(user=None).order_by("user").values_list("user", flat=True).distinct()[:_AT_ONCE]
    return sum(_digest_tried(user_id, now) for user_id in list(people))


def _digest_tried(user_id: int, now: datetime) -> bool:
    """Send somebody's digest; one that goes wrong keeps no other."""
    try:
        return _digest_sent(user_id, now)
    except Exception as error:  # noqa: BLE001 - whatever it is, it would come again each time
        _log.warning("digest not written", error=type(error).__name__)
    with writing():
        for notice in _waiting(user_id):
            put_off(notice, now)
            _kept(notice)
    return False


def _digest_sent(user_id: int, now: datetime) -> bool:
    with writing():
        # Whoever holds the person's row sends their digest.
        held = User.objects.select_for_update(no_key=True, skip_locked=True).filter(pk=user_id).exists()
        rows = _waiting(user_id) if held else []
        told = _told(rows, reach_of([user_id]).get(user_id), now) if rows else None
        for notice in rows:
            _kept(notice)
    # Nobody waits for a push service while rows are held.
    return message_sent(told, now) if isinstance(told, Message) else told is not None


def _waiting(user_id: int) -> Sequence[Notice]:
    rows = Notice.objects.select_for_update(of=("self",)).filter(user=user_id, channel=DIGEST, sent=None, gone=None)
    related = ("user", "game__table", "table__host", "invite__table__host", "invite__sender")
    return list(rows.select_related(*related).order_by("created", "pk"))


def _kept(notice: Notice) -> None:
    notice.save(update_fields=["sent", "gone", "tries", "due"])


def _told(rows: Sequence[Notice], reach: Reach | None, now: datetime) -> Letter | Message | None:
    """Decide what becomes of what somebody is to be told by a digest, and return the one that has gone out, if any."""
    if reach is None or reach.wishes.hour is None or not (reach.mail or reach.push):
        for notice in rows:
            notice.gone = now
        return None
    hour = reach.wishes.hour
    day = digest_day(now, hour, reach.zone)
    if day <= _last_day(reach.user) or all(reach.due(DIGEST, notice.created) > now for notice in rows):
        _next_time(rows, reach, now)
        return None
    items = {notice.pk: item for notice in rows if (item := _item(notice, reach, now)) is not None}
    told = [notice for notice in rows if notice.pk in items]
    letter = _letter(list(items.values()), reach, local_moment(day, hour, reach.zone)) if told else None
    for notice in told:
        if letter is None:
            put_off(notice, now)
        else:
            notice.sent = now
    if letter is not None:
        _day_used(reach.user, day, now)
    return letter


def _letter(items: list[dict[str, Any]], reach: Reach, moment: datetime) -> Letter | Message | None:
    """Return the digest of a moment; a mail has gone out by then, None if that failed."""
    news = News("emails/digest", _context(items), reverse("home"), DIGEST)
    letter = addressed(reach, MAIL if reach.mail else PUSH, DIGEST, news)
    failed = isinstance(letter, Letter) and not delivered(f"digest.{reach.user.pk}", letter, moment)
    return None if failed else letter


def _next_time(rows: Iterable[Notice], reach: Reach, now: datetime) -> None:
    for notice in rows:
        notice.due = reach.due(DIGEST, now)


def _item(notice: Notice, reach: Reach, now: datetime) -> dict[str, Any] | None:
    """Return what a notice adds to a digest; one that is no longer true or wanted is dropped, or waits for the next."""
    news = None if reach.wishes.how(wish_of(notice.kind)) == NEVER else news_of(notice, reach, now)
    if isinstance(news, Later):
        _next_time([notice], reach, now)
        return None
    if news is None:
        notice.gone = now
        return None
    shown = {"language": reach.user.language, "zone": reach.user.zone}
    title = line_of(f"{news.template}_subject.txt", news.context, **shown)
    facts = {name: news.context.get(name) for name in ("said", "lines", "link")}
    return facts | {"title": title, "until": news.until}


def _context(items: list[dict[str, Any]]) -> dict[str, Any]:
    return {"items": items, "settings": settings.SITE_URL + reverse("settings")}


def _last_day(user: User) -> date:
    """Return the last day for which somebody got a digest."""
    key = Notice.objects.filter(user=user, kind=DIGEST).order_by("-key").values_list("key", flat=True).first()
    return date.fromisoformat(key.rsplit(":", 1)[1]) if key else date.min


def _day_used(user: User, day: date, now: datetime) -> None:
    key = f"{DIGEST}:{user.pk}:{day:%Y-%m-%d}"
    Notice.objects.create(kind=DIGEST, key=key, user=user, channel=DIGEST, due=now, created=now, sent=now)
