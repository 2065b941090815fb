import re

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from bhabhi_site.middleware import private_pages

CSP = (
    "default-src 'self'; script-src 'self'; worker-src 'self'; object-src 'none'; base-uri 'none'; "
    "frame-ancestors 'none'; form-action 'self'; connect-src 'self' ws://testserver"
)


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/healthz", "/no-such-page", "/admin/login/", "/accounts/signin/"])
def test_pages_are_private_and_guarded(client: Client, path: str) -> None:
    response = client.get(path)
    assert {"private", "no-store"} <= set(response["Cache-Control"].split(", "))
    assert "Cookie" in response["Vary"]
    assert re.sub(r" 'nonce-[^']+'", "", response["Content-Security-Policy"]) == CSP
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["X-Frame-Options"] == "DENY"
    assert response["Referrer-Policy"] == "same-origin"
    assert response["Cross-Origin-Opener-Policy"] == "same-origin"
    assert {"camera=()", "microphone=()", "geolocation=()"} <= set(response["Permissions-Policy"].split(", "))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("host", "secure", "connects"),
    [
        ("testserver", True, "'self' wss://testserver"),
        ("localhost:8000", False, "'self' ws://localhost:8000"),
        ("localhost", True, "'self' wss://localhost"),
    ],
)
def test_a_page_opens_sockets_at_its_own_host_alone(host: str, secure: bool, connects: str) -> None:
    headers = {"Host": host, "X-Forwarded-Host": "evil.example"}
    policy = Client(headers=headers).get("/accounts/signin/", secure=secure)["Content-Security-Policy"]
    assert policy.split("connect-src ")[1] == connects


@pytest.mark.parametrize("host", ["evil.example", "testserver;x", "testserver.evil.example"])
def test_no_policy_names_a_host_that_is_not_ours(host: str) -> None:
    response = Client(headers={"Host": host}).get("/accounts/signin/")
    assert response.status_code == 400
    assert "evil" not in response.get("Content-Security-Policy", "")
    assert ";x" not in response.get("Content-Security-Policy", "")


def test_a_view_may_say_how_its_page_is_kept() -> None:
    def public(request: HttpRequest) -> HttpResponse:
        return HttpResponse("same for all", headers={"Cache-Control": "public, max-age=60"})

    response = private_pages(public)(RequestFactory().get("/"))
    assert response["Cache-Control"] == "public, max-age=60"
    assert not response.has_header("Vary")


def test_static_files_may_be_kept_and_are_whole(client: Client) -> None:
    response = client.get("/static/admin/css/base.css")
    assert response.status_code == 200
    assert "public" in response["Cache-Control"]
    assert len(response.content) == int(response["Content-Length"])
    again = client.get("/static/admin/css/base.css", headers={"If-None-Match": response["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    part = client.get("/static/admin/css/base.css", headers={"Range": "bytes=0-9"})
    assert (part.status_code, part.content) == (206, response.content[:10])


@pytest.mark.django_db
def test_cookies_are_out_of_reach_of_scripts(client: Client) -> None:
    response = client.get("/accounts/signin/")
    assert response.cookies
    for cookie in response.cookies.values():
        assert cookie["httponly"]
        assert cookie["samesite"] == "Lax"
