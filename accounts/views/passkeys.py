"""Passkeys: allauth's pages, with forms that refuse whatever is no answer of a key."""

import struct
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.utils import get_next_redirect_url
from allauth.mfa.webauthn.forms import AddWebAuthnForm, LoginWebAuthnForm, ReauthenticateWebAuthnForm
from allauth.mfa.webauthn.views import (
    AddWebAuthnView,
    EditWebAuthnView,
    ListWebAuthnView,
    LoginWebAuthnView,
    ReauthenticateWebAuthnView,
    RemoveWebAuthnView,
)
from cryptography.exceptions import InvalidSignature
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from accounts.agents import agent_words
from accounts.forms import PasskeyNameForm
from accounts.gates import View, person_only
from accounts.models import User
from accounts.roles import factor_missing
from accounts.views.answers import door, fresh_only, no_way, refusal
from accounts.views.second import second_first

_NONSENSE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, InvalidSignature, struct.error)


class _AddForm(AddWebAuthnForm):
    def clean(self) -> dict[str, Any]:
        try:
            return dict(super().clean())
        except _NONSENSE:
            raise get_adapter().validation_error("incorrect_code") from None


class _AnswerMixin:
    def clean_credential(self) -> Any:
        try:
            return super().clean_credential()  # type: ignore[misc]
        except _NONSENSE:
            raise get_adapter().validation_error("incorrect_code") from None


class _LoginForm(_AnswerMixin, LoginWebAuthnForm):
    pass


class _AgainForm(_AnswerMixin, ReauthenticateWebAuthnForm):
    pass


class _Add(AddWebAuthnView):
    request: HttpRequest

    def get_initial(self) -> dict[str, Any]:
        """Name the key after what it is made on."""
        return {**super().get_initial(), "name": agent_words(self.request.META.get("HTTP_USER_AGENT", ""))}

    def get_form_class(self) -> type[_AddForm]:
        return _AddForm


class _Edit(EditWebAuthnView):
    def get_form_class(self) -> Any:
        return PasskeyNameForm


class _Login(LoginWebAuthnView):
    def get_form_class(self) -> type[_LoginForm]:
        return _LoginForm


class _Again(ReauthenticateWebAuthnView):
    def get_form_class(self) -> type[_AgainForm]:
        return _AgainForm

    def form_invalid(self, form: _AgainForm) -> HttpResponse:
        """Ask again, with a fresh challenge."""
        shown: HttpResponse = self.render_to_response(self.get_context_data(form=form), status=refusal(form))
        return shown

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        found: dict[str, Any] = super().get_context_data(**kwargs)
        # allauth leaves the form out that it is given, and with it what was wrong.
        return found | kwargs | {"next": get_next_redirect_url(self.request) or ""}


def _own[**P](view: View[P], *, fresh: bool = False) -> View[P]:
    """Let a view of passkeys answer people with an address only: a guest could not show again who they are."""

    @(fresh_only if fresh else person_only)
    def gated(request: HttpRequest, user: User, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        return no_way(request) if user.guest else view(request, *args, **kwargs)

    @person_only
    def asked(request: HttpRequest, user: User, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        missing = fresh and factor_missing(request, user)
        return second_first(request) if missing else gated(request, *args, **kwargs)

    return door("GET", "POST")(asked)


passkeys = _own(ListWebAuthnView.as_view())
passkey_add = _own(_Add.as_view(), fresh=True)
passkey_rename = _own(_Edit.as_view(), fresh=True)
passkey_remove = _own(RemoveWebAuthnView.as_view(), fresh=True)
passkey_again = _own(_Again.as_view())
passkey_sign_in = door("GET", "POST")(_Login.as_view())
