"""Who asks for more than people do is asked to wait; people never are."""

from types import SimpleNamespace

import pytest
from django.conf import LazySettings
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from pytest_django import Settings

from accounts.origins import origin_of
from bhabhi_site import often
from bhabhi_site.often import not_too_often
from bhabhi_site.settings import base
from games.live import limits
from tests.games.pages import Page, client_of
from tests.games.stored import game_of, people


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The clock by which minutes are counted, twenty seconds after one began."""
    found = SimpleNamespace(now=80.0)
    for each in ("_readers", "_addresses"):
        monkeypatch.setattr(often, each, limits.Minute())
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=lambda: found.now))
    return found


def statuses(client: Client, path: str, many: int, **options: str) -> list[int]:
    return [client.get(path, **options).status_code for _ in range(many)]  # type: ignore[arg-type]


@pytest.mark.django_db
def test_a_reader_who_asks_too_often_waits_until_the_next_minute(settings: Settings, clock: SimpleNamespace) -> None:
    settings.REQUESTS_PER_READER, settings.REQUESTS_PER_ADDRESS = 5, 7
    users = people(4)
    path = f"/games/{game_of(persons=users).code}/board/"
    first, second = client_of(users[0]), client_of(users[1])
    assert statuses(first, path, 3) == [200] * 3
    # Whatever it is, and whoever makes it.
    assert first.post(path.replace("board", "play")).status_code == 400
    assert statuses(first, "/list/", 1) == [200]
    refused = first.get(path, headers={"HX-Request": "true"})
    assert (refused.status_code, refused["Retry-After"]) == (429, "40")
    assert "wait a minute" in Page(refused.content.decode()).one("p", role="alert").text
    assert refused["Content-Security-Policy"]
    # Others from the same house have what is left to it.
    assert statuses(second, path, 3) == [200, 200, 429]
    assert statuses(second, path, 1, REMOTE_ADDR="192.0.2.7") == [200]
    # What is the same for everybody is free.
    assert statuses(first, "/healthz", 9) == [200] * 9
    clock.now += 40
    assert statuses(first, path, 5) == [200] * 5


@pytest.mark.django_db
def test_nobody_is_looked_up_for_who_is_refused(settings: Settings, django_assert_num_queries: object) -> None:
    settings.REQUESTS_PER_READER = 1
    client = client_of(people(1)[0])
    client.get("/list/")
    with django_assert_num_queries(0):  # type: ignore[operator]
        assert client.get("/list/").status_code == 429


def test_a_house_of_twelve_without_sockets_never_meets_it(settings: LazySettings, clock: SimpleNamespace) -> None:
    """Each with a table and a list in view on two devices, ten tables in tabs behind, and a page every two seconds."""
    settings.REQUESTS_PER_READER, settings.REQUESTS_PER_ADDRESS = base.REQUESTS_PER_READER, base.REQUESTS_PER_ADDRESS
    middleware = not_too_often(lambda _: HttpResponse())
    a_minute = 2 * (60 + 12) + 10 * 4 + 30
    for number in range(12 * a_minute):
        request = RequestFactory().get("/", headers={"Cookie": f"{settings.SESSION_COOKIE_NAME}={number % 12}"})
        assert middleware.process_view(request, None, (), {}) is None  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("2001:db8:1:2::1", "2001:db8:1:2:3:4:5:6", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("", "nowhere", True),
    ],
)
def test_a_household_is_one_origin(one: str, other: str, *, same: bool) -> None:
    def origin(address: str) -> str:
        request = HttpRequest()
        request.META["REMOTE_ADDR"] = address
        return origin_of(request)

    assert (origin(one) == origin(other)) is same
