"""Addresses on pages that somebody may look at over a shoulder."""

from django import template

from accounts import fields

register = template.Library()


@register.filter
def masked(address: str | None) -> str:
    """Return an address that its owner knows again and nobody else learns."""
    return fields.masked(address or "")
