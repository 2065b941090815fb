"""Mail that goes nowhere: each message is a file, which the embedded default's own pages show (`dev_mail`)."""

import os
import secrets
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend

KEPT: Final = 500
"""The newest so many messages are kept."""

MAILER_HEADER: Final = "X-Mailer-Alias"
"""The header that says which mailer sent a message."""


class FolderMail(BaseEmailBackend):
    """Writes each message into a file of its own in a folder, named by the time and a random word.

    Django's own backend for files names them by the second and the number of an object, which comes again: messages of
    one second end up in one file.
    """

    def __init__(self, *, folder: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._folder = Path(folder)

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Write the messages, forget the oldest beyond KEPT, and return how many were written."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for each in email_messages:
            self._write(each)
        for old in sorted(self._folder.glob("*.eml"))[:-KEPT]:
            old.unlink(missing_ok=True)
        return len(email_messages)

    def _write(self, message: EmailMessage) -> None:
        mail = message.message()
        mail[MAILER_HEADER] = str(vars(self).get("alias") or "")
        name = f"{time.time_ns():020d}-{secrets.token_hex(4)}"
        draft = self._folder / f"{name}.part"
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(mail.as_bytes())
        # Appears whole or not at all.
        draft.rename(self._folder / f"{name}.eml")
