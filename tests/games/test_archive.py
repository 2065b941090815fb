"""Everything about a person, as data (S37): what is theirs, nobody else's address, and no card that they cannot see."""

import io
import json
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession

from accounts.models import Block, User
from games.models import Answer, Extension, Game, Notice, Seen, Table, Vacation
from games.rules.record import record_of
from games.selectors.games import game_state
from games.selectors.records import game_record
from games.services.people import exported
from games.services.seats import seat_left, seat_removed
from tests.games.answers import missed
from tests.games.gathering import LATER, draft, invite, sit
from tests.games.office import boss
from tests.games.office_results import correct
from tests.games.pages import cards_on, client_of
from tests.games.stored import NOW, everything, game_of, over, people, person, play_on

pytestmark = pytest.mark.django_db


def archive(user: User) -> dict[str, Any]:
    files = zipfile.ZipFile(io.BytesIO(exported(user=user, now=LATER)))
    assert files.testzip() is None
    return {each: json.loads(files.read(each)) for each in files.namelist()}


def check_accounts(found: dict[str, Any], nani: User) -> None:
    assert found["profile.json"]["email"] == nani.email
    assert found["addresses.json"] == [{"email": nani.email, "verified": False, "primary": True}]
    assert [each["name"] for each in found["passkeys.json"]] == ["Phone"]
    assert found["sessions.json"][0]["user_agent"] == "Firefox"
    assert [each["name"] for each in found["blocks.json"]] == ["P0"]
    assert [each["email"] for each in found["invites.json"]["sent"]] == ["f…@e….org"]
    assert [each["sender"] for each in found["invites.json"]["received"]] == ["P0"]


def check_clocks(found: dict[str, Any], nani: User) -> None:
    answers = Answer.objects.filter(holder__user=nani)
    assert len(found["turns.json"]["had"]) == answers.count() > 0
    assert [each["excuse"] for each in found["turns.json"]["missed"]] == ["outage"]
    assert [each["first"] for each in found["away.json"]] == ["2026-01-31"]
    assert [each["number"] for each in found["seen.json"]] == [3]
    assert [each["length"] for each in found["asked.json"]["gave"]] == ["P1DT00H00M00S"]


def test_everything_of_mine_is_in_it() -> None:
    nani, others = person("Nani ../../x\u2069"), people(2)
    done, running = over(game_of(persons=[nani, *others])), game_of(persons=[others[0], nani, others[1]])
    left = game_of(persons=[*others, nani])
    seat_left(table_id=left.table.pk, user=nani, now=LATER)
    hosted = draft(nani)
    invite(hosted, "friend@example.org", sender=nani, name="Friend")
    invite(draft(others[0]), nani.email or "", sender=others[0])
    Notice.objects.create(kind="table_started", user=nani, table=done.table, key="1", created=NOW, due=NOW, sent=NOW)
    Block.objects.create(owner=nani, other=others[0])
    Authenticator.objects.create(user=nani, type="webauthn", data={"name": "Phone", "credential": {"secret": "ne-ver"}})
    UserSession.objects.create(user=nani, ip="127.0.0.1", user_agent="Firefox", session_key="keykeykey")
    missed(done, nani, "outage"), missed(done, others[0])
    Seen.objects.create(user=nani, game=running, number=3)
    Extension.objects.create(game=running, user=nani, at=NOW, length=timedelta(days=1))
    Vacation.objects.create(user=nani, first=NOW, last=NOW, zone="Asia/Kolkata", made=NOW)
    found = archive(nani)
    tables = {f"tables/{each.code}.json" for each in (done.table, running.table, left.table, hosted)}
    games = {f"games/{done.code}/record.json", f"games/{running.code}/my-view.json"}
    accounts = {
        f"{each}.json" for each in ("about", "profile", "addresses", "passkeys", "sessions", "blocks", "browsers")
    }
    told = {
        f"{each}.json"
        for each in ("invites", "notices", "turns", "away", "asked", "seen", "reports", "ratings", "operators")
    }
    assert set(found) == tables | games | accounts | told
    check_accounts(found, nani)
    check_clocks(found, nani)
    assert found["notices.json"][0]["table_code"] == done.table.code
    assert found[f"tables/{left.table.code}.json"]["my_seats"][0]["until"] is not None
    assert found[f"games/{done.code}/record.json"] == json.loads(json.dumps(game_record(done)))
    assert record_of(found[f"games/{done.code}/record.json"]).hands
    text = json.dumps(found)
    # No secret by which somebody could act, and no other person's address.
    assert not [each for each in ("keykeykey", "ne-ver", "n" * 16, nani.password) if each in text]
    for other in others:
        assert str(other.email) not in text


def test_no_card_that_the_seat_does_not_see() -> None:
    nani = person("Nani")
    game = game_of(persons=[nani, *people(2)], bots=1)
    states = [game_state(game)]
    for _ in range(12):
        states.append(play_on(game, lambda state: state.entries > states[-1].entries))
    steps = archive(nani)[f"games/{game.code}/my-view.json"]
    assert [each["step"] for each in steps] == [each.entries for each in states]
    seen: set[str] = set()
    for told, state in zip(steps, states, strict=True):
        table = {play.card.code for play in state.trick} if not state.face_down else set()
        seen |= {each.code for each in state.hands[0]} | table
        seen |= {play.card.code for play in state.last.plays} if state.last else set()
        assert cards_on(json.dumps(told)) <= seen
        assert set(told["hand"].split()) == {each.code for each in state.hands[0]}


def test_nothing_of_a_game_in_play_that_was_left() -> None:
    nani = person("Nani")
    game = game_of(persons=[nani, *people(2)])
    seat_left(table_id=game.table.pk, user=nani, now=LATER)
    assert not cards_on(json.dumps(archive(nani)))


def test_whoever_was_taken_away_learns_no_more_of_the_table() -> None:
    host, nani = person("Host"), person("Nani")
    table = draft(host)
    seat = sit(table, nani).seat.number
    assert [each["name"] for each in archive(nani)[f"tables/{table.code}.json"]["who_sits"]] == ["Host", "Nani"]
    seat_removed(table_id=table.pk, host=host, seat=seat, now=LATER)
    assert archive(nani)[f"tables/{table.code}.json"]["who_sits"] == []
    sit(table), sit(table), sit(table)
    assert archive(nani)[f"tables/{table.code}.json"]["who_sits"] == []
    # Nor what operators did there since, or made of its results.
    by, game = boss(), over(Game.objects.get())
    correct(game, by, game.result.away[0], 1)
    assert archive(nani)["operators.json"] == {"done": [], "corrected": []}
    other = archive(User.objects.get(holder__table=table, holder__seat__number=2))["operators.json"]
    assert (len(other["done"]), len(other["corrected"])) == (1, 1)


def test_the_download() -> None:
    nani = person("Nani\u202e")
    Table.objects.filter(pk=game_of(persons=[nani], bots=2).table.pk).update(name="=cmd|' /C calc'!A0")
    client = client_of(nani)
    before = everything()
    answer = client.post("/me/export/")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/zip"
    assert answer.headers["Content-Disposition"].startswith(f'attachment; filename="getaway-{nani.code}-')
    assert zipfile.ZipFile(io.BytesIO(answer.content)).testzip() is None
    assert everything() == before
    assert client.get("/me/export/").status_code == 405


def test_a_guest_has_one_too() -> None:
    found = archive(User.objects.create_guest("Golu"))
    assert found["profile.json"]["email"] is None
    assert found["invites.json"] == {"sent": [], "received": []}
