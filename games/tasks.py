"""Tasks, called by name. Each may run twice, late or never, and carries ids and numbers only."""

from datetime import timedelta

from celery import shared_task
from django.db import OperationalError
from django.utils import timezone

from games import effects
from games.services.aside import game_failed
from games.services.backups.making import backup_if_due
from games.services.bot_turns import GRACE, bot_move
from games.services.clean import tables_cleaned
from games.services.digests import digests_sent
from games.services.erasing import person_erased
from games.services.forced import order_played
from games.services.going_on import next_dealt
from games.services.notices import notices_due_sent
from games.services.people import erased_due
from games.services.pulse import site_now
from games.services.ratings import ratings_kept
from games.services.sweep import swept


@shared_task(name=effects.BOT_TURN)
def bot_turn(game_id: int, version: int) -> None:
    """Let the bots of a game act once, if it still is at that version; a game at which that fails is set aside."""
    now = timezone.now()
    try:
        bot_move(game_id=game_id, version=version, now=now)
    except OperationalError:
        raise
    except Exception as error:
        game_failed(game_id=game_id, what="bot", error=error, now=now)
        raise


@shared_task(name=effects.ORDER)
def order(game_id: int, seat: int) -> None:
    """Play the only card of a person, if its time has come."""
    order_played(game_id=game_id, seat=seat, now=site_now())


@shared_task(name=effects.SWEEP)
def sweep(grace: float = GRACE.total_seconds()) -> None:
    """See to all that is due, and send again for bots that are *grace* seconds late: their task was lost."""
    if swept(now=site_now(), grace=timedelta(seconds=grace)).more:
        effects.sweep_again()


@shared_task(name=effects.NEXT)
def next_deal(game_id: int) -> None:
    """Deal the next game of a series, if its time has come."""
    next_dealt(game_id=game_id, now=site_now())


@shared_task(name=effects.NOTICES)
def notices() -> None:
    """Tell people what is due."""
    notices_due_sent(now=timezone.now())


@shared_task(name=effects.DIGEST)
def digest() -> None:
    """Send the mails of the day that are due."""
    digests_sent(now=timezone.now())


@shared_task(name=effects.RATINGS)
def ratings() -> None:
    """Rate the deals that are over, and anew those that were corrected."""
    ratings_kept()


@shared_task(name=effects.ERASE)
def erase() -> None:
    """Send for each person whose time to think again is over: what goes wrong with one keeps no other."""
    for user_id in erased_due(now=timezone.now()):
        effects.erase_sent_for(user_id)


@shared_task(name=effects.ERASE_PERSON)
def erase_person(user_id: int) -> None:
    """Erase a person whose time to think again is over."""
    person_erased(user_id=user_id, now=timezone.now())


@shared_task(name="games.clean")
def clean() -> None:
    """Warn the hosts of tables that never started, and close those that they were warned of."""
    tables_cleaned(now=timezone.now())


@shared_task(name="games.backup")
def backup() -> None:
    """Make the backup of the day, where one is wanted and has not been made yet."""
    backup_if_due(now=site_now())
