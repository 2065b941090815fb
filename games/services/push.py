"""Telling people in their browsers, by their makers' services: RFC 8030, encrypted (8291) and signed (8292)."""

import base64
import hashlib
import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from email.utils import parseaddr
from functools import cache
from http import HTTPStatus
from typing import Final
from urllib.parse import SplitResult, urlsplit

import structlog
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import F

from accounts.models import User
from games.metrics import PUSHES
from games.models import PushDevice
from games.services.errors import PushUnfit
from games.services.locks import writing

MOST_DEVICES: Final = 10
"""The most browsers that one person is told in; a newer one takes the place of the oldest."""
MOST_FAILED: Final = 5
"""How many failures one after the other a device has, over at least `FAILING`, before it is given up."""
FAILING: Final = timedelta(days=3)
LONGEST_TTL: Final = timedelta(hours=24)
_LONGEST_URL: Final = 1000
_TIMEOUT: Final = 5
_GONE: Final = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
# What is encrypted must stay under 4 KB; names and sentences of ours are far shorter.
_TITLE, _TEXT = 120, 500

_log = structlog.get_logger(__name__)


def push_key() -> str:
    """Return the key by which browsers know this site's messages; "" if it sends none."""
    return _public(settings.VAPID_PRIVATE_KEY) if settings.VAPID_PRIVATE_KEY else ""


@cache
def _public(private: str) -> str:
    number = int.from_bytes(_decoded(private))
    point = ec.derive_private_key(number, ec.SECP256R1()).public_key()
    return _encoded(point.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def key_made() -> str:
    """Return a new private key, as VAPID_PRIVATE_KEY takes it."""
    return _encoded(ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value.to_bytes(32))


def _encoded(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def _decoded(text: str) -> bytes:
    return base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), altchars=b"-_", validate=True)


def endpoint_allowed(endpoint: str) -> bool:
    """Tell whether messages may be sent to an address: to a service in PUSH_HOSTS by https, and nowhere else (S34)."""
    if len(endpoint) > _LONGEST_URL or not endpoint.isascii() or not endpoint.isprintable() or " " in endpoint:
        return False
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError:
        return False
    if "@" in parts.netloc or "\\" in endpoint:
        return False
    return any(_fits(parts, port, each) for each in settings.PUSH_HOSTS)


def _fits(parts: SplitResult, port: int | None, allowed: str) -> bool:
    """Tell whether an address is of a host, of a part of it where that begins with "*.", or of a whole origin."""
    if "://" in allowed:
        return f"{parts.scheme}://{parts.netloc}" == allowed
    if parts.scheme != "https" or port not in (None, 443):
        return False
    host = parts.hostname or ""
    if not allowed.startswith("*."):
        return host == allowed
    return host.endswith(allowed[1:]) and not host.startswith(".")


def device_kept(
    *, user: User, endpoint: str, p256dh: str, auth: str, agent: str, session: str, now: datetime
) -> PushDevice:
    """Tell a person from now on in a browser, as long as that session of theirs lasts, and nobody else there.

    *agent* is what they will read of it. A browser that is kept already takes the new keys.

    Raises:
        PushUnfit: the address is no push service's, the keys are none, or this site tells nobody so.
    """
    if not settings.VAPID_PRIVATE_KEY or not (endpoint_allowed(endpoint) and _keys_fit(p256dh, auth)):
        raise PushUnfit
    given = {"user": user, "p256dh": p256dh, "auth": auth, "agent": agent[:80], "session": session, "failed": 0}
    with writing():
        device, _ = PushDevice.objects.update_or_create(
            endpoint=endpoint, defaults=given, create_defaults=given | {"endpoint": endpoint, "created": now}
        )
        rows = PushDevice.objects.filter(user=user).order_by("-created", "-pk").values_list("pk", flat=True)
        PushDevice.objects.filter(pk__in=[each for each in rows[MOST_DEVICES:] if each != device.pk]).delete()
    return device


def _keys_fit(p256dh: str, auth: str) -> bool:
    try:
        point, secret = _decoded(p256dh), _decoded(auth)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        return False
    return len(point) == 65 and len(secret) == 16


def device_removed(*, user: User, device_id: int) -> bool:
    """Tell a person no more in a browser; False if they are not."""
    return bool(PushDevice.objects.filter(user=user, pk=device_id).delete()[0])


def device_left(*, user: User, endpoint: str) -> None:
    """Tell a person no more in the browser of that address."""
    PushDevice.objects.filter(user=user, endpoint=endpoint).delete()


def devices_moved(*, user: User, before: str, after: str) -> None:
    """Tell a person on in the browser of a session whose key is another one now."""
    PushDevice.objects.filter(user=user, session=before).update(session=after)


def pushed(*, user: User, title: str, text: str, path: str, tag: str, ttl: timedelta, now: datetime) -> bool:
    """Tell a person in all their browsers, and return whether a service has taken the message for one at least.

    *path* is the page of this site that it leads to. A later message of the same *tag* takes the place of an earlier
    one, also where that is still under way. A browser that is off for longer than *ttl* (at most 24 hours) does not get
    it. Waits for the services, some seconds if one is slow: never while a lock is held.

    Raises:
        RuntimeError: inside a transaction.
    """
    if not settings.VAPID_PRIVATE_KEY:
        return False
    message = json.dumps({"title": title[:_TITLE], "text": text[:_TEXT], "path": path, "tag": tag}, ensure_ascii=False)
    headers = {"urgency": "high", "topic": _encoded(hashlib.sha256(tag.encode()).digest())[:32]}
    seconds = max(0, int(min(ttl, LONGEST_TTL).total_seconds()))
    took = [_sent(device, message, headers, seconds, now) for device in _devices(user, now)]
    return any(took)


def _devices(user: User, now: datetime) -> list[PushDevice]:
    """Return a person's browsers; forget those in which they have signed out meanwhile, or were signed out."""
    with writing():
        devices = list(PushDevice.objects.filter(user=user).order_by("pk"))
        keys = {each.session for each in devices}
        found = Session.objects.filter(session_key__in=keys, expire_date__gt=now)
        lasting = set(found.values_list("session_key", flat=True))
        ended = [each.pk for each in devices if each.session not in lasting]
        if ended:
            PushDevice.objects.filter(pk__in=ended).delete()
    return [each for each in devices if each.session in lasting]


def _sent(device: PushDevice, message: str, headers: Mapping[str, str], seconds: int, now: datetime) -> bool:
    """Send to one browser and write down what came of it."""
    status = _posted(device, message, headers, seconds)
    row = PushDevice.objects.filter(pk=device.pk, endpoint=device.endpoint)
    PUSHES.labels(_became(status)).inc()
    if status is not None and status < 300:
        row.update(used=now, failed=0)
        return True
    _log.warning("push failed", device=device.pk, status=status)
    if status in _GONE:
        row.delete()
        return False
    row.update(failed=F("failed") + 1)
    # Not for a service that is down for a day.
    since = device.used or device.created
    if device.failed + 1 >= MOST_FAILED and since < now - FAILING:
        row.delete()
    return False


def _became(status: int | None) -> str:
    if status is not None and status < 300:
        return "sent"
    return "gone" if status in _GONE else "failed"


def _posted(device: PushDevice, message: str, headers: Mapping[str, str], seconds: int) -> int | None:
    """Return the status that a service answers with; None if it does not, or nothing can be sent there."""
    # They cost a third of a second and 8 MB: only the worker sends.
    import requests
    from py_vapid import Vapid02, VapidException
    from pywebpush import WebPushException, webpush

    if not endpoint_allowed(device.endpoint):
        return None
    session = requests.Session()
    # Nowhere else than it is told (S34): the first redirect is one too many.
    session.max_redirects = 0
    extra = {"x-wns-type": "wns/raw"} if urlsplit(device.endpoint).netloc.endswith(".notify.windows.com") else {}
    try:
        answer = webpush(
            {"endpoint": device.endpoint, "keys": {"p256dh": device.p256dh, "auth": device.auth}},
            data=message,
            vapid_private_key=Vapid02.from_raw(settings.VAPID_PRIVATE_KEY.encode()),
            # It writes into them: new ones each time.
            vapid_claims={"sub": _whom_to_ask()},
            headers={**headers, **extra},
            ttl=seconds,
            timeout=_TIMEOUT,
            requests_session=session,
        )
    except WebPushException as error:
        return int(error.status_code) if error.status_code else None
    except (requests.RequestException, VapidException, ValueError) as error:
        # Without its words: the address is in them, and who has that can send to it.
        _log.warning("push not sent", device=device.pk, error=type(error).__name__)
        return None
    return None if isinstance(answer, str) else int(answer.status_code)


def _whom_to_ask() -> str:
    """Return whom a push service may ask about this site: the address that its mails come from."""
    return f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"
