"""Mail: a subject, a text and the same as HTML, from templates, in the reader's language and time zone."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

import structlog
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.dispatch import Signal
from django.template.loader import render_to_string
from django.utils import timezone, translation

from accounts.bounces import BOUNCED, mail_came_back, refused_for_good
from accounts.zones import zone_or_utc

_log = structlog.get_logger(__name__)

SECURITY: Final = "security"
"""The mailer of codes and of what happens to an account."""

NOTICES: Final = "notices"
"""The mailer of invitations and of news from tables."""


mail_tried = Signal()
"""Sent with *template*, and *sent*: whether a mail was handed over. Nothing of whom it is for."""


class MailNotSent(Exception):
    """A mail could not be handed over; why is said in the log, without addresses."""


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
    is the site's, an empty or unknown *zone* UTC.

    Raises:
        MailNotSent: the mailer could not, in whatever way of its own.
    """
    values = {"site_url": settings.SITE_URL, **context}
    with _for_reader(language, zone):
        # A name that is written like an encoded word must not become another one when it is read.
        subject = _line(f"{template}_subject.txt", values).replace("=?", "= ?")
        text = render_to_string(f"{template}_message.txt", values).strip() + "\n"
        html = render_to_string(f"{template}_message.html", values)
    mail = EmailMultiAlternatives(subject, text, to=[to], headers=dict(headers or {}))
    mail.attach_alternative(html, "text/html")
    try:
        mail.send(using=using)
    except Exception as error:  # noqa: BLE001 - mail servers and providers fail in ways of their own
        # Without the error's own words and its traceback: addresses are in them.
        _log.warning("mail failed", mailer=using, template=template, error=type(error).__name__)
        if refused_for_good(error):
            # Not while a lock is held that somebody may wait for who holds the person's.
            transaction.on_commit(partial(mail_came_back, email=to, why=BOUNCED, now=timezone.now()))
        mail_tried.send(None, template=template, sent=False)
        raise MailNotSent from None
    mail_tried.send(None, template=template, sent=True)


def line_of(template: str, context: Mapping[str, Any], *, language: str = "", zone: str = "") -> str:
    """Return what a text template says in one line, in the reader's language and time zone."""
    with _for_reader(language, zone):
        return _line(template, context)


def _line(template: str, values: Mapping[str, Any]) -> str:
    """Fill a text template and make one line of it: what people are called cannot break a header, whatever it is."""
    return " ".join(render_to_string(template, dict(values)).split())


@contextmanager
def _for_reader(language: str, zone: str) -> Iterator[None]:
    known = language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
    with translation.override(known), timezone.override(zone_or_utc(zone)):
        yield
