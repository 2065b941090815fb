"""People in the admin."""

from typing import Any

from allauth.account.decorators import secure_admin_login
from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django import forms
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.http import HttpRequest

from accounts.bounces import mail_works
from accounts.models import User
from accounts.services import sessions_ended

# The admin's own door knows neither codes nor limits.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

# Pages of allauth's that look for a user name, which nobody has here, or show what opens accounts.
for _model in (EmailAddress, EmailConfirmation, Authenticator, UserSession):
    if admin.site.is_registered(_model):
        admin.site.unregister(_model)


class _LowerEmail:
    """An address as it is stored: in lower case, or none."""

    cleaned_data: dict[str, Any]

    def clean_email(self) -> str | None:
        """Return the address in lower case."""
        return (self.cleaned_data.get("email") or "").lower() or None


class _AddForm(_LowerEmail, AdminUserCreationForm):  # type: ignore[type-arg]  # takes no parameter at run time
    pass


class _ChangeForm(_LowerEmail, UserChangeForm):  # type: ignore[type-arg]  # takes no parameter at run time
    pass


@admin.register(User)
class UserAdmin(DjangoUserAdmin):  # type: ignore[type-arg]  # takes no parameter at run time
    """People: Django's own pages, by email and name."""

    form = _ChangeForm
    add_form = _AddForm
    fieldsets = (
        (None, {"fields": ("email", "password")}),
        ("Person", {"fields": ("name", "code", "zone", "language", "hide_online", "erase_at")}),
        ("Permissions", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = (
        (None, {"classes": ("wide",), "fields": ("email", "name", "usable_password", "password1", "password2")}),
    )
    list_display = ("email", "name", "code", "is_staff", "is_active", "date_joined")
    list_filter = ("is_staff", "is_superuser", "is_active")
    search_fields = ("email", "name", "code")
    ordering = ("email",)
    readonly_fields = ("code", "last_login", "date_joined")

    def save_model(self, request: HttpRequest, obj: User, form: forms.ModelForm[User], change: bool) -> None:  # noqa: FBT001
        """Store the person, and let allauth know of their address; who may not sign in any more is out at once."""
        super().save_model(request, obj, form, change)
        User.objects.address_kept(obj)
        if "email" in form.changed_data:
            mail_works(user_id=obj.pk)
        if not obj.is_active:
            sessions_ended(obj)
