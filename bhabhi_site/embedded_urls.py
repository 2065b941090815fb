"""The addresses of the embedded default: those of the site, and the one-time way in."""

from django.urls import path

from bhabhi_site.dev import enter
from bhabhi_site.urls import urlpatterns as site

urlpatterns = [path("dev/enter/<str:token>/", enter, name="dev-enter"), *site]
