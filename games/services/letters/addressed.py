"""From a notice to what is sent: by which way its reader wants to hear of it, and whether it is true still."""

from datetime import datetime
from typing import Final

from accounts.choices import DIGEST
from games.models import Game, Invite, Notice, Table
from games.selectors.reach import MAIL, PUSH, Reach, reach_of
from games.services.letters.ends import OVER_KINDS, PAUSE_KINDS, over_news, pause_news
from games.services.letters.invitation import invitation, invitation_letter, invited
from games.services.letters.letter import Later, Letter, Message, News
from games.services.letters.office import OFFICE_KINDS, PERSON, RESULT, TABLE, account_letter, office_news
from games.services.letters.tables import TABLE_KINDS, table_news
from games.services.letters.turns import TURN_KINDS, stood_in_news, turn_news
from games.services.unsubscribe import stop_headers, stop_url


def letter_of(notice: Notice, now: datetime) -> Letter | Message | Later | None:
    """Return what is sent of a notice, or when to look again; None if it is no longer true, or nobody wants it."""
    if notice.kind == "invite":
        return _of_invite(notice, notice.invite, now) if notice.invite else None
    if notice.kind == PERSON:
        return account_letter(notice)
    reach = reach_of([notice.user_id]).get(notice.user_id or 0)
    if reach is None:
        return None
    way = _way(notice, reach, now)
    if not isinstance(way, str):
        return way
    news = news_of(notice, reach, now)
    return addressed(reach, way, wish_of(notice.kind), news) if isinstance(news, News) else news


def wish_of(kind: str) -> str:
    """Return the kind for which people choose how they hear of this kind."""
    return _WISHES.get(kind, kind)


_WISHES: Final = {**dict.fromkeys(PAUSE_KINDS, "paused"), RESULT: "deal_over", TABLE: "office"}


def _way(notice: Notice, reach: Reach, now: datetime) -> str | Later | None:
    """Return the way by which a reader is told now, mail or push; or when, or None for not at all."""
    kind = wish_of(notice.kind)
    at_once = notice.kind in TABLE_KINDS or notice.kind in OFFICE_KINDS
    live = not at_once and notice.table is not None and notice.table.pace == Table.Paces.LIVE
    way = reach.channel(kind, live=live)
    if way == PUSH and notice.channel == MAIL and notice.tries and reach.mail and not live:
        # No device took it.
        way = MAIL
    if not way:
        return None
    due = reach.due(way, now)
    if way == DIGEST:
        return Later(due, DIGEST)
    return Later(due) if due > now else way


def news_of(notice: Notice, reach: Reach, now: datetime) -> News | Later | None:
    """Return what a notice tells its reader, whatever the way; None if it is no longer true."""
    kind, table, game = notice.kind, notice.table, notice.game
    if kind == "invite":
        return invitation(notice.invite, reach.user, now) if notice.invite else None
    if kind in OFFICE_KINDS:
        return office_news(notice, reach)
    if table is not None and kind in TABLE_KINDS:
        return table_news(kind, table, reach.user)
    if table is not None and kind in PAUSE_KINDS:
        return pause_news(notice, table, reach, now)
    return None if table is None or game is None else _game_news(notice, game, reach, now)


def _game_news(notice: Notice, game: Game, reach: Reach, now: datetime) -> News | Later | None:
    if notice.kind in OVER_KINDS:
        return over_news(notice, game, reach)
    return (turn_news if notice.kind in TURN_KINDS else stood_in_news)(notice, game, reach, now)


def addressed(reach: Reach, way: str, kind: str, news: News) -> Letter | Message:
    """Return news as a mail, which says how to get no more of its kind, or as a message to somebody's devices."""
    user = reach.user
    if way == PUSH:
        return Message(user, news.template, news.context, news.path, news.tag, news.until)
    context = news.context | {"stop": stop_url(user, kind)}
    return Letter(user.email or "", news.template, context, user.language, user.zone, stop_headers(user, kind))


def _of_invite(notice: Notice, invite: Invite, now: datetime) -> Letter | Message | Later | None:
    """Return what is sent of an invitation: a mail to an address, or what the person wants whose address it is."""
    reader = invited(invite)
    reach = reach_of([reader.pk]).get(reader.pk) if reader else None
    way = _way(notice, reach, now) if reach else MAIL
    if isinstance(way, Later):
        return Later(way.due, way.channel, reader)
    news = invitation(invite, reader, now) if way else None
    if news is None:
        return None
    if reach is not None and way == PUSH:
        return addressed(reach, PUSH, "invite", news)
    return invitation_letter(invite, reader, news)
