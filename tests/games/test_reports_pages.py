"""Reporting by the pages: one tap at a person or a table, and what comes of what makes no sense."""

import datetime as dt

import pytest

from accounts.models import User
from games.models import Holder, Report, Table
from games.services.reports import MOST_A_DAY, report_made
from tests.games.gathering import LATER, draft, sit
from tests.games.pages import Page, client_of, page_of
from tests.games.seats import sentence
from tests.games.stored import NOW, everything, game_of, people, person
from tests.games.watching import came_by, invite_to, lets, watcher
from tests.hostile import HOSTILE

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_too]

THANKS = "Reported. You will be told what comes of it."


def test_one_tap_on_a_persons_page(pair: tuple[User, User]) -> None:
    client, path = client_of(pair[0]), f"/people/{pair[1].code}/"
    form = page_of(client, path).one("form", id="report")
    assert form.attrs["action"] == f"{path}report/"
    answer = client.post(f"{path}report/", {"what": "person", "words": "Rude"}, follow=True)
    assert THANKS in Page(answer.content.decode()).one(role="status").text
    assert Report.objects.get().words == "Rude"
    assert page_of(client, f"/people/{pair[0].code}/").all("form", id="report") == []


@pytest.mark.parametrize("started", [False, True])
def test_at_a_table(started: bool) -> None:
    nani, roza = person("Nani"), person("Roza")
    if started:
        table = game_of(persons=[nani, roza], bots=1).table
    else:
        table = draft(nani, bots=1)
        sit(table, roza)
    seat = Holder.objects.get(table=table, user=nani).seat.number
    client, path = client_of(roza), f"/tables/{table.code}/"
    form = page_of(client, path).one("form", id="report-form")
    values = [each.attrs["value"] for each in page_of(client, path).all("button", name="what")]
    # Neither oneself nor a bot.
    assert values == ["table", f"name-{seat}", f"person-{seat}"]
    for what in values:
        answer = client.post(form.attrs["action"], {"what": what}, follow=True)
        assert THANKS in answer.content.decode()
    assert set(Report.objects.values_list("kind", "said")) == {
        ("table", table.name), ("name", "Nani"), ("person", "Nani")
    }  # fmt: skip


@pytest.mark.parametrize("who", ["alone", "seated", "watcher", "visitor"])
def test_a_link_into_a_page_leads_to_something(who: str) -> None:
    nani, roza = people(2)
    game = lets(game_of(persons=[nani] if who == "alone" else [nani, roza], bots=3), Table.Watch.LINK)
    Table.objects.update(host=nani)
    clients = {
        "watcher": lambda: came_by(invite_to(game.table), watcher()),
        "visitor": lambda: came_by(invite_to(game.table)),
    }
    client = clients.get(who, lambda: client_of(nani))()
    links = [
        each.attrs["href"] for each in page_of(client, f"/games/{game.code}/").all("a") if "#" in each.attrs["href"]
    ]
    assert any("#report" in each for each in links) == (who != "alone")
    for link in links:
        path, _, place = link.partition("#")
        page_of(client, path or f"/games/{game.code}/").one(id=place)


def test_what_makes_no_sense(pair: tuple[User, User]) -> None:
    table = Table.objects.get()
    client = client_of(pair[0])
    before = everything()
    for path, what, status in (
        (f"/people/{pair[1].code}/report/", "table", 400),
        (f"/people/{pair[1].code}/report/", "", 400),
        (f"/people/{pair[0].code}/report/", "name", 422),
        (f"/people/{person().code}/report/", "name", 404),
        (f"/tables/{table.code}/report/", "name", 400),
        (f"/tables/{table.code}/report/", "name-\u0661", 400),
        (f"/tables/{table.code}/report/", "name-0", 422),
        (f"/tables/{table.code}/report/", "name-2", 404),
        (f"/tables/{table.code}/report/", "name-0002", 400),
        ("/tables/nothing/report/", "table", 404),
    ):
        answer = client.post(path, {"what": what})
        assert (path, what, answer.status_code) == (path, what, status)
    after = everything()
    assert before["Report"] == after["Report"] == []


def test_the_limit_is_a_sentence(pair: tuple[User, User]) -> None:
    for other in people(MOST_A_DAY):
        Report.objects.create(kind="name", by=pair[0], about=other, said="x", at=dt.datetime.now(dt.UTC))
    answer = client_of(pair[0]).post(f"/people/{pair[1].code}/report/", {"what": "name"})
    assert answer.status_code == 429
    assert sentence(answer) == "That is as much as we can look at from you in a day: report more tomorrow."


def test_hostile_names_and_words_are_text(pair: tuple[User, User]) -> None:
    report_made(by=pair[0], kind=Report.Kind.NAME, about=pair[1], now=LATER)
    client = client_of(pair[0])
    plain = [each.tag for each in page_of(client, "/me/reports/").elements]
    for text in HOSTILE[:120:3]:
        if "\x00" in text:
            continue
        Report.objects.update(said=text, answer=text, words=text, state="upheld", effect="warned", answered=NOW)
        found = page_of(client, "/me/reports/")
        assert [each.tag for each in found.elements if each.tag in ("script", "img", "svg", "h1")] == [
            tag for tag in plain if tag in ("script", "img", "svg", "h1")
        ]
        assert len(found.all("bdi")) == 3
