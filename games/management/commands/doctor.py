"""`manage.py doctor`: looks at every part of the site, and says what to do where it is not well."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any, Final

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games.services.health import NAMES, health
from games.services.health.check import Check, State

_SIGNS: Final = {State.OK: "ok     ", State.WARNING: "warning", State.BROKEN: "BROKEN "}


class Command(BaseCommand):
    """Prints a line for each part; exit code 1 if one is broken. Warnings alone are no failure."""

    help = "Look at every part of the site; say what to do where it is not well."
    # They are among what it looks at.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take what to look at, and how to tell it."""
        parser.add_argument(
            "--only", action="append", choices=NAMES, default=[], help="a part; more than once for more"
        )
        parser.add_argument("--json", action="store_true", help="one line of JSON for each part")
        parser.add_argument("--quiet", action="store_true", help="print what is not well alone")
        parser.add_argument("--mail", metavar="ADDRESS", default="", help="send a mail there as well")

    def handle(self, *args: Any, **options: Any) -> None:
        """Look, and tell; exit code 1 if a part is broken."""
        is_broken = False
        for check in health(now=timezone.now(), only=options["only"]):
            is_broken = is_broken or check.state == State.BROKEN
            if check.state != State.OK or not options["quiet"]:
                self.stdout.write(json.dumps(asdict(check)) if options["json"] else _line(check))
        if options["mail"]:
            self._mail(options["mail"])
        if is_broken:
            raise SystemExit(1)

    def _mail(self, address: str) -> None:
        for using in dict.fromkeys(("security", "notices")):
            text = f"This mail was asked for by manage.py doctor at {settings.SITE_URL}. Nothing is to be done."
            try:
                EmailMessage(subject="A mail from Getaway", body=text, to=[address]).send(using=using)
            except Exception as error:  # noqa: BLE001 - providers fail in ways of their own
                raise CommandError(
                    f"No mail could be sent by {using} ({type(error).__name__}): look at MAIL_HOST or MAIL_PROVIDER."
                ) from None
            self.stdout.write(f"{_SIGNS[State.OK]}  sent        A mail by {using}: look whether it arrives.")


def _line(check: Check) -> str:
    fix = f" {check.fix}" if check.fix else ""
    return f"{_SIGNS[check.state]}  {check.name:<12}{check.said}{fix}"
