"""People: who they are here, what was done about them, their role. Passwords and tokens are shown to nobody."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib import admin
from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest

from accounts.history import history_kept
from accounts.models import User
from accounts.roles import OPERATOR, SUPERUSER, role_of, sees_addresses
from games.admin.base import ReadAdmin
from games.admin.deeds import Deed
from games.admin.filters import by
from games.admin.finding import people_found
from games.admin.links import public_link
from games.admin.people_forms import AddForm, AddressForm, ChangeForm, MergeForm, NameForm, RoleForm
from games.models import Audit, Holder, Invite, Notice, Table
from games.models.office import Report
from games.services.office.addresses import person_readdressed
from games.services.office.merging import guest_merge
from games.services.office.people import person_ban, person_release, person_rename
from games.services.office.roles import role_set
from games.services.office.seen import seen_of


def _merge(row: User, *, into: User, **given: Any) -> None:
    guest_merge(guest_id=row.pk, into_id=into.pk, **given)


def _ban(row: User, **given: Any) -> None:
    person_ban(user_id=row.pk, **given)


def _release(row: User, **given: Any) -> None:
    person_release(user_id=row.pk, **given)


def _rename(row: User, **given: Any) -> None:
    person_rename(user_id=row.pk, **given)


def _role(row: User, **given: Any) -> None:
    role_set(user_id=row.pk, **given)


def _readdressed(row: User, **given: Any) -> None:
    person_readdressed(user_id=row.pk, **given)


@admin.register(User)
class PersonAdmin(ReadAdmin):
    """People. What operators may write over is their time zone and language; all else is an action."""

    list_display = ("name", "role", "is_active", "email", "date_joined", "page")
    list_filter = (
        by("staff", "staff", [("yes", "Has a role", Q(is_staff=True))]),
        by("out", "kept out", [("yes", "May not sign in", Q(is_active=False))]),
    )
    search_fields = ("code",)
    finds = "A person's code, or how their name begins."
    deeds = (
        Deed(
            name="rename",
            right=Audit.Action.RENAME,
            label="Give another name",
            says="They are called this from now on, at their tables too.",
            act=_rename,
            seen=seen_of,
            form=NameForm,
        ),
        Deed(
            name="ban",
            right=Audit.Action.BAN,
            label="Keep out",
            says="They are signed out everywhere and may not come in again. Bots play for them.",
            act=_ban,
            seen=seen_of,
            open=lambda row: row.is_active,
        ),
        Deed(
            name="release",
            right=Audit.Action.RELEASE,
            label="Let in again",
            says="They may sign in again, and play on where their seats are still theirs.",
            act=_release,
            seen=seen_of,
            open=lambda row: not row.is_active,
        ),
        Deed(
            name="merge",
            right=Audit.Action.MERGE,
            label="Make part of an account",
            says="The seats and results of this guest become the account's. The guest's browser is signed out.",
            act=_merge,
            seen=seen_of,
            form=MergeForm,
            open=lambda row: row.guest,
        ),
        Deed(
            name="role",
            right=Audit.Action.ROLE,
            label="Choose a role",
            says="What they may see and do at the desk. Without a role it is shut to them.",
            act=_role,
            seen=seen_of,
            form=RoleForm,
            open=lambda row: not row.is_superuser and not row.guest,
        ),
        Deed(
            name="address",
            right=Audit.Action.ADDRESS,
            label="Give another address",
            says="Whoever reads mail there gets in. They are signed out everywhere, and the old address is told.",
            act=_readdressed,
            seen=seen_of,
            form=AddressForm,
            open=lambda row: not row.is_superuser,
        ),
    )

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Superusers make accounts for others."""
        return role_of(request.user) == SUPERUSER

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Operators write over what is a player's, superusers over what is anybody's."""
        role = role_of(request.user)
        return role == SUPERUSER or (role == OPERATOR and obj is not None and not obj.is_staff)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:  # noqa: FBT001, FBT002
        """Return the form of a new person, or of one who is there."""
        return super().get_form(request, obj, change, **kwargs | {"form": ChangeForm if obj else AddForm})

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Show addresses to who reads them; to nobody passwords, codes and tokens."""
        if obj is None:
            return ("email", "name")
        may = self.has_change_permission(request, obj)
        fields = ["name", "code", "email", "zone", "language", "role", "is_active", "is_staff", "is_superuser"]
        fields += ["hide_online", "mail_off", "mail_off_at", "erase_at", "last_login", "date_joined"]
        if not sees_addresses(request.user):
            fields.remove("email")
        return [*fields, "seen"] if may else fields

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Let the time zone and the language be written over."""
        if obj is None:
            return ()
        written = {"zone", "language", "seen"} if self.has_change_permission(request, obj) else set()
        return [name for name in self.get_fields(request, obj) if name not in written]

    def get_list_display(self, request: HttpRequest) -> Any:
        """Show addresses to who reads them."""
        return [name for name in self.list_display if name != "email" or sees_addresses(request.user)]

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """Fetch roles with the rows, and hold the row that is written over."""
        rows: QuerySet[User] = super().get_queryset(request).prefetch_related("groups")
        return rows

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> User | None:
        """Hold the row that is written over, so that two operators come one after the other."""
        found: User | None = super().get_object(request, object_id, from_field)
        if found is not None and request.method == "POST" and transaction.get_connection().in_atomic_block:
            # As it is once it is held.
            found = self.get_queryset(request).select_for_update().filter(pk=found.pk).first()
        return found

    def found(self, request: HttpRequest, term: str) -> Q:
        """Find by code or name, and by address for who reads addresses."""
        return Q(pk__in=people_found(term, request.user))

    def related(self, request: HttpRequest, row: User) -> Iterable[Any]:
        """Lead to all that belongs to the person."""
        yield self.rows(request, Holder, "Seats", user__id__exact=row.pk)
        yield self.rows(request, Table, "Tables of theirs", host__id__exact=row.pk)
        yield self.rows(request, Audit, "What was done about them", person__id__exact=row.pk)
        yield self.rows(request, Audit, "What they did here", by__id__exact=row.pk)
        yield self.rows(request, Report, "Reports about them", about__id__exact=row.pk)
        yield self.rows(request, Notice, "Notices", user__id__exact=row.pk)
        yield self.rows(request, Invite, "Invitations from them", sender__id__exact=row.pk)

    def public(self, row: User) -> Model | None:
        """Their page."""
        return row

    def save_model(self, request: HttpRequest, obj: User, form: forms.ModelForm[User], change: bool) -> None:  # noqa: FBT001
        """Store the person and keep how they were; let allauth know of the address of who is new."""
        if change:
            history_kept(User.objects.get(pk=obj.pk))
        else:
            obj.set_unusable_password()
        super().save_model(request, obj, form, change)
        User.objects.address_kept(obj)
        history_kept(obj, by=request.user if isinstance(request.user, User) else None, why="Written over at the desk.")

    @admin.display(description="role")
    def role(self, row: User) -> str:
        """Say what they may do here."""
        if row.is_superuser:
            return SUPERUSER
        return " ".join(sorted(each.name for each in row.groups.all()))

    @admin.display(description="on the site")
    def page(self, row: User) -> str:
        """Lead to their page."""
        return public_link(row)
