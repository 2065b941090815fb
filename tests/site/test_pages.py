"""Pages over ASGI: made in one go by threads that stay, and nothing of one is left in the next."""

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils import translation

from bhabhi_site.pages import Pages

SCOPE = {"type": "http", "http_version": "1.1", "method": "GET", "path": "/", "query_string": b"", "root_path": ""}


def asked(view: Any, times: int) -> list[list[Any]]:
    """What a view of its own answers at each of some requests, one after the other."""
    pages, said = Pages(), list[list[Any]]()
    pages.get_response = view  # type: ignore[method-assign]  # the page alone

    async def run() -> None:
        for _ in range(times):
            messages = list[Any]()
            said.append(messages)

            async def receive() -> Any:
                return {"type": "http.request", "body": b"", "more_body": False}

            async def send(message: Any, messages: list[Any] = messages) -> None:
                messages.append(message)

            await pages(SCOPE | {"headers": [(b"host", b"localhost")]}, receive, send)

    asyncio.run(run())
    return said


@pytest.fixture
def signals() -> Iterator[list[str]]:
    """What Django says of a request, and in which thread."""
    heard: list[str] = []

    def begun(**_: Any) -> None:
        heard.append(f"begun {threading.current_thread().name}")

    def done(**_: Any) -> None:
        heard.append(f"done {threading.current_thread().name}")

    request_started.connect(begun)
    request_finished.connect(done)
    yield heard
    request_started.disconnect(begun)
    request_finished.disconnect(done)


def test_one_thread_makes_all_of_it_and_stays(signals: list[str]) -> None:
    def view(_: HttpRequest) -> HttpResponse:
        signals.append(f"made {threading.current_thread().name}")
        return HttpResponse(b"here", headers={"X-Here": "yes"})

    said = asked(view, 3)
    assert [each.partition(" ")[0] for each in signals] == ["begun", "made", "done"] * 3
    for at in (0, 3, 6):
        assert len({each.partition(" ")[2] for each in signals[at : at + 3]}) == 1
    assert all(each.partition(" ")[2].startswith("page") for each in signals)
    start, body = said[-1]
    assert start["status"] == 200
    assert (b"X-Here", b"yes") in start["headers"]
    assert body["body"] == b"here"


def test_nothing_of_a_page_is_left_in_the_next() -> None:
    found = []

    def view(_: HttpRequest) -> HttpResponse:
        found.append(translation.get_language())
        translation.activate("fi")
        return HttpResponse()

    asked(view, 3)
    assert "fi" not in found


def test_a_stream_is_done_once_it_was_sent(signals: list[str]) -> None:
    def parts() -> Iterator[bytes]:
        signals.append("sent")
        yield b"one"

    with pytest.warns(Warning, match="synchronous iterators"):
        said = asked(lambda _: StreamingHttpResponse(parts()), 1)
    assert b"".join(each.get("body", b"") for each in said[0]) == b"one"
    assert [each.partition(" ")[0] for each in signals] == ["begun", "sent", "done"]
