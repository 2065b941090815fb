"""What people may have mailed to them, or not."""

from typing import Final

from accounts.models import User

MAIL: Final = "mail"
NEVER: Final = "never"

NOTICES: Final = {
    "invite": ("Invitations", "Somebody asks you to their table.", MAIL),
    "again": ("Same people again", "A table that you sat at opens anew.", MAIL),
    "table_started": ("A game begins", "The cards of a table that you sit at are dealt.", MAIL),
    "joined": ("Somebody sits down", "A seat at a table of yours is taken.", NEVER),
    "host_handed": ("You are the host", "The host of your table has handed it to you.", MAIL),
    "seat_removed": ("Your seat is gone", "A host has taken you off a table before its start.", MAIL),
    "table_warned": ("A table gets old", "A table of yours that never began is closed in two days.", MAIL),
    "table_closed": ("A table is closed", "A table that you sat at was closed before it began.", MAIL),
}
"""Kinds of notices: what they are called, when one comes, and the channel of those who have not chosen."""


def notice_channel(user: User, kind: str) -> str:
    """Return by which channel a person hears of a kind of notice: "mail" or "never"."""
    chosen = user.notices.get(kind) if isinstance(user.notices, dict) else None
    return chosen if chosen in (MAIL, NEVER) else NOTICES[kind][2]
