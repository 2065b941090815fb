"""Leaving a table, being taken from it, and bots that play on."""

import datetime as dt
from typing import Any

import pytest

from accounts.models import User
from games.models import Game, Holder, Invite, Table, Turn
from games.selectors.games import game_state, held_seats
from games.services import errors
from games.services.dealing import game_next
from games.services.hosting import table_closed
from games.services.seats import seat_handed, seat_join, seat_left, seat_removed
from tests.games.gathering import LATER, check_seats_whole, draft, invite, seated, sit, told
from tests.games.stored import NOW, chosen, everything, over, person, play

LATEST = LATER + dt.timedelta(minutes=1)

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(nani: User) -> Table:
    """Nani's, in the lobby, with three free seats."""
    return draft(nani)


def begun(nani: User, persons: int = 3, **plan: Any) -> Game:
    """A game of Nani and others who have sat down one after the other."""
    table = draft(nani, persons, **plan)
    for number in range(persons):
        sit(table, person(f"P{number + 1}"))
    return Game.objects.get(table=table)


class TestLeaveBeforeTheStart:
    def test_frees_the_seat_as_if_nobody_had_sat_there(self, table: Table) -> None:
        roza = person("Roza")
        before = everything()
        sit(table, roza)
        seat_left(table_id=table.pk, user=roza, now=LATER)
        after = everything()
        assert after.pop("Notice")
        assert after == {name: rows for name, rows in before.items() if name != "Notice"}
        assert sit(table, roza).seat.number == 1

    def test_and_their_invitation_is_good_again(self, nani: User) -> None:
        table, roza = draft(nani, joins="invited"), person("Roza")
        asked = invite(table, "roza@example.org")
        sit(table, roza, invite=asked)
        seat_left(table_id=table.pk, user=roza, now=LATER)
        asked.refresh_from_db()
        assert asked.accepted is None
        sit(table, roza, invite=asked)

    def test_a_host_who_leaves_hands_over_to_who_sat_longest(self, table: Table, nani: User) -> None:
        Table.objects.filter(pk=table.pk).update(starts="host")
        guest, bilal, roza = User.objects.create_guest("Guest"), person("Bilal"), person("Roza")
        # A guest can invite nobody, and is asked last.
        seat_join(table_id=table.pk, user=guest, invite=invite(table), now=NOW)
        sit(table, roza)
        seat_join(table_id=table.pk, user=bilal, now=NOW)
        for leaver, heir in ((nani, bilal), (bilal, roza), (roza, guest)):
            seat_left(table_id=table.pk, user=leaver, now=LATER)
            table.refresh_from_db()
            assert (table.host, table.status) == (heir, "open")
        assert told("host_handed") == ["Bilal", "Roza", "Guest"]

    def test_and_closes_it_if_nobody_else_sits_there(self, nani: User) -> None:
        table = draft(nani, 2, bots=1)
        seat_left(table_id=table.pk, user=nani, now=LATER)
        table.refresh_from_db()
        assert (table.status, table.closed) == ("closed", LATER)


class TestLeaveWhilePlaying:
    def test_a_bot_plays_on_at_once(self, nani: User, sent: Any, django_capture_on_commit_callbacks: Any) -> None:
        game = begun(nani)
        state = game_state(game)
        seat = state.awaited[0]
        leaver = Holder.objects.get(table=game.table, seat__number=seat)
        assert leaver.user is not None
        game.refresh_from_db()
        sent()
        with django_capture_on_commit_callbacks(execute=True):
            seat_left(table_id=game.table_id, user=leaver.user, now=LATER)
        after = Game.objects.get(pk=game.pk)
        assert (after.version, after.revision) == (game.version, game.revision + 1)
        assert after.last_hash == game.last_hash
        assert held_seats(game.table_id)[seat].bot == "medium"
        leaver.refresh_from_db()
        assert leaver.until == LATER
        turn = Turn.objects.get(game=game)
        assert (turn.seat, turn.since) == (seat, LATER)
        assert turn.due_at is not None
        assert sent() == [("games.bot_turn", [game.pk, game.version], True)]
        check_seats_whole(game.table)
        names = [name for _, name, _ in seated(game.table)]
        assert leaver.name not in names

    def test_who_waits_for_somebody_else_takes_no_turn_along(self, nani: User) -> None:
        game = begun(nani)
        before = list(Turn.objects.values_list())
        seat = next(each for each in range(4) if each not in game_state(game).awaited)
        seat_handed(table_id=game.table_id, seat=seat, bot="easy", now=LATER)
        assert list(Turn.objects.values_list()) == before
        assert held_seats(game.table_id)[seat].bot == "easy"

    def test_nobody_comes_back(self, nani: User) -> None:
        game = begun(nani)
        seat_left(table_id=game.table_id, user=nani, now=LATER)
        before = everything()
        with pytest.raises(errors.NotYourSeat):
            seat_left(table_id=game.table_id, user=nani, now=LATER)
        with pytest.raises(errors.SatBefore):
            sit(game.table, nani)
        with pytest.raises(errors.SeatEmpty):
            seat_handed(table_id=game.table_id, seat=0, now=LATER)
        with pytest.raises(errors.NotYourSeat):
            play(game, chosen(game_state(game), game_state(game).awaited[0]), user_id=nani.pk, actor="hand")
        assert everything() == before

    def test_the_loss_is_theirs_who_left(self, nani: User) -> None:
        game = begun(nani, deals=2)
        for user in User.objects.all():
            seat_left(table_id=game.table_id, user=user, now=LATEST)
        result = over(game).result
        assert result.holder is not None
        assert (result.holder.bot, result.holder.until) == ("", LATEST)
        assert result.holder.seat.number == result.loser
        # Nobody is left who could ask for the second deal.
        game.table.refresh_from_db()
        assert game.table.status == "over"

    def test_but_not_in_the_next_deal(self, nani: User) -> None:
        game = begun(nani, deals=2)
        over(game)
        others = list(User.objects.exclude(pk=nani.pk))
        for user in others:
            seat_left(table_id=game.table_id, user=user, now=NOW)
        fresh = game_next(table_id=game.table_id, now=LATER)
        result = over(fresh).result
        assert result.holder is not None
        assert result.holder.until is None
        assert bool(result.holder.bot) == (result.loser != 0)

    def test_between_deals_the_board_changes_and_the_last_to_leave_ends_it(self, nani: User) -> None:
        game = over(begun(nani, deals=2))
        for left, user in enumerate(User.objects.all(), 1):
            seat_left(table_id=game.table_id, user=user, now=LATER)
            table = Table.objects.get()
            assert Game.objects.get().revision == game.revision + left
            assert table.status == ("over" if left == 4 else "running")
        with pytest.raises(errors.SeriesOver):
            game_next(table_id=game.table_id, now=LATER)

    def test_a_host_who_leaves_hands_over(self, nani: User) -> None:
        game = begun(nani)
        seat_left(table_id=game.table_id, user=nani, now=LATER)
        host = Table.objects.get().host
        assert host is not None
        assert host.name == "P1"

    def test_the_series_is_over_with_its_last_card(self, nani: User) -> None:
        game = over(begun(nani))
        assert Table.objects.get().status == "over"
        before = everything()
        with pytest.raises(errors.TableOver):
            seat_left(table_id=game.table_id, user=nani, now=LATER)
        with pytest.raises(errors.TableOver):
            seat_handed(table_id=game.table_id, seat=0, now=LATER)
        assert everything() == before


def test_before_the_start_no_bot_plays_on(table: Table, nani: User) -> None:
    with pytest.raises(errors.TableNotStarted):
        seat_handed(table_id=table.pk, seat=0, now=LATER)
    table_closed(table_id=table.pk, host=nani, now=LATER)
    with pytest.raises(errors.TableClosed):
        seat_handed(table_id=table.pk, seat=0, now=LATER)
    with pytest.raises(errors.TableClosed):
        seat_left(table_id=table.pk, user=nani, now=LATER)


class TestRemove:
    def test_the_person_is_told_and_their_invitation_ends(self, nani: User) -> None:
        table, roza = draft(nani, joins="invited"), person("Roza")
        theirs, others = invite(table, str(roza.email)), invite(table, "x@example.org")
        sit(table, roza, invite=theirs)
        seat_removed(table_id=table.pk, host=nani, seat=1, now=LATER)
        assert seated(table) == [(0, "Nani", "")]
        assert told("seat_removed") == ["Roza"]
        assert list(Invite.objects.filter(revoked=None)) == [others]
        with pytest.raises(errors.Removed):
            sit(table, roza, invite=theirs)
        sit(table, roza, invite=invite(table, "again@example.org", created=LATER.replace(hour=23)))
        check_seats_whole(table)

    def test_a_bot_makes_room(self, nani: User) -> None:
        table = draft(nani, 1, bots=2)
        seat_removed(table_id=table.pk, host=nani, seat=1, now=LATER)
        assert [seat for seat, _, _ in seated(table)] == [0, 2]

    @pytest.mark.parametrize(("seat", "error"), [(0, errors.SeatEmpty), (2, errors.SeatEmpty), (9, errors.SeatEmpty)])
    def test_not_oneself_and_not_nobody(self, table: Table, nani: User, seat: int, error: type[Exception]) -> None:
        sit(table)
        stranger = person()
        before = everything()
        with pytest.raises(error):
            seat_removed(table_id=table.pk, host=nani, seat=seat, now=LATER)
        with pytest.raises(errors.NotHost):
            seat_removed(table_id=table.pk, host=stranger, seat=1, now=LATER)
        assert everything() == before

    def test_not_once_the_cards_are_dealt(self, nani: User) -> None:
        game = begun(nani)
        before = everything()
        with pytest.raises(errors.TableStarted):
            seat_removed(table_id=game.table_id, host=nani, seat=1, now=LATER)
        assert everything() == before
