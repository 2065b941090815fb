"""Mail: a subject, a text and the same as HTML, from templates, in the reader's language and time zone."""

from collections.abc import Mapping
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import timezone, translation

SECURITY: Final = "security"
"""The mailer of codes and of what happens to an account."""

NOTICES: Final = "notices"
"""The mailer of invitations and of news from tables."""


def mail_send(
    *,
    using: str,
    to: str,
    template: str,
    context: Mapping[str, Any],
    language: str = "",
    zone: str = "",
    headers: Mapping[str, str] | None = None,
) -> None:
    """Send the mail of a template to one address, by the mailer *using*.

    *template* stands for three files: `<template>_subject.txt`, `_message.txt` and `_message.html`. An empty *language*
    is the site's, an empty or unknown *zone* UTC. Raises what the mailer raises when it cannot send.
    """
    known = language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
    with translation.override(known), timezone.override(_zone(zone)):
        values = {"site_url": settings.SITE_URL, **context}
        # What people are called cannot break a header, whatever it is.
        subject = " ".join(render_to_string(f"{template}_subject.txt", values).split())
        text = render_to_string(f"{template}_message.txt", values).strip() + "\n"
        html = render_to_string(f"{template}_message.html", values)
    mail = EmailMultiAlternatives(subject, text, to=[to], headers=dict(headers or {}))
    mail.attach_alternative(html, "text/html")
    mail.send(using=using)


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")
