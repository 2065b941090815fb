"""Tests: PostgreSQL where DATABASE_URL names one, SQLite with TEST_DB=sqlite or without it."""

import os
import tempfile
from pathlib import Path

from environs import Env

from bhabhi_site.settings.base import *  # noqa: F403 - a settings module is its base and more
from bhabhi_site.settings.base import mailers, memory_services, sqlite

env = Env()

SECRET_KEY = "only-for-tests-" + "x" * 40
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
ROOT_URLCONF = "bhabhi_site.embedded_urls"

_url = "" if env.str("TEST_DB", "") == "sqlite" else env.str("DATABASE_URL", "")
# A file, since an in-memory database is one connection to SQLite: no test of two at once would mean anything.
# tests/conftest.py makes the folder and takes it away.
_folder = Path(tempfile.gettempdir()) / f"getaway-test-{os.getuid()}-{os.getpid()}"
DATA_DIR = _folder
_sqlite = sqlite(_folder / "main.sqlite3")
_sqlite["TEST"] = {"NAME": _folder / "test.sqlite3"}
DATABASES = {"default": env.dj_db_url("DATABASE_URL") if _url else _sqlite}
globals().update(memory_services())

# Tests look at all that is stored, and many a loop ends with its test.
WEB_PULSE = 0.0
LIVE_CHECK = 0.0
# All clients of tests come from one address, and in a hurry.
REQUESTS_PER_READER = REQUESTS_PER_ADDRESS = 1_000_000
# Hashing passwords slowly is for attackers.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Each client of a test makes the middleware anew: static files are found when they are asked for, not listed each time.
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = True
MAIL_FOLDER = _folder / "mail"
MAILERS = mailers("django.core.mail.backends.locmem.EmailBackend")
SITE_URL = "http://testserver"
# Signs nothing outside of tests.
VAPID_PRIVATE_KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"
