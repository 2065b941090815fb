"""Log lines leave out the tokens that addresses carry, whoever writes them."""

import http.client
import json
import logging
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
import structlog

from bhabhi_site.logs import logging_config, masked
from tests.site.commands import ROOT, clean_environment, migrated

TOKEN = "kTq3Xh_0-aB9zQw2LmNpRs"
PATHS = [f"/i/{TOKEN}/", f"/i/{TOKEN}/decline/", f"/d/{TOKEN}:x-y/", f"/nomail/{TOKEN}:1a:b/", f"/dev/enter/2.{TOKEN}/"]
PATHS += [f"/stop/{TOKEN}:1a:b/"]
PATHS += [f"/accounts/signin/?next=%2Fi%2F{TOKEN}%2F", f"/accounts/code/?next=/d/{TOKEN}%3Ax%3Ay/&a=1"]


@pytest.mark.parametrize("as_json", [True, False])
@pytest.mark.parametrize("path", PATHS)
def test_a_line_names_the_page_but_not_the_token(path: str, as_json: bool) -> None:
    made = logging_config(as_json=as_json, level="INFO")["formatters"]["structlog"]
    options = {name: value for name, value in made.items() if name != "()"}
    formatter = structlog.stdlib.ProcessorFormatter(**options)
    record = logging.LogRecord("django.request", logging.ERROR, "x.py", 1, "Internal Server Error: %s", (path,), None)
    line = formatter.format(record)
    assert TOKEN not in line
    assert path.split("/")[1] in line
    assert "Internal Server Error" in line


@pytest.mark.parametrize("as_json", [True, False])
def test_an_error_that_names_cards_and_a_token_is_told_without_them(as_json: bool) -> None:
    made = logging_config(as_json=as_json, level="INFO")["formatters"]["structlog"]
    formatter = structlog.stdlib.ProcessorFormatter(**{name: value for name, value in made.items() if name != "()"})
    nothing: dict[str, int] = {}
    with pytest.raises(KeyError) as fault:
        nothing[f"AS, 2H or the king of clubs, at {PATHS[0]}"] += 1
    told = (fault.type, fault.value, fault.tb)
    line = formatter.format(logging.LogRecord("x", logging.ERROR, "x.py", 1, "it broke", None, told))
    assert "KeyError" in line
    assert not re.search(rf"{TOKEN}|\bAS\b|2H|king of clubs", line)


def test_other_lines_stay_as_they_are() -> None:
    event = {"event": "Not Found: /games/bbbbbbbb/ and /id/x/", "path": f"/i/{TOKEN}/", "n": 3}
    assert masked(None, "", event) == {"event": "Not Found: /games/bbbbbbbb/ and /id/x/", "path": "/i/…/", "n": 3}


def test_the_server_of_the_image_writes_no_token(tmp_path: Path) -> None:
    (command,) = re.findall(r"(?m)^CMD (\[.*\])$", (ROOT / "Dockerfile").read_text())
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    arguments = [port if each == "8000" else "127.0.0.1" if each == "0.0.0.0" else each for each in json.loads(command)]
    environment = {"GETAWAY_DATA": str(tmp_path), "DJANGO_SETTINGS_MODULE": "bhabhi_site.settings.embedded"}
    migrated(tmp_path)
    process = subprocess.Popen(
        [sys.executable, *arguments[1:]],
        cwd=ROOT,
        env=clean_environment(environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert status(int(port), PATHS[0]) == 404
    finally:
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    assert TOKEN not in out


def status(port: int, path: str) -> int:
    """The status of a page, once the server is up."""
    until = time.monotonic() + 30
    while True:
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            line.request("GET", path, headers={"Host": f"localhost:{port}"})
            return line.getresponse().status
        except ConnectionRefusedError:
            assert time.monotonic() < until
            time.sleep(0.1)
        finally:
            line.close()
