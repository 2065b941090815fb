"""What a board says of time: by when, what then, who is away, for whom a bot plays."""

import datetime as dt

import pytest
from django.template.loader import render_to_string
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.clocks.pace import each_card, live
from games.models import Game, Halt, Holder, Pause, Turn, Vacation, Vote
from games.rules.ruleset import Ruleset
from games.selectors.games import game_state
from games.selectors.sight import looking
from games.selectors.updates import updates_for
from games.services import presence
from games.services.locks import table_locked, writing
from games.services.presence import is_here
from games.services.stand_ins import stood_in
from games.services.timeouts import turn_due
from games.services.votes import Question, vote_opened
from tests.games.pacing import DAY, HOUR, awaited, paced, slow_game, turn_of
from tests.games.pages import Page, client_of, clients, page_of
from tests.games.stored import NOW, game_of, people, person, play_on
from tests.games.watching import lets, watcher

pytestmark = pytest.mark.django_db

LATER = NOW + HOUR
ZONES = {
    "America/Toronto": "By Sun 07:00",
    "Asia/Karachi": "By Sun 17:00",
    "Asia/Kolkata": "By Sun 17:30",
    "Asia/Dhaka": "By Sun 18:00",
}


def user_at(game: Game, seat: int) -> User:
    holder = Holder.objects.select_related("user").get(table=game.table_id, seat__number=seat, until=None)
    assert holder.user is not None
    return holder.user


def other_than(seat: int) -> int:
    return (seat + 1) % 3


def shown(game: Game, seat: int, now: dt.datetime = LATER) -> Page:
    """The board that whoever sits there reads."""
    user = user_at(game, seat)
    board = updates_for(viewer=user, found=looking(viewer=user, code=game.code), now=now)
    context = {"board": board, "key": "k" * 16, "csrf_token": "t" * 64}
    return Page(render_to_string("games/board.html", context))


def banner(page: Page) -> str:
    return page.one(id="banner").text


def mark(page: Page, seat: int) -> str:
    return page.one("li", data_seat=str(seat)).text


def stand_in(game: Game, seat: int, now: dt.datetime = LATER) -> None:
    holder = Holder.objects.get(table=game.table_id, seat__number=seat, until=None)
    with writing():
        assert stood_in(table=table_locked(game.table_id), holder=holder, now=now)
    game.refresh_from_db()


class TestByWhen:
    @pytest.mark.parametrize("zone", ZONES)
    def test_each_reads_it_by_their_own_clock(self, zone: str) -> None:
        """R15."""
        game = slow_game()
        seat = awaited(game)
        with timezone.override(zone):
            page = shown(game, seat)
        assert banner(page) == f"Your turn lead the ace of spades {ZONES[zone]} (in 23 hours), or a bot plays."
        assert page.one("time", css="when").attrs["datetime"] == "2026-02-01T12:00:00+00:00"

    @pytest.mark.parametrize(
        ("missed", "mine", "theirs"),
        [
            ("bot", ", or a bot plays.", ", then a bot plays."),
            ("nudge", ", then you are asked again.", ", then they are asked again."),
            ("keep", ", or a bot plays on for you.", ", then a bot plays on."),
        ],
    )
    def test_and_what_happens_then(self, missed: str, mine: str, theirs: str) -> None:
        game = slow_game(missed=missed)
        seat = awaited(game)
        assert banner(shown(game, seat)).endswith(f"(in 23 hours){mine}")
        page = shown(game, other_than(seat))
        assert banner(page).endswith(f"Until Sun 12:00 UTC (in 23 hours){theirs}")
        assert mark(page, seat).endswith(", to play until Sun 12:00 UTC 23h")

    def test_who_has_missed_a_turn_reads_that_the_next_costs_their_seat(self) -> None:
        game = slow_game(people(3))
        seat = awaited(game)
        turn_due(game_id=game.pk, seat=seat, now=NOW + DAY)
        play_on(game, lambda state: seat in state.awaited)
        assert banner(shown(game, seat)).endswith(", or a bot plays on for you.")
        nudged = slow_game(people(3), missed="nudge")
        turn_due(game_id=nudged.pk, seat=awaited(nudged), now=NOW + DAY)
        page = shown(nudged, awaited(nudged), NOW + DAY)
        assert banner(page).endswith("By Mon 12:00 UTC (in 24 hours), or a bot plays on for you.")
        page = shown(nudged, other_than(awaited(nudged)), NOW + DAY)
        assert banner(page).endswith("Until Mon 12:00 UTC (in 24 hours), then a bot plays on.")

    def test_what_was_missed_before_they_were_back_counts_no_more(self) -> None:
        game = slow_game(people(3))
        seat = awaited(game)
        turn_due(game_id=game.pk, seat=seat, now=NOW + DAY)
        play_on(game, lambda state: seat in state.awaited)
        Holder.objects.filter(table=game.table_id, seat__number=seat).update(back=NOW + 2 * DAY)
        assert banner(shown(game, seat)).endswith(", or a bot plays.")

    def test_of_several_deadlines_the_first(self) -> None:
        game = game_of(Ruleset(opening="any_order"), persons=people(4))
        play_on(game, lambda state: state.entries == 1)
        game = paced(game, each_card(DAY))
        first, *others = sorted(game_state(game).awaited)
        Turn.objects.filter(game=game, seat=first).update(due_at=NOW + 3 * HOUR)
        reader = ({0, 1, 2, 3} - {first, *others}).pop()
        page = shown(game, reader)
        assert banner(page).endswith("The first deadline is 15:00 UTC (in 2 hours).")
        assert [len(mark(page, seat).partition("until")[2]) > 0 for seat in (first, *others)] == [True] * 3

    def test_bots_and_tables_without_hurry_have_none(self) -> None:
        for game in (game_of(persons=people(3)), slow_game(people(1), bots=3)):
            stranger = next(seat for seat in range(3) if seat not in game_state(game).awaited)
            page = shown(game, 0 if game.table.seats > 3 else stranger)
            assert not [each for each in page.all("time") if "far" in each.text or "due" in each.classes]

    def test_the_page_of_a_live_table_says_so(self) -> None:
        game = paced(game_of(persons=people(3)), live(dt.timedelta(seconds=30)))
        page = shown(game, awaited(game), NOW)
        assert "data-live" in page.board.attrs
        assert banner(page).endswith("By 12:00 UTC (in 30 seconds), or a bot plays.")
        assert page.one("button", form="extend").text == "More time"
        assert page.one("form", id="extend").attrs["action"] == f"/games/{game.code}/extend/"


class TestStops:
    def test_a_halt_a_pause_a_vote_and_days_away(self) -> None:
        game = slow_game()
        seat = awaited(game)
        other = other_than(seat)
        Vacation.objects.create(
            user=user_at(game, seat), first=NOW.date(), last=dt.date(2026, 2, 12), zone="UTC", made=NOW
        )
        page = shown(game, other)
        assert banner(page).startswith(f"P{seat}\u2019s turn. Look again Away until 12 February. Until ")
        assert ", to play until Sun 12:00 UTC, away until 12 February " in mark(page, seat)
        assert f"P{seat} is away until 12 February." in [each.text for each in page.all("p", css="for")]
        Pause.objects.create(table=game.table, since=NOW, until=NOW + 2 * DAY)
        vote_opened(table_id=game.table_id, user=user_at(game, other), question=Question(Vote.Kind.RESUME), now=LATER)
        page = shown(game, seat)
        assert [(each.text, each.attrs["href"]) for each in page.all("a", css="flag")] == [
            ("Paused", "#paused"),
            ("Vote now", "#vote"),
        ]
        assert "Mon 12:00 UTC (in 47 hours)" in page.one(id="paused").text
        assert [each.text for each in shown(game, other).all("a", css="flag")] == ["Paused", "A vote is open"]
        Halt.objects.create(kind="freeze", since=NOW + HOUR / 2, why="New disks.")
        page = shown(game, seat)
        assert banner(page).endswith("The clocks stand still since 12:30 UTC.")
        assert not page.all("time", css="due")
        assert "12:30 UTC: New disks. Nobody loses time" in shown(game, other).one(css="halt").text

    def test_a_game_that_was_set_aside(self) -> None:
        game = slow_game()
        Game.objects.update(aside=NOW)
        page = shown(game, 0)
        assert page.one("a", css="flag").attrs["href"] == "#aside"
        assert page.one(id="aside").text.startswith("Something is wrong with this table: it is being looked at.")

    def test_all_of_it_costs_eight_queries(self, django_assert_num_queries: DjangoAssertNumQueries) -> None:
        """S35."""
        game = lets(slow_game(), "anyone")
        Pause.objects.create(table=game.table, since=NOW, until=timezone.now() + DAY)
        vote_opened(
            table_id=game.table_id, user=user_at(game, 0), question=Question(Vote.Kind.RESUME), now=timezone.now()
        )
        stand_in(game, 2)
        for client in (clients(game)[0], watcher()):
            with django_assert_num_queries(8):
                page = page_of(client, f"/games/{game.code}/")
            assert len(page.all("a", css="flag")) >= 1


class TestStandIns:
    def test_they_may_look_and_come_back(self) -> None:
        game = slow_game()
        seat = awaited(game)
        client, path = clients(game)[seat], f"/games/{game.code}/"
        stand_in(game, seat)
        page = page_of(client, path)
        assert banner(page) == "A bot plays for you It is about to play. Look again I am back"
        assert (page.state, page.playable, page.takes) == ("waiting", [], [])
        assert {each.attrs["data-why"] for each in page.all(css="card")} == {
            "A bot plays for you: tap I am back first."
        }
        assert client.post(f"{path}back/").headers["Location"] == path
        page = page_of(client, path)
        assert page.state == "my-turn"
        assert not page.all("form", id="back")

    def test_the_others_read_who_is_not_there(self) -> None:
        game = slow_game()
        seat = awaited(game)
        stand_in(game, seat)
        page = shown(game, other_than(seat))
        assert f"P{seat}, a bot plays for them" in mark(page, seat)
        assert "data-awaited" in page.one("li", data_seat=str(seat)).attrs
        assert not page.all("time")
        assert f"A bot plays for P{seat} until they are back." in [each.text for each in page.all("p", css="for")]
        assert not page.all("form", id="back")

    @pytest.mark.parametrize("action", ["back", "wait", "object"])
    def test_nobody_else_does_it_for_them(self, action: str) -> None:
        game = lets(slow_game(), "anyone")
        path = f"/games/{game.code}/{action}/"
        assert client_of(person("Outsider")).post(path).status_code == 404
        assert client_of(person("Outsider")).post(f"/games/bbbbbbbbbb/{action}/").status_code == 404
        assert clients(game)[0].get(path).status_code == 405
        assert watcher().post(path).status_code == 404


class TestOnlyCards:
    def test_their_owner_may_hold_them_back(self) -> None:
        game = slow_game()
        seat = awaited(game)
        Turn.objects.update(order_at=LATER)
        assert banner(shown(game, seat)).endswith("Your only card goes by itself in a moment. Wait")
        assert "goes by itself" not in shown(game, other_than(seat)).html
        hold = shown(game, seat).one("form", id="wait").attrs["action"]
        answer = clients(game)[seat].post(hold, headers={"HX-Request": "true"})
        assert "goes by itself" not in answer.content.decode()
        assert turn_of(game).order_at is None


class TestWhoLooks:
    def test_a_page_that_is_looked_at_says_so(self) -> None:
        game = lets(slow_game(), "anyone")
        user = user_at(game, 0)
        news = f"/games/{game.code}/board/?since={game.version}.{game.revision}"
        assert client_of(user).get(news).status_code == 204
        assert not is_here(user.pk, game.pk)
        assert client_of(user).get(f"{news}&visible=1").status_code == 204
        assert is_here(user.pk, game.pk)
        onlooker = person("Onlooker")
        assert client_of(onlooker).get(f"{news}&visible=1").status_code == 204
        assert not is_here(onlooker.pk, game.pk)

    def test_a_cache_that_fails_is_left_alone_for_a_while(self, monkeypatch: pytest.MonkeyPatch) -> None:
        asked = []

        def hangs(keys: object, *_: object) -> dict[str, int]:
            asked.append(keys)
            raise TimeoutError

        monkeypatch.setattr(presence._Rest, "over", 0.0)
        presence.looked(1, 1)
        with monkeypatch.context() as broken:
            for name in ("get_many", "set_many"):
                broken.setattr(f"games.services.presence.cache.{name}", hangs)
            assert not is_here(1, 1)
            presence.looked(2, 1)
            assert len(asked) == 1
        assert not is_here(1, 1)
        monkeypatch.setattr(presence._Rest, "over", 0.0)
        assert (is_here(1, 1), is_here(2, 1)) == (True, False)
