"""The mails of a site that runs embedded: files in its folder."""

import email
import email.policy
import re
import time
from pathlib import Path


def mailed(data: Path, address: str) -> list[str]:
    """The texts of all mails to an address, the oldest first."""
    found = []
    for file in sorted((data / "mail").glob("*.eml")):
        message = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
        body = message.get_body(("plain",))
        if address in str(message["To"]) and body is not None:
            found.append(str(body.get_content()))
    return found


def mailed_code(data: Path, address: str, *, more_than: int = 0) -> str:
    """The code of the newest mail to an address, once there are *more_than* so many."""
    until = time.monotonic() + 60
    while (
        len(codes := [code for text in mailed(data, address) for code in re.findall(r"\b\d{4}-\d{4}\b", text)])
        <= more_than
    ):
        assert time.monotonic() < until, mailed(data, address)
        time.sleep(0.05)
    return str(codes[-1])
