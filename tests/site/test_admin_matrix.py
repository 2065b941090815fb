"""Who may open and do what at the desk: every address of the resolver, every role, looking and posting (S7, S11)."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from pytest_django import Settings

from accounts.models import User
from games.models import Audit, Deal, Game, Invite, Move
from games.selectors.tokens import token_of
from games.services.office.rights import RIGHTS
from tests.accounts.doors import APP_SECRET, sign_in
from tests.games.pages import cards_on
from tests.site.crawl import World, changed, rows
from tests.site.desk import EVERYBODY, STAFF, client_for, desk_world

pytestmark = pytest.mark.django_db

# outsider, player, somebody of the staff without a role; then operator, moderator, support, superuser.
OUT: Final = ("302", "302")
ALL: Final = "operator moderator support superuser"
READERS: Final = "operator support superuser"
OPERATORS: Final = "operator superuser"
MODERATORS: Final = "operator moderator superuser"
SUPERUSER: Final = "superuser"

LISTS: Final = {
    "accounts/user": ALL,
    "games/audit": ALL,
    "games/correction": ALL,
    "games/game": ALL,
    "games/halt": READERS,
    "games/holder": ALL,
    "games/invite": READERS,
    "games/missedturn": READERS,
    "games/notice": READERS,
    "games/pulse": READERS,
    "games/report": ALL,
    "games/result": ALL,
    "games/table": ALL,
}
DEEDS: Final = {
    "games/game/correct": OPERATORS,
    "games/game/void": OPERATORS,
    "games/game/end": OPERATORS,
    "games/game/extend": OPERATORS,
    "games/game/take-up": OPERATORS,
    "games/correction/undo": OPERATORS,
    "games/table/rename": MODERATORS,
    "games/table/close": OPERATORS,
    "games/holder/replace": OPERATORS,
    "games/holder/free": OPERATORS,
    "games/report/answer": MODERATORS,
    "accounts/user/rename": MODERATORS,
    "accounts/user/merge": OPERATORS,
    "accounts/user/ban": MODERATORS,
    "accounts/user/release": MODERATORS,
    "accounts/user/role": SUPERUSER,
    "accounts/user/address": SUPERUSER,
    "games/halt/clocks/freeze": OPERATORS,
    "games/halt/clocks/thaw": OPERATORS,
}
# Of who has a second factor, with a role or without: looking, posting.
SITE: Final = {
    "/admin/": ("200", "200"),
    "/admin/health/": ("200", "405"),
    "/admin/jsi18n/": ("200", "405"),
    "/admin/autocomplete/": ("403", "405"),
    "/admin/password_change/": ("302", "302"),
    "/admin/password_change/done/": ("302", "302"),
    "/admin/r/{table}/{table}/": ("404", "404"),
    "/admin/{nowhere}": ("404", "404"),
}


def expected(key: str, role: str) -> tuple[str, str]:
    """What looking and posting are answered with."""
    if key == "/admin/login/":
        return OUT if role != "player" else ("403", "403")
    if role in ("outsider", "player"):
        return OUT
    if key in SITE:
        return SITE[key]
    if key == "/admin/{games}/":
        return ("200", "200") if role in STAFF else ("404", "404")
    found = re.fullmatch(r"/admin/(\w+/\w+)/(.*)", key)
    assert found is not None, key
    model, rest = found[1], found[2].replace("{first}/", "")
    if rest.startswith(("do/", "clocks/")):
        return deed(model, rest, role)
    return row(model, rest, role, found[2])


def deed(model: str, rest: str, role: str) -> tuple[str, str]:
    name = rest.removeprefix("do/").replace("{", "").replace("}", "").rstrip("/")
    if name == "nothing":
        return "404", "404"
    # What is posted here says no reason.
    return ("200", "422") if role in DEEDS[f"{model}/{name}"].split() else ("403", "403")


def row(model: str, rest: str, role: str, whole: str) -> tuple[str, str]:
    sees = role in LISTS[model].split()
    writes = model == "accounts/user" and role in OPERATORS.split()
    match rest:
        case "" if "{first}" in whole:
            return OUT
        case "" | "history/" | "log/":
            return ("200", "200") if sees else ("403", "403")
        case "add/":
            return ("200", "200") if model == "accounts/user" and role == SUPERUSER else ("403", "403")
        case "change/":
            return ("200" if sees else "403"), ("200" if writes else "403")
        case "delete/":
            return "403", "403"
        case _:
            raise AssertionError(whole)


@pytest.fixture
def site(tmp_path: Path, settings: Settings) -> World:
    settings.MAIL_FOLDER = tmp_path / "mail"
    return desk_world(str(settings.MAIL_FOLDER))


def desk_addresses(site: World) -> Iterator[tuple[str, str]]:
    return (each for each in site.addresses() if each[0].startswith("/admin/") and each[0] != "/admin/logout/")


def test_every_page_and_action_of_the_desk_by_every_role(site: World) -> None:
    addresses = list(desk_addresses(site))
    before, looked = rows(), set[str]()
    for role in EVERYBODY:
        client = client_for(site, role)
        before["mfa_authenticator"] = rows()["mfa_authenticator"]
        before["accounts_user"] = rows()["accounts_user"]
        for key, path in addresses:
            found = str(client.get(path).status_code), str(client.post(path).status_code)
            assert found == expected(key, role), (role, key)
            looked.add(key)
        # Neither did anything.
        assert changed(before) == [], role
    assert {name.rpartition("/")[2] for name in DEEDS} == {each.replace("_", "-") for each in RIGHTS}
    assert len(looked) > 100


def test_without_the_second_factor_of_this_session_nothing_opens(site: World) -> None:
    for role in STAFF:
        client_for(site, role)
        client = client_for(site, role, second=False)
        for key, path in desk_addresses(site):
            for answer in (client.get(path), client.post(path)):
                assert answer.status_code == 302, (role, key)
                assert answer["Location"].startswith(("/admin/login/", "/accounts/second/")), (role, key)


def test_no_post_without_the_forms_token(site: World) -> None:
    client = sign_in(type(client_for(site, "outsider"))(enforce_csrf_checks=True), site.superuser)
    before = rows()
    for key, path in site.addresses():
        if key.startswith("/admin/"):
            assert client.post(path, {"why": "because"}).status_code == 403, key
    assert changed(before) == []


_RANDOM: Final = re.compile(r'name="csrfmiddlewaretoken"[^>]*|nonce="[^"]*"')


def secrets_of(site: World) -> set[str]:
    """What is shown to nobody: seeds and hashes of games, tokens, password hashes, what second factors are made of."""
    found = {APP_SECRET}
    for each in Deal.objects.all():
        found |= {bytes(each.secret).hex(), bytes(each.hash).hex()}
    found |= {bytes(each).hex() for each in Game.objects.values_list("last_hash", flat=True)}
    found |= {bytes(each).hex() for each in Move.objects.values_list("hash", flat=True)[:500]}
    for invite in Invite.objects.all():
        found |= {invite.token_hash, bytes(invite.nonce).hex(), token_of(invite)}
    return found | set(User.objects.values_list("password", flat=True)) - {""}


@pytest.mark.parametrize("role", STAFF)
def test_no_role_reads_a_secret_or_a_card_of_a_running_game(site: World, role: str) -> None:
    client, secrets = client_for(site, role), secrets_of(site)
    addresses = role in ("operator", "superuser")
    running = Game.objects.filter(status="running")
    assert running.count() > 1
    pages = dict(desk_addresses(site))
    for game in running:
        pages |= {f"{game.pk} {what}": f"/admin/games/game/{game.pk}/{what}/" for what in ("change", "history", "log")}
        pages[f"{game.pk} table"] = f"/admin/games/table/{game.table_id}/change/"
    for user in User.objects.all():
        pages |= {f"{user.pk} {what}": f"/admin/accounts/user/{user.pk}/{what}/" for what in ("change", "history")}
    shown = 0
    for key, path in pages.items():
        answer = client.get(path)
        text = answer.content.decode()
        assert not [each for each in secrets if each in text], key
        # The game that is over lies open on a page of its own.
        assert "{first}/log" in key or not cards_on(
            re.sub(r'name="csrfmiddlewaretoken"[^>]*|nonce-[^\']*', "", text)
        ), key
        assert addresses or "@example.org" not in text, key
        shown += "@example.org" in text
        assert not (key.endswith(" log") and answer.status_code == 200), key
    assert bool(shown) == addresses


@pytest.mark.parametrize("role", ["moderator", "support"])
def test_who_reads_no_addresses_finds_nobody_by_one(site: World, role: str) -> None:
    client = client_for(site, role)
    for path in ("/admin/accounts/user/", "/admin/games/holder/", "/admin/games/audit/", "/admin/games/report/"):
        page = client.get(path, {"q": "host@example.org"}).content.decode()
        assert f"/admin/accounts/user/{site.host.pk}/change/" not in page, path
        # Nor letter by letter, by a filter of their own.
        assert client.get(path, {"email__startswith": "h"}).status_code == 400, path
    operator = client_for(site, "operator").get("/admin/accounts/user/", {"q": "host@example.org"})
    assert f"/admin/accounts/user/{site.host.pk}/change/" in operator.content.decode()


def test_lists_cannot_be_narrowed_by_what_they_do_not_show(site: World) -> None:
    client = client_for(site, "support")
    for path, lookup in (
        ("games/game", "last_hash__gt"),
        ("games/game", "deal__hands__contains"),
        ("games/invite", "token_hash__startswith"),
        ("games/notice", "user__password__startswith"),
        ("games/table", "game__deal__secret__gt"),
    ):
        assert client.get(f"/admin/{path}/", {lookup: "x"}).status_code == 400, lookup


def test_an_audit_row_is_left_by_every_action_alone(site: World) -> None:
    """Reading leaves none."""
    count = Audit.objects.count()
    client = client_for(site, "superuser")
    for _, path in desk_addresses(site):
        client.get(path)
    assert Audit.objects.count() == count
