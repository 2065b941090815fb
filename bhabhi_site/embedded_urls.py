"""The addresses of the embedded default: those of the site, the one-time way in, and the mails that go nowhere."""

from django.urls import path

from bhabhi_site.dev import enter
from bhabhi_site.dev_mail import mail_html, mail_shown, mails
from bhabhi_site.urls import urlpatterns as site

urlpatterns = [
    path("dev/enter/<str:token>/", enter, name="dev-enter"),
    path("dev/mail/", mails, name="dev_mail"),
    path("dev/mail/<str:name>/", mail_shown, name="dev_mail_shown"),
    path("dev/mail/<str:name>/html/", mail_html, name="dev_mail_html"),
    *site,
]
