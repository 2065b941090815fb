"""What is stored. Constraints are the database's; nothing here acts on its own (no signals, no `save()` overrides)."""

from games.models.game import Deal, Game, Move, Turn, WastePile
from games.models.result import Result
from games.models.table import Holder, Seat, Table

__all__ = ["Deal", "Game", "Holder", "Move", "Result", "Seat", "Table", "Turn", "WastePile"]
