"""Where a provider of mail tells what became of a mail."""

from collections.abc import Callable
from functools import cache
from http import HTTPStatus
from importlib import import_module
from typing import Any, Final

import structlog
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured, SuspiciousOperation
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from accounts.gates import only
from accounts.middleware import for_nobody
from games.services.bounces import mail_told
from games.views.answers import not_found

# What Anymail trips over in a body that is not the provider's.
_ODD: Final = (LookupError, ValueError, TypeError, AttributeError, AssertionError, RecursionError)
_log = structlog.get_logger(__name__)


# The provider has no cookie of ours, but a name and a password that the site's owner has given it.
@csrf_exempt
@for_nobody
@only("POST", "HEAD")
def mail_hook(request: HttpRequest, provider: str) -> HttpResponseBase:
    """Take what a provider tells (200); 400 if it is not the provider who asks, or makes no sense."""
    if not settings.MAIL_HOOK_SECRET or provider not in settings.MAIL_HOOK_PROVIDERS:
        return not_found(request, "There is no such page.")
    body = request.read(settings.MAIL_HOOK_MOST + 1)
    if len(body) > settings.MAIL_HOOK_MOST:
        return HttpResponse(status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    # Batches are larger than any form, which is what Django's own limit is for.
    request._body = body  # noqa: SLF001
    try:
        return _hook(provider, settings.MAIL_HOOK_SECRET)(request)
    except (ImproperlyConfigured, ImportError) as error:
        # Some providers want a key of their own: MAIL_HOOK_OPTIONS has it.
        _log.info("mail hook not set up", provider=provider, error=str(error))
        return not_found(request, "There is no such page.")


@cache
def _hook(provider: str, secret: str) -> Callable[[HttpRequest], HttpResponseBase]:
    """Return Anymail's view of a provider's events, which does with them what we do."""
    module = import_module(f"anymail.webhooks.{provider}")
    named = [each for each in vars(module) if each.endswith(("TrackingWebhookView", "CombinedWebhookView"))]
    view = type("MailHook", (getattr(module, named[0]),), {"post": _posted, "webhook_secret": None})
    made: Callable[[HttpRequest], HttpResponseBase] = view.as_view(webhook_secret=secret)  # type: ignore[attr-defined]
    return made


def _posted(view: Any, request: HttpRequest) -> HttpResponse:
    try:
        view.run_validators(request)
        events = view.parse_events(request)
    except SuspiciousOperation:
        return HttpResponse("Not you.\n", status=HTTPStatus.BAD_REQUEST, content_type="text/plain")
    except _ODD:
        return HttpResponse("Not understood.\n", status=HTTPStatus.BAD_REQUEST, content_type="text/plain")
    now = timezone.now()
    told = [mail_told(event=each, now=now) for each in events]
    for why in filter(None, told):
        _log.info("mail came back", provider=view.esp_name, why=why)
    return HttpResponse()
