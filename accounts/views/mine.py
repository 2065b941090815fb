"""What people change about their own accounts."""

from http import HTTPStatus

from allauth.account import signals
from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.email_verification_by_code import EmailVerificationProcess
from allauth.core import ratelimit
from allauth.usersessions.models import UserSession
from django.contrib.auth import update_session_auth_hash
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters

from accounts.adapters import AccountAdapter
from accounts.agents import agent_words
from accounts.bounces import mail_works
from accounts.forms import AddressForm, PasswordForm
from accounts.gates import only, person_only
from accounts.models import User
from accounts.preferences import SettingsForm
from accounts.services import sessions_ended
from accounts.views.answers import fresh_only, no_way, refusal
from accounts.zones import zone_known


def _seen(name: str) -> HttpResponseRedirect:
    return HttpResponseRedirect(reverse(name), status=HTTPStatus.SEE_OTHER)


@only("GET", "POST")
@person_only
def settings(request: HttpRequest, user: User) -> HttpResponse:
    """Show and store the time zone, the language, what somebody is told, and how their games go."""
    form = SettingsForm(request.POST if request.method == "POST" else None, user=user)
    if request.method == "POST" and form.is_valid():
        form.kept()
        return HttpResponseRedirect(f"{reverse('settings')}?kept=1", status=HTTPStatus.SEE_OTHER)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.is_bound else HTTPStatus.OK
    said = {} if form.is_bound else {each: each in request.GET for each in ("kept", "address", "mail")}
    return render(request, "accounts/settings.html", {"form": form, **said}, status=status)


@only("POST")
@person_only
def zone(request: HttpRequest, user: User) -> HttpResponse:
    """Store the browser's time zone for somebody who has none yet (204 whatever comes of it)."""
    name = request.POST.get("zone", "")
    if zone_known(name):
        # Whoever has chosen one keeps it.
        User.objects.filter(pk=user.pk, zone="").update(zone=name)
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


@only("POST")
@person_only
def mail_again(request: HttpRequest, user: User) -> HttpResponse:
    """Mail again to a person whose address was turned off."""
    mail_works(user_id=user.pk)
    return HttpResponseRedirect(f"{reverse('settings')}?mail=1", status=HTTPStatus.SEE_OTHER)


@only("GET", "POST")
@fresh_only
def email(request: HttpRequest, user: User) -> HttpResponseBase:
    """Change the address, or give a guest one: a code goes to the new address, and the old one hears of it."""
    form = AddressForm(request.POST if request.method == "POST" else None, user=user)
    if request.method == "POST":
        limited = ratelimit.consume_or_429(request, action="manage_email", user=user)
        if limited:
            return limited
        if form.is_valid():
            # Whether somebody has the address is told with the right code only.
            EmailVerificationProcess.initiate(request=request, user=user, email=form.cleaned_data["email"])
            return _seen("account_email_verification_sent")
    status = refusal(form) if form.is_bound else HTTPStatus.OK
    return render(request, "account/email_change.html", {"form": form}, status=status)


@only("GET", "POST")
@sensitive_post_parameters("password")
@fresh_only
def password(request: HttpRequest, user: User) -> HttpResponseBase:
    """Set a password, change it or take it away; sessions elsewhere end, and the address hears of it."""
    if user.guest:
        return no_way(request)
    remove = "remove" in request.POST
    form = PasswordForm(request.POST if request.method == "POST" and not remove else None, user=user)
    if remove or (form.is_bound and form.is_valid()):
        _password_kept(request, user, None if remove else form.cleaned_data["password"])
        return HttpResponseRedirect(f"{reverse('account_change_password')}?kept=1", status=HTTPStatus.SEE_OTHER)
    status = refusal(form) if form.is_bound else HTTPStatus.OK
    return render(request, "accounts/password.html", {"form": form, "kept": "kept" in request.GET}, status=status)


def _password_kept(request: HttpRequest, user: User, new: str | None) -> None:
    """Store a password, or none. Every other session of the person ends: their keys hang on it."""
    had, before = user.has_usable_password(), request.session.session_key or ""
    user.set_password(new)
    user.save(update_fields=["password"])
    update_session_auth_hash(request, user)
    UserSession.objects.create_from_request(request)
    adapter: AccountAdapter = get_adapter(request)  # type: ignore[assignment]  # the site's is one
    adapter.session_moved(user, before, request.session.session_key or "")
    sessions_ended(user, but=request.session.session_key or "")
    signals.password_changed.send(sender=User, request=request, user=user)
    template = "password_reset" if new is None else "password_changed" if had else "password_set"
    get_adapter(request).send_notification_mail(f"account/email/{template}", user)


@only("GET", "POST")
@person_only
def sessions(request: HttpRequest, user: User) -> HttpResponseBase:
    """List where a person is signed in; end one of these, or all."""
    here = request.session.session_key
    if request.method == "POST":
        return _sessions_ended(request, user)
    rows = UserSession.objects.filter(user=user).order_by("-created_at")
    listed = [
        {"id": each.pk, "words": agent_words(each.user_agent), "since": each.created_at, "ip": each.ip,
         "here": each.session_key == here}
        for each in rows if each.session_key == here or each.exists()
    ]  # fmt: skip
    return render(request, "accounts/sessions.html", {"sessions": listed})


def _sessions_ended(request: HttpRequest, user: User) -> HttpResponseBase:
    if "everywhere" in request.POST:
        if not user.guest:
            sessions_ended(user)
            return everywhere_out(request)
        sessions_ended(user, but=request.session.session_key or "")
        return _seen("sessions")
    key = request.POST.get("end", "")
    if not (key.isascii() and key.isdigit() and len(key) < 18):
        raise Http404
    session = get_object_or_404(UserSession, pk=int(key), user=user)
    if session.session_key == request.session.session_key:
        return everywhere_out(request) if not user.guest else _seen("sessions")
    session.end()
    return _seen("sessions")


def everywhere_out(request: HttpRequest) -> HttpResponseBase:
    """Sign out here, too."""
    from accounts.views.doors import sign_out

    return sign_out(request)
