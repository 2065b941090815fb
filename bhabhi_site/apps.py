"""How Django's own apps are set up here."""

from django.contrib.admin.apps import AdminConfig


class DeskConfig(AdminConfig):
    """Django's admin, as the desk of those who run the site."""

    default_site = "bhabhi_site.desk.Desk"
