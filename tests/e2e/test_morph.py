"""A board that stands becomes the next one: nothing of the old is left, and nothing that the reader holds is lost."""

from itertools import islice
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.e2e.random_boards import random_boards
from tests.e2e.stage import Stage
from tests.games import rendered

# Shows a board, and tells what the page made of it: `is` and `should` are equal but for what the reader, the clock and
# the page hold. Of the things that both boards have none may be another element than before, and the focus stays.
BRING = """async ({ html, focus }) => {
  const { show, settled } = await import("/static/games/boards.js");
  const board = document.getElementById("board");
  const normal = (root) => {
    const copy = root.cloneNode(true);
    for (const each of copy.querySelectorAll("#away, #next-note")) each.remove();
    for (const each of copy.querySelectorAll(".far")) each.textContent = "";
    for (const each of copy.querySelectorAll("[name=csrfmiddlewaretoken]")) each.removeAttribute("value");
    for (const each of copy.querySelectorAll("details")) each.removeAttribute("open");
    copy.querySelector("#last")?.removeAttribute("data-held");
    for (const each of copy.querySelectorAll(".card")) each.removeAttribute("tabindex");
    for (const each of copy.querySelectorAll("[aria-pressed]")) each.removeAttribute("aria-pressed");
    for (const each of copy.querySelectorAll("[style^=view-transition-name]")) each.removeAttribute("style");
    for (const each of [copy, ...copy.querySelectorAll("*")]) {
      const all = [...each.attributes].sort((one, other) => (one.name < other.name ? -1 : 1));
      for (const { name } of all) each.removeAttribute(name);
      for (const { name, value } of all) each.setAttribute(name, value);
    }
    return copy.outerHTML;
  };
  const held = [...board.querySelectorAll(".card, details, #banner, .seat")].filter((each) => each.id);
  const thing = held[focus % held.length];
  thing.querySelector("summary")?.focus();
  thing.focus();
  const focused = document.activeElement;
  const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("board");
  const should = normal(fresh);
  show(html, { pushed: true });
  await settled();
  const asks = (root, { id }) => root.querySelector(`#${id}`)?.dataset.asks;
  const still = (each) => fresh.querySelector(`#${each.id}`) && asks(fresh, each) === each.dataset.asks;
  const kept = held.filter((each) => each.id !== "away" && still(each));
  const tokens = [...document.querySelectorAll("[name=csrfmiddlewaretoken]")].map((each) => each.value);
  const stays = kept.includes(thing) || kept.some((each) => each.contains(focused)) || thing.id === "away";
  return {
    is: normal(board),
    should,
    lost: kept.filter((each) => !each.isConnected).map((each) => each.id),
    unsigned: tokens.includes("-"),
    focus: document.activeElement === (stays ? focused : document.getElementById("banner")),
    where: [thing.id, document.activeElement.outerHTML.slice(0, 80)],
  };
}"""


def check(page: Page, html: str, focus: int) -> None:
    found: dict[str, Any] = page.evaluate(BRING, {"html": html, "focus": focus})
    assert found["is"] == found["should"]
    assert found["lost"] == []
    assert found["focus"], found["where"]
    assert not found["unsigned"]


def walk(stage: Stage, seed: int, *, most: int, leap: int) -> int:
    """Show the boards of a random game one after the other, and return how many they were."""
    rng = Random(seed)
    boards = random_boards(rng, leap=leap)
    first = next(boards)
    stage.whole = rendered.drawn(first, "games/table.html")
    page = stage.page
    page.goto(f"http://stage.test/games/{rendered.FRAME.code}/")
    found = list(islice(boards, most))
    for board in found:
        alert = rng.choice(["", "", "The game has moved on: choose again."])
        check(page, rendered.drawn(board, csrf_token="-", alert=alert), rng.randrange(99))
    return len(found)


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_board_becomes_the_next(stage: Stage, motion: Any) -> None:
    stage.page.emulate_media(reduced_motion=motion)
    assert walk(stage, 5, most=10, leap=4) == 10


@pytest.mark.soak
def test_three_hundred_boards_become_the_next(stage: Stage) -> None:
    """Of games of all kinds, half of them with cards that travel meanwhile."""
    shown, seed = 0, 100
    while shown < 300:
        stage.page.emulate_media(reduced_motion="reduce" if seed % 2 else "no-preference")
        shown, seed = shown + walk(stage, seed, most=25, leap=1 + seed % 5), seed + 1
