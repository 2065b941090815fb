"""Production: everything from the environment, and every missing or wrong variable named at once."""

from django.core.exceptions import ImproperlyConfigured
from environs import Env, EnvValidationError, validate

from bhabhi_site.faults import faults_told
from bhabhi_site.logs import logging_config
from bhabhi_site.settings.base import *  # noqa: F403 - a settings module is its base and more
from bhabhi_site.settings.base import BASE_DIR, redis_services
from bhabhi_site.settings.databases import database_of
from bhabhi_site.settings.live import live_of
from bhabhi_site.settings.mailers import mail_hook_options, mailers_of
from bhabhi_site.settings.watched import watched_of

env = Env(eager=False)

SECRET_KEY = env.str("SECRET_KEY", validate=validate.Length(min=50))
ALLOWED_HOSTS: list[str] = env.list(
    "ALLOWED_HOSTS",
    validate=[validate.Length(min=1), validate.ContainsNoneOf(["*"], error="name the hosts: * lets anybody name one")],
)
DATABASES = {"default": database_of(env)}
_redis = env.str("REDIS_URL", validate=validate.Regexp(r"rediss?://|unix://", error="must be a redis:// address"))
SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", True)
# BEHIND_PROXY is the older name, from when it was one or none.
_proxies = env.int("PROXIES", 1 if env.bool("BEHIND_PROXY", False) else 0, validate=validate.Range(min=0, max=9))
# What links in mails begin with.
SITE_URL = env.str(
    "SITE_URL",
    validate=validate.Regexp(
        r"https?://[^/?#\s]+\Z", error="must be like https://getaway.example, without a last slash"
    ),
)
DEFAULT_FROM_EMAIL = env.str(
    "MAIL_FROM",
    validate=validate.Regexp(r"[^\r\n]*[^@\s]+@[^@\s]+\Z", error="must be like Getaway <play@getaway.example>"),
)
MAILERS = mailers_of(env)
VAPID_PRIVATE_KEY = env.str(
    "VAPID_PRIVATE_KEY",
    "",
    validate=validate.Regexp(r"([A-Za-z0-9_-]{43})?\Z", error="must be what manage.py push_key prints"),
)
MAIL_HOOK_SECRET = env.str(
    "MAIL_HOOK_SECRET",
    "",
    validate=validate.Regexp(r"([^:\s]+:[\x21-\x7e]{16,})?\Z", error="must be user:password, of 16 signs or more"),
)
# Named as Anymail's settings are: some providers sign what they tell.
ANYMAIL = mail_hook_options(env)
BACKUP_TO = env.str("BACKUP_TO", "", validate=validate.Regexp(r"(/.*)?\Z", error="must be a path that begins with /"))
_watched = watched_of(env)
_live = live_of(env)
_log_level = env.str(
    "LOG_LEVEL",
    "INFO",
    validate=validate.OneOf(["DEBUG", "INFO", "WARNING", "ERROR"], error="must be one of {choices}"),
)
try:
    env.seal()
except EnvValidationError as error:
    said = error.error_messages
    faults = "\n".join(f"  {name}: {' '.join(said[name])}" for name in sorted(said)) if isinstance(said, dict) else said
    raise ImproperlyConfigured(f"Set these environment variables right and start again:\n{faults}") from None

globals().update(redis_services(_redis))
globals().update(_watched | _live)
if _watched["SENTRY_DSN"]:
    faults_told(_watched["SENTRY_DSN"])
LOGGING = logging_config(as_json=True, level=_log_level)

CSRF_TRUSTED_ORIGINS = [f"https://{host.replace('.', '*.', 1) if host[:1] == '.' else host}" for host in ALLOWED_HOSTS]
SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz)$"]
# Only proxies that always set the headers themselves may be believed.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if _proxies else None
ALLAUTH_TRUSTED_PROXY_COUNT = _proxies
SESSION_COOKIE_SECURE = True
SESSION_COOKIE_NAME = "__Host-session"
CSRF_COOKIE_SECURE = True
CSRF_COOKIE_NAME = "__Host-csrf"
LIE_COOKIE_NAME = "__Host-lie"

STATIC_ROOT = BASE_DIR / ".static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "bhabhi_site.statics.Collected"},
}
