"""Addresses of accounts; those of allauth's views have its names, too, by which it finds them."""

from django.urls import URLPattern, path

from accounts.views import device, doors, mine, passkeys, second

urlpatterns: list[URLPattern] = [
    path("signin/", doors.sign_in, name="signin"),
    path("signin/", doors.sign_in, name="account_login"),
    path("signup/", doors.sign_up, name="signup"),
    path("signup/", doors.sign_up, name="account_signup"),
    path("signout/", doors.sign_out, name="signout"),
    path("signout/", doors.sign_out, name="account_logout"),
    path("code/", doors.code, name="account_confirm_login_code"),
    path("confirm/", doors.confirm, name="account_email_verification_sent"),
    path("inactive/", doors.inactive, name="account_inactive"),
    path("again/", doors.again, name="account_reauthenticate"),
    path("again/code/", doors.again_code, name="account_request_reauthentication_code"),
    path("again/code/confirm/", doors.again_confirm, name="account_confirm_reauthentication_code"),
    path("email/", mine.email, name="account_email"),
    path("password/", mine.password, name="account_set_password"),
    path("password/", mine.password, name="account_change_password"),
    path("passkeys/", passkeys.passkeys, name="mfa_index"),
    path("passkeys/", passkeys.passkeys, name="mfa_list_webauthn"),
    path("passkeys/add/", passkeys.passkey_add, name="mfa_add_webauthn"),
    path("passkeys/<int:pk>/name/", passkeys.passkey_rename, name="mfa_edit_webauthn"),
    path("passkeys/<int:pk>/remove/", passkeys.passkey_remove, name="mfa_remove_webauthn"),
    path("passkeys/again/", passkeys.passkey_again, name="mfa_reauthenticate_webauthn"),
    path("passkeys/signin/", passkeys.passkey_sign_in, name="mfa_login_webauthn"),
    path("second/", second.second, name="second"),
    path("second/app/", second.second_app, name="mfa_activate_totp"),
    path("second/app/remove/", second.second_no_app, name="mfa_deactivate_totp"),
    path("second/codes/", second.second_codes, name="second_codes"),
    path("second/again/", second.second_again, name="mfa_reauthenticate"),
    path("sessions/", mine.sessions, name="sessions"),
    path("settings/", mine.settings, name="settings"),
    path("mail/", mine.mail_again, name="mail_again"),
    path("zone/", mine.zone, name="zone"),
    path("device/", device.device, name="device"),
]
