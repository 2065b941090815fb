"""Addresses of sockets."""

from typing import Any

websocket_urlpatterns: list[Any] = []
