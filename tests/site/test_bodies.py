"""Whatever a body holds, and wherever it is sent: a status that says so, a sentence, and never a 500."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.models import User
from bhabhi_site.asgi import application

LIMIT = 64 * 1024
JUNK = bytes(range(256)) * 4
BODIES = {
    "empty": ("application/x-www-form-urlencoded", b""),
    "binary": ("application/x-www-form-urlencoded", JUNK),
    "binary of no type": ("application/octet-stream", JUNK),
    "unknown charset": ("application/x-www-form-urlencoded; charset=nonsense", b"card=QH"),
    "nul": ("application/x-www-form-urlencoded", b"card=%00&version=%00&key=%00&email=%00&password=%00&name=%00"),
    "not utf-8": ("application/x-www-form-urlencoded", b"card=%ff%fe&version=%c3&key=%f0%9f&email=%ff&password=%ff"),
    "huge numbers": ("application/x-www-form-urlencoded", b"version=" + b"9" * 5000 + b"&seats=-1&players=1e99"),
    "broken parts": ("multipart/form-data; boundary=x", b"--x\r\nnonsense\r\n\r\n--y--"),
    "parts without a boundary": ("multipart/form-data", b"--x--"),
    "a file": (
        "multipart/form-data; boundary=x",
        b'--x\r\nContent-Disposition: form-data; name="card"; filename="c"\r\n\r\n' + JUNK + b"\r\n--x--\r\n",
    ),
    "parts in a codec that is no text": (
        "multipart/form-data; boundary=x; charset=hex",
        b'--x\r\nContent-Disposition: form-data; name="card"\r\n\r\nQH\r\n--x--\r\n',
    ),
    "json": ("application/json", b'{"card": ["QH"'),
    "many fields": ("application/x-www-form-urlencoded", b"&".join(b"f%d=1" % n for n in range(1000))),
    "too large": ("application/x-www-form-urlencoded", b"card=" + b"Q" * LIMIT),
}


def addresses(patterns: list[Any], before: str = "") -> Iterator[str]:
    """Give an address for each pattern of the site, its arguments filled with what may or may not exist."""
    for each in patterns:
        route = before + str(each.pattern)
        if isinstance(each, URLResolver):
            if "admin/" not in route:
                yield from addresses(each.url_patterns, route)
        elif isinstance(each, URLPattern):
            yield "/" + re.sub(r"<(?:int:)\w+>", "1", re.sub(r"<(?!int:)[^>]*>", "ABCDEF", route)).strip("^$")


@pytest.fixture(scope="module")
def paths() -> list[str]:
    return sorted(set(addresses(get_resolver().url_patterns)))


@pytest.fixture(params=[False, True], ids=["any form", "forms with a token"])
def visitor(request: pytest.FixtureRequest) -> Client:
    client = Client(enforce_csrf_checks=request.param, raise_request_exception=False)
    client.force_login(User.objects.create_user(email="visitor@example.org"))
    # Whoever has the cookie has the body searched for the token.
    assert client.get("/new/").status_code == 200
    assert "csrftoken" in client.cookies
    return client


@pytest.mark.django_db
@pytest.mark.parametrize("name", BODIES)
# Of these only a POST has its body searched for the token; the others are refused before anybody reads them.
@pytest.mark.parametrize(
    ("visitor", "method"),
    [(False, "post"), (False, "put"), (False, "delete"), (True, "post")],
    ids=["post", "put", "delete", "post with a token"],
    indirect=["visitor"],
)
def test_no_body_breaks_any_address(visitor: Client, paths: list[str], name: str, method: str) -> None:
    kind, body = BODIES[name]
    for path in paths:
        answer = visitor.generic(method.upper(), path, body, content_type=kind)
        assert answer.status_code < 500, (path, answer.status_code)


@pytest.mark.django_db
@pytest.mark.parametrize("query", ["?next=//evil.example", "?step=%00", "?step=" + "9" * 5000, "?%ff=%ff", "?step=-1"])
def test_no_query_breaks_any_address(visitor: Client, paths: list[str], query: str) -> None:
    for path in paths:
        # Where no sweep runs, /readyz says so.
        assert visitor.get(path + query).status_code < 500 or path == "/readyz", path


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path", ["/%00", "/%ff", "/games/%00/", "/" + "x" * 5000, "/../../etc/passwd", "//evil.example/"]
)
def test_no_address_breaks_the_site(visitor: Client, path: str) -> None:
    assert visitor.get(path).status_code < 500


@pytest.mark.django_db
def test_a_form_of_somebody_elses_says_what_to_do() -> None:
    client = Client(enforce_csrf_checks=True)
    answer = client.post("/admin/login/", {"username": "x"})
    assert answer.status_code == 403
    assert b"nothing was changed" in answer.content


@pytest.mark.django_db
def test_a_cookie_that_no_database_can_look_for_is_refused(client: Client) -> None:
    for path in ("/", "/new/", "/accounts/signin/"):
        answer = client.get(path, headers={"cookie": r'sessionid="abcdefgh\000"'})
        assert answer.status_code == 400
        assert b"could not read" in answer.content


def test_an_unknown_host_is_refused(client: Client) -> None:
    answer = client.get("/healthz", headers={"host": "evil.example"})
    # Asked without its host it is served; whoever needs the host's name is refused.
    assert answer.status_code in (200, 400)
    assert client.get("/healthz/", headers={"host": "evil.example"}).status_code == 400


async def send(*parts: bytes, headers: list[tuple[bytes, bytes]] | None = None) -> tuple[int, bytes]:
    """POST a body in parts to the real ASGI application, and return the status and the page."""
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "path": "/healthz",
        "raw_path": b"/healthz",
        "query_string": b"",
        "headers": [(b"host", b"localhost"), *(headers or [])],
        "scheme": "http",
        "server": ("127.0.0.1", 80),
        "client": ("127.0.0.1", 5),
    }
    talk = ApplicationCommunicator(application, scope)
    for number, part in enumerate(parts):
        await talk.send_input({"type": "http.request", "body": part, "more_body": number + 1 < len(parts)})
    start = await talk.receive_output(5)
    page = await talk.receive_output(5)
    await talk.wait(5)
    return start["status"], page["body"]


async def test_a_large_body_is_refused_before_all_of_it_has_come() -> None:
    # The last part, which says that there is no more, never comes.
    status, page = await send(*[b"x" * 8192] * 9, b"")
    assert status == 413
    assert b"nothing was changed" in page


async def test_a_large_body_is_refused_whatever_its_headers_say() -> None:
    status, _ = await send(b"x" * (LIMIT + 1), headers=[(b"content-length", b"3")])
    assert status == 413


async def test_a_body_of_exactly_the_limit_reaches_the_view() -> None:
    status, _ = await send(b"x" * LIMIT)
    # It has no token; the view itself would take no POST.
    assert status == 403
