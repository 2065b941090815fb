"""How the deals of one table ended and what operators made of it since, as one viewer may read it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString

from games.models import Correction, Game, Result, Table
from games.rules.scoring import Deal
from games.selectors.cast import Cast, cards_text
from games.selectors.effective import Effective, counted


@dataclass(frozen=True, slots=True)
class Ended:
    """A deal that is over: what counts, and all that ever counted, what the play gave first; each with its holder."""

    game: Game
    counts: Effective
    versions: tuple[Result | Correction, ...]

    @property
    def lost_once(self) -> frozenset[int | None]:
        """The seats that have lost it at some time."""
        return frozenset(each.loser for each in self.versions)


@dataclass(frozen=True, slots=True)
class Change:
    """What an operator made of a result: from what to what, and why, "" to those who may not read that."""

    text: SafeString
    why: str


def end_of(game: Game, newest: int | None) -> Ended | None:
    """Return how a game ended, None while it runs, in one query if it was corrected: *newest* is the last number."""
    if game.status != Game.Status.OVER:
        return None
    rows = Correction.objects.filter(game=game).select_related("audit", "holder").order_by("number")
    return _ended(game, game.result, list(rows) if newest else ())


def ends_of(table: Table, games: Sequence[Game]) -> Mapping[int, Ended]:
    """Return how those of a table's games ended that are over, by their numbers, in two queries."""
    corrections = defaultdict[int, list[Correction]](list)
    rows = Correction.objects.filter(game__table=table).select_related("audit", "holder")
    for row in rows.order_by("number"):
        corrections[row.game_id].append(row)
    stored = Result.objects.filter(game__table=table).select_related("holder")
    found = {each.game_id: each for each in stored}
    return {game.number: _ended(game, found[game.pk], corrections[game.pk]) for game in games if game.pk in found}


def _ended(game: Game, stored: Result, corrections: Sequence[Correction]) -> Ended:
    newest = corrections[-1] if corrections else None
    return Ended(game, counted(stored, newest), (stored, *corrections))


def deal_of(game: Game, end: Ended | None) -> Deal:
    """Return a deal as the standings count it."""
    if end is None:
        return Deal(game.number, game.dealer)
    return Deal(game.number, game.dealer, end.counts.result, corrected=end.counts.corrected)


def changes(end: Ended, cast: Cast, *, whys: bool) -> tuple[Change, ...]:
    """Return what operators made of a result, the oldest first; with *whys* their reasons."""
    pairs = zip(end.versions, end.versions[1:], strict=False)
    return tuple(_change(old, new, cast, whys=whys) for old, new in pairs if isinstance(new, Correction))


def _change(old: Result | Correction, new: Correction, cast: Cast, *, whys: bool) -> Change:
    done = "Taken back" if new.undoes_id is not None else "Corrected"
    was, now = charged_to(old, cast), charged_to(new, cast)
    if was == now:
        # The same has lost it, by other cards.
        was, now = (format_html("{} with {}", was, cards_text(each.cards_left or 0)) for each in (old, new))
    text = format_html("{} by an operator: was {}, now {}.", done, was, now)
    return Change(text, new.audit.why if whys else "")


def charged_to(end: Result | Correction, cast: Cast) -> SafeString:
    """Return whom an end charges: "you", a name, or that there is nobody."""
    if end.loser is None or end.holder is None:
        return escape("nobody")
    if end.holder.until is None:
        return cast.say(end.loser, "you", "{name}")
    return format_html("<bdi>{}</bdi>", end.holder.name)
