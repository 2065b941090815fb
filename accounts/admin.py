"""What of Django's and allauth's own pages the desk does without; people are shown by the games' pages."""

from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.models import Group

# They look for a user name, which nobody has here, or show what opens accounts; what a role may is said in the code.
for _model in (EmailAddress, EmailConfirmation, Authenticator, UserSession, Group):
    if admin.site.is_registered(_model):
        admin.site.unregister(_model)
