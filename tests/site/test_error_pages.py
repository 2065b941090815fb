"""Pages for requests that went wrong ask nothing of the database: it may be what went wrong."""

import pytest
from django.template.loader import get_template
from django.test import Client, RequestFactory


def test_an_unknown_address_is_answered_without_the_database(client: Client) -> None:
    client.cookies["sessionid"] = "abcdefgh12345678"
    answer = client.get("/no-such-page")
    assert answer.status_code == 404
    assert b"check the address" in answer.content


@pytest.mark.parametrize("path", ["/healthz", "/dev/enter/1.x/"])
def test_a_wrong_method_is_told_so_without_the_database(client: Client, path: str) -> None:
    client.cookies["sessionid"] = "abcdefgh12345678"
    answer = client.delete(path)
    assert answer.status_code == 405
    assert answer["Allow"].startswith("GET")
    assert b"does not answer DELETE" in answer.content


@pytest.mark.parametrize(
    "name",
    [f"{name}.html" for name in ["400", "403", "403_csrf", "404", "405", "410", "413", "429", "500", "503"]],
)
def test_an_error_page_looks_at_nobody(name: str) -> None:
    class Absent:
        def __getattr__(self, asked: str) -> object:
            raise AssertionError(f"the page asks for the person's {asked}")

    request = RequestFactory().get("/")
    request.user = Absent()  # type: ignore[assignment]
    request.session = Absent()  # type: ignore[assignment]
    page = get_template(name).render({"user": Absent()}, request)
    assert "<h1>" in page or "<p>" in page
