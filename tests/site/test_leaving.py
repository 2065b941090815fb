"""A web that is told to stop says so, serves on until that is noticed, and answers what is under way."""

import http.client
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest
from django.test import Client

from bhabhi_site.leaving import leaving
from tests.site.by_hand_run import free_port, until
from tests.site.commands import ROOT, clean_environment
from tests.site.wire import Wire


@pytest.fixture
def told() -> Iterator[None]:
    leaving.set()
    yield
    leaving.clear()


@pytest.mark.usefixtures("told")
def test_it_says_so_and_nobody_is_alarmed(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (503, b"leaving\n")
    assert not caplog.records


def asked(port: int, path: str) -> bytes:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        line.request("GET", path)
        return line.getresponse().read()
    except OSError:
        return b""
    finally:
        line.close()


def test_it_answers_what_is_under_way_and_hangs_up_on_sockets() -> None:
    port = free_port()
    command = [sys.executable, "-m", "bhabhi_site.web", "--verbosity", "0", "--port", str(port)]
    process = subprocess.Popen([*command, "tests.site.slow:application"], cwd=ROOT, env=clean_environment({}))
    answers: list[bytes] = []
    slow = threading.Thread(target=lambda: answers.append(asked(port, "/slow")))
    try:
        until(lambda: asked(port, "/") == b"all of it")
        wire = Wire.open(socket.create_connection(("127.0.0.1", port), 30), "/", Host="localhost")
        slow.start()
        time.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        time.sleep(0.3)
        # Somebody whom the proxy still brings here.
        assert asked(port, "/") == b"all of it"
        slow.join(30)
        assert process.wait(30) == 0
        with pytest.raises(EOFError):
            wire.hear()
        wire.close()
    finally:
        process.kill()
        process.wait()
    assert answers == [b"all of it"]
    assert asked(port, "/") == b""


def test_it_looks_for_garbage_in_what_is_young_alone() -> None:
    asked = "import gc; from bhabhi_site import web; web._settle(); print(gc.get_freeze_count(), *gc.get_threshold())"
    done = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True, check=True)
    frozen, young, *_ = map(int, done.stdout.split())
    assert frozen > 20_000
    assert young > 2_000
