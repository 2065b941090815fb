"""How allauth behaves here."""

from allauth.account.adapter import DefaultAccountAdapter


class AccountAdapter(DefaultAccountAdapter):
    """allauth's adapter for people with a name and perhaps an address."""
