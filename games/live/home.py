"""A person's games as a piece of a page: what the start page, its looks for news and its socket show is made here."""

import re
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import Final

from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.models import User
from accounts.zones import zone_or_utc
from games.selectors.invites import invited
from games.selectors.lobby import waiting_of
from games.selectors.tables import home_of

_LIST: Final = "games/home_list.html"

_FAR: Final = re.compile(r'<span class="far">.*?</span>', re.DOTALL)
"""How far off a moment is: each page counts that by itself, so it is no news."""


@dataclass(frozen=True, slots=True)
class HomeFrame:
    """The list of a person's games. digest: tells two lists apart; mine: how many games wait for the person."""

    digest: str
    html: SafeString
    mine: int


def home_frame(*, user: User, since: str, now: datetime) -> HomeFrame | None:
    """Return the list of a person's games, tables and invitations; None if it still is the one of that digest.

    Times are told in their own zone, words in their own language.
    """
    with timezone.override(zone_or_utc(user.zone)), translation.override(user.language or translation.get_language()):
        found, asked, tables = home_of(user, now), invited(viewer=user, now=now), waiting_of(user)
        inner = render_to_string(_LIST, {"home": found, "tables": tables, "invited": asked})
    # Pages of tables that wait hear by their readers' lists that something has changed there.
    marks = [each.mark for each in tables]
    digest = blake2b(_FAR.sub("", f"{found.count} {marks} {inner}").encode(), digest_size=12).hexdigest()
    if digest == since:
        return None
    html = format_html('<div id="list" data-digest="{}" data-mine="{}">{}</div>', digest, found.count, inner)
    return HomeFrame(digest, html, found.count)
