"""Addresses of sockets."""

from typing import Any

from django.urls import path

from games.consumers import home_socket, table_socket

websocket_urlpatterns: list[Any] = [
    path("ws/games/<str:code>/", table_socket),  # type: ignore[arg-type]  # no view
    path("ws/home/", home_socket),  # type: ignore[arg-type]  # no view
]
