"""Addresses of accounts."""

from django.urls import URLPattern, path

from accounts.views import sign_in, sign_out, sign_up

urlpatterns: list[URLPattern] = [
    path("signup/", sign_up, name="signup"),
    path("signin/", sign_in, name="signin"),
    path("signout/", sign_out, name="signout"),
]
