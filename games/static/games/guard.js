// For a moment after a board has come by itself, a tap on what is new or has moved does nothing: it was meant for what
// stood there before. Keys are not taps.

import { explain } from "./say.js";

const MOMENT = 700;
const FAR = 4; // px
const THINGS = ":is(#board, #confirm, #list) :is(a, button, summary, label, select)";

let until = 0;
let moved = new Set();
let top = 0; // where the page stood before the board came
let scrolled = false; // by the reader, since

// Where a thing is seen, and what a button says. A card that may be played is raised, and stays in its place all the same.
function place(thing) {
  const { left, top } = thing.getBoundingClientRect();
  const raised = thing.matches(".card") ? parseFloat(getComputedStyle(thing).translate.split(" ")[1]) || 0 : 0;
  return { left, top: top - raised, said: thing.matches("button:not(.card)") && thing.textContent };
}

const places = () => new Map([...document.querySelectorAll(THINGS)].filter((each) => each.checkVisibility()).map((each) => [each, place(each)]));

const same = (was, is) => was && Math.abs(was.left - is.left) <= FAR && Math.abs(was.top - is.top) <= FAR && was.said === is.said;

// Runs what changes the page, and guards what it has moved.
export function guarded(change) {
  const before = places();
  top = scrollY;
  change();
  moved = new Set([...places()].filter(([thing, is]) => !same(before.get(thing), is)).map(([thing]) => thing));
  scrolled = false;
  until = performance.now() + MOMENT;
}

// What the page brings into view by itself goes on moving for a while.
const slides = (thing) => !scrolled && Math.abs(scrollY - top) > FAR && !thing.closest("#confirm");

window.addEventListener(
  "click",
  (event) => {
    const thing = event.detail > 0 && performance.now() < until && event.target.closest?.(THINGS);
    if (!thing || !(moved.has(thing) || slides(thing))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    explain("The table moved: tap again.");
  },
  true,
);

for (const act of ["wheel", "touchmove", "keydown"]) addEventListener(act, () => (scrolled = true), { passive: true, capture: true });
