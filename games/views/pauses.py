"""What the people of a table ask each other about its clocks: pauses, votes, more time for everybody."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.gates import only, person_only
from accounts.models import User
from games.forms.pauses import YES, AnswerForm, AskForm, ExtendForm
from games.selectors.company import NotAtTable
from games.selectors.sight import Sitting, sitting
from games.services.errors import ServiceError
from games.services.extensions import everybody_extended
from games.services.votes import vote_cast, vote_opened
from games.views.answers import not_found
from games.views.boards import after_post


@only("POST")
@person_only
def pause(request: HttpRequest, person: User, code: str) -> HttpResponse:
    """Ask the people of a table to pause, to pause longer, to go on, or for a bot (`kind`, `days`, `seat`)."""
    form, now = AskForm(request.POST), timezone.now()

    def act(found: Sitting) -> object:
        return vote_opened(table_id=found.game.table_id, user=person, question=form.question(), now=now)

    return _done(request, person, code, form, act)


@only("POST")
@person_only
def vote(request: HttpRequest, person: User, code: str) -> HttpResponse:
    """Say yes or no to what the table is asked (`vote`, `answer`)."""
    form, now = AnswerForm(request.POST), timezone.now()

    def act(_found: Sitting) -> object:
        asked = form.cleaned_data
        return vote_cast(vote_id=asked["vote"], user=person, yes=asked["answer"] == YES, now=now)

    return _done(request, person, code, form, act)


@only("POST")
@person_only
def extend(request: HttpRequest, person: User, code: str) -> HttpResponse:
    """Give everybody whom the game awaits more time; `given` is how often that was done before."""
    form, now = ExtendForm(request.POST), timezone.now()

    def act(found: Sitting) -> object:
        return everybody_extended(game_id=found.game.pk, user=person, given=form.cleaned_data["given"], now=now)

    return _done(request, person, code, form, act)


def _done(request: HttpRequest, person: User, code: str, form: Form, act: Callable[[Sitting], Any]) -> HttpResponse:
    """Do something for one who sits at a game, and show them its board; nobody else learns that there is one."""
    try:
        found = sitting(viewer=person, code=code)
    except NotAtTable:
        return not_found(request)
    if not form.is_valid():
        fault = next(iter(form.errors.values()))[0]
        return after_post(request, code, status=HTTPStatus.UNPROCESSABLE_ENTITY, alert=str(fault))
    try:
        act(found)
    except ServiceError as error:
        if error.status == HTTPStatus.NOT_FOUND:
            return not_found(request, str(error))
        return after_post(request, code, status=error.status, alert=str(error))
    return after_post(request, code)
