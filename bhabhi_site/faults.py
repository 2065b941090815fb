"""Faults told to Sentry, only where SENTRY_DSN is set: where in the program, and nothing of what it was doing."""

import sys
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from structlog.contextvars import get_contextvars

type App = Callable[[Any, Any, Any], Awaitable[None]]

# What leaves this computer, and no more: values of variables, words of errors, addresses, cookies and names stay.
_KEPT: Final = frozenset({"event_id", "timestamp", "platform", "level", "release", "environment", "sdk"})
_FRAME: Final = frozenset({"filename", "function", "module", "lineno", "in_app"})
_TAGS: Final = ("request", "task", "task_id")


def faults_told(dsn: str, **options: Any) -> None:
    """Tell faults of views, sockets and tasks from now on."""
    import sentry_sdk
    from sentry_sdk.integrations.atexit import AtexitIntegration
    from sentry_sdk.integrations.celery import CeleryIntegration
    from sentry_sdk.integrations.dedupe import DedupeIntegration
    from sentry_sdk.integrations.django import DjangoIntegration

    sentry_sdk.init(
        dsn=dsn,
        # By name and no others: one that finds a package by itself may tell of more.
        default_integrations=False,
        auto_enabling_integrations=False,
        integrations=[
            DjangoIntegration(transaction_style="function_name", signals_spans=False),
            # No headers of its own in the queue.
            CeleryIntegration(propagate_traces=False),
            DedupeIntegration(),
            AtexitIntegration(callback=lambda _pending, _timeout: None),
        ],
        include_local_variables=False,
        include_source_context=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        auto_session_tracking=False,
        send_client_reports=False,
        before_send=bare,
        **options,
    )


def bare(event: Mapping[str, Any], _hint: Mapping[str, Any]) -> Any:
    """Return what may be told of a fault: its kind, where it came about, and the numbers by which its log is found."""
    found: dict[str, Any] = {name: event[name] for name in _KEPT & event.keys()}
    values = (event.get("exception") or {}).get("values") or []
    found["exception"] = {"values": [_exception(each) for each in values]}
    known = get_contextvars()
    found["tags"] = {name: str(known[name]) for name in _TAGS if name in known}
    return found


def _exception(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return an error without its words: they may name a card or an address."""
    frames = (told.get("stacktrace") or {}).get("frames") or []
    kept = [{name: frame[name] for name in _FRAME & frame.keys()} for frame in frames]
    mechanism = told.get("mechanism") or {}
    return {
        "type": told.get("type"),
        "module": told.get("module"),
        "mechanism": {"type": mechanism.get("type", "generic"), "handled": mechanism.get("handled")},
        "stacktrace": {"frames": kept},
    }


def fault_told(error: BaseException) -> None:
    """Tell a fault that nobody else would: of a socket, or one that the program lives with."""
    # Not loaded is not set up.
    sentry = sys.modules.get("sentry_sdk")
    if sentry is not None:
        sentry.capture_exception(error)


def telling(served: App) -> App:
    """Return an ASGI application that tells the faults of another one, which goes on as before."""

    async def told(scope: Any, receive: Any, send: Any) -> None:
        try:
            await served(scope, receive, send)
        except Exception as error:
            fault_told(error)
            raise

    return told
