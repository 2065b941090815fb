"""What the site was told by its settings, and whether that fits."""

import shutil
import smtplib
import socket
import ssl
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core import checks
from django.core.mail import mailers
from django.http.request import validate_host

from games.services.health.check import Found, broken, warning, well
from games.services.push import push_key

LEAST_FREE: Final = 1024**3
"""Bytes free on the disk below which somebody should see to it; a tenth of it is broken."""

_NAMED: Final = "Set it right in the environment and start again."


def embedded() -> bool:
    """Tell whether this is the embedded default: one process, and everything in one folder."""
    return settings.DATA_DIR is not None


def deployment(_now: datetime) -> Found:
    """Look at the settings as Django's own checks do; a variable that is missing or wrong lets no command start."""
    found = checks.run_checks(include_deployment_checks=not embedded())
    serious = [each for each in found if each.level >= checks.WARNING]
    if not serious:
        return well("Settings are complete, and Django's checks find nothing.")
    said = " ".join(f"{each.msg} ({each.id})" for each in serious)
    worst = max(each.level for each in serious)
    fix = " ".join(each.hint for each in serious if each.hint) or "Run manage.py check --deploy."
    return (broken if worst >= checks.ERROR else warning)(said, fix)


def hosts(_now: datetime) -> Found:
    """Look whether links in mails lead to a host that the site answers for."""
    host = urlsplit(settings.SITE_URL).hostname or ""
    if not validate_host(host, settings.ALLOWED_HOSTS):
        return broken(f"SITE_URL leads to {host}, which ALLOWED_HOSTS does not name.", f"Add {host} to ALLOWED_HOSTS.")
    return well(f"Links lead to {settings.SITE_URL}.")


def proxies(_now: datetime) -> Found:
    """Look whether the proxy that speaks https for the site is believed."""
    count = settings.ALLAUTH_TRUSTED_PROXY_COUNT
    if settings.SECURE_SSL_REDIRECT and not count:
        said = "Everybody is sent to https for ever: no proxy that speaks it is believed."
        return broken(said, "Set PROXIES to how many proxies stand before the site, or SECURE_SSL_REDIRECT to false.")
    return well(f"Proxies that are believed: {count}.")


def mail(_now: datetime) -> Found:
    """Look whether the mail servers let the site in; providers are not asked, since only a mail would tell."""
    for name in ("security", "notices"):
        found = _mailer(name)
        if found is not None:
            return found
    return well("Mail servers let the site in.")


def _mailer(name: str) -> Found | None:
    line: Any = mailers[name]
    backend: str = settings.MAILERS[name]["BACKEND"]
    if backend.startswith("anymail."):
        return well(f"Mails go by {backend.split('.')[2]}; manage.py doctor --mail ADDRESS sends one.")
    if not backend.endswith("smtp.EmailBackend"):
        return well("Mails go nowhere; they can be read at /dev/mail/.")
    try:
        line.open()
    except OSError as error:
        why, fix = _refused(error)
        where = f"the mail server of {name} ({line.host}, port {line.port})"
        return broken(f"{why} {where}: {type(error).__name__}.", fix)
    finally:
        with suppress(OSError):
            line.close()
    return None


def _refused(error: OSError) -> tuple[str, str]:
    """Return how a mail server kept the site out, as the beginning of a sentence, and what to look at."""
    match error:
        case socket.gaierror():
            return "Nobody knows where to find", "Look at MAIL_HOST, and whether names can be looked up from here."
        case smtplib.SMTPAuthenticationError():
            return "User and password are not right for", "Look at MAIL_USER and MAIL_PASSWORD."
        case smtplib.SMTPNotSupportedError():
            return "TLS, or signing in, is not offered by", "Look at MAIL_TLS and MAIL_PORT; MAIL_USER may be empty."
        case ssl.SSLError():
            return "There is no secure line to", "Look at MAIL_TLS and MAIL_PORT, and at the server's certificate."
        case smtplib.SMTPException():
            return "The site is not let in by", "Look at MAIL_PORT and MAIL_TLS, and at what the server's log says."
        case _:
            return (
                "No connection is taken by",
                "Look at MAIL_HOST and MAIL_PORT, and whether it runs and can be reached.",
            )


def push(_now: datetime) -> Found:
    """Look whether people can be told in their browsers."""
    if not settings.VAPID_PRIVATE_KEY:
        said = "Nobody can be told in their browser."
        return warning(said, "Set VAPID_PRIVATE_KEY to what manage.py push_key prints, and keep it.")
    push_key()
    return well("The key for notices in browsers is sound.")


def static(_now: datetime) -> Found:
    """Look whether style and scripts are where pages look for them."""
    if embedded():
        return well("Static files come from the program itself.")
    try:
        path = staticfiles_storage.path(staticfiles_storage.stored_name("games/site.css"))  # type: ignore[attr-defined]
    except ValueError:
        path = ""
    if not path or not Path(path).exists():
        return broken("Static files are not collected.", "Run manage.py collectstatic --noinput.")
    return well("Static files are collected.")


def disk(_now: datetime) -> Found:
    """Look how much room there is where the site writes: embedded its folder, else that of backups."""
    folder = Path(settings.DATA_DIR or settings.BACKUP_TO or "/tmp")  # noqa: S108 - asked for its room
    if not folder.exists():
        return broken(f"There is no folder {folder}.", "Make it, or mount it.")
    free = shutil.disk_usage(folder).free
    said = f"Free at {folder}: {free / 1024**3:.1f} GB."
    if free < LEAST_FREE:
        fix = "Make room: take old backups elsewhere."
        return (broken if free * 10 < LEAST_FREE else warning)(said, fix)
    return well(said)
