"""Where the time of a move goes: `python -m tests.load.profile_move [ENTRIES]`.

CPU of one thread in milliseconds and statements, each the median of many: of a card that a person plays by the form of
the page, and of the boards that the others at the table are pushed then. All of it runs in this process, by the test
client, on a test database of its own where DATABASE_URL says (SQLite without it).
"""

import os
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from random import Random
from typing import Any, Final
from unittest import mock

import django

TIMES: Final = 24
"""How many cards are played from a version on."""

SPOTS: Final = {
    "games.views.table.move_play": "  the move: rules, log, turns, notices",
    "games.services.play.game_locked": "    lock table and game",
    "games.services.play.turns_set": "    turns and deadlines",
    "games.services.projections.turn_told": "      who is told of their turn",
    "games.services.play.game_projected": "    version, status",
    "games.services.play.seen_noted": "    what they have seen",
    "games.views.table.after_post": "  the fresh board",
    "games.views.boards.looking": "  who may look, and who sits there",
    "games.views.boards.updates_for": "  the board from the state",
    "games.selectors.updates.next_of": "    the next game that waits",
    "games.live.frames.render_to_string": "  the board as HTML",
}
"""What is measured inside, by the name under which it is called."""

Spent = dict[str, list[tuple[float, int]]]


@contextmanager
def _clocked(what: str, spent: Spent) -> Iterator[None]:
    """Add the CPU of this thread and the statements of the block to what was spent."""
    from django.db import connection

    count = 0

    def counted(execute: Callable[..., Any], *args: Any) -> Any:
        nonlocal count
        count += 1
        return execute(*args)

    with connection.execute_wrapper(counted):
        began = time.thread_time()
        try:
            yield
        finally:
            spent[what].append(((time.thread_time() - began) * 1000, count))


def _spy(name: str, what: str, spent: Spent, stack: ExitStack) -> None:
    """Measure each call of a function that is called by this name."""
    module, _, attribute = name.rpartition(".")
    real = getattr(import_module(module), attribute, None)
    if real is None:
        return

    def called(*args: Any, **kwargs: Any) -> Any:
        with _clocked(what, spent):
            return real(*args, **kwargs)

    stack.enter_context(mock.patch(name, called))


def _game(entries: int) -> Any:
    """Return a timed game of four people at a version, at which somebody is to play."""
    from tests.games.pacing import slow_game
    from tests.games.stored import people, play_on

    game = slow_game(people(4))
    play_on(game, lambda state: state.entries >= entries)
    return game


def _posted(game: Any, spent: Spent) -> None:
    """Play a card by the form, and measure the answer."""
    from tests.games.pages import clients, page_of

    for client in clients(game).values():
        page = page_of(client, f"/games/{game.code}/")
        if page.state == "my-turn":
            form = page.form(card=Random(game.pk).choice(page.playable))
            with _clocked("a POST and its answer", spent):
                found = client.post(f"/games/{game.code}/play/", form, headers={"HX-Request": "true"})
            assert found.status_code == 200, found.content
            return


def _pushed(game: Any, spent: Spent) -> None:
    """Make the boards that go to the other three."""
    from django.utils import timezone

    from games.live.frames import Asked, board_frames
    from games.models import Holder
    from games.selectors.updates import Since

    game.refresh_from_db()
    users = list(Holder.objects.filter(table=game.table_id, until=None).values_list("user_id", flat=True))
    with _clocked("three pushed boards", spent):
        rung = Since(game.version, game.revision)
        board_frames(code=game.code, asked=[Asked(each) for each in users[1:]], rung=rung, now=timezone.now())


def measured(entries: int) -> Spent:
    """Return what was spent where, in a game from about so many entries on."""
    spent: Spent = defaultdict(list)
    game = _game(entries)
    for number in range(TIMES + 2):
        if number == 2:
            # The first two have loaded templates and made connections.
            spent.clear()
        with ExitStack() as stack:
            for name, what in SPOTS.items():
                _spy(name, what, spent, stack)
            _posted(game, spent)
        _pushed(game, spent)
    return spent


def main() -> None:
    """Print the table."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bhabhi_site.settings.test")
    django.setup()
    from django.conf import settings
    from django.db import connection

    settings.ALLOWED_HOSTS = ["*"]
    if settings.DATA_DIR is not None:
        settings.DATA_DIR.mkdir(mode=0o700, exist_ok=True)
    entries = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    name = connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        spent = measured(entries)
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)
    order = ["a POST and its answer", *SPOTS.values(), "three pushed boards"]
    print(f"{connection.vendor}, about {entries} entries{'':<20} CPU ms  statements")
    for what in order:
        if spent[what]:
            cpu = statistics.median(each for each, _ in spent[what])
            print(f"{what:<46} {cpu:6.1f}  {statistics.median(each for _, each in spent[what]):6.0f}")


if __name__ == "__main__":
    main()
