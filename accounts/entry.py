"""One-time tokens that sign a person in on the embedded default."""

from django.contrib.auth.tokens import PasswordResetTokenGenerator

from accounts.models import User


class _EntryTokens(PasswordResetTokenGenerator):
    """Tokens that die when their person signs in, by whatever way.

    Django's own forget the fraction of a second of the last sign-in: one made and used within the second would live.
    """

    key_salt = "accounts.entry"

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        last = user.last_login.isoformat() if user.last_login else "never"
        return f"{user.pk}{user.password}{last}{timestamp}"


_tokens = _EntryTokens()


def entry_token(user: User) -> str:
    """Return a token that signs *user* in once, within PASSWORD_RESET_TIMEOUT seconds."""
    return f"{user.pk}.{_tokens.make_token(user)}"


def entry_user(token: str) -> User | None:
    """Return whom *token* signs in, their row locked, or None if it is used, too old or made up.

    Must be called inside a transaction, which must also hold the sign-in.
    """
    key, _, rest = token.partition(".")
    if not (key.isascii() and key.isdigit() and len(key) < 10):
        return None
    user = User.objects.select_for_update().filter(pk=int(key), is_active=True).first()
    return user if user is not None and _tokens.check_token(user, rest) else None
