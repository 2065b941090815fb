"""Who may look no more is closed: at once where it rings, at the next check where every ring is lost."""

from collections.abc import Callable

import pytest
from django.conf import settings as site
from django.contrib.sessions.models import Session
from django.test import Client

from accounts.models import User
from accounts.services import block_set, sessions_ended
from games import effects
from games.live.checks import checked
from games.live.hub import hub
from games.models import Game, Invite, Table
from games.services.seats import seat_left
from tests.games.gathering import LATER, invite
from tests.games.pages import client_of
from tests.games.stored import people
from tests.site.talks import Talk, cookie_of, in_thread, path_of, world

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite_too]


def signed_out(game: Game, user: User) -> None:
    Client().logout()
    sessions_ended(user)
    Session.objects.filter(session_key__in=[each.session for each in hub.sockets()]).delete()


def left(game: Game, user: User) -> None:
    seat_left(table_id=game.table_id, user=user, now=LATER)


def stopped(game: Game, user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


def with_another_password(game: Game, user: User) -> None:
    user.set_password("quite another one")
    User.objects.filter(pk=user.pk).update(password=user.password)


@pytest.mark.parametrize(
    ("act", "code"), [(signed_out, 4401), (stopped, 4401), (with_another_password, 4401), (left, 4404)]
)
async def test_whoever_may_look_no_more_is_closed(
    act: Callable[[Game, User], None], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, users, cookies = await in_thread(world)
    talk = await Talk(path_of(game), cookies[1]).opened()
    assert await talk.heard() == {"here": []}
    # As if in another process, with every ring lost.
    monkeypatch.setattr(effects._bell, "ring", lambda _: None)
    await checked(hub)
    await in_thread(act, game, users[1])
    await checked(hub)
    assert await talk.closed() == code
    await talk.gone()


async def test_who_is_signed_out_hears_it_at_once() -> None:
    game, _, cookies = await in_thread(world)
    talk = await Talk(path_of(game), cookies[1]).opened()
    home = await Talk("/ws/home/", cookies[1]).opened()
    assert await talk.heard() == {"here": []}
    await in_thread(lambda: Session.objects.get(pk=cookies[1].partition("=")[2]).delete())
    assert (await talk.closed(), await home.closed()) == (4401, 4401)
    await talk.gone()
    await home.gone()


async def test_watchers_are_closed_when_watching_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _, _ = await in_thread(world)

    def begun() -> list[str]:
        host, one, two = people(3)
        Table.objects.filter(pk=game.table_id).update(watch="anyone", host=host)
        client = client_of(two)
        client.logout()
        linked = invite(game.table)
        session = client.session
        session["invited"] = [linked.pk]
        session.save()
        session_cookie = f"{site.SESSION_COOKIE_NAME}={session.session_key}"
        blocked.append((host, one))
        return [cookie_of(one), cookie_of(two), session_cookie]

    blocked: list[tuple[User, User]] = []
    cookies = await in_thread(begun)
    monkeypatch.setattr(effects._bell, "ring", lambda _: None)
    talks = [await Talk(path_of(game, ""), each).opened() for each in cookies]
    for each in talks:
        assert 'data-version="0"' in await each.board()
    await checked(hub)
    await in_thread(lambda: block_set(owner=blocked[0][0], other=blocked[0][1]))
    await checked(hub)
    assert await talks[0].closed() == 4404
    await Table.objects.filter(pk=game.table_id).aupdate(watch="link")
    await checked(hub)
    assert await talks[1].closed() == 4404
    await Invite.objects.filter(table=game.table_id).aupdate(revoked=LATER)
    await checked(hub)
    assert await talks[2].closed() == 4404
    for each in talks:
        await each.gone()
