"""What a provider of mail tells of a mail that it was given: it came back, or its reader calls it spam."""

import re
from datetime import datetime
from typing import Any, Final

from accounts.bounces import BOUNCED, COMPLAINED, mail_came_back
from games.services.notices import no_mail_set

_BACK: Final = ("bounced", "rejected")
# Of other reasons the address itself knows nothing: a full mailbox, a policy, a blocked sender.
_FOR_GOOD: Final = ("bounced", "invalid")


def mail_told(*, event: Any, now: datetime) -> str:
    """Keep in mind what an event of Anymail's says of an address; return why it is mailed nothing any more, or "".

    Somebody who has no account and complains gets no more invitations.
    """
    why = _why(event)
    email = event.recipient.lower() if why and isinstance(event.recipient, str) else ""
    if not email or "\0" in email:
        return ""
    if not mail_came_back(email=email, why=why, now=now) and why == COMPLAINED:
        no_mail_set(email=email, wanted=False, now=now)
    return why


def _why(event: Any) -> str:
    if event.event_type == "complained":
        return COMPLAINED
    gone = event.event_type in _BACK and event.reject_reason in _FOR_GOOD
    return BOUNCED if gone and not _passing(event.esp_event) else ""


def _passing(told: Any) -> bool:
    """Tell whether a provider calls it a bounce that may pass, which Anymail does not tell from others."""
    words = [told.get(name) for name in ("Type", "type", "event")] if hasattr(told, "get") else []
    return any("softbounce" in re.sub(r"[^a-z]", "", each.lower()) for each in words if isinstance(each, str))
