"""What is stored. Constraints are the database's; nothing here acts on its own (no signals, no `save()` overrides)."""

from games.models.game import Deal, Game, Move, Turn, WastePile
from games.models.invite import Invite
from games.models.notice import NoMail, Notice
from games.models.result import Result
from games.models.table import Holder, Seat, Table

__all__ = [
    "Deal", "Game", "Holder", "Invite", "Move", "NoMail", "Notice", "Result", "Seat", "Table", "Turn", "WastePile",
]  # fmt: skip
