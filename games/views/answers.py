"""Answers that several pages give."""

from django.http import HttpRequest, HttpResponse

from accounts.gates import problem


def not_found(
    request: HttpRequest, sentence: str = "There is no such game, or you have no seat at it."
) -> HttpResponse:
    """Answer 404 with a sentence; the usual one tells nobody whether the game exists."""
    return problem(request, status=404, title="Not found", sentence=sentence)


def made_no_sense(request: HttpRequest, sentence: str, back: str = "/") -> HttpResponse:
    """Answer 400 with a sentence."""
    return problem(request, status=400, title="Not understood", sentence=sentence, back=back)
