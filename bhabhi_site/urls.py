"""The addresses of the site."""

from django.contrib import admin
from django.urls import include, path

from accounts.views.device import device_use
from bhabhi_site.views import healthz, readyz

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("admin/", admin.site.urls),
    path("accounts/", include("accounts.urls")),
    path("d/<str:token>/", device_use, name="device_use"),
    path("", include("games.urls")),
]
