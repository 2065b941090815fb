"""A person's picture: their initials on a piece of phulkari, stitched by code after the look of the name."""

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from accounts.names import looks, signs

register = template.Library()

# The ground, and the two silks that go round in rings on it; ivory can be read on each ground.
_CLOTHS: Final = ("#7a1f2b", "#1e2a5a", "#8a3b12", "#0f5132")
_SILKS: Final = (
    ("#f2a900", "#f7d774"),
    ("#f2a900", "#72c9b9"),
    ("#f7d774", "#ff9d5c"),
    ("#72e07b", "#f2a900"),
    ("#fff8e7", "#f2a900"),
    ("#ff9d5c", "#fff8e7"),
)
# One patch is of another colour, on purpose.
_ODD: Final = "#ff8fb1"
# Tiles a side, and the threads of a tile: they fill 28 of the 32 units.
_LATTICES: Final = ((2, 7), (3, 5), (1, 14))
_EDGE: Final = 2
_FLOAT: Final = 2
_ZWNJ: Final = "\u200c"


class _Cloth(NamedTuple):
    """What the hash of a name chooses."""

    ground: str
    silks: tuple[str, str]
    tiles: int
    threads: int
    odd: int


@register.simple_tag
def avatar(name: str) -> SafeString:
    """Draw the picture that belongs to a name, the same for every name of this look; for the eye only."""
    return _avatar(name)


@lru_cache(maxsize=512)
def _avatar(name: str) -> SafeString:
    cloth = _cloth(min(looks(name)))
    stitches = dict[str, list[str]]()
    for colour, stitch in _stitches(cloth):
        stitches.setdefault(colour, []).append(stitch)
    paths = ((colour, "".join(drawn)) for colour, drawn in stitches.items())
    letters = initials(name)
    return format_html(
        '<svg class="avatar" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true" focusable="false">'
        '<rect width="32" height="32" rx="5" fill="{0}"/><g fill="none" stroke-width="1.1">{1}</g>'
        '<circle cx="16" cy="16" r="9.5" fill="{0}"/><text x="16" y="{2}" font-size="{3}" font-weight="700" '
        'text-anchor="middle" fill="#fff8e7">{4}</text></svg>',
        cloth.ground,
        format_html_join("", '<path stroke="{}" d="{}"/>', paths),
        20 if len(letters) > 1 else 21,
        11 if len(letters) > 1 else 14,
        letters,
    )


def initials(name: str) -> str:
    """Return the first signs of the first and the last word, or the first two of a single word, in any script."""
    words = [signs(word) for word in name.split()]
    if not words:
        return ""
    if len(words) == 1:
        return "".join(words[0][:2])
    # Letters of two words do not join, in scripts that join those of one.
    return _ZWNJ.join(_capital(words[at][0]) for at in (0, -1))


def _capital(sign: str) -> str:
    return sign.upper() if len(sign.upper()) == len(sign) else sign


def _cloth(look: str) -> _Cloth:
    chosen = hashlib.sha256(look.encode("utf-8", "surrogatepass")).digest()
    tiles, threads = _LATTICES[chosen[2] % len(_LATTICES)]
    ground, silks = _CLOTHS[chosen[0] % len(_CLOTHS)], _SILKS[chosen[1] % len(_SILKS)]
    return _Cloth(ground, silks if chosen[3] & 1 else silks[::-1], tiles, threads, chosen[4] % (tiles * tiles))


def _stitches(cloth: _Cloth) -> Iterator[tuple[str, str]]:
    """Yield the colour and the path of every float: a lozenge in each tile, in rings of two silks."""
    size = (32 - 2 * _EDGE) / cloth.tiles
    pitch = size / cloth.threads
    for tile in range(cloth.tiles * cloth.tiles):
        row, column = divmod(tile, cloth.tiles)
        for thread in range(cloth.threads):
            half = cloth.threads / 2 - abs(thread - (cloth.threads - 1) / 2)
            ring = int(half) // 2
            colour = _ODD if tile == cloth.odd else cloth.silks[(ring + row + column) % 2]
            left = _EDGE + column * size + (cloth.threads / 2 - half) * pitch
            y = _EDGE + row * size + (thread + 0.5) * pitch
            yield colour, "".join(_floats(left, y, 2 * half * pitch))


def _floats(left: float, y: float, width: float) -> Iterator[str]:
    """Yield a line's floats, with the threads between them that the needle caught."""
    step = _FLOAT * 2
    x = 0.0
    while x < width:
        yield f"M{left + x:.3g} {y:.3g}h{min(step - 0.6, width - x):.2g}"
        x += step
