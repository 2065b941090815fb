"""S1 to S10: whatever leaves the site, nobody can read a card in it that they may not know; and the same with others.

Random games by random rules. Every page, frame, mail, notice, archive, log line, metric, fault, ring and task is looked
at as everybody whom it reaches. Then the cards that somebody cannot know are dealt otherwise in the database itself:
all that they are served must be the same to a byte.
"""

import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import time_machine
from django.db import transaction
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from games.live.kept import forget
from games.models import Deal, Game, Move
from games.rules.cards import hand_text
from games.rules.legality import legal_cards
from games.rules.moves import Take
from games.rules.replay import steps
from games.rules.ruleset import SEATS_FOR_PACKS
from games.rules.state import GameState
from games.rules.view import public_view, seat_view
from games.selectors.games import dealt_state
from games.services import play as play_service
from tests.games.pages import without_randoms
from tests.games.push_service import Service, push_service
from tests.games.stored import NOW
from tests.games.test_verify import guards_off
from tests.games.test_views_watch import elsewhere, logged
from tests.random_games import random_rules
from tests.site import leaks
from tests.site.crawl import world
from tests.site.leaks import Stage, staged
from tests.site.watched import Ears, faults_kept, log_lines
from tests.watcher import Watcher

pytestmark = pytest.mark.django_db

WATCH = ("anyone", "link", "nobody")
SOME = [1, 2]
MANY = [pytest.param(seed, marks=pytest.mark.soak) for seed in range(3, 203)]


@pytest.fixture(scope="module")
def running() -> Iterator[Service]:
    with push_service() as found:
        yield found


@pytest.fixture
def clock() -> Iterator[Any]:
    with time_machine.travel(NOW, tick=False) as found:
        yield found


def stage_of(seed: int, service: Service, settings: Settings) -> Stage:
    service.got.clear()
    settings.PUSH_HOSTS = [service.origin]
    rng = Random(seed)
    rules = random_rules(rng, packs=1 if rng.random() < 0.8 else 2)
    seats = rng.choice([each for each in SEATS_FOR_PACKS[rules.packs] if each <= 6])
    return staged(rng, rules, seats, WATCH[seed % 3], service)


@pytest.mark.parametrize("seed", [*SOME, *MANY])
def test_nobody_learns_a_card_from_anything_that_leaves_the_site(
    seed: int,
    running: Service,
    settings: Settings,
    clock: Any,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    stage, ears = stage_of(seed, running, settings), Ears()
    ears.listen(monkeypatch)
    last, named, told = (12 if seed in SOME else 60), 0, 0
    moments = {stage.rng.randrange(6), *stage.rng.sample(range(6, last), 1 if seed in SOME else 4)}
    leaves = stage.rng.randrange(3, last)
    with log_lines() as lines, faults_kept() as envelopes:
        while stage.game.status == Game.Status.RUNNING and stage.game.version <= max(moments):
            if stage.game.version in moments:
                named += sum(leaks.check_role(stage, role) for role in chosen(stage, seed))
            if stage.left is None and stage.game.version >= leaves:
                leaks.leave(stage, 1)
            clock.shift(dt.timedelta(minutes=stage.rng.choice([1, 7, 200])))
            told += leaks.check_sent(stage)
            leaks.move(stage, leaks.state_of(stage), django_capture_on_commit_callbacks)
        failed = stage.game.status == Game.Status.RUNNING and fails(stage, monkeypatch)
        assert len(envelopes) == failed
        leaks.check_everybody(stage, lines.getvalue(), envelopes)
    ears.check()
    assert named
    assert told


def chosen(stage: Stage, seed: int) -> list[str]:
    """Half of everybody, others each time; in `make test` a third."""
    roles = list(stage.clients)
    return stage.rng.sample(roles, len(roles) // (3 if seed in SOME else 2))


def fails(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Let something go wrong in the middle of a person's card, in words that name cards; False if nobody is awaited."""

    def broken(*, state: GameState, **_: Any) -> None:
        raise RuntimeError(f"cannot store {hand_text(state.hands[0] + state.hands[1])}")

    state = leaks.state_of(stage)
    seat = next((each for each in state.awaited if each in leaks.seats_of_people(stage)), None)
    if seat is None:
        return False
    client = stage.clients[str(seat)]
    client.raise_request_exception = False
    fields = {"card": legal_cards(state, seat)[0].code, "version": str(state.entries), "key": "of-a-fault-1234"}
    with monkeypatch.context() as patch:
        patch.setattr(play_service, "game_projected", broken)
        response = client.post(f"{stage.base}play/", fields)
    assert response.status_code == 500
    leaks.check(stage, str(seat), "a page about a fault", response.content.decode(), set())
    return True


def served(stage: Stage, role: str) -> list[tuple[str, str]]:
    """All that somebody of a role gets, without what is drawn anew for each answer."""
    # What the process keeps of a game would be the same in every world.
    forget()
    client = stage.clients[role]
    found = list(leaks.answers(client, stage))
    if role == "superuser":
        found += [(path, client.get(path).content.decode()) for path in leaks.admin_pages(stage)]
    return [(where, without_randoms(text)) for where, text in found]


def dealt_otherwise(stage: Stage, other: list[GameState]) -> None:
    """Store other cards where nobody has looked."""
    Deal.objects.filter(game=stage.game).update(hands=[hand_text(hand) for hand in other[0].hands])
    for number, (before, after) in enumerate(zip(stage.entries, logged(other, stage.entries), strict=True), 1):
        if before != after and not isinstance(after, Take):
            Move.objects.filter(game=stage.game, number=number).update(card=after.card.code)


def check_swaps(stage: Stage, role: str) -> int:
    """Serve somebody the same game in other worlds that fit what they saw; return how many there were."""
    seat, entries, found = stage.seat(role), stage.entries, 0
    states = list(steps(dealt_state(stage.game), entries))
    views = [public_view(each) if seat is None else seat_view(each, seat) for each in states]
    watcher = Watcher(views[0])
    for view in views[1:]:
        watcher.observe(view)
    before = served(stage, role)
    for other in elsewhere(watcher, states, entries, stage.rng):
        with transaction.atomic():
            with guards_off():
                dealt_otherwise(stage, other)
                after = served(stage, role)
            transaction.set_rollback(True)
        for (where, text), (_, again) in zip(before, after, strict=True):
            assert text == again, f"{role} reads another {where} of version {stage.game.version}, {stage.game.rules}"
        found += other[0].hands != states[0].hands
    return found


@pytest.mark.parametrize("seed", [1, *MANY])
def test_other_cards_where_somebody_has_not_looked_change_no_byte(
    seed: int,
    running: Service,
    settings: Settings,
    clock: Any,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    """S3, on what is served."""
    # Of those tables at which anybody may watch.
    stage = stage_of(999 + 3 * seed, running, settings)
    moments = {7} if seed in SOME else {2, *stage.rng.sample(range(6, 50), 3)}
    swapped = 0
    while stage.game.status == Game.Status.RUNNING and stage.game.version <= max(moments):
        if stage.game.version in moments:
            swapped += sum(check_swaps(stage, role) for role in roles_of(stage))
        leaks.move(stage, leaks.state_of(stage), django_capture_on_commit_callbacks)
        clock.shift(dt.timedelta(minutes=1))
    assert swapped


def roles_of(stage: Stage) -> list[str]:
    """Somebody at the table, and somebody beside it."""
    seats = [role for role in stage.clients if role.isdigit()]
    return [stage.rng.choice(seats), stage.rng.choice(["by the link", "superuser"])]


@pytest.mark.parametrize("seed", [1, *[pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 20)]])
def test_no_address_of_the_site_names_a_card_that_its_reader_cannot_know(
    seed: int,
    running: Service,
    settings: Settings,
    clock: Any,
    tmp_path: Path,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    """Each address of the URL conf, the admin's too."""
    settings.MAIL_FOLDER = tmp_path / "mail"
    site, stage = world(str(settings.MAIL_FOLDER)), stage_of(2000 + seed, running, settings)
    for _ in range(stage.rng.randrange(2, 6 if seed == 1 else 30)):
        if stage.game.status == Game.Status.RUNNING:
            leaks.move(stage, leaks.state_of(stage), django_capture_on_commit_callbacks)
    leaks.about(stage, site)
    roles = ["0", "superuser"] if seed == 1 else list(stage.clients)
    for role in roles:
        client, known = stage.clients[role], stage.knows(role)
        for key, path in site.addresses():
            if seed == 1 and (role == "superuser") != key.startswith("/admin/"):
                continue
            response = client.get(path, REMOTE_ADDR="127.0.0.1", SERVER_NAME="localhost")
            assert response.status_code < 500 or key == "/readyz", key
            if key != "/help/":
                leaks.check(stage, role, key, response.content.decode() + str(response.headers), known)
