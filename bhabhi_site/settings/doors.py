"""How people get in: by a code that is mailed, by a passkey, or by a password if they have set one."""

INSTALLED = ["allauth", "allauth.account", "allauth.mfa", "allauth.usersessions"]

# One only: a second would hash a wrong password twice, and the time would tell who has an account.
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL = "signin"
LOGIN_REDIRECT_URL = "home"

ACCOUNT_ADAPTER = "bhabhi_site.adapters.SiteAdapter"
ACCOUNT_USER_DISPLAY = "accounts.adapters.user_display"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT = 600
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_MAX_ATTEMPTS = 3
# It would only add a second page that asks for the address; the sign-in form itself starts the code.
ACCOUNT_LOGIN_BY_CODE_ENABLED = False
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = 600
ACCOUNT_LOGIN_BY_CODE_MAX_ATTEMPTS = 3
# 26 bits. Six digits would be under twenty; letters are not on everybody's keyboard.
ALLAUTH_USER_CODE_FORMAT = {"numeric": True, "length": 8, "dashed": True}
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 300
ACCOUNT_RATE_LIMITS = {
    "request_login_code": "20/m/ip,3/m/key,12/h/key",
    # Addresses with a "+" are many in one mailbox: a family may share it, and somebody may flood it.
    "code_to_mailbox": "30/h/key",
    "enter_code": "3/10m/key",
    "signup": "20/m/ip",
    "login": "30/m/ip",
    "guest": "30/h/ip",
}
# Players sign in with passkeys; who runs the site shows one, or an app, before the desk opens (accounts.roles).
MFA_SUPPORTED_TYPES = ["webauthn", "totp"]
MFA_TOTP_ISSUER = "Getaway"
# A clock that is half a minute off is no reason to be locked out.
MFA_TOTP_TOLERANCE = 1
MFA_PASSKEY_LOGIN_ENABLED = True
# How many proxies stand before us, each of which adds the address it was called from to X-Forwarded-For.
ALLAUTH_TRUSTED_PROXY_COUNT = 0

# Counted from signing in: a guest must not lose the seat in the middle of a series.
SESSION_COOKIE_AGE = 365 * 24 * 60 * 60
