"""Names in plain text: where no element can keep the direction of their writing to themselves."""

from django import template

register = template.Library()

_OPEN, _CLOSE = chr(0x2068), chr(0x2069)


@register.filter
def fenced(name: object) -> str:
    """Return a name between signs that keep the direction of its writing from what stands around it."""
    return f"{_OPEN}{name}{_CLOSE}"
