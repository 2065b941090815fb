"""Views about the site itself."""

from django.http import HttpRequest, HttpResponse

from accounts.gates import only
from accounts.middleware import for_nobody


@for_nobody
@only("GET")
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer that this process serves pages; it asks nothing of the database."""
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8")
