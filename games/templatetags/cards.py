"""The cards of the viewer's own hand: most of what a board shows, in a tenth of the time that a template takes."""

from functools import cache
from html import escape

from django import template
from django.utils.safestring import SafeString

from games.selectors.faces import Face, HandCard, HandRow

register = template.Library()


@register.simple_tag
def cards(row: HandRow) -> SafeString:
    """Draw the cards of a suit, each a button that plays it or says why it may not be played."""
    return SafeString("".join(_card(each, row.suit) for each in row.cards))


def _card(card: HandCard, suit: str) -> str:
    marks = " drawn" * card.drawn + " new" * card.new
    return (
        f'\n<button id="{escape(card.id)}" class="card {escape(card.kind)} {escape(suit)}{marks}" {_does(card)}>'
        f'{_corner(card.face)}<span class="vh">{escape(card.label)}</span></button>'
    )


def _does(card: HandCard) -> str:
    """Return what a card does when it is tapped."""
    if card.kind == "no":
        why = escape(card.why)
        return f'type="button" aria-disabled="true" data-why="{why}" title="{why}"'
    only = " data-only" * card.only
    return f'name="card" value="{escape(card.face.code)}" data-name="{escape(card.face.short)}"{only}'


@cache
def _corner(face: Face) -> str:
    ten = ' class="ten"' if face.rank == "10" else ""
    suit = f'<svg aria-hidden="true"><use href="#{escape(face.suit)}"/></svg>'
    return f'<b aria-hidden="true"{ten}>{escape(face.rank)}</b>{suit}'
