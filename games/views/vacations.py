"""Days on which a person is away from all their tables."""

from http import HTTPStatus

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from accounts.gates import only, person_only
from accounts.models import User
from games.forms.vacations import AwayForm
from games.selectors.vacations import BUDGET, days_away
from games.services.errors import PersonGone
from games.services.stop_errors import DaysUnfit, VacationGone
from games.services.vacations import vacation_ended, vacation_set
from games.views.answers import not_found


@only("GET", "POST")
@person_only
def away(request: HttpRequest, person: User) -> HttpResponse:
    """Show somebody their days away, and let them add some (`first`, `last`)."""
    if request.method != "POST":
        return _shown(request, person, AwayForm())
    form = AwayForm(request.POST)
    if not form.is_valid():
        return _shown(request, person, form)
    first, last = form.cleaned_data["first"], form.cleaned_data["last"]
    try:
        vacation_set(user=person, first=first, last=last, now=timezone.now())
    except DaysUnfit as error:
        form.add_error(error.field, str(error))
        return _shown(request, person, form)
    except PersonGone as error:
        form.add_error(None, str(error))
        return _shown(request, person, form)
    messages.success(request, "Your days away are kept: your clocks stand still then.")
    return HttpResponseRedirect(reverse("away"), status=HTTPStatus.SEE_OTHER)


def _shown(request: HttpRequest, person: User, form: AwayForm) -> HttpResponse:
    context = {"away": days_away(user=person, now=timezone.now()), "form": form, "budget": BUDGET}
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    return render(request, "games/away.html", context, status=status)


@only("POST")
@person_only
def away_end(request: HttpRequest, person: User, pk: int) -> HttpResponse:
    """Come back before the days away are over, or before they begin."""
    try:
        vacation_ended(user=person, vacation_id=pk, now=timezone.now())
    except (VacationGone, PersonGone) as error:
        return not_found(request, str(error))
    messages.success(request, "Your clocks run again from now on.")
    return HttpResponseRedirect(reverse("away"), status=HTTPStatus.SEE_OTHER)
