"""What happened in a game while somebody did not look: a few sentences on its page, all of them in a mail (R25, R26).

Pages and mails tell what their reader may know, in the same sentences. A mail may be read over a shoulder and is kept
for years: unless its reader asked for faces it names no card but those that everybody at the table saw.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape
from typing import Final

from django.utils.html import escape, strip_tags
from django.utils.safestring import SafeString

from accounts.models import User
from games.models import Game, Move
from games.rules.moves import Draw
from games.rules.state import GameState
from games.selectors.cast import cards_text
from games.selectors.company import NotAtTable
from games.selectors.games import Log, log_of, states_of
from games.selectors.news import Rank, Step, done_for_me, news_of, not_by_hand, steps_since
from games.selectors.playbill import Playbill, playbill_of
from games.selectors.sentences import Line
from games.selectors.sight import Sitting, looking

MOST: Final = 7
"""The most sentences on a page (R25)."""
MOST_TOLD: Final = 40
"""The most in a mail: the newest."""

_BDI: Final = re.compile("<(/?)bdi>")
_FENCES: Final = {"": "\u2068", "/": "\u2069"}


@dataclass(frozen=True, slots=True)
class Away:
    """What the page tells its reader first. first: the step of the replay where it begins."""

    title: str
    first: int
    lines: tuple[Line, ...]


def seen_upto(found: Sitting, bill: Playbill) -> int:
    """Return the last entry that a person was shown; none yet: the last before they sat down."""
    if found.seen is not None:
        return found.seen
    return max((each.step for each in bill.handovers if each.new.seat.number == found.seat), default=0)


def away_box(found: Sitting, bill: Playbill, states: Sequence[GameState], actors: Sequence[str]) -> Away | None:
    """Return what came since a person looked, None if nothing did that is news to them."""
    seen = seen_upto(found, bill)
    lines = away_lines(states, bill, actors, seen)
    title = "What has happened so far" if found.seen is None else "Since you were away"
    return Away(title, seen + 1, lines) if lines else None


def away_lines(states: Sequence[GameState], bill: Playbill, actors: Sequence[str], seen: int) -> tuple[Line, ...]:
    """Return at most `MOST` sentences about what came after entry *seen*, the weightiest first, the newest of its kind.

    *states* are all of the game, the deal first; *actors* say who made each entry. What the viewer did themselves is no
    news. The step of a line is where the replay shows it.
    """
    since = list(steps_since(states, bill, actors, seen))
    news = [each for step in since for each in news_of(step, bill)]
    news += done_for_me(since)
    news.sort(key=lambda each: (each.rank, -each.line.step))
    if len(news) <= MOST:
        return tuple(each.line for each in news)
    told = tuple(each.line for each in news if each.rank < Rank.CARD)[: MOST - 1]
    return (*told, _more(since, told))


def away_told(user: User, game: Game, since_number: int | None, faces: bool) -> tuple[str, ...]:  # noqa: FBT001 - a choice of theirs
    """Return everything that came after an entry in plain text, oldest first, for a mail to a person at the table.

    No *since_number* means since the last card that they played. Names stand between signs that fence off their
    direction of writing. Without *faces* no card is named that not everybody at the table saw. Who does not sit there
    reads nothing.
    """
    try:
        found = looking(viewer=user, code=game.code)
    except NotAtTable:
        return ()
    if not isinstance(found, Sitting):
        return ()
    log = log_of(found.game)
    bill = playbill_of(found.game, found.rows, found.seat, log.times, found.counts)
    states = states_of(found.game, log)
    since = _last_of(found.seat, log) if since_number is None else since_number
    told = [
        plain(text)
        for step in steps_since(states, bill, log.actors, since, public=not faces)
        for text in (*_texts(step), *(line.text for line in bill.lines(step.number)))
    ]
    left = len(told) - MOST_TOLD
    return tuple(told) if left <= 0 else (f"Before that, {left} more things happened.", *told[left:])


def plain(text: SafeString) -> str:
    """Return a sentence of a page as plain text; names stay fenced off, by signs that cannot be seen."""
    return unescape(strip_tags(_BDI.sub(lambda found: _FENCES[found[1]], text)))


def _last_of(seat: int, log: Log) -> int:
    """Return the number of the last entry that the person at a seat chose, 0 if they have chosen none."""
    persons = (Move.Actor.HAND, Move.Actor.ORDER)
    chosen = (
        number
        for number, (entry, actor) in enumerate(zip(log.entries, log.actors, strict=True), 1)
        if entry.seat == seat and actor in persons and not isinstance(entry, Draw)
    )
    return max(chosen, default=0)


def _texts(step: Step) -> tuple[SafeString, ...]:
    """Return the sentences of an entry; one that no hand made says so."""
    return (not_by_hand(step) or step.lines[0].text, *(line.text for line in step.lines[1:]))


def _more(since: Sequence[Step], told: Sequence[Line]) -> Line:
    """Return the sentence about all that the others do not tell; it leads to where the viewer left."""
    steps_told = {line.step for line in told}
    left = sum(step.card and step.number not in steps_told for step in since)
    if not told:
        text = f"{cards_text(left)} were played."
    elif left:
        text = f"And {left} more {'card' if left == 1 else 'cards'}."
    else:
        text = "And more: the replay has it all."
    return Line(since[0].number, "More", escape(text))
