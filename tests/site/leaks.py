"""A table whose every word is listened to: who may know which card, and all that leaves the site."""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from django.contrib.auth import get_user
from django.core import mail
from django.http import HttpRequest
from django.test import Client
from django.utils import timezone
from prometheus_client import generate_latest
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.models import Block, User
from games.live.places import TableSocket
from games.live.sockets import News
from games.metrics import REGISTRY
from games.models import Game, Holder, Table
from games.rules.legality import foul_cards
from games.rules.moves import Draw, Entry, Play
from games.rules.replay import steps
from games.rules.ruleset import Ruleset
from games.rules.state import GameState
from games.selectors.company import NotAtTable
from games.selectors.games import dealt_state, entries_of, game_state, held_seats
from games.services.health.figures import figures
from games.services.notices import notices_due_sent
from games.services.push import device_kept
from games.services.tables import SeatPlan, TablePlan, table_open
from tests.games.pages import cards_on, client_of
from tests.games.push_service import Browser, Service
from tests.games.stored import NOW, person, play
from tests.games.telling import paced, reader, wish
from tests.games.test_views_leaks import known_to
from tests.games.watching import came_by, handed, invite_to
from tests.random_games import random_entry
from tests.site.crawl import World

# What whoever asks for a card names themselves.
ASKED: Final = ("7D",)
_AT_ONCE: Final = {"your_turn": "now", "deal_over": "now", "nudge": "now", "faces": True}


@dataclass
class Told:
    """What was sent to somebody, or (None) to whoever can listen."""

    where: str
    to: User | None
    text: str


@dataclass
class Stage:
    """A game with somebody at each seat, and people of every other kind around it."""

    game: Game
    rng: Random
    seated: dict[int, User]
    clients: dict[str, Client]
    service: Service
    browsers: dict[str, tuple[User, Browser]] = field(default_factory=dict)
    left: int | None = None
    faults: int = 0

    @property
    def base(self) -> str:
        return f"/games/{self.game.code}/"

    def seat(self, role: str) -> int | None:
        """The seat at which somebody of a role sits now."""
        seat = int(role) if role.isdigit() else None
        return None if seat == self.left else seat

    def knows(self, role: str) -> set[str]:
        return known_to(self.seat(role), list(steps(dealt_state(self.game), entries_of(self.game))), self.entries)

    @property
    def entries(self) -> tuple[Entry, ...]:
        return entries_of(self.game)

    @property
    def near(self) -> list[str]:
        """The addresses at which the game is seen."""
        # Always the same for the same version: answers are compared.
        last, rng = self.game.version, Random(self.game.version)
        replays = [f"{self.base}replay/{step}/" for step in sorted({0, rng.randrange(last + 1), last, last + 1})]
        table = f"/tables/{self.game.table.code}/"
        return [self.base, f"{self.base}board/", f"{self.base}record.json", *replays, table, "/"]


def staged(rng: Random, rules: Ruleset, seats: int, watch: str, service: Service) -> Stage:
    """Deal a game of its own cards; the first seat is the host's, who has blocked somebody."""
    people = [reader(f"Reader{number}") for number in range(seats)]
    plan = TablePlan(host=None, name="A table", rules=rules)
    seats_of = [SeatPlan(user=each) for each in people]
    game = table_open(plan=plan, seats=seats_of, now=NOW, source=rng.randrange, secret=rng.randbytes(32))
    Table.objects.filter(pk=game.table_id).update(host=people[0], watch=watch)
    game = paced(game, 24)
    blocked, invite = person("Blocked"), invite_to(game.table)
    Block.objects.create(owner=people[0], other=blocked)
    clients = {str(seat): client_of(user) for seat, user in enumerate(people)}
    clients |= {
        "stranger": client_of(person("Stranger")),
        "by the link": came_by(invite),
        "blocked": came_by(invite, client_of(blocked)),
        "staff": client_of(User.objects.create_user("desk@example.org", name="Staff", is_staff=True, verified=True)),
        "superuser": client_of(User.objects.create_superuser("boss@example.org", name="Root", verified=True)),
        "outsider": Client(),
    }
    stage = Stage(game, rng, dict(enumerate(people)), clients, service)
    for seat, user in enumerate(people):
        wish(user, **_AT_ONCE, push=bool(seat % 2))
        if seat % 2:
            _device(stage, user)
    return stage


def _device(stage: Stage, user: User) -> None:
    path, browser = f"/one-of-{user.pk}-alone", Browser()
    session = stage.clients[str(next(seat for seat, each in stage.seated.items() if each == user))].session
    keys = {**browser.keys, "agent": "a phone", "session": session.session_key or ""}
    device_kept(user=user, endpoint=stage.service.origin + path, now=timezone.now(), **keys)
    stage.browsers[path] = user, browser


def move(stage: Stage, state: GameState, commits: DjangoCaptureOnCommitCallbacks) -> None:
    """Let somebody do something that the rules accept, by their page if it is a person; look at the answer."""
    held = held_seats(stage.game.table_id)
    entry = random_entry(state, stage.rng, fouls=0.03, takes=0.01)
    if isinstance(entry, Play) and held[entry.seat].bot and entry.card in foul_cards(state, entry.seat):
        # No bot commits a foul.
        entry = random_entry(state, stage.rng, fouls=0, takes=0.01)
    assert not isinstance(entry, Draw)
    bot = held[entry.seat].bot
    with commits(execute=True):
        if bot:
            play(stage.game, entry, version=state.entries, now=timezone.now())
            answer = ""
        else:
            what = {"card": entry.card.code} if isinstance(entry, Play) else {"take": str(entry.victim)}
            fields = what | {"version": str(state.entries), "key": f"key-of-entry-{state.entries}"}
            response = stage.clients[str(entry.seat)].post(f"{stage.base}play/", fields, headers={"HX-Request": "true"})
            assert response.status_code in {200, 204, 303}, (response.status_code, entry)
            answer = response.content.decode()
    stage.game.refresh_from_db()
    check(stage, str(entry.seat), "the answer to a card", answer)


def leave(stage: Stage, seat: int) -> None:
    """Give a person's seat to a bot: from then on they know what everybody knows."""
    handed(stage.game, seat, at=timezone.now())
    stage.left = seat
    stage.game.refresh_from_db()


# Addresses that let their reader in end in signed letters, of which any two may stand together.
_TOKEN: Final = re.compile(r"/(?:nomail|stop|i|d)/[\w:.-]+")


def check(stage: Stage, role: str, where: str, text: str, known: set[str] | None = None) -> int:
    """Check that no card stands in a text that its reader cannot know; return how many cards it names."""
    found = cards_on(_TOKEN.sub("", text))
    hidden = found - (stage.knows(role) if known is None else known)
    assert not hidden, f"{role} reads {sorted(hidden)} in {where}, version {stage.game.version} of {stage.game.rules}"
    return len(found)


def check_role(stage: Stage, role: str) -> int:
    """Check all that somebody of a role gets now, and return how many cards it named."""
    client, known = stage.clients[role], stage.knows(role)
    named = sum(check(stage, role, path, text, known) for path, text in answers(client, stage))
    for card in ASKED:
        fields = {"card": card, "version": "9999", "key": "k" * 12}
        response = client.post(f"{stage.base}play/", fields, headers={"HX-Request": "true"})
        assert response.status_code in {302, 400, 401, 404, 409}
        check(stage, role, "a refusal", response.content.decode(), known | {card})
    return named


def answers(client: Client, stage: Stage) -> Iterator[tuple[str, str]]:
    """What the pages of a game, its frame and one's archive say."""
    for path in stage.near:
        response = client.get(path)
        assert response.status_code in {200, 302, 404}, path
        yield path, response.content.decode() + str(response.headers)
    yield "the frame", frame(client, stage)
    archive = client.post("/me/export/")
    if archive.status_code == 200:
        with zipfile.ZipFile(io.BytesIO(archive.content)) as found:
            yield "the archive", "\n".join(found.read(name).decode() for name in sorted(found.namelist()))


def frame(client: Client, stage: Stage) -> str:
    """What a table's socket of this session is sent, unpacked; "" if there is none for it."""
    request = HttpRequest()
    request.session = client.session
    key = request.session.session_key or ""
    socket = TableSocket(send=_nobody, code=stage.game.code, session=key, address="", since="", plain=False)
    viewer = get_user(request)
    socket.user_id, socket.invited = viewer.pk, tuple(request.session.get("invited", ()))
    [found] = TableSocket.all_news([socket], [""])
    if isinstance(found, NotAtTable):
        return ""
    assert isinstance(found, News)
    return zlib.decompress(socket._packed(found.html)["bytes"], -15).decode() + repr(found.told)


async def _nobody(_message: dict[str, Any]) -> None:
    raise AssertionError("Nothing is sent by itself.")


def sent(stage: Stage) -> Iterator[Told]:
    """Everything that was mailed or pushed to people since this was last asked for."""
    notices_due_sent(now=timezone.now())
    for letter in mail.outbox:
        others = getattr(letter, "alternatives", [])
        parts = [str(letter.subject), str(letter.body), *(str(each.content) for each in others)]
        yield Told("a mail", User.objects.get(email=letter.to[0]), "\n".join(parts))
    mail.outbox.clear()
    for path, headers, body in stage.service.got:
        user, browser = stage.browsers[path]
        yield Told("a notice", user, str(browser.read(body)) + str(headers.get("topic")))
    stage.service.got.clear()


def check_sent(stage: Stage) -> int:
    """Check what was mailed and pushed by what its reader may know; return how much it was."""
    seats = {user: str(seat) for seat, user in stage.seated.items()}
    found = list(sent(stage))
    for each in found:
        check(stage, seats[each.to] if each.to else "outsider", each.where, each.text)
    return len(found)


def check_everybody(stage: Stage, logged: str, envelopes: list[bytes]) -> None:
    """Check what is no reader's: metrics, log lines, faults. None of it may name any card, address or session."""
    numbers = generate_latest(REGISTRY).decode() + str(figures(now=timezone.now()))
    for where, text in (("metrics", numbers), ("the log", logged), ("a fault", b"".join(envelopes).decode())):
        assert not cards_on(text), (where, cards_on(text))
        assert "@example.org" not in text, where
        assert "-alone" not in text, where
        for client in stage.clients.values():
            assert (client.session.session_key or "-" * 40) not in text, where


def state_of(stage: Stage) -> GameState:
    return game_state(stage.game)


def seats_of_people(stage: Stage) -> list[int]:
    rows = Holder.objects.filter(table=stage.game.table_id, until=None, bot="")
    return sorted(rows.values_list("seat__number", flat=True))


def admin_pages(stage: Stage) -> list[str]:
    """Where the admin shows the game and its table."""
    table, game = stage.game.table_id, stage.game.pk
    return ["/admin/games/game/", f"/admin/games/game/{game}/change/", f"/admin/games/table/{table}/change/"]


def about(stage: Stage, site: World) -> None:
    """Let the addresses of a site be about this game."""
    site.things |= {
        "games/code": {"mine": stage.game.code},
        "tables/code": {"mine": stage.game.table.code},
        "people/code": {"one": stage.seated[1].code},
        "step": {"start": "0", "last": str(stage.game.version)},
        "admin/games/game/object_id": {"mine": str(stage.game.pk)},
        "admin/games/table/object_id": {"mine": str(stage.game.table_id)},
    }
