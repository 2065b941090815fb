"""Stopping mails from a link in them, signed in or not."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt

from accounts.choices import DIGEST
from accounts.fields import masked
from accounts.gates import only
from games.services.unsubscribe import kind_title, mails_stopped, stop_found
from games.views.answers import not_found


# A mail program posts here by itself when its reader wants no more of such mails: it has no cookie of ours, sends what
# it likes, and follows no redirect. The address is signed, and says whose mails of which kind it is about; all that it
# can do is to stop those, or to let them come again.
@csrf_exempt
@only("GET", "POST")
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether no more mails of a kind shall come; keep that in mind when told so by POST."""
    found = stop_found(token)
    if found is None:
        return not_found(request, "There is no such address: look at the mail again.")
    done = ""
    if request.method == "POST":
        wanted = request.POST.get("wanted") == "yes"
        mails_stopped(user_id=found.user.pk, kind=found.kind, wanted=wanted)
        done = "again" if wanted else "stopped"
    shown = {
        "address": masked(found.user.email or ""),
        "title": kind_title(found.kind),
        "digest": found.kind == DIGEST,
        "done": done,
    }
    return render(request, "games/stop.html", shown)
