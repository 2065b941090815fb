"""The list of the start page as the page asks for it anew."""

import datetime as dt

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.live.home import home_frame
from games.models import Game, Turn
from tests.games.gathering import draft, invite, sit
from tests.games.pages import Page, client_of, page_of
from tests.games.stored import game_of, people, person, play_on

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


def digest(client: Client) -> str:
    return page_of(client, "/").one("div", id="list").attrs["data-digest"]


def listed(client: Client, since: str) -> Page | None:
    answer = client.get("/list/", {"since": since}, headers=HTMX)
    assert (answer.status_code == 204) == (not answer.content)
    return Page(answer.content.decode()) if answer.content else None


def codes(page: Page | None) -> list[str]:
    assert page is not None
    return [each.attrs["id"] for each in page.all("li")]


def test_it_is_what_the_page_shows_and_silent_until_something_changes(nani: User) -> None:
    client, others = client_of(nani), people(3)
    game = game_of(persons=[nani, *others], dealer=0)
    play_on(game, lambda state: state.awaited == (0,))
    whole = client.get("/").content.decode()
    fresh = client.get("/list/", headers=HTMX).content.decode()
    assert fresh in whole
    since = Page(fresh).one("div", id="list").attrs["data-digest"]
    assert since == digest(client)
    assert listed(client, since) is None
    play_on(game, lambda state: 0 not in state.awaited)
    page = listed(client, since)
    assert page is not None
    assert page.one("div", id="list").attrs["data-mine"] == "0"
    assert codes(page) == [f"game-{game.code}"]


def test_tables_and_invitations_are_news(nani: User) -> None:
    client, since = client_of(nani), digest(client_of(nani))
    table = draft(person("Host"), free=3, joins="invited")
    EmailAddress.objects.filter(user=nani).update(verified=True)
    invited = invite(table, str(nani.email))
    page = listed(client, since)
    assert page is not None
    assert page.one("ul").attrs["id"] == "invitations"
    assert codes(page) == [f"table-{table.code}"]
    sit(table, nani, invite=invited)
    page = listed(client, page.one("div", id="list").attrs["data-digest"])
    assert page is not None
    assert page.one("ul").attrs["id"] == "tables"


def test_time_that_passes_is_no_news_but_a_new_deadline_is(nani: User) -> None:
    game = game_of(persons=[nani, *people(3)], dealer=0)
    now = timezone.now()
    Turn.objects.filter(game=game).update(due_at=now + dt.timedelta(hours=7))
    found = home_frame(user=nani, since="", now=now)
    assert found is not None
    assert "7 hours" in found.html
    assert home_frame(user=nani, since=found.digest, now=now + dt.timedelta(minutes=90)) is None
    Turn.objects.filter(game=game).update(due_at=now + dt.timedelta(hours=8))
    assert home_frame(user=nani, since=found.digest, now=now) is not None


def test_times_are_the_persons_own(nani: User) -> None:
    """A socket has no request that would have turned to their zone."""
    game, noon = game_of(persons=[nani, *people(3)], dealer=0), dt.datetime(2026, 6, 1, 12, tzinfo=dt.UTC)
    Turn.objects.filter(game=game).update(due_at=noon)
    for zone, shown in (("Asia/Karachi", "17:00"), ("America/Toronto", "08:00"), ("Mars/Base", "12:00 UTC")):
        nani.zone = zone
        found = home_frame(user=nani, since="", now=noon - dt.timedelta(hours=1))
        assert found is not None
        assert shown in found.html


def test_it_is_of_nobody_else(nani: User, client: Client) -> None:
    game_of(persons=[nani, *people(3)])
    assert codes(listed(client_of(person("Somebody")), "")) == []
    assert Game.objects.count() == 1
    refused = client.get("/list/", headers=HTMX)
    assert (refused.status_code, refused["HX-Redirect"]) == (401, "/accounts/signin/?next=%2F")
    assert client.get("/list/").status_code == 302
    assert client_of(nani).post("/list/").status_code == 405
