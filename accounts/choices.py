"""What people want to be told, how and when: read and written here alone, whatever their row holds of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import time
from typing import Any, Final

from accounts.models import User

NOW: Final = "now"
"""At once: to the devices that a person has let us tell, else by mail."""
DIGEST: Final = "digest"
"""With the one mail of the day. As the name of a kind it is that mail itself."""
NEVER: Final = "never"
AUTO: Final = "auto"
"""At once to a device, or by mail where little time is left; else with the digest."""

HOWS: Final = (NOW, DIGEST, NEVER)

NOTICES: Final = {
    "your_turn": ("Your turn", "A table waits for your card. Time is short if less than 36 hours are left.", AUTO),
    "deadline": (
        "Your time runs out",
        "Four fifths of your time for a card are used, if it is half an hour or more.",
        NOW,
    ),
    "nudge": ("You are waited for", "Your time for a card was up, and the table waits on.", NOW),
    "stood_in": ("A bot plays for you", "Your time was up, and a bot plays until you are back.", NOW),
    "deal_over": ("A deal ends", "Who has lost it, and that the next one comes.", DIGEST),
    "series_over": ("A game ends", "The last deal of a table is over.", DIGEST),
    "paused": ("A table pauses", "Its clocks stand still, or they run again.", NOW),
    "invite": ("Invitations", "Somebody asks you to their table.", NOW),
    "again": ("Same people again", "A table that you sat at opens anew.", NOW),
    "table_started": ("A game begins", "The cards of a table that you sit at are dealt.", NOW),
    "joined": ("Somebody sits down", "A seat at a table of yours is taken.", NEVER),
    "host_handed": ("You are the host", "The host of your table has handed it to you.", NOW),
    "seat_removed": ("Your seat is gone", "A host has taken you off a table before its start.", NOW),
    "table_warned": ("A table gets old", "A table of yours that never began is closed in two days.", NOW),
    "table_closed": ("A table is closed", "A table that you sat at was closed before it began.", NOW),
    "office": ("The operators act", "What the operators of the site changed at a table of yours, and why.", NOW),
}
"""Kinds of notices: what they are called, when one comes, and how those hear of it who have not chosen."""

SWITCHES: Final = {
    "push": True,
    "faces": False,
    "forced": False,
    "advance": True,
    "still": False,
    "rating": True,
    "listed": False,
}
"""What is on or off, and how it is for those who have not chosen (see `Wishes`)."""

HOUR: Final = time(18)
"""When the digest comes to those who have not chosen."""

_OLD: Final = {"mail": NOW}


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a person wants: `kinds` holds what they chose for kinds of notices.

    hour: when the digest comes, by their clock; None for no digest. quiet: from when until when nothing comes, by their
    clock. push: devices are told instead of mails being sent. faces: mails name the cards that only they know. forced:
    their only card is played by itself. advance: after a card the next game that waits for them is shown.
    still: cards do not travel, whatever their system says. rating: who has met them reads their ratings. listed: they
    are on leaderboards, so that everybody does.
    """

    kinds: Mapping[str, str] = field(default_factory=dict)
    hour: time | None = HOUR
    quiet: tuple[time, time] | None = None
    push: bool = SWITCHES["push"]
    faces: bool = SWITCHES["faces"]
    forced: bool = SWITCHES["forced"]
    advance: bool = SWITCHES["advance"]
    still: bool = SWITCHES["still"]
    rating: bool = SWITCHES["rating"]
    listed: bool = SWITCHES["listed"]

    def chosen(self, kind: str) -> str:
        """Return what a person chose for a kind of notices, or what holds for those who have not: now, digest, ..."""
        return self.kinds.get(kind, NOTICES[kind][2])

    def how(self, kind: str) -> str:
        """Return how a person hears of a kind of notices: who gets no digest hears nothing of what is for it."""
        chosen = self.chosen(kind)
        return NEVER if chosen == DIGEST and self.hour is None else chosen

    def stored(self) -> dict[str, Any]:
        """Return these wishes as they are stored."""
        switches = {name: getattr(self, name) for name in SWITCHES}
        quiet = None if self.quiet is None else [f"{each:%H:%M}" for each in self.quiet]
        digest = {DIGEST: NEVER} if self.hour is None else {"hour": f"{self.hour:%H:%M}"}
        return {**self.kinds, **switches, **digest, "quiet": quiet}


def wishes_of(user: User) -> Wishes:
    """Return what a person wants; what makes no sense in their row counts as not chosen."""
    stored = user.notices if isinstance(user.notices, dict) else {}
    kinds = {kind: _how(stored.get(kind)) for kind in NOTICES}
    switches = {name: stored[name] for name in SWITCHES if isinstance(stored.get(name), bool)}
    hour = None if stored.get(DIGEST) == NEVER else _time(stored.get("hour")) or HOUR
    return Wishes({kind: how for kind, how in kinds.items() if how}, hour, _quiet(stored.get("quiet")), **switches)


def wants(user: User, switch: str) -> bool:
    """Tell whether a person has a switch on: push, faces, forced, advance or still."""
    return bool(getattr(wishes_of(user), switch))


def _how(stored: object) -> str:
    """Return a choice as it is called today, "" for none."""
    if not isinstance(stored, str):
        return ""
    stored = _OLD.get(stored, stored)
    return stored if stored in HOWS else ""


def _time(stored: object) -> time | None:
    try:
        return time.fromisoformat(stored).replace(tzinfo=None) if isinstance(stored, str) else None
    except ValueError:
        return None


def _quiet(stored: object) -> tuple[time, time] | None:
    if not isinstance(stored, list) or len(stored) != 2:
        return None
    start, end = map(_time, stored)
    return None if start is None or end is None or start == end else (start, end)
