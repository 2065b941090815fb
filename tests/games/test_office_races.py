"""Two operators at once, an operator and a card, an operator and the sweep: one comes first, the other is told."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import User
from games.clocks.pace import each_card
from games.models import Audit, Correction, Game, Holder, Move, Notice, Result, Table, Turn
from games.rules.errors import IllegalMove
from games.selectors.effective import effective_of
from games.selectors.games import game_state
from games.services.office.clocks import deadlines_extend, site_freeze
from games.services.office.errors import Changed, FrozenAlready
from games.services.office.people import guest_merge, person_ban
from games.services.office.results import correction_undo, game_end, result_correct
from games.services.office.seats import seat_replace
from games.services.office.seen import seen_of
from games.services.office.tables import table_close
from games.services.play import Outcome
from games.services.pulse import pulsed
from games.services.verify import game_verify
from tests.games.office import WHY, boss
from tests.games.pacing import DAY, paced
from tests.games.stored import NOW, chosen, game_of, in_threads, over, people, person, play, play_on
from tests.games.sweeping import MINUTE, sweep
from tests.games.telling import HOUR

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite_too]


@pytest.fixture
def both() -> list[User]:
    return [boss("Ann"), boss("Ben")]


def once(results: list[object], error: type[Exception]) -> None:
    """One came first; whoever came second is told."""
    kinds = Counter(type(each).__name__ for each in results)
    assert kinds.pop(error.__name__) == len(results) - 1, results
    assert sum(kinds.values()) == 1
    assert Audit.objects.count() == 1
    audit = Audit.objects.get()
    rows = Notice.objects.filter(key__startswith=f"office:{audit.pk}:")
    assert rows.count() == rows.values("user").distinct().count()
    assert rows.count() == Notice.objects.filter(kind__startswith="office").count()


def test_of_two_corrections_one_counts(both: list[User]) -> None:
    game = over(game_of(persons=people(4)))
    seen, losers = seen_of(game), [seat for seat in range(4) if seat != game.result.loser]

    def act(at: int) -> Correction:
        given: dict[str, Any] = {"game_id": game.pk, "by": both[at], "why": WHY, "cards_left": 1, "now": NOW}
        return result_correct(**given, loser=losers[at], seen=seen)

    once(in_threads(2, act), Changed)
    correction = Correction.objects.get()
    assert correction.audit.by == both[losers.index(correction.loser or 0)]
    assert effective_of([game])[game.pk].number == 1
    game_verify(game_id=game.pk)


def test_a_correction_is_undone_once(both: list[User]) -> None:
    game = over(game_of(persons=people(4)))
    given: dict[str, Any] = {"why": WHY, "now": NOW}
    correction = result_correct(game_id=game.pk, by=both[0], loser=None, seen=seen_of(game), **given)
    seen = seen_of(correction)

    def act(at: int) -> Correction:
        return correction_undo(correction_id=correction.pk, by=both[at], seen=seen, **given)

    results = in_threads(2, act)
    assert Counter(type(each).__name__ for each in results) == {"Correction": 1, "NotNewest": 1}
    assert effective_of([game])[game.pk].number == 2


ACTS: dict[str, Callable[[Game, User, str], object]] = {
    "end": lambda game, by, seen: game_end(game_id=game.pk, by=by, why=WHY, seen=seen, now=NOW),
    "extend": lambda game, by, seen: deadlines_extend(game_id=game.pk, by=by, why=WHY, length=HOUR, seen=seen, now=NOW),
}


@pytest.mark.parametrize("name", ACTS)
def test_of_two_who_act_on_a_game_one_does(both: list[User], name: str) -> None:
    game = game_of(persons=people(4))
    play_on(game, lambda state: state.tricks == 1)
    paced(game, each_card(DAY))
    seen = seen_of(Game.objects.get())
    once(in_threads(2, lambda at: ACTS[name](game, both[at], seen)), Changed)
    assert [each.extended for each in Turn.objects.all()] in ([], [HOUR])
    game_verify(game_id=game.pk)


def test_of_two_who_act_on_a_table_one_does(both: list[User]) -> None:
    game = game_of(persons=people(4))
    table = Table.objects.get()
    given: dict[str, Any] = {"table_id": table.pk, "why": WHY, "seen": seen_of(table), "now": NOW}
    acts: list[Callable[[], object]] = [
        lambda: seat_replace(by=both[0], seat=1, **given),
        lambda: table_close(by=both[1], **given),
    ]
    once(in_threads(2, lambda at: acts[at]()), Changed)
    game_verify(game_id=game.pk)


def test_of_two_who_keep_somebody_out_one_does(both: list[User]) -> None:
    persons = people(4)
    game_of(persons=persons)
    given: dict[str, Any] = {"user_id": persons[0].pk, "why": WHY, "seen": seen_of(persons[0]), "now": NOW}
    once(in_threads(2, lambda at: person_ban(by=both[at], **given)), Changed)


def test_two_who_stop_the_clocks_stop_them_once(both: list[User]) -> None:
    once(in_threads(2, lambda at: site_freeze(by=both[at], why=WHY, now=NOW)), FrozenAlready)


def test_a_guest_is_kept_out_or_becomes_part_of_an_account(both: list[User]) -> None:
    gul, nani = User.objects.create_guest("Gul"), person("Nani")
    games = [game_of(persons=[gul, *people(2)]) for _ in range(3)]
    seen = seen_of(gul)
    given: dict[str, Any] = {"why": WHY, "seen": seen, "now": NOW}
    acts: list[Callable[[], object]] = [
        lambda: person_ban(user_id=gul.pk, by=both[0], **given),
        lambda: guest_merge(guest_id=gul.pk, into_id=nani.pk, by=both[1], **given),
    ]
    results = in_threads(2, lambda at: acts[at]())
    kinds = Counter(type(each).__name__ for each in results)
    assert kinds in ({"Audit": 1, "Changed": 1}, {"Audit": 1, "UserGone": 1})
    holders = set(Holder.objects.filter(seat__number=0).values_list("user", flat=True))
    assert holders in ({gul.pk}, {nani.pk})
    for game in games:
        game_verify(game_id=game.pk)


def test_a_card_and_the_end_of_its_game(both: list[User]) -> None:
    game = game_of(persons=people(4))
    state = play_on(game, lambda state: state.tricks == 1 and len(state.trick) == 1)
    move, seen = chosen(state, state.awaited[0]), seen_of(game)
    acts: list[Callable[[], object]] = [
        lambda: play(game, move, version=state.entries),
        lambda: game_end(game_id=game.pk, by=both[0], why=WHY, seen=seen, now=NOW),
    ]
    card, audit = in_threads(2, lambda at: acts[at]())
    # The end comes in any case; the card got in before it, or is refused as one of a game that is over.
    assert isinstance(audit, Audit)
    assert isinstance(card, Outcome | IllegalMove), card
    assert Move.objects.filter(game=game).count() == state.entries + isinstance(card, Outcome)
    assert game_state(Game.objects.get()).result is not None
    assert Result.objects.get().stopped
    assert not Turn.objects.exists()
    game_verify(game_id=game.pk)


def test_the_sweep_and_the_end_of_a_game(both: list[User]) -> None:
    game = game_of(persons=people(4))
    play_on(game, lambda state: state.tricks == 1)
    paced(game, each_card(DAY))
    game = Game.objects.select_related("table").get()
    at, before, seen = NOW + DAY + 6 * MINUTE, Move.objects.count(), seen_of(game)
    pulsed(name="sweep", now=at)
    acts: list[Callable[[], object]] = [
        lambda: sweep(at),
        lambda: game_end(game_id=game.pk, by=both[0], why=WHY, seen=seen, now=at),
    ]
    swept, audit = in_threads(2, lambda number: acts[number]())
    assert isinstance(audit, Audit), audit
    assert not getattr(swept, "failed", True), swept
    assert Move.objects.count() - before in (0, 1)
    assert not Turn.objects.exists()
    game_verify(game_id=game.pk)
    # Nothing is due there any more.
    assert sweep(at + MINUTE).ended == 0
