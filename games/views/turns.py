"""What a person does about time at a game: come back, hold back their only card, ask to wait with the next deal."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.gates import only, person_only
from accounts.models import User
from games.selectors.company import NotAtTable
from games.selectors.sight import Sitting, sitting
from games.services.errors import GameGone, NotYourSeat, ServiceError, TableGone
from games.services.forced import order_waited
from games.services.going_on import next_objected
from games.services.timeouts import came_back
from games.views.answers import not_found
from games.views.boards import after_post


def _done(request: HttpRequest, person: User, code: str, act: Callable[[Sitting], object]) -> HttpResponse:
    """Do something for a person at their seat, and show the board; nobody else learns that there is one."""
    try:
        act(sitting(viewer=person, code=code))
    except (NotAtTable, NotYourSeat, GameGone, TableGone):
        return not_found(request)
    except ServiceError as error:
        return after_post(request, code, status=error.status, alert=str(error))
    return after_post(request, code)


@only("POST")
@person_only
def back(request: HttpRequest, person: User, code: str) -> HttpResponse:
    """Take the own seat back from the bot that has played there."""
    now = timezone.now()
    return _done(request, person, code, lambda found: came_back(table_id=found.game.table_id, user=person, now=now))


@only("POST")
@person_only
def wait(request: HttpRequest, person: User, code: str) -> HttpResponse:
    """Hold back the only card that would go by itself."""
    return _done(request, person, code, lambda found: order_waited(game_id=found.game.pk, user=person))


@only("POST")
@person_only
def hold(request: HttpRequest, person: User, code: str) -> HttpResponse:
    """Ask to wait with the next deal; once it is dealt there is nothing to wait with any more."""
    now = timezone.now()
    return _done(request, person, code, lambda found: next_objected(table_id=found.game.table_id, user=person, now=now))
