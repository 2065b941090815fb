"""Addresses of accounts."""

from django.urls import URLPattern, path

from accounts.views import SignIn, SignOut, SignUp

urlpatterns: list[URLPattern] = [
    path("signup/", SignUp.as_view(), name="signup"),
    path("signin/", SignIn.as_view(), name="signin"),
    path("signout/", SignOut.as_view(), name="signout"),
]
