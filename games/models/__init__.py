"""What is stored. Constraints are the database's; nothing here acts on its own (no signals, no `save()` overrides)."""

from games.models.clock import Answer, Bank, Extension, MissedTurn
from games.models.game import Deal, Game, Move, Turn, WastePile
from games.models.halt import Ballot, Halt, Pause, Pulse, Vacation, Vote
from games.models.invite import Invite
from games.models.notice import NoMail, Notice
from games.models.office import Audit, Correction, Report
from games.models.rating import RatedDeal, RatedSeat, Rating, RatingPool
from games.models.reader import PushDevice, Seen
from games.models.result import Result
from games.models.table import Holder, Seat, Table

__all__ = [
    "Answer", "Audit", "Ballot", "Bank", "Correction", "Deal", "Extension", "Game", "Halt", "Holder", "Invite",
    "MissedTurn", "Move", "NoMail", "Notice", "Pause", "Pulse", "PushDevice", "RatedDeal", "RatedSeat", "Rating",
    "RatingPool", "Report", "Result", "Seat", "Seen", "Table", "Turn", "Vacation", "Vote", "WastePile",
]  # fmt: skip
