"""Sitting down and leaving by the page, and what the host does there."""

import pytest
from django.test import Client

from accounts.models import User
from games.models import Game, Table
from games.services.hosting import table_start
from games.services.seats import seat_removed
from tests.games.gathering import LATER, draft, page, post, rows, seated, sit
from tests.games.pages import Page, cards_on, client_of
from tests.games.seats import sentence
from tests.games.stored import people, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(nani: User) -> Table:
    """Nani's, in the lobby, with a bot and two free seats."""
    return draft(nani, 2, bots=1, deals=3, title="Samosa Hero")


class TestJoin:
    def test_sits_down_and_stays_at_the_table(self, table: Table) -> None:
        roza = person("Roza")
        response = post(roza, table, "join", seat="3", name="Aunty Roza")
        assert (response.status_code, response["Location"]) == (303, f"/tables/{table.code}/")
        assert seated(table)[2] == (3, "Aunty Roza", "")
        # A second click changes nothing.
        before = rows()
        assert post(roza, table, "join").status_code == 303
        assert rows() == before

    def test_the_last_one_is_led_to_their_cards(self, table: Table) -> None:
        sit(table)
        roza = person("Roza")
        response = post(roza, table, "join")
        game = Game.objects.get()
        assert response["Location"] == f"/games/{game.code}/"
        # Whoever waited is led there, too; whoever looks at the table sees the standings.
        client = client_of(User.objects.get(name="Nani"))
        waited = client.get(f"/tables/{table.code}/?wait=1")
        assert (waited.status_code, waited["Location"]) == (303, f"/games/{game.code}/")
        assert client.get(f"/tables/{table.code}/").status_code == 200
        assert post(roza, table, "join")["Location"] == f"/games/{game.code}/"
        late = post(person("Late"), table, "join")
        assert late.status_code == 409
        assert "have been dealt at this table" in sentence(late)

    @pytest.mark.parametrize(
        ("form", "status", "says"),
        [
            ({"name": "NANI"}, 422, "Somebody at this table is called that, or looks like it"),
            ({"name": "\u202eb"}, 422, "It holds a sign that cannot be seen"),
            ({"name": "a\0b"}, 422, "It holds a sign that cannot be seen"),
            ({"name": "x" * 10_000}, 422, "Use at most 40 characters"),
            ({"seat": "0"}, 409, "That seat has just been taken"),
            ({"seat": "11"}, 409, "That seat has just been taken"),
            ({"seat": "12"}, 422, "Choose one of the free seats."),
            ({"seat": "-1"}, 422, "Choose one of the free seats."),
            ({"seat": "two"}, 422, "Choose one of the free seats."),
            ({"seat": "9" * 5000}, 422, "Choose one of the free seats."),
            ({"seat": "\0"}, 422, "Choose one of the free seats."),
        ],
        ids=str,
    )
    def test_what_cannot_be_is_told(self, table: Table, form: dict[str, str], status: int, says: str) -> None:
        roza = person("Roza")
        before = rows()
        response = post(roza, table, "join", **form)
        assert response.status_code == status
        shown = Page(response.content.decode())
        assert says in shown.one("p", css="errorlist").text
        field = shown.one(id=next(iter(form)))
        assert field.attrs["aria-invalid"] == "true"
        assert rows() == before

    def test_a_full_one_says_so(self, nani: User) -> None:
        table = draft(nani, 2, starts="host")
        sit(table), sit(table)
        response = post(person("Roza"), table, "join")
        assert response.status_code == 409
        assert "All seats at this table are taken." in sentence(response)

    def test_whom_the_host_took_away_is_told(self, table: Table, nani: User) -> None:
        roza = person("Roza")
        seat_removed(table_id=table.pk, host=nani, seat=sit(table, roza).seat.number, now=LATER)
        response = post(roza, table, "join")
        assert response.status_code == 409
        assert "only a new invitation" in sentence(response)


def test_leaving_before_the_start_needs_no_second_word(table: Table) -> None:
    roza = person("Roza")
    sit(table, roza)
    response = post(roza, table, "leave")
    assert (response.status_code, response["Location"]) == (303, "/")
    assert len(seated(table)) == 2
    assert post(roza, table, "leave").status_code == 404


class TestHost:
    def test_starts_with_bots_or_fewer_or_all(self, nani: User) -> None:
        for free, form in ((2, {"short": "bots", "level": "medium"}), (2, {"short": "fewer"}), (0, {"short": "no"})):
            table = draft(nani, 4, starts="host")
            for _ in range(4 - free):
                sit(table)
            shown = page(nani, table)
            offered = {each.attrs["value"] for each in shown.all("button", name="short")}
            assert form["short"] in offered
            response = post(nani, table, "start", **form)
            assert response["Location"] == f"/games/{Game.objects.latest('pk').code}/"

    def test_fewer_is_offered_only_where_the_rules_let_them(self, table: Table, nani: User) -> None:
        assert [each.attrs["value"] for each in page(nani, table).all("button", name="short")] == ["bots"]
        response = post(nani, table, "start", short="fewer")
        assert response.status_code == 409
        assert "These rules need more people" in sentence(response)

    @pytest.mark.parametrize("form", [{"short": "all"}, {"short": "bots", "level": "hard"}, {"short": "\0"}])
    def test_nonsense_is_told(self, table: Table, nani: User, form: dict[str, str]) -> None:
        before = rows()
        response = post(nani, table, "start", **form)
        assert response.status_code == 422
        assert sentence(response)
        assert rows() == before

    def test_renames_hands_over_frees_and_closes(self, table: Table, nani: User) -> None:
        roza = person("Roza")
        seat = str(sit(table, roza).seat.number)
        assert post(nani, table, "rename", name="  Chai  and   cards").status_code == 303
        assert Table.objects.get().name == "Chai and cards"
        assert post(nani, table, "rename", name="\u202eb").status_code == 422
        assert post(nani, table, "remove", seat="1").status_code == 303
        assert [each[0] for each in seated(table)] == [0, 2]
        assert post(nani, table, "host", seat=seat).status_code == 303
        assert Table.objects.get().host == roza
        assert post(nani, table, "close").status_code == 404
        assert post(roza, table, "close").status_code == 303
        assert Table.objects.get().status == "closed"

    @pytest.mark.parametrize("act", ["start", "rename", "host", "remove", "close"])
    def test_nobody_else_learns_that_there_is_a_table(self, table: Table, act: str) -> None:
        roza = person("Roza")
        sit(table, roza)
        before = rows()
        form = {"short": "bots", "name": "Theirs", "seat": "0"}
        answers = [
            post(roza, table, act, **form),
            client_of(roza).post(f"/tables/nosuch/{act}/", form),
            client_of(roza).post(f"/tables/a%00b/{act}/", form),
        ]
        assert {each.status_code for each in answers} == {404}
        assert len({Page(each.content.decode()).one("main").text for each in answers}) == 1
        assert rows() == before

    @pytest.mark.parametrize("act", ["join", "leave", "start", "rename", "host", "remove", "close", "again"])
    def test_by_post_and_signed_in_only(self, table: Table, nani: User, act: str, client: Client) -> None:
        before = rows()
        assert client_of(nani).get(f"/tables/{table.code}/{act}/").status_code == 405
        assert client.post(f"/tables/{table.code}/{act}/").status_code == 302
        strict = Client(enforce_csrf_checks=True)
        strict.force_login(nani)
        assert strict.post(f"/tables/{table.code}/{act}/").status_code == 403
        assert rows() == before


def test_the_page_of_a_running_table_shows_no_card(nani: User) -> None:
    table = draft(nani, 3)
    for each in people(3):
        sit(table, each)
    for user in User.objects.all():
        shown = page(user, table)
        assert not cards_on(shown.html)


def test_the_host_who_deals_is_led_to_the_cards(nani: User) -> None:
    table = draft(nani, 2, starts="host")
    sit(table), sit(table)
    game = table_start(table_id=table.pk, host=nani, now=LATER)
    assert post(nani, table, "start", short="no").status_code == 409
    assert page(nani, table).all("a", href=f"/games/{game.code}/")
