"""The shared link of a table that has started leads to its game, where its host lets people watch."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Block, User
from games.models import Game, Invite, Table
from games.services.hosting import table_start
from tests.games.invitees import asked, host, path_of, shared, waiting
from tests.games.pages import Page, client_of, page_of
from tests.games.seats import sentence
from tests.games.stored import NOW, everything, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return host()


def started(owner: User, watch: str) -> tuple[Game, Invite, Invite]:
    """A running game, its table's shared link, and a personal invitation."""
    table = waiting(owner, watch=watch)
    link, personal = shared(table), asked(table)
    # Pages go by the clock.
    Invite.objects.update(expires=timezone.now() + timedelta(days=1))
    return table_start(table_id=table.pk, host=owner, short="bots", now=NOW), link, personal


def button(client: Client, invite: Invite) -> bool:
    """Whether the page of an invitation offers to watch."""
    return bool(Page(client.get(path_of(invite)).content.decode()).all("form", id="watch"))


def watch(client: Client, invite: Invite) -> Any:
    return client.post(f"{path_of(invite)}watch/")


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("may", ["link", "anyone"])
def test_whoever_comes_by_the_link_may_watch(owner: User, may: str, known: bool) -> None:
    game, link, _ = started(owner, may)
    client = client_of(person()) if known else Client()
    assert client.get(path_of(link)).status_code == 409
    assert button(client, link)
    answer = watch(client, link)
    assert (answer.status_code, answer["Location"]) == (303, f"/games/{game.code}/")
    page = page_of(client, answer["Location"])
    assert "data-watch" in page.board.attrs
    assert page_of(client, f"/tables/{game.table.code}/").one("h1").text == "Our table"


def test_looking_at_the_link_lets_nobody_watch_yet(owner: User) -> None:
    game, link, _ = started(owner, "link")
    client = client_of(person())
    client.get(path_of(link))
    assert client.get(f"/games/{game.code}/").status_code == 404


def test_where_nobody_may_watch(owner: User) -> None:
    game, link, _ = started(owner, "nobody")
    for client in (Client(), client_of(person())):
        assert not button(client, link)
        before = everything()
        answer = watch(client, link)
        assert (answer.status_code, sentence(answer)) == (409, "This table cannot be watched by this link.")
        assert everything() == before
        assert client.get(f"/games/{game.code}/").status_code in {302, 404}


def test_a_personal_invitation_is_no_link(owner: User) -> None:
    _, _, personal = started(owner, "link")
    client = client_of(person())
    assert not button(client, personal)
    assert watch(client, personal).status_code == 409


def test_nor_is_one_that_was_taken_back(owner: User) -> None:
    game, link, _ = started(owner, "link")
    client = client_of(person())
    watch(client, link)
    Invite.objects.filter(pk=link.pk).update(revoked=NOW)
    assert not button(client, link)
    assert watch(client, link).status_code == 409
    assert client.get(f"/games/{game.code}/").status_code == 404


def test_the_host_ends_watching_by_withdrawing_the_link(owner: User) -> None:
    game, link, _ = started(owner, "link")
    client, host_client = client_of(person()), client_of(owner)
    watch(client, link)
    page = page_of(host_client, f"/tables/{game.table.code}/")
    form = page.one("form", id="watchers")
    assert not page_of(client, f"/tables/{game.table.code}/").all("form", id="watchers")
    act = form.attrs["action"]
    assert client.post(act, {"revoke": str(link.pk)}).status_code == 404
    assert host_client.post(act, {"revoke": str(link.pk)}).status_code == 303
    assert client.get(f"/games/{game.code}/").status_code == 404
    assert not page_of(host_client, f"/tables/{game.table.code}/").all("form", id="watchers")


def test_where_nobody_watches_there_is_nothing_to_withdraw(owner: User) -> None:
    game, _, _ = started(owner, "nobody")
    assert not page_of(client_of(owner), f"/tables/{game.table.code}/").all("form", id="watchers")


def test_nobody_new_comes_by_one_that_has_expired(owner: User) -> None:
    game, link, _ = started(owner, "link")
    client = client_of(person())
    watch(client, link)
    Invite.objects.filter(pk=link.pk).update(expires=timezone.now() - timedelta(seconds=1))
    assert client.get(f"/games/{game.code}/").status_code == 200
    for other in (Client(), client_of(person())):
        assert not button(other, link)
        assert (watch(other, link).status_code, watch(other, link).status_code) == (409, 409)
        assert other.get(f"/games/{game.code}/").status_code in {302, 404}


def test_whom_the_host_keeps_away(owner: User) -> None:
    _, link, _ = started(owner, "anyone")
    away = person()
    Block.objects.create(owner=owner, other=away)
    assert not button(client_of(away), link)
    assert watch(client_of(away), link).status_code == 409


def test_before_the_start_there_is_nothing_to_watch(owner: User) -> None:
    link = shared(waiting(owner, watch="anyone"))
    client = client_of(person())
    assert not button(client, link)
    assert watch(client, link).status_code == 409


def test_who_sits_there_is_led_to_their_cards(owner: User) -> None:
    game, link, _ = started(owner, "link")
    answer = watch(client_of(owner), link)
    assert answer["Location"] == f"/games/{game.code}/"
    assert page_of(client_of(owner), answer["Location"]).all(id="hand")


@pytest.mark.parametrize("token", ["x", "a" * 22, "a" * 3000, "%00", "%FF", "a b"])
def test_unknown_links(token: str) -> None:
    assert Client().post(f"/i/{token}/watch/").status_code in {400, 404}
    assert Table.objects.count() == 0


def test_a_form_from_elsewhere_is_refused(owner: User) -> None:
    _, link, _ = started(owner, "link")
    assert Client(enforce_csrf_checks=True).post(f"{path_of(link)}watch/").status_code == 403
    answer = Client().get(f"{path_of(link)}watch/")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
