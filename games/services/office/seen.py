"""What an operator's page showed of a row, as a short text: an action goes through only if that is so still."""

import hashlib
import json
from typing import Final

from django.db.models import Max

from accounts.models import User
from games.models import Audit, Correction, Game, Holder, Report, Table
from games.services.office.errors import Changed

_LENGTH: Final = 16

type Row = Game | Table | User | Correction | Report


def seen_of(row: Row) -> str:
    """Return a digest of what operators may change of a row: cards that are played meanwhile do not count."""
    return hashlib.sha256(json.dumps(_facts(row), default=str).encode()).hexdigest()[:_LENGTH]


def check_seen(row: Row, seen: str) -> None:
    """Check that a row, which this transaction holds, is as the operator's page showed it.

    Raises:
        Changed: it is not.
    """
    if seen_of(row) != seen:
        raise Changed


def _facts(row: Row) -> list[object]:
    match row:
        case Game():
            return _game(row)
        case Table():
            return _table(row)
        case User():
            return _person(row)
        case Correction():
            return ["correction", row.pk, *_game(row.game)]
        case Report():
            return _report(row)


def _game(game: Game) -> list[object]:
    corrected = Correction.objects.filter(game=game).aggregate(Max("number"))["number__max"]
    acted = Audit.objects.filter(game=game).aggregate(Max("pk"))["pk__max"]
    return ["game", game.pk, game.status, game.aside, corrected, acted]


def _table(table: Table) -> list[object]:
    sits = Holder.objects.filter(table=table, until=None).order_by("pk").values_list("pk", "seat__number", "user")
    acted = Audit.objects.filter(table=table).aggregate(Max("pk"))["pk__max"]
    return ["table", table.pk, table.status, table.name, table.host_id, *sits, acted]


def _person(user: User) -> list[object]:
    acted = Audit.objects.filter(person=user).aggregate(Max("pk"))["pk__max"]
    return ["person", user.pk, user.name, user.email, user.is_active, user.is_staff, user.erase_at, acted]


def _report(report: Report) -> list[object]:
    subject = report.table if report.kind == Report.Kind.TABLE else report.about
    answer = [report.state, report.effect, report.answer, report.answered_by_id]
    return ["report", report.pk, *answer, *([] if subject is None else _facts(subject))]
