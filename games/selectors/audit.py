"""What operators did, in words for those whom it concerns: what and why, and never who."""

from collections.abc import Mapping
from typing import Final

from games.models import Audit

_DONE: Final[Mapping[str, str]] = {
    Audit.Action.CORRECT: "corrected the result of this deal",
    Audit.Action.VOID: "voided this deal",
    Audit.Action.UNDO: "taken back a correction of this deal",
    Audit.Action.END: "ended this deal",
    Audit.Action.TAKE_UP: "let this deal go on, which had stopped",
    Audit.Action.REPLACE: "handed a seat to a bot",
    Audit.Action.FREE: "made a seat free",
    Audit.Action.EXTEND: "given more time to everybody whom this deal waits for",
    Audit.Action.CLOSE: "closed this table",
    Audit.Action.FREEZE: "stopped all clocks",
    Audit.Action.THAW: "let all clocks run again",
    Audit.Action.BAN: "closed your account: you cannot sign in, and bots play for you",
    Audit.Action.RELEASE: "opened your account again: sign in, and take back the seats where bots played for you",
    Audit.Action.ANSWER: "answered a report by you, or about you",
    Audit.Action.ROLE: "chosen what you may do at their desk",
    Audit.Action.ADDRESS: "given your account another email address, and signed you out everywhere: "
    "the one before lets nobody in any more",
    Audit.Action.MERGE: "joined a guest who played here to your account: the guest\u2019s seats are yours now",
}


def done_words(audit: Audit) -> str:
    """Return what an operator did, as a sentence."""
    if audit.action == Audit.Action.RENAME:
        done = "given you another name" if audit.table_id is None else "given this table another name"
    else:
        done = _DONE.get(audit.action, "acted")
    return f"The operators of the site have {done}."
