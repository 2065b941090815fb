import pytest

from games.models import Audit, Correction, Game, Notice, Result
from games.selectors.effective import effective_of
from games.services.office.errors import Changed
from games.services.office.results import correction_undo, deal_void, game_end, result_correct
from games.services.office.seen import seen_of
from tests.games.stored import NOW, game_of, over, people, person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite_too]


def test_a_result_is_corrected_and_the_correction_undone() -> None:
    game, boss = over(game_of(persons=people(4))), person("Boss")
    first = effective_of([game])[game.pk]
    assert first.result.loser is not None and first.holder is not None
    loser = (first.result.loser + 1) % 4
    correction = result_correct(
        game_id=game.pk, by=boss, why="She left by mistake.", loser=loser, cards_left=3, seen=seen_of(game), now=NOW
    )
    now = effective_of([game.pk])[game.pk]
    assert (now.result.loser, now.result.cards_left, now.number, now.corrected) == (loser, 3, 1, True)
    with pytest.raises(Changed):
        deal_void(game_id=game.pk, by=boss, why="So.", seen="", now=NOW)
    again = correction_undo(correction_id=correction.pk, by=boss, why="No.", seen=seen_of(correction), now=NOW)
    assert again.undoes == correction
    assert effective_of([game])[game.pk].result == first.result
    assert (Audit.objects.count(), Correction.objects.count()) == (2, 2)
    assert Notice.objects.filter(kind="office_result").count() == 8


def test_a_game_is_ended() -> None:
    game, boss = game_of(persons=people(4)), person("Boss")
    game_end(game_id=game.pk, by=boss, why="Stuck.", seen=seen_of(game), now=NOW)
    game = Game.objects.get()
    assert game.status == Game.Status.OVER
    assert Result.objects.get().stopped
    assert effective_of([game])[game.pk].result.stopped
