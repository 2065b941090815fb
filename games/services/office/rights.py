"""Which roles may take which action: asked by whoever calls the services of the office."""

from collections.abc import Mapping
from typing import Final

from games.models import Audit

OPERATOR: Final = "operator"
MODERATOR: Final = "moderator"
SUPPORT: Final = "support"
"""The roles are groups of these names. Support reads, and acts on nothing."""

ROLES: Final = (OPERATOR, MODERATOR, SUPPORT)

_OPERATORS: Final = frozenset({OPERATOR})
_MODERATORS: Final = frozenset({OPERATOR, MODERATOR})

RIGHTS: Final[Mapping[str, frozenset[str]]] = {
    Audit.Action.CORRECT: _OPERATORS,
    Audit.Action.VOID: _OPERATORS,
    Audit.Action.UNDO: _OPERATORS,
    Audit.Action.END: _OPERATORS,
    Audit.Action.TAKE_UP: _OPERATORS,
    Audit.Action.REPLACE: _OPERATORS,
    Audit.Action.FREE: _OPERATORS,
    Audit.Action.EXTEND: _OPERATORS,
    Audit.Action.CLOSE: _OPERATORS,
    Audit.Action.FREEZE: _OPERATORS,
    Audit.Action.THAW: _OPERATORS,
    Audit.Action.MERGE: _OPERATORS,
    Audit.Action.RENAME: _MODERATORS,
    Audit.Action.BAN: _MODERATORS,
    Audit.Action.RELEASE: _MODERATORS,
    Audit.Action.ANSWER: _MODERATORS,
    # Superusers alone, who may do all of this.
    Audit.Action.ROLE: frozenset(),
    Audit.Action.ADDRESS: frozenset(),
}
"""Who may take an action, by its name (`Audit.Action`); superusers may take each."""
