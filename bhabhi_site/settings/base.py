"""What is the same however the site runs."""

from pathlib import Path
from typing import Any

import django_stubs_ext
import structlog
from django.utils.csp import CSP

from bhabhi_site.logs import logging_config, structlog_processors
from bhabhi_site.settings.doors import *  # noqa: F403 - the settings of signing in, in a file of their own
from bhabhi_site.settings.doors import INSTALLED
from bhabhi_site.settings.mailers import PROVIDERS

# Lets annotations say FormView[SignUpForm] and the like when the code runs, too.
django_stubs_ext.monkeypatch()

BASE_DIR = Path(__file__).resolve().parents[2]

DEBUG = False
# Where the embedded default keeps everything; there is no such place elsewhere.
DATA_DIR: Path | None = None
ROOT_URLCONF = "bhabhi_site.urls"
ASGI_APPLICATION = "bhabhi_site.asgi.application"
WSGI_APPLICATION = "bhabhi_site.wsgi.application"

INSTALLED_APPS = [
    "bhabhi_site.apps.DeskConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    *INSTALLED,
    "accounts",
    "games",
]

MIDDLEWARE = [
    # First, so that every line of a request is numbered; for synchronous calls only, as the last ones are.
    "bhabhi_site.request_ids.request_ids",
    "bhabhi_site.middleware.StaticFiles",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    # These last, and for synchronous calls only: Django then runs the whole chain above in the one thread that also
    # runs the view, instead of changing threads twice for every middleware.
    "bhabhi_site.middleware.closed_devices",
    "bhabhi_site.middleware.own_sockets",
    "bhabhi_site.middleware.private_pages",
    "bhabhi_site.middleware.readable_requests",
    "bhabhi_site.often.not_too_often",
    "accounts.middleware.outages",
    # Asks who reads, which only a readable request can say.
    "accounts.middleware.reader",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.csp",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "games.views.badge.badge",
            ],
        },
    },
]

AUTH_USER_MODEL = "accounts.User"
_VALIDATION = "django.contrib.auth.password_validation."
AUTH_PASSWORD_VALIDATORS: list[dict[str, Any]] = [
    {"NAME": _VALIDATION + "UserAttributeSimilarityValidator", "OPTIONS": {"user_attributes": ("name", "email")}},
    {"NAME": _VALIDATION + "MinimumLengthValidator"},
    {"NAME": _VALIDATION + "CommonPasswordValidator"},
]

LANGUAGE_CODE = "en"
# The other languages of the cards come with their translations; the middleware is in place for them.
LANGUAGES = [("en", "English")]
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = True

STATIC_URL = "static/"
WHITENOISE_ALLOW_ALL_ORIGINS = False

# The largest form is a new table with twelve seats, well under 4 KB.
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200
DATA_UPLOAD_MAX_NUMBER_FILES = 1

SECURE_CSP = {
    "default-src": [CSP.SELF],
    "script-src": [CSP.SELF, CSP.NONCE],
    "worker-src": [CSP.SELF],
    "object-src": [CSP.NONE],
    "base-uri": [CSP.NONE],
    "frame-ancestors": [CSP.NONE],
    "form-action": [CSP.SELF],
}
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
# Forms carry the token; no script needs to read the cookie.
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
# How a reader's cards lie (R3).
LIE_COOKIE_NAME = "lie"
# No cookie of its own for what is said once.
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

# How many seconds apart the pages' processes tell that they serve; after two minutes of silence all clocks stand still.
WEB_PULSE = 15.0

# How many seconds apart the sockets of a process are checked against the database; none are with 0.
LIVE_CHECK = 3.0
# How many seconds a socket stays open whose client says nothing, which pages do every 25.
LIVE_SILENCE = 60.0
# How many sockets one person and one address may have open at a process.
SOCKETS_PER_PERSON = 20
SOCKETS_PER_ADDRESS = 300
# How much one reader and one address may ask for in a minute at a process. A page without a socket asks sixty times.
REQUESTS_PER_READER = 1500
REQUESTS_PER_ADDRESS = 9000

DEFAULT_FROM_EMAIL = "Getaway <getaway@localhost>"

# Where providers tell what became of mails: /hooks/mail/<provider>/, with this user:password; without it there is no
# such page. They send many at a time.
MAIL_HOOK_SECRET = ""
MAIL_HOOK_PROVIDERS = PROVIDERS
MAIL_HOOK_MOST = 1024 * 1024

# The key that signs notices to browsers (`manage.py push_key` makes one); without it none are offered.
VAPID_PRIVATE_KEY = ""
# The services of the browsers' makers, and nowhere else is anything sent to. An entry with a scheme is a whole origin.
PUSH_HOSTS = [
    "fcm.googleapis.com",
    "updates.push.services.mozilla.com",
    "*.push.apple.com",
    "*.notify.windows.com",
]

# The folder for the backup of each day; without it none are made.
BACKUP_TO = ""

# Where what is counted can be read (0: nowhere), and who is told of faults ("": nobody).
METRICS_PORT = 0
METRICS_HOST = "127.0.0.1"
SENTRY_DSN = ""

# A task says what to look at, never what it holds, and nobody waits for its result. It may come twice, late or never.
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TIMEZONE = "UTC"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_SEND_TASK_EVENTS = False
# Seconds, so that no time zone or change of clocks matters.
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    # What has come due: turns whose time is up, cards and deals that come by themselves, bots whose task was lost.
    "sweep": {"task": "games.sweep", "schedule": 10.0, "options": {"expires": 10.0}},
    # Mails that are due, and those whose task was lost.
    "notices": {"task": "games.notices", "schedule": 10.0, "options": {"expires": 10.0}},
    # The mails of the day, each at its reader's hour.
    "digest": {"task": "games.digest", "schedule": 300.0, "options": {"expires": 300.0}},
    # Deals that are over and count for ratings, and those whose task was lost.
    "ratings": {"task": "games.ratings", "schedule": 60.0, "options": {"expires": 60.0}},
    # Erases people two weeks after they asked for it.
    "erase": {"task": "games.erase", "schedule": 3600.0, "options": {"expires": 3600.0}},
    # Warns the hosts of tables that never started, and closes those; often, for a computer that is seldom on for long.
    "clean": {"task": "games.clean", "schedule": 600.0, "options": {"expires": 600.0}},
    # The backup of the day, if there is a place for it; often, for the same reason.
    "backup": {"task": "games.backup", "schedule": 600.0, "options": {"expires": 600.0}},
    # Accounts that were asked for and never entered, and sessions that have ended.
    "doors": {"task": "accounts.sweep", "schedule": 3600.0, "options": {"expires": 3600.0}},
}

# Standard output belongs to commands (records are piped); every log line goes to standard error.
LOGGING = logging_config(as_json=False, level="WARNING")
structlog.configure(
    processors=[*structlog_processors(), structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
    logger_factory=structlog.stdlib.LoggerFactory(),
    wrapper_class=structlog.stdlib.BoundLogger,
    cache_logger_on_first_use=True,
)


def sqlite(path: Path) -> dict[str, Any]:
    """Return the database settings for the SQLite file at *path*, set up for one process with many threads.

    Transactions take the write lock when they begin: a transaction that reads first and writes later cannot wait for
    the lock, it fails at once with "database is locked".
    """
    pragmas = (
        "journal_mode=WAL",
        "synchronous=NORMAL",
        "mmap_size=134217728",
        "cache_size=-16000",
        "temp_store=MEMORY",
        # What is deleted is overwritten: it would lie in free pages until they are used again.
        "secure_delete=ON",
    )
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "".join(f"PRAGMA {pragma};" for pragma in pragmas),
        },
    }


def mailers(backend: str, **options: Any) -> dict[str, Any]:
    """Return MAILERS of one backend: codes and warnings go by "security", what happens at tables by "notices"."""
    return {name: {"BACKEND": backend, "OPTIONS": options} for name in ("default", "security", "notices")}


def memory_services() -> dict[str, Any]:
    """Return the settings for one process that is its own broker, cache and channel layer."""
    return {
        # It forgets a third of what it holds once it is full, and limits are counted there: by default that is 300.
        "CACHES": {
            "default": {
                "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
                "OPTIONS": {"MAX_ENTRIES": 100_000},
            }
        },
        "CHANNEL_LAYERS": {"default": {"BACKEND": "bhabhi_site.layers.OneProcessChannelLayer"}},
        "CELERY_BROKER_URL": "memory://localhost/",
        # The in-memory broker is polled; its default is seconds.
        "CELERY_BROKER_TRANSPORT_OPTIONS": {"polling_interval": 0.02},
    }


def _layer(url: str) -> dict[str, Any]:
    return {
        "hosts": [
            {
                "address": url,
                # Who sends from this process, and its one ear; a full pool drops rings silently.
                "max_connections": 50,
                # Longer than the five seconds for which the layer waits for a message, which redis-py takes for a fault
                # by default; and not for ever, which a Redis that hangs would take.
                "socket_timeout": 15,
                "socket_connect_timeout": 2,
            }
        ],
        "capacity": 1000,
        # Each process says every few seconds that it listens; one that has died is forgotten soon.
        "group_expiry": 60,
    }


def redis_services(url: str) -> dict[str, Any]:
    """Return the settings for processes that meet at the Redis server at *url*."""
    return {
        "CACHES": {
            "default": {
                "BACKEND": "django.core.cache.backends.redis.RedisCache",
                "LOCATION": url,
                "KEY_PREFIX": "getaway",
                # Seconds: a page would wait for it.
                "OPTIONS": {"socket_timeout": 1, "socket_connect_timeout": 1},
            }
        },
        "CHANNEL_LAYERS": {"default": {"BACKEND": "channels_redis.core.RedisChannelLayer", "CONFIG": _layer(url)}},
        "CELERY_BROKER_URL": url,
        # A request that finds the broker down gives up at once; by default it would wait six seconds. The sweep mends.
        "CELERY_BROKER_TRANSPORT_OPTIONS": {
            "max_retries": 1,
            "interval_start": 0,
            # Neither does one that hangs hold it. A worker waits a second for its next task.
            "socket_timeout": 5,
            "socket_connect_timeout": 2,
        },
    }
