"""What a browser says of itself, in words."""

from typing import Final

# The order matters: browsers name those they descend from, too.
_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS: Final = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "a Mac"),
    ("CrOS", "a Chromebook"),
    ("Linux", "Linux"),
)


def agent_words(agent: str) -> str:
    """Return which browser on what a User-Agent header means: "Firefox on Android"."""
    browser = next((name for part, name in _BROWSERS if part in agent), "A browser")
    system = next((name for part, name in _SYSTEMS if part in agent), "")
    return f"{browser} on {system}" if system else browser
