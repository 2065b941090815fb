"""Lists of the desk ask as much for many rows as for few, and find what is looked for by an index."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from django.contrib import admin
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.roles import ROLES, role_given
from games.admin.base import COUNTED, FewPaginator
from games.admin.links import row_url
from games.models import Notice
from tests.accounts.doors import sign_in
from tests.games.stored import NOW, game_of, over, people

MOST_QUERIES = 12


@pytest.fixture
def root(db: None) -> Client:
    return sign_in(Client(), User.objects.create_superuser("root@example.org", name="Root"))


def lists() -> Iterator[str]:
    for model in admin.site._registry:
        yield f"/admin/{model._meta.app_label}/{model._meta.model_name}/"


def queries(client: Client, path: str, **asked: str) -> int:
    with CaptureQueriesContext(connection) as found:
        assert client.get(path, asked).status_code == 200, path
    return len(found)


def test_as_many_queries_for_many_rows_as_for_one(root: Client) -> None:
    game = over(game_of(persons=people(3)))
    notices = [Notice(kind="over", game=game, table=game.table, due=NOW, created=NOW) for _ in range(40)]
    for number, each in enumerate(notices):
        each.key = f"key-{number}"
    Notice.objects.bulk_create(notices[:1])
    before = {path: queries(root, path) for path in lists()}
    for _ in range(3):
        over(game_of(persons=people(3)))
    Notice.objects.bulk_create(notices[1:])
    after = {path: queries(root, path) for path in lists()}
    assert {path: count for path, count in after.items() if count > max(before[path], 1) and path in _HAD} == {}
    assert max(after.values()) <= MOST_QUERIES, after


def test_every_filter_opens(root: Client) -> None:
    tried = 0
    for model, desk in admin.site._registry.items():
        for each in desk.list_filter:
            make: Any = each
            chosen = make(None, {}, model, desk)
            for key, _ in chosen.lookup_choices:
                path = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
                assert root.get(path, {chosen.parameter_name: key}).status_code == 200, (path, key)
                tried += 1
    assert tried > 20


# Those that had rows before: an empty list asks for less.
_HAD = {f"/admin/games/{each}/" for each in ("table", "game", "holder", "result", "notice")} | {"/admin/accounts/user/"}


@pytest.mark.django_db
def test_no_list_counts_further_than_it_must() -> None:
    User.objects.bulk_create([User(name="x", email=f"x{number}@example.org") for number in range(COUNTED + 30)])
    rows = User.objects.order_by("-pk")
    with CaptureQueriesContext(connection) as found:
        assert FewPaginator(rows, 50).count == COUNTED + 1
    assert f"LIMIT {COUNTED + 1}" in found[0]["sql"]


def test_more_than_that_is_said(root: Client) -> None:
    User.objects.bulk_create([User(name="x", email=f"x{number}@example.org") for number in range(COUNTED + 30)])
    page = root.get("/admin/accounts/user/").content.decode()
    assert "more than 1,000 rows" in page
    assert root.get("/admin/accounts/user/", {"p": "22"}).status_code == 302


def test_all_are_offered_to_who_sees_but_some(root: Client) -> None:
    game = over(game_of(persons=people(3)))
    offered = '<a href="?">Show all</a>'
    assert offered not in root.get("/admin/games/game/").content.decode()
    for some in ({"q": game.code}, {"status": "over"}, {"table__id__exact": str(game.table_id)}):
        assert offered in root.get("/admin/games/game/", some).content.decode(), some


_ODD_QUERIES = (
    "q=" + "a" * 300,
    "q=%25",
    "q=a%00",
    "q=%E2%80%AE",
    "p=0",
    "p=-1",
    "o=1.-2",
    "o=a",
    "_facets=True",
    "all=",
)
_ODD_IDS = ("0", "-1", "a", "9" * 30, "9" * 4400, "%00", "%D9%A3", "None")


def test_an_odd_address_is_no_fault_of_ours(root: Client) -> None:
    root.raise_request_exception = False
    over(game_of(persons=people(3)))
    found: dict[str, int] = {}
    for path in lists():
        pages = [f"{path}?{query}" for query in _ODD_QUERIES]
        pages += [f"{path}{row}/{page}/" for row in _ODD_IDS for page in ("change", "history", "delete", "do/rename")]
        for page in pages:
            answers = root.get(page), root.post(page)
            found |= {page[:80]: each.status_code for each in answers if each.status_code >= 500}
    assert found == {}


def test_a_list_is_in_its_own_order(root: Client) -> None:
    with CaptureQueriesContext(connection) as asked:
        assert root.get("/admin/games/table/?o=1.-2").status_code == 200
    orders = [each["sql"] for each in asked if "ORDER BY" in each["sql"] and "games_table" in each["sql"]]
    assert [each for each in orders if '"games_table"."name" ASC' in each or "DESC" not in each] == []
    assert len(orders) == 2


@pytest.mark.parametrize("role", ROLES)
def test_every_link_of_a_row_opens_for_who_reads_it(db: None, role: str) -> None:
    game = over(game_of(persons=people(3)))
    user = User.objects.create_user("staff@example.org", name="Staff")
    role_given(user, role)
    client = sign_in(Client(), user)
    found = set[str]()
    for row in (game, game.table, game.result, game.table.holder_set.all()[0], User.objects.get(name="P0")):
        page = client.get(row_url(row)).content.decode()
        related = page.partition('aria-label="What belongs to it"')[2].partition("</nav>")[0]
        found |= {unescape(each) for each in re.findall(r'href="([^"]+)"', related)}
    assert len(found) > 10
    assert {each: client.get(each).status_code for each in found} == dict.fromkeys(found, 200)
