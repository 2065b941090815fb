"""`/dev/mail/`: the mails of the embedded default, with codes to sign in: for people at this computer only."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.csp import CSP
from django.views.decorators.csp import csp_override

from accounts.gates import only
from bhabhi_site.dev import at_this_computer
from bhabhi_site.mail import KEPT, MAILER_HEADER

_NAME: Final = re.compile(r"[0-9]{20}-[0-9a-f]{8}")
# A mail's own page runs, loads and sends nothing; its links open in a page of their own.
_MAIL_CSP: Final[dict[str, list[str]]] = {
    "default-src": [CSP.NONE],
    "form-action": [CSP.NONE],
    "frame-ancestors": [CSP.NONE],
    "sandbox": ["allow-popups", "allow-popups-to-escape-sandbox", "allow-top-navigation-by-user-activation"],
}


@dataclass(frozen=True, slots=True)
class Mail:
    """A stored mail; `mailer` is the alias that sent it, `html` is "" if it has none."""

    id: str
    at: datetime
    sender: str
    to: str
    subject: str
    mailer: str
    text: str
    html: str


def _folder() -> Path:
    return Path(settings.MAIL_FOLDER)


def _mails() -> Iterator[Mail]:
    """Yield the mails, newest first."""
    for path in sorted(_folder().glob("*.eml"), reverse=True)[:KEPT]:
        mail = _mail(path.stem)
        if mail is not None:
            yield mail


def _mail(name: str) -> Mail | None:
    try:
        raw = (_folder() / f"{name}.eml").read_bytes()
    except FileNotFoundError:
        return None
    read = message_from_bytes(raw, EmailMessage, policy=policy.default)
    at = datetime.fromtimestamp(int(name[:20]) / 1e9, tz=UTC)
    sender, to, subject, mailer = (str(read[header] or "") for header in ("From", "To", "Subject", MAILER_HEADER))
    return Mail(name, at, sender, to, subject, mailer, _part(read, "plain"), _part(read, "html"))


def _part(mail: EmailMessage, kind: str) -> str:
    part = mail.get_body(preferencelist=(kind,))
    return str(part.get_content()) if part is not None else ""


def _asked(request: HttpRequest, name: str) -> Mail:
    """Return the mail of that name.

    Raises:
        Http404: there is none, or the request comes from elsewhere.
    """
    _here_only(request)
    mail = _mail(name) if _NAME.fullmatch(name) else None
    if mail is None:
        raise Http404
    return mail


def _here_only(request: HttpRequest) -> None:
    if not at_this_computer(request, "localhost", "127.0.0.1"):
        raise Http404


@only("GET")
def mails(request: HttpRequest) -> HttpResponse:
    """List the mails, newest first."""
    _here_only(request)
    return render(request, "dev/mails.html", {"mails": list(_mails())})


@only("GET")
def mail_shown(request: HttpRequest, name: str) -> HttpResponse:
    """Show a mail's headers and its text."""
    return render(request, "dev/mail.html", {"mail": _asked(request, name)})


@only("GET")
@csp_override(_MAIL_CSP)
def mail_html(request: HttpRequest, name: str) -> HttpResponse:
    """Show a mail as a mail program would: its HTML alone, which may do nothing."""
    mail = _asked(request, name)
    if not mail.html:
        raise Http404
    return HttpResponse(mail.html)
