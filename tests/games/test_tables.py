from collections import Counter
from typing import Any

import pytest
from django.db import IntegrityError

from games.models import Deal, Game, Holder, Seat, Table, Turn, WastePile
from games.rules.cards import hand_of
from games.rules.deal import check_deal, deal_hands, full_deck
from games.rules.errors import RecordError
from games.rules.ruleset import PRESETS, Ruleset
from games.rules.shuffle import keyed_source, shuffled
from games.selectors.games import game_state, held_seats, holders_of, rules_of, seat_of
from games.services import dealing
from games.services.bot_names import BOT_NAMES
from games.services.dealing import game_next, game_start
from games.services.errors import GameRunning, SeriesOver, TableGone
from games.services.tables import SeatPlan, TablePlan, table_create, table_open
from tests.games.stored import NOW, SECRET, everything, game_of, people, person, play_on, table_of

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_too]


def test_a_table_has_everybody_seated() -> None:
    nani, roza = person("Nani"), person("Roza")
    plans = [SeatPlan(user=nani), SeatPlan(bot="easy"), SeatPlan(user=roza), SeatPlan(bot="medium", name="Golu")]
    rules = Ruleset(power="escape")
    wanted = TablePlan(nani, "Nani's", rules, deals=5, title="Chai Maker")
    table = table_create(plan=wanted, seats=plans, now=NOW)
    table = Table.objects.get(pk=table.pk)
    assert (table.name, table.host, table.seats, table.deals, table.title) == ("Nani's", nani, 4, 5, "Chai Maker")
    assert (table.rules, table.rules_version, table.show_voids, table.created) == (rules.as_dict(), 1, True, NOW)
    assert list(Seat.objects.filter(table=table).values_list("number", flat=True)) == [0, 1, 2, 3]
    found = [(holder.seat.number, holder.user, holder.bot) for holder in holders_of(table)]
    assert found == [(0, nani, ""), (1, None, "easy"), (2, roza, ""), (3, None, "medium")]
    names = [holder.name for holder in holders_of(table)]
    assert names[0::2] == ["Nani", "Roza"]
    assert names[1] in BOT_NAMES
    assert names[3] == "Golu"


def test_codes_are_random_and_spell_nothing() -> None:
    games = [game_of(bots=3) for _ in range(20)]
    codes = [game.code for game in games] + [game.table.code for game in games]
    assert len(set(codes)) == 40
    assert {len(code) for code in codes} == {8, 10}
    assert not set("".join(codes)).intersection("01aceiouhdsl")


def test_bots_have_names_of_their_own() -> None:
    plans = [SeatPlan(user=person("roza")), *(SeatPlan(bot="easy") for _ in range(11))]
    table = table_create(plan=TablePlan(None, "Big", Ruleset(packs=2)), seats=plans, now=NOW)
    names = Counter(holder.name.casefold() for holder in holders_of(table))
    assert len(names) == 12
    assert len(BOT_NAMES) >= 24


@pytest.mark.parametrize(
    ("seats", "error"),
    [
        (["easy"] * 2, RecordError),
        (["easy"] * 9, RecordError),
        (["easy", "easy", "grandmaster"], ValueError),
        (["easy", "easy", ""], ValueError),
    ],
)
@pytest.mark.parametrize("act", [table_create, table_open])
def test_seats_that_cannot_be_are_refused(act: Any, seats: list[str], error: type[Exception]) -> None:
    before = everything()
    with pytest.raises(error):
        act(plan=TablePlan(None, "No", Ruleset()), seats=[SeatPlan(bot=bot) for bot in seats], now=NOW)
    assert everything() == before


def test_a_person_sits_once_and_not_as_a_bot() -> None:
    nani = person()
    plans = [SeatPlan(user=nani), SeatPlan(user=nani), SeatPlan(bot="easy")]
    with pytest.raises(ValueError, match="for a person or for a bot"):
        table_create(plan=TablePlan(None, "No", Ruleset()), seats=[SeatPlan(nani, "easy"), *plans[1:]], now=NOW)
    with pytest.raises(IntegrityError):
        table_create(plan=TablePlan(None, "No", Ruleset()), seats=plans, now=NOW)


@pytest.mark.django_db(transaction=True)
def test_a_table_opens_with_its_first_game_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    plan, seats = TablePlan(person(), "Ours", Ruleset()), [SeatPlan(bot="easy")] * 3

    def broken(**_: Any) -> None:
        raise ZeroDivisionError

    before = everything()
    with monkeypatch.context() as patched:
        patched.setattr(dealing, "game_projected", broken)
        with pytest.raises(ZeroDivisionError):
            table_open(plan=plan, seats=seats, now=NOW)
    assert everything() == before
    game = table_open(plan=plan, seats=seats, now=NOW)
    assert (game.number, game.table.name, len(game_state(game).hands)) == (1, "Ours", 3)


class TestDeal:
    def test_is_the_shuffle_of_its_secret_from_the_seat_after_the_dealer(self) -> None:
        game = game_of(bots=5, dealer=3)
        deal = Deal.objects.get(game=game)
        deck = shuffled(full_deck(Ruleset()), keyed_source(SECRET, "deck"))
        assert tuple(map(hand_of, deal.hands)) == deal_hands(Ruleset(), 5, 3, deck)
        assert (bytes(deal.secret), bytes(deal.hash), game.dealer) == (SECRET, bytes(game.last_hash), 3)
        check_deal(Ruleset(), 3, tuple(map(hand_of, deal.hands)))

    def test_is_fresh_each_time_by_the_systems_randomness(self) -> None:
        games = [game_start(table_id=table_of(bots=4).pk, now=NOW) for _ in range(20)]
        deals = [Deal.objects.get(game=game) for game in games]
        assert len({bytes(deal.secret) for deal in deals}) == 20
        assert {len(bytes(deal.secret)) for deal in deals} == {32}
        assert len({tuple(deal.hands) for deal in deals}) == 20
        assert len({game.dealer for game in games}) > 1

    def test_everything_of_a_new_game(self) -> None:
        nani, roza = people(2)
        game = game_of(PRESETS["Strict table"], persons=[nani, roza], bots=1)
        state = game_state(game)
        game = Game.objects.get(pk=game.pk)
        assert (game.number, game.version, game.revision, game.status) == (1, 0, 1, "running")
        assert (game.created, game.ended, rules_of(game)) == (NOW, None, PRESETS["Strict table"])
        assert list(Turn.objects.filter(game=game).values_list("seat", "since")) == [(state.power, NOW)]
        assert WastePile.objects.get(game=game).cards == ""
        assert [seat_of(game, nani), seat_of(game, roza), seat_of(game, person())] == [0, 1, None]

    def test_a_rule_changed_at_the_table_later_is_not_the_games(self) -> None:
        game = game_of(bots=3)
        Table.objects.filter(pk=game.table_id).update(rules=Ruleset(taking="off").as_dict())
        assert rules_of(Game.objects.get(pk=game.pk)).taking == "anyone"


class TestSeries:
    def over(self, table: Table) -> Game:
        game = Game.objects.filter(table=table).latest("number")
        play_on(game, lambda state: state.result is not None)
        return game

    @pytest.mark.parametrize(("direction", "dealers"), [("clockwise", [2, 0, 1]), ("anticlockwise", [2, 1, 0])])
    def test_the_deal_goes_round(self, direction: Any, dealers: list[int]) -> None:
        table = table_of(Ruleset(direction=direction), bots=3, deals=3)
        game_start(table_id=table.pk, now=NOW, source=lambda seats: seats - 1)
        self.over(table)
        game_next(table_id=table.pk, now=NOW)
        self.over(table)
        game_next(table_id=table.pk, now=NOW)
        self.over(table)
        games = Game.objects.filter(table=table).order_by("number")
        assert [game.dealer for game in games] == dealers
        before = everything()
        with pytest.raises(SeriesOver):
            game_next(table_id=table.pk, now=NOW)
        assert everything() == before

    def test_only_when_the_last_is_over(self) -> None:
        table = table_of(bots=3, deals=3)
        with pytest.raises(GameRunning):
            game_next(table_id=table.pk, now=NOW)
        game_start(table_id=table.pk, now=NOW)
        before = everything()
        with pytest.raises(GameRunning):
            game_next(table_id=table.pk, now=NOW)
        with pytest.raises(GameRunning):
            game_start(table_id=table.pk, now=NOW)
        assert everything() == before

    def test_no_such_table(self) -> None:
        for act in (game_start, game_next):
            with pytest.raises(TableGone):
                act(table_id=0, now=NOW)


def test_who_left_holds_no_seat() -> None:
    nani = person()
    game = game_of(persons=[nani], bots=3)
    holder = Holder.objects.get(table=game.table, user=nani)
    holder.until = NOW
    holder.save()
    Holder.objects.create(table=game.table, seat=holder.seat, bot="easy", name="Bilal", since=NOW)
    assert seat_of(game, nani) is None
    assert held_seats(game.table_id)[0].bot == "easy"
    assert holders_of(game.table)[0].name == "Bilal"
