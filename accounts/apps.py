"""The accounts app."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """People and how they sign in."""

    name = "accounts"
