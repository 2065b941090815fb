"""Views about the site itself."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer that this process serves pages; it asks nothing of the database."""
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8")
