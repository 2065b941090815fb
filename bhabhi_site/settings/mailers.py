"""How production sends mail, from the environment: by SMTP, or by one of the providers that Anymail knows."""

from typing import Any

from environs import Env, ValidationError, validate

PROVIDERS = (
    "brevo", "mailersend", "mailgun", "mailjet", "mailtrap", "mandrill", "postal", "postmark", "resend",
    "scaleway", "sendgrid", "sparkpost", "unisender_go",
)  # fmt: skip
# Seconds; whoever waits for a code waits for the mail server, too.
_TIMEOUT = 10


def mailers_of(env: Env) -> dict[str, dict[str, Any]]:
    """Return MAILERS: MAIL_... for everything, MAIL_NOTICES_... for notices where they have a way of their own.

    With an *env* that is not eager, what is missing or wrong is told when it is sealed.
    """
    usual = _mailer(env, "MAIL_")
    own = any(env.str(f"MAIL_NOTICES_{name}", "") for name in ("HOST", "PROVIDER"))
    notices = _mailer(env, "MAIL_NOTICES_") if own else usual
    return {alias: notices if alias == "notices" else usual for alias in ("default", "security", "notices")}


def _mailer(env: Env, prefix: str) -> dict[str, Any]:
    """Return one mailer: a provider with its options (JSON, named as Anymail names them), else SMTP."""
    known = validate.OneOf(["", *PROVIDERS], error="must be empty for SMTP, or one of {choices}")
    provider = env.str(f"{prefix}PROVIDER", "", validate=known)
    if provider:
        options = env.json(f"{prefix}OPTIONS", validate=_are_options)
        return {"BACKEND": f"anymail.backends.{provider}.EmailBackend", "OPTIONS": options}
    smtp = {
        "host": env.str(f"{prefix}HOST", validate=validate.Length(min=1)),
        "port": env.int(f"{prefix}PORT", 587, validate=validate.Range(min=1, max=65535)),
        "username": env.str(f"{prefix}USER", ""),
        "password": env.str(f"{prefix}PASSWORD", ""),
        "use_tls": env.bool(f"{prefix}TLS", True),
        "timeout": _TIMEOUT,
    }
    return {"BACKEND": "django.core.mail.backends.smtp.EmailBackend", "OPTIONS": smtp}


def mail_hook_options(env: Env) -> dict[str, Any]:
    """Return Anymail's own settings, which its views of what providers tell look at: the keys they sign with."""
    if not env.str("MAIL_HOOK_OPTIONS", ""):
        return {}
    # None where it is wrong, which is told later.
    options: Any = env.json("MAIL_HOOK_OPTIONS", validate=_are_options)
    return dict(options or {})


def _are_options(value: Any) -> None:
    if not isinstance(value, dict):
        raise ValidationError('must be a JSON object such as {"api_key": "..."}')
