"""What people shall be told: rows of the outbox, written with what happened."""

from datetime import datetime

from accounts.models import User
from games.models import Game, Invite, Notice, Table


def notice_added(  # noqa: PLR0913 - whom, of what and when, every part named
    *,
    kind: str,
    key: str,
    now: datetime,
    due: datetime | None = None,
    user: User | None = None,
    email: str = "",
    table: Table | None = None,
    invite: Invite | None = None,
    game: Game | None = None,
) -> None:
    """Write down, in the transaction that is open, that a person or an address shall be told something once it is due.

    `key` says what it is about: what has been written down with it already is let be. Without `due` it is due now.
    """
    row = Notice(kind=kind, key=key, created=now, due=due or now, user=user, email=email, table=table)
    row.invite, row.game = invite, game
    Notice.objects.bulk_create([row], ignore_conflicts=True)
