"""Actions of the desk by their pages: each asks why, is written down, and never overwrites another operator's."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import Model
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from accounts.history import history_of
from accounts.models import User
from accounts.roles import role_given
from games.admin.links import row_url
from games.models import Audit, Game, Halt, Holder, Table
from games.models.office import Correction, Report
from games.selectors.effective import effective_of
from games.services.erasing import person_erased
from games.services.seats import seat_handed
from tests.accounts.doors import sign_in
from tests.games.gathering import draft, sit
from tests.games.pacing import slow_game
from tests.games.stored import NOW, game_of, over, people, person, play_on

pytestmark = pytest.mark.django_db(transaction=True)

WHY = {"why": "It was asked for by all"}


@pytest.fixture
def operator() -> Client:
    return staff("operator")


def staff(role: str) -> Client:
    user = User.objects.create_user(f"{role}{User.objects.count()}@example.org", name=role.title(), verified=True)
    role_given(user, role)
    return sign_in(Client(), user)


def url(row: Model, deed: str) -> str:
    return f"/admin/{row._meta.app_label}/{row._meta.model_name}/{row.pk}/do/{deed}/"


def form(client: Client, path: str) -> dict[str, str]:
    """What the form of an action holds when it is opened."""
    page = client.get(path).content.decode()
    found = re.search(r'name="seen" value="([^"]*)"', page)
    return {"seen": found[1] if found else ""}


def done(client: Client, path: str, **fields: Any) -> HttpResponse | Any:
    return client.post(path, form(client, path) | WHY | fields)


def test_a_result_is_corrected_shown_and_undone(operator: Client) -> None:
    persons = people(4)
    game = over(game_of(persons=persons))
    before = effective_of([game])[game.pk].result
    assert before.loser is not None
    loser = (before.loser + 1) % 4
    answer = done(operator, url(game, "correct"), loser=loser, cards_left=3)
    assert (answer.status_code, answer["Location"]) == (302, f"/admin/games/game/{game.pk}/change/")
    after = effective_of([game])[game.pk]
    assert (after.result.loser, after.result.cards_left, after.corrected) == (loser, 3, True)
    page = operator.get(answer["Location"]).content.decode()
    assert f"(seat {loser}) lost with 3 cards (corrected)" in page
    # Its people read why.
    assert WHY["why"] in sign_in(Client(), persons[0]).get(f"/tables/{game.table.code}/").content.decode()
    correction = Correction.objects.get()
    assert done(operator, url(correction, "undo")).status_code == 302
    assert effective_of([game])[game.pk].result.loser == before.loser
    assert [each.action for each in Audit.objects.order_by("pk")] == ["correct", "undo"]
    # The first is no longer the newest.
    again = done(operator, url(correction, "undo"))
    assert (again.status_code, "corrected again since" in again.content.decode()) == (409, True)


def test_whoever_would_be_charged_is_named_in_the_list(operator: Client) -> None:
    game = game_of(persons=people(3), bots=1)
    play_on(game, lambda state: state.tricks == 1)
    Game.objects.update(created=NOW - timedelta(hours=1))
    seat_handed(table_id=game.table_id, seat=2, now=NOW)
    bot = Holder.objects.get(seat__number=3).name
    names = re.findall(r"<option[^>]*>(.*) \(seat \d\)", operator.get(url(game, "correct")).content.decode())
    assert names == ["P0", "P1", "P2", bot]
    correct = done(operator, url(over(game), "correct"), loser="2", cards_left="50")
    assert (correct.status_code, Correction.objects.get().holder) == (302, Holder.objects.get(user__name="P2"))


def test_of_two_operators_at_once_the_second_looks_again(operator: Client) -> None:
    game = over(game_of(persons=people(3)))
    other, path = staff("operator"), url(game, "void")
    opened = form(other, path)
    assert done(operator, path).status_code == 302
    late = other.post(path, opened | WHY)
    assert (late.status_code, "Somebody has changed this" in late.content.decode()) == (409, True)
    # What the page shows now may be acted upon.
    found = re.search(r'name="seen" value="([^"]*)"', late.content.decode())
    assert found is not None
    assert found[1] != opened["seen"]
    assert Audit.objects.count() == 1


@pytest.mark.parametrize("why", ["", "  ", "x" * 301])
def test_nothing_is_done_without_a_reason(operator: Client, why: str) -> None:
    game = game_of(persons=people(3))
    answer = done(operator, url(game, "end"), why=why)
    assert answer.status_code == 422
    assert "errornote" in answer.content.decode()
    game.refresh_from_db()
    assert (game.status, Audit.objects.count()) == (Game.Status.RUNNING, 0)


def test_a_stuck_game_is_ended_and_one_set_aside_taken_up(operator: Client) -> None:
    game = game_of(persons=people(3))
    Game.objects.filter(pk=game.pk).update(aside=NOW, broken=3)
    health = operator.get("/admin/health/").content.decode()
    assert (game.code in health, url(game, "take-up") in health) == (True, True)
    assert done(operator, url(game, "take-up")).status_code == 302
    game.refresh_from_db()
    assert (game.aside, game.broken) == (None, 0)
    assert url(game, "end") in operator.get(f"/admin/games/game/{game.pk}/change/").content.decode()
    assert done(operator, url(game, "end")).status_code == 302
    game.refresh_from_db()
    assert (game.status, game.result.void, game.result.stopped) == (Game.Status.OVER, True, True)
    assert done(operator, url(game, "end")).status_code == 409


def test_deadlines_are_extended(operator: Client) -> None:
    game = slow_game()
    before = game.turn_set.get().due_at
    assert before is not None
    assert done(operator, url(game, "extend"), hours=0).status_code == 422
    assert done(operator, url(game, "extend"), hours=5).status_code == 302
    after = game.turn_set.get().due_at
    assert after is not None
    assert (after - before).total_seconds() == 5 * 3600
    # It is offered where there is a clock.
    timeless = game_of(persons=people(3))
    offers = {each.pk: url(each, "extend") in operator.get(row_url(each)).content.decode() for each in (game, timeless)}
    assert offers == {game.pk: True, timeless.pk: False}


def test_a_bot_plays_on_and_a_seat_is_freed(operator: Client) -> None:
    game = game_of(persons=people(3))
    holder = Holder.objects.filter(table=game.table, until=None)[0]
    assert done(operator, url(holder, "replace"), level="easy").status_code == 302
    fresh = Holder.objects.get(seat=holder.seat, until=None)
    assert (fresh.user, fresh.bot) == (None, "easy")
    host, guest = person("Host"), person("Guest")
    table = draft(host, joins="lobby")
    sit(table, guest)
    sits = Holder.objects.get(table=table, user=guest, until=None)
    assert done(operator, url(sits, "free")).status_code == 302
    assert not Holder.objects.filter(table=table, user=guest, until=None).exists()


def test_who_has_left_a_seat_is_not_acted_upon_in_who_sits_there_now(operator: Client) -> None:
    """Nor after being told that somebody was quicker."""
    game = game_of(persons=people(3))
    past = Holder.objects.filter(table=game.table, until=None)[0]
    assert done(operator, url(past, "replace"), level="easy").status_code == 302
    host, first, second = person("Host"), person("First"), person("Second")
    table = draft(host, joins="lobby")
    sit(table, first)
    left = Holder.objects.get(table=table, user=first)
    assert done(operator, url(left, "free")).status_code == 302
    sit(table, second)
    assert Holder.objects.get(table=table, user=second).seat == left.seat
    for row, deed in ((past, "replace"), (left, "free")):
        late = done(operator, url(row, deed), level="easy")
        assert (late.status_code, Audit.objects.count()) == (409, 2)
    assert Holder.objects.filter(table=table, user=second, until=None).exists()


def test_a_table_is_renamed_and_closed_and_its_names_are_kept(operator: Client) -> None:
    game = game_of(persons=people(3))
    table = game.table
    assert done(operator, url(table, "rename"), name="Sunday").status_code == 302
    assert done(staff("moderator"), url(table, "rename"), name="Monday").status_code == 302
    assert [row["changes"] for row in history_of(Table, table.pk)] == [
        [("name", "Sunday", "Monday")],
        [("name", "A table", "Sunday")],
    ]
    page = operator.get(f"/admin/games/table/{table.pk}/history/").content.decode()
    assert ("Sunday" in page, WHY["why"] in page) == (True, True)
    assert done(operator, url(table, "close")).status_code == 302
    table.refresh_from_db()
    assert table.status == Table.Status.OVER
    assert url(table, "close") not in operator.get(f"/admin/games/table/{table.pk}/change/").content.decode()


def test_the_clocks_of_the_site_are_stopped_and_run_again(operator: Client) -> None:
    freeze, thaw = "/admin/games/halt/clocks/freeze/", "/admin/games/halt/clocks/thaw/"
    assert freeze in operator.get("/admin/health/").content.decode()
    answer = operator.post(freeze, WHY)
    assert (answer.status_code, answer["Location"]) == (302, "/admin/health/")
    assert Halt.objects.get(until=None).why == WHY["why"]
    assert operator.post(freeze, WHY).status_code == 409
    assert thaw in operator.get("/admin/health/").content.decode()
    assert operator.post(thaw, WHY).status_code == 302
    assert not Halt.objects.filter(until=None).exists()
    assert operator.post(thaw, WHY).status_code == 409
    assert freeze not in staff("support").get("/admin/health/").content.decode()


def test_a_report_is_answered_and_what_was_done_is_written_down() -> None:
    teller, rude = person("Teller"), person("Rude")
    report = Report.objects.create(kind="name", by=teller, about=rude, said="Rude", at=NOW)
    moderator = staff("moderator")
    assert done(moderator, url(report, "answer"), upheld="no", effect="banned", name="").status_code == 422
    assert done(moderator, url(report, "answer"), upheld="yes", effect="renamed", name="Kind").status_code == 302
    report.refresh_from_db()
    rude.refresh_from_db()
    assert (report.state, report.effect, report.answer, rude.name) == ("upheld", "renamed", WHY["why"], "Kind")
    assert sorted(each.action for each in Audit.objects.all()) == ["answer", "rename"]
    assert history_of(Report, report.pk)[0]["changes"][0] == ("state", "open", "upheld")
    assert done(staff("support"), url(report, "answer"), upheld="no").status_code == 403


def test_an_answer_to_ones_own_report_is_refused_in_a_sentence() -> None:
    report = Report.objects.create(kind="person", about=person("Rude"), said="Rude", at=NOW)
    moderator = staff("moderator")
    Report.objects.update(by=User.objects.get(name="Moderator"))
    answer = done(moderator, url(report, "answer"), upheld="yes", effect="warned")
    assert (answer.status_code, "you reported it yourself" in answer.content.decode()) == (409, True)


def test_who_was_kept_out_by_an_answer_is_out() -> None:
    rude = person("Rude")
    report = Report.objects.create(kind="person", by=person("Teller"), about=rude, said="Rude", at=timezone.now())
    assert done(staff("moderator"), url(report, "answer"), upheld="yes", effect="banned").status_code == 302
    rude.refresh_from_db()
    assert not rude.is_active


def test_a_game_that_is_over_lies_open_and_one_that_is_played_does_not(operator: Client) -> None:
    done_with, running = over(game_of(persons=people(3))), game_of(persons=people(3))
    page = operator.get(f"/admin/games/game/{done_with.pk}/log/").content.decode()
    assert all(hand in page for hand in done_with.deal.hands)
    assert operator.get(f"/admin/games/game/{running.pk}/log/").status_code == 404


def test_what_was_kept_of_a_person_goes_with_them(operator: Client) -> None:
    persons = people(3)
    User.objects.filter(pk=persons[0].pk).update(name="Zebedee")
    game = game_of(persons=[User.objects.get(pk=persons[0].pk), *persons[1:]])
    table, zeb = game.table, User.objects.get(pk=persons[0].pk)
    assert done(operator, url(table, "rename"), name="At Zebedee's").status_code == 302
    assert done(operator, url(table, "rename"), name="Sunday").status_code == 302
    assert done(staff("moderator"), url(zeb, "rename"), name="Zeb").status_code == 302
    assert User.history.filter(id=zeb.pk).count() == 2
    assert person_erased(user_id=zeb.pk, now=timezone.now(), due=False)
    assert not User.history.filter(id=zeb.pk).exists()
    kept = set(Table.history.filter(id=table.pk).values_list("name", flat=True))
    assert kept == {"A table", "At Former player 1's", "Sunday"}


def test_a_guest_becomes_part_of_an_account(operator: Client) -> None:
    guest, nani = User.objects.create_guest("Golu"), person("Nani")
    game = game_of(persons=[guest, *people(2)])
    nobody = done(operator, url(guest, "merge"), into="nobody@example.org")
    assert (nobody.status_code, "There is no account" in nobody.content.decode()) == (422, True)
    answer = done(operator, url(guest, "merge"), into=(nani.email or "").upper())
    assert (answer.status_code, answer["Location"]) == (302, "/admin/accounts/user/")
    assert not User.objects.filter(pk=guest.pk).exists()
    assert Holder.objects.filter(table=game.table, user=nani).exists()
