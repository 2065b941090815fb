"""Nobody learns from inviting who has an account (S24), and scanners that follow links use nothing up (S27)."""

import re
import statistics
import time
from collections.abc import Callable

import pytest
from django.core import mail
from django.test import Client

from accounts.choices import NOTICES
from accounts.models import User
from games.models import Holder, Invite, Notice
from games.services.hosting import table_closed
from games.services.invites import invite_accepted
from games.services.locks import writing
from games.services.notices import notice_added
from games.services.seats import seat_removed
from tests.games.invitees import asked, host, links_in, mails_sent, shared, signed_in, waiting
from tests.games.stored import NOW, everything

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("pairs", "clock"), [(40, time.thread_time), pytest.param(200, time.perf_counter, marks=pytest.mark.soak)]
)
def test_pairs_of_known_and_unknown_addresses_are_answered_alike(pairs: int, clock: Callable[[], float]) -> None:
    """S24; two hundred of them, by the clock on the wall, in the long campaign; among other tests by one's own work."""
    each_table = pairs // 2
    owner = host()
    client = signed_in(owner)
    tables = [waiting(owner) for _ in range(4)]
    known = [User(email=f"known{number}@example.org", name=f"K{number}") for number in range(pairs)]
    User.objects.bulk_create(known)
    took: dict[str, list[float]] = {"known": [], "other": []}
    seen: dict[str, set[object]] = {"known": set(), "other": set()}
    for number in range(2 * pairs):
        kind = "known" if number % 2 else "other"
        table = tables[number // each_table]
        began = clock()
        answer = client.post(f"/tables/{table.code}/invites/", {"addresses": f"{kind}{number // 2}@example.org"})
        took[kind].append(clock() - began)
        names = frozenset(answer.headers)
        seen[kind].add((answer.status_code, answer["Location"], names, answer.content, len(mail.outbox)))
        Notice.objects.update(created="2020-01-01T00:00Z")
        if number % each_table == each_table - 1:
            page = client.get(f"/tables/{table.code}/invites/").content.decode()
            rows = re.findall(r"<li data-invite.*?</li>", page, re.DOTALL)
            plain = {re.sub(r"(known|other)\d+@example\.org|\d+", "", row) for row in rows}
            assert (len(rows), len(plain)) == (each_table, 1)
    assert seen["known"] == seen["other"]
    medians = [statistics.median(each) for each in took.values()]
    assert abs(medians[0] - medians[1]) < 0.02, medians


@pytest.mark.usefixtures("then")
def test_scanners_follow_every_link_of_every_mail_and_the_person_still_sits_down() -> None:
    table = waiting(host())
    asked(table)
    (sent,) = mails_sent()
    links = links_in(sent)
    assert len(links) == 3, links
    before = everything()
    for path in links:
        for _ in range(3):
            assert Client(headers={"user-agent": "LinkScanner/2"}).get(path).status_code == 200
        assert Client().head(path).status_code == 200
    assert everything() == before
    (invite,) = (each for each in links if each.startswith("/i/"))
    answer = Client().post(invite, {"way": "email", "name": "Nani"})
    assert answer.status_code == 303
    assert Holder.objects.filter(user__email="nani@example.org").exists()
    assert Invite.objects.get().accepted is not None


@pytest.mark.usefixtures("then")
def test_scanners_follow_the_links_of_every_other_kind_of_mail() -> None:
    owner, user = host(), User.objects.create_user("nani@example.org", name="Nani", verified=True)
    User.objects.update(notices=dict.fromkeys(NOTICES, "now"))
    table, other, fresh = waiting(owner, starts="host"), waiting(owner, bots=2), waiting(owner)
    for each in (table, other):
        invite_accepted(invite_id=shared(each).pk, user=user, now=NOW)
    with writing():
        for kind, reader in (("joined", owner), ("host_handed", owner), ("table_warned", owner)):
            notice_added(kind=kind, key=kind, user=reader, table=table, now=NOW)
        notice_added(kind="again", key="again", user=user, table=fresh, now=NOW)
    sent = mails_sent()
    seat_removed(table_id=table.pk, host=owner, seat=1, now=NOW)
    sent += mails_sent()
    table_closed(table_id=table.pk, host=owner, now=NOW)
    with writing():
        notice_added(kind="table_closed", key="closed", user=user, table=table, now=NOW)
    sent += mails_sent()
    assert len({re.sub("\u2068.*?\u2069", "", str(each.subject)) for each in sent}) == 7, [
        each.subject for each in sent
    ]
    links = {path for each in sent for path in links_in(each)}
    clients = (Client(), signed_in(owner), signed_in(user))
    before = everything()
    for client in clients:
        for path in links:
            statuses = {client.get(path).status_code for _ in range(3)} | {client.head(path).status_code}
            assert statuses <= {200, 302, 404}, path
    assert everything() == before
