"""The default: one process on this computer, everything it keeps in one folder.

GETAWAY_DATA names the folder. DATABASE_URL and REDIS_URL put PostgreSQL and Redis in the place of SQLite and memory.
"""

import base64
import os
import secrets
from pathlib import Path

from environs import Env, validate

from bhabhi_site.settings.base import *  # noqa: F403 - a settings module is its base and more
from bhabhi_site.settings.base import BASE_DIR, mailers, memory_services, redis_services, sqlite
from bhabhi_site.settings.databases import database_of
from bhabhi_site.settings.live import live_of
from bhabhi_site.settings.watched import watched_of

env = Env()

_data = Path(env.str("GETAWAY_DATA", "") or BASE_DIR / ".data").absolute()
DATA_DIR = _data


def _kept_secret(path: Path, fresh: str) -> str:
    """Return the secret in the file at *path*, *fresh* at the first call; also if none can be kept."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                file.write(fresh)
            # Appears whole or not at all; whoever comes second keeps the first one's.
            try:
                os.link(draft, path)
            except FileExistsError:
                pass
            finally:
                draft.unlink()
        return path.read_text()
    except OSError:
        # Commands that need no database (records) work in a folder that is read-only.
        return fresh


SECRET_KEY = _kept_secret(_data / "secret-key", secrets.token_urlsafe(48))
# The very highest numbers are no key: the first byte keeps out of their way.
VAPID_PRIVATE_KEY = env.str("VAPID_PRIVATE_KEY", "") or _kept_secret(
    _data / "push-key", base64.urlsafe_b64encode(b"\x7f" + secrets.token_bytes(31)).rstrip(b"=").decode()
)
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
ROOT_URLCONF = "bhabhi_site.embedded_urls"

_postgres = env.str("DATABASE_URL", "")
_redis = env.str("REDIS_URL", "")
DATABASES = {"default": database_of(env) if _postgres else sqlite(_data / "getaway.sqlite3")}
globals().update(redis_services(_redis) if _redis else memory_services())
globals().update(live_of(env))

# Static files straight from the apps: nothing to collect first.
WHITENOISE_USE_FINDERS = True
# Mails go nowhere; /dev/mail/ shows them to people at this computer.
MAIL_FOLDER = _data / "mail"
MAILERS = mailers("bhabhi_site.mail.FolderMail", folder=MAIL_FOLDER)
# What links in mails begin with; `serve` writes its port here.
SITE_URL = "http://localhost:8000"
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("PROXIES", 0, validate=validate.Range(min=0))
BACKUP_TO = env.str("BACKUP_TO", "")
globals().update(watched_of(env))
