"""The site as an app on a phone: what it is called and looks like, and the script that shows its notices."""

from functools import cache
from pathlib import Path
from typing import Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.urls import reverse

from accounts.gates import only
from accounts.middleware import for_nobody

_WORKER: Final = Path(__file__).parents[1] / "static" / "games" / "sw.js"
_GROUND: Final = "#0B2E22"


@for_nobody
@only("GET")
def manifest(request: HttpRequest) -> HttpResponse:
    """Answer what a phone asks before it keeps the site among its apps."""
    start = reverse("home")
    said = {
        "id": start,
        "name": "Getaway",
        "short_name": "Getaway",
        "description": "The card game Getaway, played over days with family and friends.",
        "lang": "en",
        "start_url": start,
        "scope": start,
        "display": "standalone",
        "background_color": _GROUND,
        "theme_color": _GROUND,
        "icons": [
            {"src": static("games/icon.svg"), "sizes": "any", "type": "image/svg+xml"},
            *({"purpose": use, **each} for each in map(_icon, (192, 512)) for use in ("any", "maskable")),
        ],
    }
    response = JsonResponse(said, content_type="application/manifest+json")
    response["Cache-Control"] = "public, max-age=3600"
    return response


def _icon(size: int) -> dict[str, str]:
    return {"src": static(f"games/icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"}


@for_nobody
@only("GET")
def worker(request: HttpRequest) -> HttpResponse:
    """Answer the script that shows notices, at an address that never changes: browsers keep to that for years."""
    response = HttpResponse(_script(), content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    return response


@cache
def _script() -> bytes:
    return _WORKER.read_bytes()
