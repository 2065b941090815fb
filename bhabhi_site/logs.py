"""Log lines: to standard error always; people read them embedded, machines in production."""

import io
import logging
import re
from collections.abc import MutableMapping
from typing import Any, Final, TextIO

import structlog

# Addresses that let in whoever has them: by an invitation, on another device, embedded; and whose mail it is about.
_SLASH: Final = "(?:/|%2[Ff])"
_SECRET_PATHS: Final = re.compile(
    rf"({_SLASH}(?:i|d|nomail|stop|dev{_SLASH}enter){_SLASH})(?:(?!%2[Ff])[^/?#&\s\"'<>])+"
)


# Cards, as a code or in words: a library's error may say what it did not find in a hand.
_CARDS: Final = re.compile(
    r"(?<![A-Za-z0-9])[2-9TJQKA][CDHS](?![A-Za-z0-9])|\b[A-Za-z]+ of (?:clubs|diamonds|hearts|spades)\b"
)


def masked(logger: Any, name: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Leave out of a log line the tokens that addresses carry, and cards."""
    for key, value in event.items():
        event[key] = _masked(value)
    return event


def _masked(value: Any) -> Any:
    """Return a value without tokens and cards, however deep in lists and dictionaries they are."""
    if isinstance(value, str):
        return _CARDS.sub("…", _SECRET_PATHS.sub(r"\1…", value))
    if isinstance(value, dict):
        return {key: _masked(each) for key, each in value.items()}
    return [_masked(each) for each in value] if isinstance(value, list) else value


def _traceback(out: TextIO, told: Any) -> None:
    """Write a traceback as text, masked as lines are."""
    text = io.StringIO()
    structlog.dev.plain_traceback(text, told)
    out.write(_masked(text.getvalue()))


class OneLine(logging.Filter):
    """Leaves out the traceback of a request that Django refuses, by its host or size: anybody can send thousands."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record pass."""
        if record.name.startswith("django.security."):
            record.exc_info = None
        return True


def structlog_processors() -> list[Any]:
    """Return the steps that every log line takes, whether structlog or the standard library wrote it."""
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
        masked,
    ]


def logging_config(*, as_json: bool, level: str) -> dict[str, Any]:
    """Return Django's LOGGING: one handler on standard error at *level*, as JSON or as coloured text."""
    # Tracebacks without the values of local variables: hands are among them.
    tracebacks = structlog.processors.ExceptionRenderer(
        structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
    )
    last: list[Any] = (
        [tracebacks, masked, structlog.processors.JSONRenderer()]
        if as_json
        else [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=_traceback)]
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "structlog": {
                "()": "structlog.stdlib.ProcessorFormatter",
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
                "foreign_pre_chain": structlog_processors(),
            }
        },
        # No stream named: the handler writes to standard error.
        "filters": {"one_line": {"()": OneLine}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "structlog", "filters": ["one_line"]}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # Django's own loggers would otherwise mail admins and keep a handler of their own.
            "django": {"handlers": [], "propagate": True},
            "django.server": {"handlers": [], "propagate": True},
            # A refused move or a wrong address is an answer, not an incident.
            "django.request": {"level": "ERROR"},
            # Each attempt of each connection while the database is away; who waited for one says so.
            "psycopg.pool": {"level": "ERROR"},
            # It names the addresses of browsers, by which whoever has them could send to them.
            "urllib3": {"level": "WARNING"},
        },
    }
