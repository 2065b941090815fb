"""What is told of what operators did: how a deal counts, what became of a table, and of somebody's account."""

from typing import Any, Final

from allauth.account.models import EmailAddress
from django.conf import settings
from django.urls import reverse

from accounts.models import User
from games.models import Audit, Correction, Notice
from games.selectors.audit import done_words
from games.selectors.reach import Reach
from games.services.letters.ends import verdict_told
from games.services.letters.letter import Letter, News, facts

RESULT: Final = "office_result"
TABLE: Final = "office_table"
PERSON: Final = "office_person"
"""The kinds of notices."""

OFFICE_KINDS: Final = frozenset({RESULT, TABLE})
"""Those that people may choose how to hear of; what becomes of an account is mailed in any case."""

_TEMPLATE: Final = "emails/office"


def office_key(audit: Audit, user_id: int) -> str:
    """Return the key of what a person is told of an action: once."""
    return f"office:{audit.pk}:{user_id}"


def _audit(notice: Notice) -> Audit | None:
    return Audit.objects.select_related("game__table", "table").filter(pk=notice.key.split(":")[1]).first()


def office_news(notice: Notice, reach: Reach) -> News | None:
    """Return what a notice tells of an action; None of a correction if the deal was corrected again since."""
    audit = _audit(notice)
    if audit is None or (notice.kind == RESULT and _corrected_since(audit)):
        return None
    end = verdict_told(reach, audit.game) if notice.kind == RESULT and audit.game is not None else ""
    if audit.table is None:
        return News(_TEMPLATE, _anywhere(audit), reverse("home"), _TEMPLATE)
    context = facts(audit.table, audit.game)
    context |= {"deal": _deal(audit), "said": _said(audit, end)}
    return News(_TEMPLATE, context, context["path"], f"table:{audit.table.code}")


def _corrected_since(audit: Audit) -> bool:
    return audit.game_id is not None and Correction.objects.filter(game=audit.game_id, audit__gt=audit.pk).exists()


def _deal(audit: Audit) -> str:
    game = audit.game
    return f"{game.number} of {game.table.deals}" if game is not None and game.table.deals > 1 else ""


def _said(audit: Audit, end: str = "") -> str:
    # The reason is fenced off: its direction of writing leaves what stands around it alone.
    return " ".join(filter(None, [done_words(audit), end, f"Why: \u2068{audit.why}\u2069"]))


def _anywhere(audit: Audit) -> dict[str, Any]:
    """Return what a mail says that is of no table."""
    return {
        "said": _said(audit),
        "link": f"{settings.SITE_URL}{reverse('home')}",
        "settings": f"{settings.SITE_URL}{reverse('settings')}",
    }


def account_letter(notice: Notice) -> Letter | None:
    """Return the mail about somebody's account, also to who cannot sign in any more; None if no mail reaches them.

    A notice that has an address of its own is for that one, which was theirs.
    """
    user, audit = notice.user, _audit(notice)
    to = notice.email or _reached(user)
    if user is None or not to or audit is None:
        return None
    return Letter(to, "emails/office_person", {"said": _said(audit)}, user.language, user.zone)


def _reached(user: User | None) -> str:
    """Return the address that a person has shown to be theirs and at which mail arrives, "" if there is none."""
    if user is None or not user.email or user.mail_off:
        return ""
    return user.email if EmailAddress.objects.filter(user=user, email=user.email, verified=True).exists() else ""
