"""Production as it is, but that mails go nowhere and static files need not be collected first."""

from bhabhi_site.settings.base import mailers
from bhabhi_site.settings.production import *  # noqa: F403 - a settings module is its base and more

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
MAILERS = mailers("django.core.mail.backends.dummy.EmailBackend")
