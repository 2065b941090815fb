"""The games app."""

from typing import Any

from django.apps import AppConfig

from games.metrics import MAILS


class GamesConfig(AppConfig):
    """Tables, games and everything played at them."""

    name = "games"

    def ready(self) -> None:
        """Count the mails of the whole site, and let what changes ring."""
        from accounts.mails import mail_tried
        from games.services.rings import connected

        mail_tried.connect(_mail_counted, dispatch_uid="games.mail_counted")
        connected()


def _mail_counted(template: str, sent: bool, **_: Any) -> None:  # noqa: FBT001 - called by name
    MAILS.labels(template.rpartition("/")[2], "sent" if sent else "failed").inc()
