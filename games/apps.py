"""The games app."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Tables, games and everything played at them."""

    name = "games"
