"""When two boards are the same to a reader: what is drawn anew or kept by the browser is taken out."""

import re
from typing import Final

_DROPPED: Final = (
    # Of this answer alone.
    re.compile(r'<input type="hidden" name="(?:csrfmiddlewaretoken|key)" value="[^"]*">'),
    re.compile(r' data-now="[^"]*"'),
    # By the reader's clock, which the script keeps.
    re.compile(r'(?<=">)[^<]*<span class="far">[^<]*</span>(?=</time>)'),
    re.compile(r' title="Until [^"]*"'),
    re.compile(r"(?<=, to play) until [^<]*"),
    # Said once to who comes, and theirs to close.
    re.compile(r'<details class="away".*?</form></details>', re.DOTALL),
)


def normal(html: str) -> str:
    """A board without what is drawn anew or kept by the browser."""
    for each in _DROPPED:
        html = each.sub("", html)
    return html.strip()
