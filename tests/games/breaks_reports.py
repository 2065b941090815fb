"""Ways to break each constraint of the database that reports have."""

from typing import Any

from games.models import Game, Report
from tests.games.breaks import Ways
from tests.games.stored import NOW, person


def report(**changes: Any) -> Report:
    fields = {"kind": "name", "by": person(), "about": person(), "said": "x", "at": NOW}
    return Report.objects.create(**fields | changes)


def twice(game: Game, **changes: Any) -> None:
    by, about = person(), person()
    for _ in range(2):
        report(**{"by": by, "about": about} | changes)


def of_oneself(game: Game) -> None:
    nani = person()
    report(by=nani, about=nani)


REPORT_BREAKS: Ways = {
    "report_state_and_answer_agree": [
        lambda _: report(state="upheld"),
        lambda _: report(answered=NOW),
        lambda _: report(effect="warned"),
        lambda _: report(state="dismissed", answered=NOW, effect="banned"),
        lambda _: report(state="lost", answered=NOW),
    ],
    "report_not_oneself": [of_oneself],
    "report_once_open": [twice],
    "report_once_open_a_table": [lambda game: twice(game, kind="table", about=None, table=game.table)],
}


def reports_stored(game: Game) -> None:
    """Store what is right: another report once one is answered, and one of the same by somebody else."""
    by, about = person(), person()
    report(by=by, about=about, state="dismissed", answered=NOW)
    report(by=by, about=about)
    report(by=by, about=about, kind="person")
    report(about=about)
    report(by=by, kind="table", about=None, table=game.table)
    report(kind="table", about=None, table=game.table)
    for _ in range(2):
        report(by=None, about=None)
