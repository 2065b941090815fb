"""A person's picture is drawn from the look of the name, by code, with nothing in it that a strict policy forbids."""

from xml.etree import ElementTree as ET

import pytest
from django.template import Context, Template

from games.templatetags.avatar import avatar, initials
from tests.accounts.test_names import NAMES, REFUSED

INITIALS = {
    "Nani": "Na",
    "nani ji": "N\u200cJ",
    "Nana Ji Sharma": "N\u200cS",
    "A": "A",
    "نانی": "نا",
    "نانی جی": "ن\u200cج",
    "ਨਾਨੀ ਜੀ": "ਨਾ\u200cਜੀ",
    "Zoe\u0308": "Zo",
    "👨\u200d👩\u200d👧\u200d👦": "👨\u200d👩\u200d👧\u200d👦",
    "🇮🇳 Bilal": "🇮🇳\u200cB",
    "": "",
}


@pytest.mark.parametrize(("name", "expected"), INITIALS.items())
def test_initials_are_whole_signs(name: str, expected: str) -> None:
    # Letters of two words do not join.
    assert initials(name) == expected


def test_one_name_has_one_picture() -> None:
    assert avatar("Nani") == avatar("Nani")
    assert len({avatar(name) for name in NAMES.values()}) == len(NAMES)
    stitches = [avatar(name).partition("<text")[0] for name in ("Nani", "NANI", "N\u0430ni")]
    assert len(set(stitches)) == 1


@pytest.mark.parametrize(
    "name", [*NAMES.values(), *REFUSED.values(), "", "<b onload=x>", '"><script>', "{{ 7 }}", "\x01"]
)
def test_it_is_a_picture_whatever_the_name(name: str) -> None:
    drawn = avatar(name)
    assert "style" not in drawn
    assert len(drawn) < 2000
    if name.isprintable():
        svg = ET.fromstring(drawn)
        assert svg.attrib["aria-hidden"] == "true"
        assert {each.tag for each in svg.iter()} == {"svg", "rect", "g", "path", "circle", "text"}
        assert svg.findtext("text") == initials(name)


def test_the_tag() -> None:
    assert Template("{% load avatar %}{% avatar who %}").render(Context({"who": "Nani"})) == avatar("Nani")
