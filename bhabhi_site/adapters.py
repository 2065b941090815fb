"""What the site does when somebody signs in, whichever door they took."""

from accounts.adapters import AccountAdapter


class SiteAdapter(AccountAdapter):
    """The accounts' own adapter, and what waits for a person in the games."""
