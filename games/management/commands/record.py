"""`manage.py record`: records checked, or played by bots (rules.md 12). No database is touched."""

import codecs
import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, Final

from django.core.management.base import BaseCommand, CommandError

from games.bots import LEVELS, bot_named
from games.rules.deal import check_seats
from games.rules.errors import RecordError, quoted
from games.rules.record import Verdict, check_line, record_dict
from games.rules.ruleset import OPTIONS, SEATS_FOR_PACKS, Ruleset
from games.rules.shuffle import keyed_source
from games.services.simulation import simulate_game

LONGEST: Final = 4 * 1024 * 1024
"""Bytes in a line: ten times what 1,000 tricks of twelve seats need. Longer ones are passed over unread."""

ALL_OK: Final = 0
SOME_BAD: Final = 1
TROUBLE: Final = 2
"""The exit codes of `check`; `simulate` has the first and the last."""


class OutputLostError(Exception):
    """Standard output takes no more."""

    def __init__(self, cause: OSError) -> None:
        super().__init__()
        self.cause = cause


class Command(BaseCommand):
    """Both commands stream: memory does not grow with the number of records.

    Standard output holds one JSON object a line and nothing else; sentences go to standard error.
    """

    help = "Check records of games, or let bots play some and print their records."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define `check` and `simulate`; values are checked later, so that their faults are sentences."""
        commands = parser.add_subparsers(dest="command", required=True, metavar="check|simulate")
        check = commands.add_parser(
            "check",
            help="check files of records",
            description="Print a verdict for each record, in order. Exit code 0: all are ok; 1: some are not; "
            "2: a file cannot be read (the others are checked all the same), or the arguments are wrong.",
        )
        check.add_argument("files", nargs="+", metavar="FILE", help="one record a line; - is standard input")
        simulate = commands.add_parser(
            "simulate",
            help="print records of games that bots play",
            description="Print finished records, the same for the same arguments. Exit code 2: they are wrong.",
        )
        simulate.add_argument("--players", required=True, metavar="N", help="seats: 3 to 8, with two packs 5 to 12")
        simulate.add_argument("--games", required=True, metavar="K", help="how many games")
        simulate.add_argument("--seed", required=True, metavar="S", help="any whole number")
        rule_help = f"an option of the table, again for each: {', '.join(OPTIONS)}"
        simulate.add_argument("--rule", action="append", default=[], metavar="KEY=VALUE", help=rule_help)
        simulate.add_argument("--bot", default="random", metavar="|".join(LEVELS), help="who plays (random)")

    def run_from_argv(self, argv: list[str]) -> None:
        """Run as the shell asks: what is wrong is one sentence on standard error, never a traceback."""
        try:
            options = self.create_parser(argv[0], argv[1]).parse_args(argv[2:])
            self.execute(**vars(options))
        except CommandError as wrong:
            self.stderr.write(str(wrong).removeprefix("Error: "))
            sys.exit(TROUBLE)
        except OutputLostError as lost:
            sys.exit(self._lost(lost))
        except KeyboardInterrupt:
            sys.exit(130)

    def handle(self, *_: Any, command: str, **options: Any) -> None:
        """Run one of the two commands."""
        if command == "simulate":
            self._simulate(options)
        else:
            code = self._check(options["files"])
            if code != ALL_OK:
                sys.exit(code)

    def _check(self, names: Iterable[str]) -> int:
        code = ALL_OK
        for name in names:
            try:
                for verdict in _verdicts(name):
                    self._put(verdict.as_dict())
                    code = code if verdict.ok else max(code, SOME_BAD)
            except OSError as error:
                self.stderr.write(f"{name} cannot be read: {error.strerror}.")
                code = TROUBLE
        return code

    def _simulate(self, options: dict[str, Any]) -> None:
        players = _whole("--players", options["players"])
        games, seed = _whole("--games", options["games"]), _whole("--seed", options["seed"])
        if games < 1:
            raise CommandError(f"--games must be 1 or more, not {games}.")
        if options["bot"] not in LEVELS:
            raise CommandError(f"--bot must be one of {', '.join(LEVELS)}, not {quoted(options['bot'])}.")
        rules = _ruleset(options["rule"], players)
        bots = [bot_named(options["bot"])] * players
        for n in range(games):
            game = simulate_game(rules, bots, keyed_source(str(seed).encode(), f"simulate/{n}"))
            self._put(record_dict(game.record, game.result))

    def _put(self, found: dict[str, object]) -> None:
        """Print one line whole, at once, so that whoever reads along waits for nothing.

        Raises:
            OutputLostError: if nobody reads any more, or the disk is full.
        """
        try:
            self.stdout.write(json.dumps(found))
            self.stdout.flush()
        except OSError as error:
            raise OutputLostError(error) from error

    def _lost(self, lost: OutputLostError) -> int:
        """Return the exit code after standard output failed; a closed pipe, as after `head`, is no trouble."""
        # What is still in Python's buffer would fail once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(lost.cause, BrokenPipeError):
            return SOME_BAD
        self.stderr.write(f"The output cannot be written: {lost.cause.strerror}.")
        return TROUBLE


def _verdicts(name: str) -> Iterator[Verdict]:
    """Check one file.

    Raises:
        OSError: if it cannot be opened or read.
    """
    standard = name == "-"
    with open(0 if standard else name, "rb", closefd=not standard) as file:
        yield from map(_verdict, _lines(file))


def _verdict(line: bytes | None) -> Verdict:
    return check_line(line) if line is not None else Verdict(ok=False, error=str(RecordError("line_too_long")))


def _lines(file: BinaryIO) -> Iterator[bytes | None]:
    """Yield the lines that are not blank, without a byte order mark; None stands for one that is too long."""
    mark = codecs.BOM_UTF8
    while line := file.readline(LONGEST):
        line, mark = line.removeprefix(mark), b""
        if len(line) == LONGEST and not line.endswith(b"\n"):
            _skip_rest(file)
            yield None
        elif line.strip():
            yield line


def _skip_rest(file: BinaryIO) -> None:
    while (rest := file.readline(LONGEST)) and not rest.endswith(b"\n"):
        pass


def _whole(option: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise CommandError(f"{option} must be a whole number, not {quoted(text)}.") from None


def _ruleset(settings: Iterable[str], players: int) -> Ruleset:
    """Return the rules that the command line names, if so many may play by them."""
    options: dict[str, Any] = {}
    for setting in settings:
        option, _, text = setting.partition("=")
        if option not in OPTIONS:
            raise CommandError(f"There is no option {quoted(option)}; the options are {', '.join(OPTIONS)}.")
        values = {str(value): value for value in OPTIONS[option]}
        if text not in values:
            raise CommandError(f"The option {option} must be one of {', '.join(values)}, not {quoted(text)}.")
        options[option] = values[text]
    try:
        rules = Ruleset(**options)
        check_seats(rules, players, 0)
    except RecordError as error:
        raise CommandError(f"{error}{_hint(error, players)}") from None
    return rules


def _hint(error: RecordError, players: int) -> str:
    """Return what to do about a number of seats that other packs allow."""
    fits = [packs for packs, seats in SEATS_FOR_PACKS.items() if error.code == "seats" and players in seats]
    return f" Add --rule packs={fits[0]}." if fits else ""
