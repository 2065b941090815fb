"""What operators do to people: keeping out, letting in, naming; and what is forgotten of it."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.core.serializers.json import DjangoJSONEncoder
from django.test import Client

from accounts.models import User
from games.models import Audit, Holder, Table, Turn
from games.selectors.exports import export_files
from games.selectors.games import held_seats
from games.services.erasing import person_erased
from games.services.errors import NameUnfit
from games.services.office.errors import (
    AboveYou,
    BannedAlready,
    BeingErased,
    Changed,
    NotBanned,
    NotYourself,
    ReasonNeeded,
    UserGone,
)
from games.services.office.people import person_ban, person_release, person_rename
from games.services.office.results import result_correct
from games.services.office.seen import seen_of
from games.services.seats import seat_handed
from games.services.stand_ins import PLAYS_ON
from games.services.timeouts import came_back
from tests.games.gathering import LATER, draft, sit
from tests.games.merging import asked, out
from tests.games.office import WHY, left, refused, told, verified
from tests.games.pages import client_of
from tests.games.stored import NOW, game_of, over, people, person, play_on

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite_too]


def test_whom_an_operator_keeps_out_is_gone_at_once_and_their_tables_go_on(by: User) -> None:
    persons = people(3)
    user = persons[0]
    game = game_of(persons=persons)
    Table.objects.update(host=user)
    state = play_on(game, lambda state: state.awaited == (0,))
    waiting = draft(user)
    sit(waiting, persons[1])
    client = client_of(user)
    assert client.get("/").status_code == 200
    audit = person_ban(**asked(user, by))
    assert audit == left("ban", by=by)
    tables = [game.table.code, waiting.code]
    assert (audit.before, audit.after) == ({"active": True}, {"active": False, "tables": tables})
    user.refresh_from_db()
    assert not user.is_active
    assert client.get("/settings/").status_code in (302, 404)
    # Theirs still, but a bot plays.
    held = held_seats(game.table_id)[0]
    assert (held.user_id, held.bot, held.stand_in) == (user.pk, PLAYS_ON, True)
    assert Turn.objects.get().seat == state.awaited[0]
    assert Table.objects.get(pk=game.table_id).host == persons[1]
    # Where nobody plays yet the seat is free.
    assert Table.objects.get(pk=waiting.pk).host == persons[1]
    assert not Holder.objects.filter(table=waiting, user=user, until=None).exists()
    assert told(audit) == [user.name]
    verified()


def test_who_is_let_in_again_takes_their_seat_back(by: User) -> None:
    persons = people(3)
    user, game = persons[0], game_of(persons=persons)
    person_ban(**asked(user, by))
    user.refresh_from_db()
    audit = person_release(**asked(user, by))
    assert audit == left("release", by=by)
    assert told(audit) == [user.name]
    user.refresh_from_db()
    assert user.is_active
    assert came_back(table_id=game.table_id, user=user, now=LATER)
    assert not held_seats(game.table_id)[0].stand_in
    verified()


def test_sessions_end(by: User, client: Client) -> None:
    user = person()
    client.force_login(user)
    client.get("/")
    assert client.session.get("_auth_user_id") == str(user.pk)
    person_ban(**asked(user, by))
    assert not UserSession.objects.filter(user=user).exists()
    assert not client.get("/").wsgi_request.user.is_authenticated


def test_somebody_has_another_name_everywhere(by: User) -> None:
    """Also where another looks called that, where all is over, and where they have left."""
    persons = people(3)
    one, other = game_of(persons=persons), game_of(persons=[persons[0], person("Roza"), person("Bilal")])
    left_one, done = game_of(persons=persons), over(game_of(persons=persons))
    seat_handed(table_id=left_one.table_id, seat=0, now=NOW)
    audit = person_rename(**asked(persons[0], by, name=" Bilal "))
    assert audit == left("rename", by=by)
    assert (audit.before, audit.after) == ({}, {"of": "person"})
    assert User.objects.get(pk=persons[0].pk).name == "Bilal"
    called = dict(Holder.objects.filter(user=persons[0]).values_list("table", "name"))
    assert called == {
        one.table_id: "Bilal",
        other.table_id: "Bilal 2",
        left_one.table_id: "Bilal",
        done.table_id: "Bilal",
    }
    assert told(audit) == ["Bilal"]


def staff(**fields: Any) -> User:
    return User.objects.create_user(f"staff{User.objects.count()}@example.org", name="Staff", is_staff=True, **fields)


def erased(user: User) -> User:
    User.objects.filter(pk=user.pk).update(is_active=False, erase_at=NOW)
    user.refresh_from_db()
    return user


REFUSALS: dict[str, tuple[type[Any], Callable[[User], Callable[[], object]]]] = {
    "nobody": (UserGone, lambda by: partial(person_ban, **asked(person(), by, user_id=0))),
    "not as shown": (Changed, lambda by: partial(person_ban, **asked(person(), by, seen="0"))),
    "no reason": (ReasonNeeded, lambda by: partial(person_ban, **asked(person(), by, why=""))),
    "oneself": (NotYourself, lambda by: partial(person_ban, **asked(by, by))),
    "another of the staff": (AboveYou, lambda by: partial(person_ban, **asked(staff(), by))),
    "a superuser": (AboveYou, lambda by: partial(person_ban, **asked(staff(is_superuser=True), by))),
    "a superuser, by one": (
        AboveYou,
        lambda _: partial(person_ban, **asked(staff(is_superuser=True), staff(is_superuser=True))),
    ),
    "twice": (BannedAlready, lambda by: partial(person_ban, **asked(out(person()), by))),
    "release one who is in": (NotBanned, lambda by: partial(person_release, **asked(person(), by))),
    "release without a reason": (ReasonNeeded, lambda by: partial(person_release, **asked(out(person()), by, why=""))),
    "release, not as shown": (Changed, lambda by: partial(person_release, **asked(out(person()), by, seen="0"))),
    "release one who is deleted": (BeingErased, lambda by: partial(person_release, **asked(erased(person()), by))),
    "no name": (NameUnfit, lambda by: partial(person_rename, **asked(person(), by, name=" "))),
    "the same name": (NameUnfit, lambda by: partial(person_rename, **asked(person("Roza"), by, name="Roza"))),
    "a long name": (NameUnfit, lambda by: partial(person_rename, **asked(person(), by, name="x" * 41))),
    "name, not as shown": (Changed, lambda by: partial(person_rename, **asked(person(), by, name="B", seen="0"))),
    "name one of the staff": (AboveYou, lambda by: partial(person_rename, **asked(staff(), by, name="B"))),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_what_is_refused_changes_nothing(by: User, name: str) -> None:
    error, act = REFUSALS[name]
    # Whoever it is about is made first.
    given = act(by)
    with refused(error):
        given()


def test_only_a_superuser_keeps_out_one_of_the_staff() -> None:
    user = staff()
    person_ban(**asked(user, staff(is_superuser=True)))
    assert not User.objects.get(pk=user.pk).is_active


def test_what_operators_did_is_in_ones_archive_without_who(by: User) -> None:
    persons = people(3)
    game, other = over(game_of(persons=persons)), over(game_of(persons=[person() for _ in range(3)]))
    loser = game.result.away[0]
    given: dict[str, Any] = {"by": by, "why": WHY, "now": NOW, "cards_left": 2}
    result_correct(game_id=game.pk, loser=loser, seen=seen_of(game), **given)
    result_correct(game_id=other.pk, loser=other.result.away[0], seen=seen_of(other), **given)
    person_rename(**asked(persons[1], by, name="Renamed"))
    found: dict[User, Any] = {user: dict(export_files(user=user, now=NOW))["operators.json"] for user in persons[:2]}
    told = json.loads(json.dumps(found[persons[0]], cls=DjangoJSONEncoder))
    assert [(each["action"], each["why"], each["game_code"]) for each in told["done"]] == [("correct", WHY, game.code)]
    (one,) = told["corrected"]
    assert (one["game_code"], one["loser"], one["cards_left"], one["why"]) == (game.code, loser, 2, WHY)
    assert one["before"]["loser"] == game.result.loser
    assert [each["action"] for each in found[persons[1]]["done"]] == ["correct", "rename"]
    assert "Boss" not in json.dumps(told)


def test_who_is_erased_goes_out_of_what_operators_wrote(by: User) -> None:
    zeb = User.objects.create_user("zeb@example.org", name="Zebulon", verified=True)
    game = over(game_of(persons=[zeb, *people(2)]))
    audit = person_rename(**asked(zeb, by, name="Zebby", why="Zebulon wanted it."))
    Audit.objects.create(action="void", why="For zebby, at his table.", at=NOW, table=game.table, game=game)
    person_erased(user_id=zeb.pk, now=LATER, due=False)
    audit.refresh_from_db()
    assert (audit.person, audit.why) == (None, "Former player wanted it.")
    assert Audit.objects.get(action="void").why == "For Former player 1, at his table."
