"""What people are told of what operators did: once, with the reason, by the way that they chose."""

from typing import Any

import pytest
from django.core import mail

from accounts.choices import DIGEST, NEVER
from accounts.models import User
from games.models import Audit, Game, Notice, Table
from games.selectors.audit import done_words
from games.services.digests import digests_sent
from games.services.office.clocks import site_freeze
from games.services.office.people import person_ban, person_release
from games.services.office.results import correction_undo, game_end, result_correct
from games.services.office.seen import seen_of
from games.services.office.tables import table_close
from tests.games.office import WHY
from tests.games.stored import NOW, game_of, over, person
from tests.games.telling import HOUR, mailed, readers, waits, wish

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_too]

EVENING = NOW.replace(hour=18, microsecond=0)


def bodies() -> str:
    return "\n".join(str(each.body) for each in mail.outbox)


def corrected(game: Game, by: User, loser: int | None) -> Any:
    given: dict[str, Any] = {"game_id": game.pk, "by": by, "why": WHY, "now": NOW}
    return result_correct(**given, loser=loser, cards_left=None if loser is None else 2, seen=seen_of(game))


def test_how_a_deal_counts_is_told_as_its_end_is(by: User) -> None:
    """With the mail of the day, unless somebody chose otherwise."""
    persons = readers()
    wish(persons[0], deal_over="now")
    wish(persons[1], deal_over=NEVER)
    game = over(game_of(persons=persons))
    Notice.objects.all().delete()
    loser = game.result.away[0]
    corrected(game, by, loser)
    (one,) = mailed(NOW)
    assert one.to == [persons[0].email]
    assert one.subject == "The operators have acted at \u2068A table\u2069"
    said = str(one.body)
    assert "The operators of the site have corrected the result of this deal." in said
    assert "this deal. Why: \u2068It was agreed at the table.\u2069" in said
    assert f"/games/{game.code}/" in said
    assert "/stop/" in one.extra_headers["List-Unsubscribe"]
    assert "Boss" not in said
    mail.outbox.clear()
    digests_sent(now=EVENING)
    (digest,) = mail.outbox
    assert digest.to == [persons[2].email]
    assert "The operators of the site have corrected the result of this deal." in str(digest.body)
    assert set(Notice.objects.exclude(kind=DIGEST).values_list("kind", flat=True)) == {"office_result"}


def test_of_two_corrections_only_the_newer_is_told(by: User) -> None:
    game = over(game_of(persons=readers(notices={"deal_over": "now"})))
    Notice.objects.all().delete()
    correction = corrected(game, by, None)
    correction_undo(correction_id=correction.pk, by=by, why="A slip.", seen=seen_of(correction), now=NOW)
    assert len(mailed(NOW)) == 3
    assert "taken back a correction of this deal" in bodies()
    assert "corrected the result" not in bodies()


def test_a_deal_that_was_ended_is_told_once(by: User) -> None:
    game = game_of(persons=readers(notices={"deal_over": "now"}))
    Table.objects.update(deals=2)
    game = Game.objects.select_related("table").get()
    Notice.objects.all().delete()
    game_end(game_id=game.pk, by=by, why=WHY, seen=seen_of(game), now=NOW)
    assert set(Notice.objects.values_list("kind", flat=True)) == {"office_result"}
    found = mailed(NOW)
    assert sorted(each.to[0] for each in found) == ["asha@example.org", "bilal@example.org", "chandni@example.org"]
    assert "This is about deal 1 of 2 at the table \u2068A table\u2069." in bodies()
    assert "have ended this deal. The operators ended this deal: nobody lost. Why:" in bodies()


def test_a_table_that_is_closed_is_told_at_once_unless_not_wanted(by: User) -> None:
    persons = readers()
    wish(persons[0], office=NEVER)
    game_of(persons=persons)
    Notice.objects.all().delete()
    table = Table.objects.get()
    table_close(table_id=table.pk, by=by, why=WHY, seen=seen_of(table), now=NOW)
    found = mailed(NOW)
    assert sorted(each.to[0] for each in found) == ["bilal@example.org", "chandni@example.org"]
    assert "The operators of the site have closed this table. Why: \u2068It was agreed at the table.\u2069" in bodies()


def test_a_freeze_is_told_to_who_is_awaited(by: User) -> None:
    _, user = waits(24)
    site_freeze(by=by, why=WHY, now=NOW)
    (one,) = mailed(NOW)
    assert (one.to, one.subject) == ([user.email], "The operators have acted")
    assert "have stopped all clocks. Why:" in str(one.body)


def test_who_is_kept_out_gets_a_mail_all_the_same(by: User) -> None:
    user = User.objects.create_user("nani@example.org", name="Nani", verified=True)
    wish(user, office=NEVER)
    person_ban(user_id=user.pk, by=by, why="Rude names.", seen=seen_of(user), now=NOW)
    (one,) = mailed(NOW)
    assert (one.to, one.subject) == (["nani@example.org"], "About your Getaway account")
    assert "have closed your account: you cannot sign in" in str(one.body)
    assert "Why: \u2068Rude names.\u2069" in str(one.body)
    user.refresh_from_db()
    person_release(user_id=user.pk, by=by, why="A mistake.", seen=seen_of(user), now=NOW + HOUR)
    (one,) = mailed(NOW + HOUR)
    assert "have opened your account again" in str(one.body)


def test_nothing_is_mailed_to_an_address_that_is_nobodys(by: User) -> None:
    """Not shown to be theirs, or none."""
    unproved, guest = person("Nani"), User.objects.create_guest("Gul")
    for user in (unproved, guest):
        person_ban(user_id=user.pk, by=by, why=WHY, seen=seen_of(user), now=NOW)
    assert mailed(NOW) == []
    assert not Notice.objects.filter(gone=None).exists()


def test_each_action_has_words() -> None:
    said = {action: done_words(Audit(action=action)) for action in Audit.Action}
    assert not any(words.endswith("have acted.") for words in said.values())
    assert len(set(said.values())) == len(said)
    assert done_words(Audit(action="rename", table_id=1)) != said[Audit.Action.RENAME]
