"""Where notices may be sent, and by which keys: to the services of the browsers' makers, and to nobody else (S34)."""

import pytest

from accounts.models import User
from games.services.errors import PushUnfit
from games.services.push import device_kept, endpoint_allowed
from tests.games.push_service import Browser, encoded
from tests.games.stored import NOW

KEYS = Browser().keys


def keep(endpoint: str, **keys: str) -> None:
    device_kept(user=User(), endpoint=endpoint, **KEYS | keys, agent="", session="x", now=NOW)


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/abc:def",
        "https://fcm.googleapis.com:443/x",
        "https://updates.push.services.mozilla.com/wpush/v2/x",
        "https://web.push.apple.com/x",
        "https://db5p.notify.windows.com/w/?token=x%2f",
        "https://FCM.googleapis.com/x",
    ],
)
def test_the_services_of_the_browsers_makers_are_allowed(endpoint: str) -> None:
    assert endpoint_allowed(endpoint)


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "http://127.0.0.1/x",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://[/x",
        "https://10.0.0.1/x",
        "https://169.254.169.254/latest/",
        "https://localhost/x",
        "https://2130706433/x",
        "http://fcm.googleapis.com/x",
        "https://fcm.googleapis.com:8443/x",
        "https://fcm.googleapis.com:0/x",
        "https://fcm.googleapis.com:99999/x",
        "https://fcm.googleapis.com@evil.example/x",
        "https://evil@fcm.googleapis.com/x",
        "https://fcm.googleapis.com.evil.example/x",
        "https://evilfcm.googleapis.com/x",
        "https://evil.example/fcm.googleapis.com",
        "https://evil.example\\@fcm.googleapis.com/x",
        "https://push.apple.com/x",
        "https://evilpush.apple.com/x",
        "https://.push.apple.com/x",
        "https://web.push.apple.com./x",
        "https://fcm.googleapis.com/\n",
        " https://fcm.googleapis.com/x",
        "https://fcm.googleapis.com/ x",
        "https://fcm.googleapis。com/x",
        "ftp://fcm.googleapis.com/x",
        "//fcm.googleapis.com/x",
        "javascript:alert(1)",
        "https://fcm.googleapis.com/" + "x" * 1000,
    ],
)
def test_nothing_else_is(endpoint: str) -> None:
    assert not endpoint_allowed(endpoint)
    with pytest.raises(PushUnfit):
        keep(endpoint)


@pytest.mark.parametrize(
    ("part", "wrong"),
    [
        ("p256dh", ""),
        ("p256dh", "x"),
        ("p256dh", encoded(b"\4" + bytes(64))),
        ("p256dh", encoded(bytes(65))),
        ("p256dh", "\u00e4"),
        ("auth", ""),
        ("auth", encoded(bytes(15))),
        ("auth", "?"),
    ],
)
def test_keys_that_are_none_are_refused(part: str, wrong: str) -> None:
    with pytest.raises(PushUnfit):
        keep("https://fcm.googleapis.com/x", **{part: wrong})
