"""The start page, and a new table."""

import json
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.forms.new import NewTableForm
from games.models import Game, Holder, Table, Turn
from games.rules.ruleset import OPTIONS, PRESETS, Ruleset
from games.selectors.options import OPTION_WORDS, PRESET_WORDS
from tests.games.pages import Page, client_of, clients, page_of
from tests.games.stored import everything, game_of, over, people, person, play_on

pytestmark = pytest.mark.django_db


HIDDEN = "It holds a sign that cannot be seen: type it anew, in plain letters."


def test_strangers_are_told_what_this_is(client: Client) -> None:
    page = page_of(client, "/")
    assert page.one("h1").text == "Getaway"
    assert {"/accounts/signup/", "/accounts/signin/", "/help/"} <= {each.attrs.get("href") for each in page.all("a")}


def test_help_explains_every_rule(client: Client) -> None:
    text = page_of(client, "/help/").one("main").text
    for option in OPTION_WORDS:
        assert all(words in text for words in option.values.values())


def test_games_that_wait_for_me_come_first(nani: User) -> None:
    others = people(3)
    mine = game_of(persons=[nani, *others], dealer=0)
    play_on(mine, lambda state: state.awaited == (0,))
    theirs = game_of(persons=[nani, *others], dealer=1)
    play_on(theirs, lambda state: 0 not in state.awaited)
    done = over(game_of(persons=[nani, *others]))
    game_of(persons=others)
    page = page_of(client_of(nani), "/")
    lists = {
        kind: [each.attrs["href"] for each in page.all("a") if each.inside[-1].classes == {kind}]
        for kind in ("mine", "waiting", "finished")
    }
    assert lists == {
        "mine": [f"/games/{mine.code}/"],
        "waiting": [f"/games/{theirs.code}/"],
        "finished": [f"/games/{done.code}/"],
    }
    assert page.one("title").text == "(1) My games"
    assert page.one("a", href="/new/").text == "New game"


def test_a_game_that_ends_while_the_list_is_made_is_over(nani: User) -> None:
    game = game_of(persons=[nani, *people(3)])
    # What is seen between two of its queries.
    Turn.objects.filter(game=game).delete()
    assert page_of(client_of(nani), "/").one("span", css="now").text == "Over"


def test_the_start_page_asks_as_much_of_many_games(
    nani: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    """S35: at most 12 queries, the same number at ten times the games."""
    others, client, counts = people(3), client_of(nani), []
    for running, done in ((1, 1), (9, 2)):
        for number in range(running):
            game_of(persons=[nani, *others], dealer=number % 4)
        for number in range(done):
            over(game_of(persons=[nani, *others], dealer=number))
        with django_assert_max_num_queries(12) as found:
            assert client.get("/").status_code == 200
        counts.append(len(found))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("entries", [0, 60])
def test_a_table_asks_little(nani: User, entries: int, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    game = game_of(persons=[nani, *people(3)])
    play_on(game, lambda state: state.entries >= entries or state.result is not None)
    client = client_of(nani)
    for path in ("", "board/", "replay/0/", f"replay/{game.version}/"):
        with django_assert_max_num_queries(8):
            assert client.get(f"/games/{game.code}/{path}").status_code == 200
    with django_assert_max_num_queries(4):
        path = f"/games/{game.code}/board/?since={game.version}.{game.revision}"
        assert client.get(path).status_code == 204


def new(client: Client, **fields: Any) -> Any:
    """Send the form as the page fills it in, with changes; None takes a field away."""
    page = page_of(client, "/new/")
    form: dict[str, Any] = {}
    for each in page.all("input"):
        if each.attrs["type"] in {"radio", "checkbox"} and "checked" not in each.attrs:
            continue
        form[each.attrs["name"]] = each.attrs.get("value", "on")
    for select in page.all("select"):
        chosen = [each for each in page.all("option", selected="") if select in each.inside]
        form[select.attrs["name"]] = chosen[0].attrs["value"]
    return client.post("/new/", {name: value for name, value in (form | fields).items() if value is not None})


def test_every_preset_and_option_has_its_sentence() -> None:
    assert tuple(PRESET_WORDS) == tuple(PRESETS)
    assert {each.name: tuple(each.values) for each in OPTION_WORDS} == {
        name: tuple(map(str, values)) for name, values in OPTIONS.items()
    }


def test_the_form_as_it_comes_deals_a_game(nani: User) -> None:
    response = new(client_of(nani))
    table, game = Table.objects.get(), Game.objects.get()
    assert (response.status_code, response["Location"]) == (303, f"/games/{game.code}/")
    assert Ruleset(**table.rules) == Ruleset()
    assert (table.seats, table.deals, table.title, table.show_voids, table.host) == (4, 1, "Last Hand", True, nani)
    holders = list(Holder.objects.order_by("seat__number").values_list("user", "bot"))
    assert holders == [(nani.pk, ""), (None, "easy"), (None, "easy"), (None, "easy")]


def test_a_form_sent_twice_makes_one_table(nani: User) -> None:
    client, key = client_of(nani), {"key": "k" * 16}
    first = new(client, **key)["Location"]
    before = everything()
    assert new(client, **key)["Location"] == first
    assert everything() == before
    # Another answer, another person or another form is another table.
    elsewhere = [new(client, **key, seats="5"), new(client_of(person("Nani")), **key), new(client), new(client)]
    assert len({first, *(each["Location"] for each in elsewhere)}) == 5
    assert len({new(client, key=None)["Location"] for _ in range(2)}) == 2


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_deals(nani: User, preset: str) -> None:
    new(client_of(nani), preset=preset, seats="6")
    assert Ruleset(**Table.objects.get().rules) == PRESETS[preset]


def test_more_than_eight_seats_bring_a_second_pack(nani: User) -> None:
    new(client_of(nani), preset="Donkey (Kasaragod)", seats="9")
    assert Table.objects.get().rules["packs"] == 2


def test_every_option_can_be_set_by_hand(nani: User) -> None:
    client = client_of(nani)
    for name, values in OPTIONS.items():
        for value in values:
            asked = {"game": "getaway", "opening": "in_turn"} | {name: str(value)}
            new(client, preset="custom", seats="6", **asked)
            assert Table.objects.latest("pk").rules[name] == value


def test_bots_deals_title_and_voids_are_as_asked(nani: User) -> None:
    fields = {"bot_2": "random", "bot_3": "medium", "bot_5": "medium", "show_voids": None}
    new(client_of(nani), seats="5", deals="3", title="own", own_title="Samosa Hero", name="Nani's <b>", **fields)
    table = Table.objects.get()
    assert (table.deals, table.title, table.show_voids, table.name) == (3, "Samosa Hero", False, "Nani's <b>")
    assert [each.bot for each in Holder.objects.order_by("seat__number")] == ["", "random", "medium", "easy", "medium"]


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"preset": "Big family"}, "With two packs 5 to 12 seats may play, not 4."),
        ({"preset": "custom", "seats": "9"}, "With one pack 3 to 8 seats may play, not 9."),
        (
            {"preset": "custom", "opening": "any_order", "opening_tochoo": "counts"},
            "With the opening in any order, the opening tochoo must be ignored.",
        ),
        ({"preset": "custom", "game": "donkey", "opening": "any_order"}, "the opening must be played in turn."),
        ({"preset": "custom", "game": "donkey", "opening_tochoo": "counts"}, "the opening tochoo must be ignored."),
        ({"preset": "custom", "power": "magic"}, "Choose one of these answers."),
        ({"preset": "Nonsense"}, "Choose one of these ways to play."),
        ({"preset": None}, "Choose one of these ways to play."),
        ({"seats": "2"}, "Choose 3 to 12 seats."),
        ({"seats": "13"}, "Choose 3 to 12 seats."),
        ({"seats": "four"}, "Choose 3 to 12 seats."),
        ({"bot_2": "hard"}, "Choose one of the bots."),
        ({"deals": "0"}, "Choose a number from 1 to 50."),
        ({"deals": "51"}, "Choose a number from 1 to 50."),
        ({"deals": "9" * 5000}, "Choose a number from 1 to 50."),
        ({"deals": "one"}, "Choose a number from 1 to 50."),
        ({"name": " "}, "Write something that can be seen."),
        ({"name": "x" * 61}, "Use at most 60 characters; these are 61."),
        ({"name": "a\0b"}, HIDDEN),
        ({"name": "\u202eb"}, HIDDEN),
        ({"title": "own", "own_title": " "}, "Write something that can be seen."),
        ({"title": "own", "own_title": "x" * 41}, "Use at most 40 characters; these are 41."),
        ({"title": "own", "own_title": "a\0b"}, HIDDEN),
        ({"title": "Something"}, "Choose one of these answers."),
    ],
    ids=str,
)
def test_what_cannot_be_is_told_and_the_form_stays_filled(nani: User, fields: dict[str, Any], says: str) -> None:
    client = client_of(nani)
    before = everything()
    response = new(client, **{"deals": "7"} | fields)
    assert response.status_code == 422
    page = Page(response.content.decode())
    told = [each.text for each in page.all("ul", css="errorlist")] or [page.one(role="alert").text]
    assert [each for each in told if says not in each] == []
    assert len(told) == 1
    marked = page.all(aria_invalid="true")
    assert marked
    assert {each.attrs["aria-describedby"].split()[-1] for each in marked} <= {
        each.attrs.get("id") for each in page.elements
    }
    folds = {each for fault in marked for each in fault.inside if each.tag == "details"}
    assert all("open" in each.attrs for each in folds)
    kept = [each.attrs.get("value") for each in page.all("input", name="deals")]
    assert kept == [fields.get("deals", "7")]
    assert everything() == before


def test_the_form_has_a_field_for_each_thing(nani: User) -> None:
    """Without a script every field is there to be filled in."""
    page = page_of(client_of(nani), "/new/")
    names = {each.attrs["name"] for each in (*page.all("input"), *page.all("select"))}
    assert names == {*NewTableForm().fields, "csrfmiddlewaretoken"}


def test_a_finished_game_gives_its_record(nani: User) -> None:
    game = over(game_of(persons=[nani, *people(3)]))
    response = client_of(nani).get(f"/games/{game.code}/record.json")
    assert response.status_code == 200
    assert response["Content-Type"] == "application/json"
    assert response["Content-Disposition"] == f'attachment; filename="getaway-{game.code}.json"'
    record = json.loads(response.content)
    assert len(record["moves"]) == game.version
    assert record["result"]["loser"] is not None
    assert len(clients(game)) == 4
