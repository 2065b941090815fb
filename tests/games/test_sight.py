"""Who may look at a game, and at what of it (S8, S9, S11, decision 23)."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import Block, User
from games.models import Game, Holder, Table
from games.selectors.company import NotAtTable
from games.selectors.sight import HasLeft, Watching, looking, sitting, table_sight
from games.services.hosting import table_closed
from tests.games.invitees import waiting
from tests.games.pages import Page, client_of, clients, page_of
from tests.games.seats import HX, sentence
from tests.games.stored import NOW, everything, game_of, over, people, person, play_on
from tests.games.watching import HOUR, came_by, handed, invite_to, lets, watcher

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    game = game_of(persons=people(4))
    play_on(game, lambda state: state.tricks == 2 and len(state.trick) == 1)
    return game


def paths(game: Game) -> list[str]:
    base = f"/games/{game.code}/"
    return [base, f"{base}board/", f"{base}board/?since=0.0", f"{base}replay/0/", f"{base}replay/{game.version}/"]


def statuses(client: Client, game: Game) -> set[int]:
    return {client.get(path).status_code for path in paths(game)}


SIGN_IN = {302}
READERS = {
    # watch: signed in, came by the link and signed in, came by the link and not signed in, nobody
    "nobody": ({404}, {404}, SIGN_IN, SIGN_IN),
    "link": ({404}, {200}, {200}, SIGN_IN),
    "anyone": ({200}, {200}, {200}, SIGN_IN),
}


@pytest.mark.parametrize("finished", [False, True])
@pytest.mark.parametrize(("watch", "expected"), READERS.items())
def test_a_table_says_who_may_watch(game: Game, watch: str, expected: tuple[set[int], ...], finished: bool) -> None:
    lets(over(game) if finished else game, watch)
    link = invite_to(game.table)
    readers = (watcher(), came_by(link, watcher()), came_by(link), Client())
    assert tuple(statuses(each, game) for each in readers) == expected
    for reader, statuses_expected in zip(readers, expected, strict=True):
        record = reader.get(f"/games/{game.code}/record.json").status_code
        assert {record} == (statuses_expected if finished or statuses_expected != {200} else {404})
        assert reader.post(f"/games/{game.code}/play/", {"card": "QH"}).status_code in {404, 302}
        assert reader.post(f"/games/{game.code}/lie/", {"first": "two", "edge": "left"}).status_code in {404, 302}


def test_a_table_that_may_not_be_watched_looks_like_none(game: Game) -> None:
    reader = watcher()
    for path in paths(game):
        refused, unknown = reader.get(path), reader.get(path.replace(game.code, "bbbbbbbbbb"))
        assert (refused.status_code, sentence(refused)) == (unknown.status_code, sentence(unknown))


def test_only_the_shared_link_of_that_table_lets_watch(game: Game) -> None:
    lets(game, "link")
    other = invite_to(game_of(persons=people(3)).table)
    personal = invite_to(game.table, 2, email="a@example.org", uses=1)
    revoked = invite_to(game.table, 3, revoked=NOW)
    for invite in (other, personal, revoked):
        assert statuses(came_by(invite, watcher()), game) == {404}
        assert statuses(came_by(invite), game) == SIGN_IN
    expired = invite_to(game.table, 4, created=NOW - 2 * HOUR, expires=NOW - HOUR)
    assert statuses(came_by(expired), game) == {200}


def test_whom_the_host_keeps_away_watches_nothing(game: Game) -> None:
    host, away = person("Host"), person("Away")
    Table.objects.filter(pk=game.table_id).update(host=host, watch="anyone")
    reader = client_of(away)
    assert statuses(reader, game) == {200}
    block = Block.objects.create(owner=host, other=away)
    assert statuses(reader, game) == {404}
    assert statuses(came_by(invite_to(game.table), reader), game) == {404}
    block.delete()
    Block.objects.create(owner=away, other=host)
    Block.objects.create(owner=host, other=person("Another"))
    assert statuses(reader, game) == {200}


def test_a_block_leaves_a_running_game_to_its_people(game: Game) -> None:
    host = person("Host")
    Table.objects.filter(pk=game.table_id).update(host=host)
    Block.objects.create(owner=host, other=seated(game, 2))
    assert statuses(client_of(seated(game, 2)), game) == {200}


def seated(game: Game, seat: int) -> User:
    return User.objects.get(holder__table=game.table, holder__seat__number=seat, holder__bot="")


class TestHavingLeft:
    @pytest.fixture
    def gone(self, game: Game) -> User:
        gone = seated(game, 1)
        handed(game, 1)
        return gone

    def test_the_running_game_is_closed_to_them(self, game: Game, gone: User) -> None:
        client = client_of(gone)
        response = client.get(f"/games/{game.code}/")
        assert (response.status_code, response["Location"]) == (302, f"/tables/{game.table.code}/")
        for path in (*paths(game)[1:], f"/games/{game.code}/record.json"):
            assert client.get(path, headers=HX).status_code == 404
        before = everything()
        assert client.post(f"/games/{game.code}/play/", {"card": "QH"}, headers=HX).status_code == 404
        assert everything() == before
        with pytest.raises(HasLeft) as left:
            looking(viewer=gone, code=game.code)
        assert left.value.table_code == game.table.code

    def test_they_watch_where_the_table_lets_them(self, game: Game, gone: User) -> None:
        lets(game, "anyone")
        page = page_of(client_of(gone), f"/games/{game.code}/")
        assert not page.all(id="hand")
        assert page.one(id="left").text.startswith("You have left this table: a bot has taken your seat.")
        assert "data-watch" in page.board.attrs

    def test_a_finished_game_lies_open_to_them(self, game: Game, gone: User) -> None:
        over(game)
        client = client_of(gone)
        assert statuses(client, game) == {200}
        assert client.get(f"/games/{game.code}/record.json").status_code == 200
        assert len(page_of(client, f"/games/{game.code}/replay/0/").all(css="open-hand")) == 4

    def test_they_may_look_at_the_table(self, game: Game, gone: User) -> None:
        sight = table_sight(viewer=gone, code=game.table.code)
        assert (sight.seat, sight.left, sight.watches) == (None, True, False)


def test_sitting_is_for_those_who_sit(game: Game) -> None:
    lets(game, "anyone")
    stranger = person()
    assert isinstance(looking(viewer=stranger, code=game.code), Watching)
    with pytest.raises(NotAtTable):
        sitting(viewer=stranger, code=game.code)
    sight = table_sight(viewer=stranger, code=game.table.code)
    assert (sight.seat, sight.left, sight.watches, sight.alone) == (None, False, True, False)
    for code in ("bbbbbbbb", "\0", ""):
        with pytest.raises(NotAtTable):
            table_sight(viewer=stranger, code=code)


@pytest.mark.parametrize("invited", [["x"], [None], [0], [-1], "1", {"1": 1}, 7, [[1]]])
def test_a_session_that_makes_no_sense_shows_nothing(game: Game, invited: object) -> None:
    lets(game, "link")
    client = client_of(person())
    session = client.session
    session["invited"] = invited
    session.save()
    assert client.get(f"/games/{game.code}/").status_code == 404


def test_who_was_taken_away_before_the_start_is_a_stranger(game: Game) -> None:
    removed = person("Removed")
    seat = game.table.seat_set.get(number=3)
    Holder.objects.create(table=game.table, seat=seat, user=removed, name="Removed", since=NOW - HOUR, until=NOW)
    assert statuses(client_of(removed), game) == {404}
    over(game)
    assert statuses(client_of(removed), game) == {404}


@pytest.mark.parametrize("entries", [1, 40])
@pytest.mark.parametrize("handovers", [0, 3])
def test_looking_asks_little(entries: int, handovers: int, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    """S35: as often for any number of moves and handovers. Session, person, their games, five of the board."""
    game = lets(game_of(persons=people(5)), "anyone")
    play_on(game, lambda state: state.entries == entries)
    for seat in range(handovers):
        handed(game, seat, name=f"Botli {seat}")
    readers = {"seat": clients(game)[4], "link": came_by(invite_to(game.table), watcher()), "watcher": watcher()}
    for reader in readers.values():
        for path, most in ((f"/games/{game.code}/", 8), (f"/games/{game.code}/replay/1/", 7)):
            with django_assert_num_queries(most):
                assert reader.get(path).status_code == 200
        with django_assert_num_queries(4):
            assert reader.get(f"/games/{game.code}/board/?since={game.version}.{game.revision}").status_code == 204
    over(game)
    Game.objects.update(ended=NOW + 2 * HOUR)
    for reader in readers.values():
        with django_assert_num_queries(7):
            assert reader.get(f"/games/{game.code}/").status_code == 200


POSTS: dict[str, list[dict[str, str]]] = {
    "deal": [{}],
    "again": [{}, {"key": "k" * 16}],
    "repeat": [{}],
    "join": [{}, {"seat": "0"}, {"seat": "99"}, {"seat": "x"}, {"name": "\0"}, {"name": "Asha", "seat": "1"}],
    "leave": [{}, {"sure": "yes"}],
    "start": [{}, {"short": "x"}, {"short": "bots"}],
    "rename": [{}, {"name": "Mine"}],
    "host": [{}, {"seat": "1"}],
    "remove": [{}, {"seat": "1"}],
    "close": [{}, {"sure": "yes"}],
    "invites": [{}, {"addresses": "a@example.org"}, {"addresses": "x"}],
    "invites/act": [{}, {"revoke": "1"}],
}


@pytest.mark.parametrize("kind", ["open", "running", "over", "closed"])
def test_a_stranger_learns_of_no_table_by_any_form(game: Game, kind: str) -> None:
    """S11: whatever is sent to it, a table answers as one that is not there."""
    table = game.table
    if kind in {"open", "closed"}:
        owner = person("Host")
        table = waiting(owner, joins="invited")
        if kind == "closed":
            table_closed(table_id=table.pk, host=owner, now=NOW)
    elif kind == "over":
        over(game)
    stranger = watcher()
    before = everything()
    for action, forms in POSTS.items():
        for fields in forms:
            there = stranger.post(f"/tables/{table.code}/{action}/", fields)
            unknown = stranger.post(f"/tables/bbbbbbbb/{action}/", fields)
            told, nothing = Page(there.content.decode()), Page(unknown.content.decode())
            assert there.status_code == unknown.status_code, (action, fields)
            assert told.one("main").text == nothing.one("main").text, (action, fields)
    assert everything() == before
