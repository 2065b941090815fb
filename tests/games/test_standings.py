"""The page of a series: every number opens to the deals behind it and to what operators made of them (rules.md 11)."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.models import Game, Result, Table
from games.rules.ruleset import Ruleset
from games.selectors.options import TIE_WORDS
from games.selectors.series import Series, series_of
from games.services.dealing import game_next
from games.services.erasing import person_erased
from games.services.seats import seat_left
from tests.games.correcting import corrected
from tests.games.pages import Page, client_of, page_of
from tests.games.serial import conceded, series_of_losers, table_at
from tests.games.stored import NOW, people, person

pytestmark = pytest.mark.django_db

LATER = NOW + timedelta(days=1)


def shown(games: list[Game], viewer: User | AnonymousUser) -> Series:
    return series_of(viewer=viewer, code=games[0].table.code, now=LATER)


def page(games: list[Game], viewer: User) -> Page:
    return page_of(client_of(viewer), f"/tables/{games[0].table.code}/")


def reasons(found: Page, seat: int) -> list[str]:
    """What opens behind the numbers of a seat."""
    return [each.text for each in found.all("li") if each.within(id=f"why-{seat}")]


def test_each_number_opens_to_its_deals(four: list[User]) -> None:
    games = series_of_losers([1, 2, 1], persons=four, deals=5)
    Result.objects.filter(game=games[0]).update(cards_left=7)
    found = page(games, four[0])
    assert reasons(found, 1) == ["Deal 1: lost with 7 cards.", "Deal 3: lost with 52 cards."]
    assert reasons(found, 2) == ["Deal 2: lost with 52 cards."]
    assert [each.text for each in found.all("summary") if "why?" in each.text] == [
        "1 loss: why? (Amrit)",
        "2 losses: why? (Bilal)",
    ]
    links = [each.attrs["href"] for each in found.all("a") if each.within(id="why-1")]
    assert links == [f"/games/{games[0].code}/", f"/games/{games[2].code}/"]
    assert not found.all("details", id="why-0")


def test_who_dealt_and_who_deals_next(four: list[User]) -> None:
    games = series_of_losers([1, 2], persons=four, deals=3)
    dealer = games[1].dealer
    found = shown(games, four[dealer])
    assert found.games[1].dealt == "dealt by you"
    assert found.games[0].dealt == f"dealt by <bdi>{four[games[0].dealer].name}</bdi>"
    after = four[(dealer + 1) % 4].name
    assert str(found.now).startswith(f"<bdi>{after}</bdi> deals next, deal 3 of 3. It starts by itself at <time")
    third = game_next(table_id=games[0].table_id, now=LATER)
    found = shown(games, four[dealer])
    assert found.now == f"Deal 3 of 3 is in play, dealt by <bdi>{after}</bdi>."
    assert (found.playing, found.can_deal) == (third.code, False)


def test_how_long_it_takes(four: list[User]) -> None:
    games = series_of_losers([1], persons=four, deals=4)
    Game.objects.filter(pk=games[0].pk).update(ended=NOW + timedelta(hours=5))
    assert shown(games, four[0]).length == "about 5 hours a deal so far; 3 deals are left, about 15 hours"
    table = table_at(games)
    Result.objects.all().delete()
    Game.objects.update(status="running", ended=None, next_at=None)
    assert "cards to play" in shown(games, four[0]).length
    assert table.deals == 4


def test_the_end_says_who_is_first_and_whose_the_title_is(four: list[User]) -> None:
    games = series_of_losers([1, 2, 1], persons=four)
    found = shown(games, four[0])
    end = "The series is over: you and <bdi>Roza</bdi> share the first place, and the title "
    assert found.now == f"{end}<b><bdi>Last Hand</bdi></b> goes to <bdi>Bilal</bdi>."
    assert [(each.name, each.place, each.first, each.last) for each in found.standings] == [
        ("Nani", 1, True, False),
        ("Roza", 1, True, False),
        ("Amrit", 3, False, False),
        ("Bilal", 4, False, True),
    ]
    assert len(page(games, four[0]).all("form", id="again")) == 1
    corrected(games[2], 2)
    assert "goes to <bdi>Amrit</bdi>." in shown(games, four[0]).now


def test_a_title_may_be_shared_and_nobody_is_last_among_equals(four: list[User]) -> None:
    games = series_of_losers([1, 2], persons=four)
    assert "goes to you and <bdi>Amrit</bdi>." in shown(games, four[1]).now
    corrected(games[0], None), corrected(games[1], None)
    found = shown(games, four[0])
    assert found.now == "The series is over: nobody has lost more than another."
    assert not any(each.first or each.last for each in found.standings)


def test_a_correction_is_read_where_it_counts_and_where_it_did(four: list[User]) -> None:
    games = series_of_losers([1, 2], persons=four, deals=5)
    corrected(games[0], 2, cards=3, why="A slip of the pen")
    found = page(games, four[1])
    told = "Corrected by an operator: was you, now Amrit. Why: A slip of the pen"
    assert reasons(found, 1) == [f"Deal 1: lost by Amrit.{told}"]
    assert reasons(found, 2) == [f"Deal 1: lost with 3 cards.{told}", "Deal 2: lost with 52 cards."]
    assert told in found.one("li", id="deal-1").text
    assert "Corrected" in [each.text for each in found.all(css="badge")]
    acts = found.one("ul", aria_labelledby="of-acts").text
    done = "The operators of the site have corrected the result of this deal."
    assert acts == f"31 January 2026, deal 1: {done} Why: A slip of the pen"


def test_a_correction_that_was_taken_back_is_read_too(four: list[User]) -> None:
    games = series_of_losers([1], persons=four, deals=5)
    first = corrected(games[0], 2, cards=3, why="A slip")
    corrected(games[0], 1, cards=52, why="No slip", undoes=first)
    found = page(games, four[0])
    was = "Corrected by an operator: was Bilal, now Amrit. Why: A slip"
    told = f"{was}Taken back by an operator: was Amrit, now Bilal. Why: No slip"
    assert reasons(found, 1) == [f"Deal 1: lost with 52 cards.{told}"]
    assert reasons(found, 2) == [f"Deal 1: lost by Bilal.{told}"]
    assert not [each for each in found.all(css="badge") if each.text == "Corrected"]
    corrected(games[0], 1, cards=4)
    assert "was Bilal with 52 cards, now Bilal with 4 cards" in page(games, four[0]).one("li", id="deal-1").text


def test_deals_that_nobody_lost_are_marked(four: list[User]) -> None:
    games = series_of_losers([1, 2, 3], persons=four, deals=5)
    empty = {"loser": None, "holder": None, "cards_left": None, "void": True}
    Result.objects.filter(game=games[0]).update(**empty)
    Result.objects.filter(game=games[1]).update(**empty, stopped=True)
    corrected(games[2], None, why="The cards were seen")
    found = shown(games, four[0])
    assert [(each.mark, str(each.ended)) for each in found.games] == [
        ("Endless", "The deal was endless: nobody loses it."),
        ("Stopped", "An operator stopped the deal: nobody loses it."),
        ("Void", "An operator declared the deal void: nobody loses it."),
    ]
    assert [each.losses for each in found.standings] == [0] * 4
    assert reasons(page(games, four[0]), 3)[0].startswith("Deal 3: void, nobody lost.Corrected by an operator")


def test_who_has_left_is_charged_and_marked(four: list[User]) -> None:
    games = series_of_losers([1], persons=four, deals=5)
    second = game_next(table_id=games[0].table_id, now=LATER)
    seat_left(table_id=games[0].table_id, user=four[1], now=LATER + timedelta(hours=1))
    Game.objects.filter(pk=second.pk).update(created=LATER)
    state_at = LATER + timedelta(hours=2)
    conceded(second, 1)
    Game.objects.filter(pk=second.pk).update(ended=state_at)
    found = page(games, four[0])
    bot = shown(games, four[0]).standings[-1]
    assert (bot.instead, bot.losses) == ("Bilal", 2)
    assert reasons(found, 1) == [
        "Deal 1: lost with 52 cards by Bilal, who has left since.",
        "Deal 2: lost with 52 cards, charged to Bilal, who had left.",
    ]


def test_an_erased_person_stays_as_a_former_player(four: list[User]) -> None:
    games = series_of_losers([1, 1, 2], persons=four)
    person_erased(user_id=four[1].pk, now=LATER, due=False)
    found = page(games, four[0])
    assert "Bilal" not in found.html
    assert [each.losses for each in shown(games, four[0]).standings] == [0, 0, 1, 2]
    assert reasons(found, 1) == ["Deal 1: lost with 52 cards.", "Deal 2: lost with 52 cards."]


@pytest.mark.parametrize(
    ("tie_break", "head", "shown"),
    [
        ("", None, [("Roza", 1), ("Amrit", 2), ("Bilal", 2), ("Nani", 4)]),
        ("cards", "Cards held", [("Roza", 1, "0"), ("Bilal", 2, "7"), ("Amrit", 3, "52"), ("Nani", 4, "104")]),
        ("first", "First away", [("Roza", 1, "1"), ("Bilal", 2, "2"), ("Amrit", 3, "1"), ("Nani", 4, "0")]),
        (
            "longest",
            "Last lost",
            [("Roza", 1, "never"), ("Bilal", 2, "deal 2"), ("Amrit", 3, "deal 4"), ("Nani", 4, "deal 3")],
        ),
    ],
)
def test_what_breaks_a_tie_is_told(
    four: list[User], tie_break: str, head: str | None, shown: list[tuple[object, ...]]
) -> None:
    # Whoever takes all hands is followed away by the others, the next one first.
    games = series_of_losers([0, 1, 0, 2], persons=four)
    Result.objects.filter(game=games[1]).update(cards_left=7)
    Table.objects.update(tie_break=tie_break)
    found = page(games, four[3])
    heads = [each.text for each in found.all("th", scope="col")]
    assert heads == ["Place", "Name", "Losses", *([head] if head else [])]
    lines = [
        (each.name, each.place, each.tie)[: 2 + bool(head)]
        for each in series_of(viewer=four[3], code=games[0].table.code, now=LATER).standings
    ]
    assert sorted(lines, key=str) == sorted(shown, key=str)
    assert TIE_WORDS[tie_break] in found.html


def test_how_often_somebody_was_first_away_opens_to_the_deals(four: list[User]) -> None:
    games = series_of_losers([0, 1, 0], persons=four)
    Table.objects.update(tie_break="first")
    found = page(games, four[3])
    assert reasons(found, 1) == ["Deal 1: first away.", "Deal 2: lost with 52 cards.", "Deal 3: first away."]
    assert "1 loss, first away 2: why? (Bilal)" in [each.text for each in found.all("summary")]
    corrected(games[2], None)
    voided = reasons(page(games, four[3]), 1)[2]
    assert voided.startswith("Deal 3: void, nobody lost.")
    corrected(games[0], 1)
    # Who has lost a deal was not the first away in it.
    assert reasons(page(games, four[3]), 1)[0].startswith("Deal 1: lost as the last one left.")
    assert reasons(page(games, four[3]), 2)[0].startswith("Deal 1: first away.")


def test_legs_count_in_donkey(four: list[User]) -> None:
    games = series_of_losers([1, 1], persons=four, rules=Ruleset(game="donkey"))
    Result.objects.filter(game=games[0]).update(cards_left=1)
    found = page(games, four[0])
    assert reasons(found, 1) == ["Deal 1: lost as a donkey with 1 leg.", "Deal 2: lost as a donkey with 52 legs."]
    assert "2 losses, 53 legs: why? (Bilal)" in [each.text for each in found.all("summary")]


def test_a_watcher_reads_no_reasons_and_finds_no_closed_link(four: list[User]) -> None:
    games = series_of_losers([1], persons=four, deals=5)
    corrected(games[0], 2, why="Between us")
    running = game_next(table_id=games[0].table_id, now=LATER)
    Table.objects.update(watch=Table.Watch.ANYONE)
    stranger = person("Stranger")
    client = client_of(stranger)
    found = page(games, stranger)
    assert "Between us" not in found.html
    assert not found.all(id="of-acts")
    assert "Corrected by an operator: was Bilal, now Amrit." in found.one("li", id="deal-1").text
    links = {each.attrs["href"] for each in found.all("a") if each.attrs["href"].startswith(("/games/", "/people/"))}
    assert links == {f"/games/{games[0].code}/", f"/games/{running.code}/"}
    assert {client.get(each).status_code for each in links} == {200}
    # Whoever has left the table looks back, not on.
    Table.objects.update(watch=Table.Watch.NOBODY)
    seat_left(table_id=games[0].table_id, user=four[3], now=LATER)
    left = page(games, four[3])
    assert "Between us" in left.html
    links = {each.attrs["href"] for each in left.all("a") if each.attrs["href"].startswith("/games/")}
    assert links == {f"/games/{games[0].code}/"}
    assert client.get(f"/tables/{games[0].table.code}/").status_code == 404


def test_who_did_it_is_not_said(four: list[User]) -> None:
    games = series_of_losers([1], persons=four, deals=5)
    operator = person("Sarkar")
    corrected(games[0], 2, by=operator)
    assert "Sarkar" not in page(games, four[0]).html


def test_the_chart_has_a_line_for_each_seat(four: list[User]) -> None:
    games = series_of_losers([1, 2, 1], persons=four, deals=5)
    found = page(games, four[0])
    names = [each.text for each in found.all("span", css="name") if each.within(role="img")]
    assert names == ["You", "Roza", "Amrit", "Bilal"]
    assert [each.text for each in found.all("span", css="sum")] == ["0", "0", "1", "2"]
    dots = [each.attrs["d"].count("M") for each in found.all("path", css="dots")]
    assert dots == [1, 2]
    assert len(found.all("path", css="steps")) == 4
    assert "style" not in {name for each in found.elements for name in each.attrs}


def test_no_question_for_each_deal(four: list[User], django_assert_num_queries: DjangoAssertNumQueries) -> None:
    many = series_of_losers([1, 2, 1, 3, 1], persons=four, deals=9)
    for each in many[:3]:
        corrected(each, 2)
    few = series_of_losers([1], persons=[four[0], *people(3)], deals=9)
    for code in (table_at(many).code, table_at(few).code):
        with django_assert_num_queries(7):
            series_of(viewer=four[0], code=code, now=LATER)
