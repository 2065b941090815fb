"""Boards that are made together are each what they would be alone: nobody's part comes into another's."""

import re
from typing import Any, Final

import pytest
from django.utils import timezone

from accounts.models import Block, User
from accounts.services import block_set
from games.live import kept
from games.live.frames import Asked, Frame, NoPerson, board_frames
from games.models import Game, Table
from games.selectors.company import NotAtTable
from games.selectors.faces import LIES
from games.selectors.games import game_state
from games.selectors.sight import HasLeft
from games.selectors.updates import Since, updates_for
from games.services.seats import seat_handed
from tests.games.pacing import slow_game
from tests.games.pages import clients, page_of
from tests.games.sameness import normal
from tests.games.stored import NOW, chosen, people, person, play, play_on
from tests.games.watching import invite_to, lets

pytestmark = pytest.mark.django_db

_HELD: Final = re.compile(r'id="card-(\w\w)-\d"')
_TIME: Final = re.compile(r"until ([^<]*)</span>")


def together(game: Game, asked: list[Asked], **more: Any) -> list[Frame | Exception | None]:
    return board_frames(code=game.code, asked=asked, now=timezone.now(), **more)


def html_of(frame: Frame | Exception | None) -> str:
    assert isinstance(frame, Frame), frame
    return normal(frame.html)


def played(game: Game) -> Game:
    play_on(game, lambda state: state.entries >= 14)
    return game


def test_each_board_of_many_is_its_viewers_own(django_assert_max_num_queries: Any) -> None:
    users = people(4)
    game = lets(played(slow_game(users)), Table.Watch.ANYONE)
    for user, zone in zip(users, ("Asia/Kolkata", "America/New_York", "", "Pacific/Auckland"), strict=True):
        User.objects.filter(pk=user.pk).update(zone=zone)
    # The first of them has another game to go to, and one of them watches from a link alone.
    other = slow_game([users[0], *people(3)])
    play_on(other, lambda state: state.entries > 0 and state.awaited == (0,))
    link = invite_to(game.table)
    asked = [Asked(user.pk, lie=lie) for user, lie in zip(users, LIES.values(), strict=True)]
    asked += [Asked(person("Watcher").pk), Asked(None, (link.pk,)), asked[2]]
    kept.forget()
    with django_assert_max_num_queries(8):
        found = together(game, asked)
    assert [html_of(each) for each in found] == [html_of(together(game, [each])[0]) for each in asked]
    hands = game_state(game).hands
    for seat, each in enumerate(found[:4]):
        assert sorted(_HELD.findall(html_of(each))) == sorted(card.code for card in hands[seat])
    assert [_HELD.findall(html_of(each)) for each in found[4:6]] == [[], []]
    assert [f"/games/{other.code}/" in html_of(each) for each in found] == [True] + [False] * 6
    # Noon, by everybody's own clock.
    assert len({_TIME.findall(each.html)[0] for each in found[:4] if isinstance(each, Frame)}) == 4


def test_what_one_cannot_have_is_nobody_elses(monkeypatch: pytest.MonkeyPatch) -> None:
    users = people(4)
    game = lets(played(slow_game(users)), Table.Watch.ANYONE)
    Table.objects.filter(pk=game.table_id).update(host=users[0])
    blocked, watcher = person("Blocked"), person("Watcher")
    block_set(owner=users[0], other=blocked)
    User.objects.filter(pk=users[3].pk).update(is_active=False)

    def broken(*, viewer: Any, **given: Any) -> Any:
        return 1 // (viewer.pk != users[1].pk) and updates_for(viewer=viewer, **given)

    monkeypatch.setattr("games.live.frames.updates_for", broken)
    asked = [Asked(each.pk) for each in (users[3], blocked, users[1], users[2], watcher)]
    asked += [Asked(None, (999_999,)), Asked(users[0].pk, since=Since(game.version, game.revision))]
    found = together(game, [*asked, Asked(users[0].pk, look=True)])
    kinds = [NoPerson, NotAtTable, ZeroDivisionError, Frame, Frame, NotAtTable, type(None), type(None)]
    assert [type(each) for each in found] == kinds


def test_rights_are_asked_anew_though_the_game_is_kept() -> None:
    users = people(4)
    game = lets(played(slow_game(users)), Table.Watch.ANYONE)
    Table.objects.filter(pk=game.table_id).update(host=users[0])
    watcher = person("Watcher")
    link = invite_to(game.table)
    asked = [Asked(watcher.pk), Asked(None, (link.pk,))]
    assert [type(each) for each in together(game, asked)] == [Frame, Frame]
    block_set(owner=users[0], other=watcher)
    assert [type(each) for each in together(game, asked)] == [NotAtTable, Frame]
    Block.objects.all().delete()
    type(link).objects.filter(pk=link.pk).update(revoked=NOW)
    assert [type(each) for each in together(game, asked)] == [Frame, NotAtTable]
    # No count of the game's says so.
    Table.objects.filter(pk=game.table_id).update(watch=Table.Watch.NOBODY)
    assert [type(each) for each in together(game, asked)] == [NotAtTable, NotAtTable]
    [asks] = [Asked(users[3].pk)]
    assert type(together(game, [asks])[0]) is Frame
    seat_handed(table_id=game.table_id, seat=3, now=timezone.now())
    game.refresh_from_db()
    assert type(together(game, [asks], rung=Since(game.version, game.revision))[0]) is HasLeft


@pytest.mark.parametrize("rung", [None, (0, 1), (1, 1)])
def test_a_kept_game_is_never_told_when_there_is_a_newer_one(rung: tuple[int, int] | None) -> None:
    users = people(4)
    game = played(slow_game(users))
    at = Since(game.version, game.revision)
    assert type(together(game, [Asked(users[0].pk)])[0]) is Frame
    state = game_state(game)
    play(game, chosen(state, state.awaited[0]))
    newest = None if rung is None else Since(at.version + rung[0], at.revision + rung[1])
    [found] = together(game, [Asked(users[0].pk, since=at)], rung=newest)
    assert isinstance(found, Frame)
    assert found.since == (at.version + 1, at.revision + 1)


def test_what_was_loaded_for_who_played_is_loaded_for_all(django_assert_num_queries: Any) -> None:
    users = people(4)
    game = played(slow_game(users))
    [seat] = game_state(game).awaited
    client = clients(game)[seat]
    page = page_of(client, f"/games/{game.code}/")
    answer = client.post(f"/games/{game.code}/play/", page.form(card=page.playable[0]), headers={"HX-Request": "true"})
    assert answer.status_code == 200
    game.refresh_from_db()
    asked = [Asked(each.pk) for each in users]
    with django_assert_num_queries(3):
        found = together(game, asked, rung=Since(game.version, game.revision))
    kept.forget()
    assert [html_of(each) for each in found] == [html_of(each) for each in together(game, asked)]
