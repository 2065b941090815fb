"""Pages and sockets over ASGI."""

import atexit
import os
from typing import Any

import django
from channels.routing import ProtocolTypeRouter, URLRouter
from django.conf import settings
from django.urls import re_path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bhabhi_site.settings.production")

# Loads the apps, so it comes before anything that imports models.
django.setup(set_prefix=False)

from bhabhi_site.body_limit import BodyLimit  # noqa: E402
from bhabhi_site.faults import fault_told, telling  # noqa: E402
from bhabhi_site.pages import Pages  # noqa: E402
from bhabhi_site.pulse import WebPulse  # noqa: E402
from bhabhi_site.unreadable import answer_in_words  # noqa: E402
from bhabhi_site.watching import watching_begun, watching_ended  # noqa: E402
from games.live.hub import hub  # noqa: E402
from games.routing import websocket_urlpatterns  # noqa: E402

answer_in_words()
hub.tells = fault_told
# This module is loaded by what serves pages, and by nothing else.
watching_begun()
atexit.register(watching_ended)


async def no_such_socket(scope: Any, receive: Any, send: Any) -> None:
    """Turn away who asks for a socket that is not there (403); Channels would call it a fault, and log each."""
    await receive()
    await send({"type": "websocket.close"})


sockets: list[Any] = [*websocket_urlpatterns, re_path("", no_such_socket)]  # type: ignore[arg-type]  # no view
application = WebPulse(
    ProtocolTypeRouter(
        {
            "http": BodyLimit(Pages()),
            # They look at origin and session themselves: those that are refused are told why, after they are accepted.
            "websocket": telling(URLRouter(sockets)),
        }
    ),
    every=settings.WEB_PULSE,
)
