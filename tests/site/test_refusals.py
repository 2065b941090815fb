"""What the real server says to requests that nobody's browser sends, and what it writes about them."""

import http.client
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.site.test_serve import Running, serving

PATHS = ["/nope", "/healthz", "/accounts/signin/", "/games/x/play/"]
TOKEN = "a" * 32


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(Path(tmp_path_factory.mktemp("refusals")), "--port", "22000") as running:
        yield running
        _, _, _, err = running.stop(signal.SIGINT)
    lines = err.splitlines()
    assert not [each for each in lines if "Traceback" in each or each.startswith(" ")]
    # One for each request that test_bad_hosts_and_too_many_fields sends.
    assert [each for each in lines if "django.security." not in each] == []
    assert len(lines) <= 2


def post(site: Running, path: str, body: bytes, **headers: str) -> tuple[int, str]:
    line = http.client.HTTPConnection("localhost", site.port, timeout=60)
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    line.request("POST", path, body, {"Cookie": f"csrftoken={TOKEN}"} | given)
    answer = line.getresponse()
    text = answer.read().decode()
    line.close()
    return answer.status, text


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("charset", ["utf-16", "utf-7", "punycode", "undefined", "hex"])
def test_a_form_that_is_not_utf_8_is_refused(site: Running, path: str, charset: str) -> None:
    kind = f"application/x-www-form-urlencoded; charset={charset}"
    status, text = post(site, path, b"a=b", Content_Type=kind)
    assert status == 400
    assert "could not read" in text


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("charset", ["", '""', "x%00"])
def test_a_form_of_no_charset_is_read_as_utf_8(site: Running, path: str, charset: str) -> None:
    kind = f"application/x-www-form-urlencoded; charset={charset}"
    status, text = post(site, path, f"csrfmiddlewaretoken={TOKEN}".encode(), Content_Type=kind)
    assert status == {"/nope": 404, "/healthz": 405, "/accounts/signin/": 422, "/games/x/play/": 302}[path]
    assert status == 302 or "</p>" in text


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("kind", ["multipart/form-data", "multipart/form-data; boundary="])
def test_parts_without_a_boundary_are_told_so(site: Running, path: str, kind: str) -> None:
    status, text = post(site, path, b"a=b", Content_Type=kind)
    assert status == 400
    assert "could not read" in text


def test_bad_hosts_and_too_many_fields_write_one_line_each(site: Running) -> None:
    fields = "&".join(f"f{number}=1" for number in range(1000))
    form = "application/x-www-form-urlencoded"
    for status, text in (
        post(site, "/accounts/signin/", b"a=b", Host="evil.example", Content_Type=form),
        post(site, "/accounts/signin/", fields.encode(), Content_Type=form),
    ):
        assert status == 400
        assert "could not read" in text
    time.sleep(0.1)
