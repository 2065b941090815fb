"""Production as it is, but that mails go nowhere and static files need not be collected first."""

import os

from bhabhi_site.settings.base import mailers
from bhabhi_site.settings.production import *  # noqa: F403 - a settings module is its base and more

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
MAILERS = mailers("django.core.mail.backends.dummy.EmailBackend")
# A minute is long for a test.
LIVE_SILENCE = float(os.environ.get("TEST_SILENCE", LIVE_SILENCE))  # noqa: F405 - the base's
