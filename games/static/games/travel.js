// Cards are seen to travel: from hand or seat to the table, from the table to the waste or to whoever picks up. Only
// what travels has a name, and only while it does: all else stays alive. Names are set one by one, as our policy lets
// no style attribute through.

import { still } from "./still.js";

const PULSE = 250; // ms; landing and going take 300 and 400, said in table.css: a tochoo takes less than 1.2 s in all

const named = new Set();
let flying = null; // the transition that is under way

const moves = () => !still() && !document.hidden && Boolean(document.startViewTransition);

function inView(element) {
  if (!element?.checkVisibility()) return false;
  const { top, bottom, left, right } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
}

function name(element, value, kind) {
  if (!inView(element) || named.has(element)) return;
  named.add(element);
  element.style.viewTransitionName = value;
  element.style.viewTransitionClass = kind;
}

function clear() {
  for (const { style, attributes } of named) {
    style.viewTransitionName = style.viewTransitionClass = "";
    if (!style.length && attributes.style) attributes.removeNamedItem("style");
  }
  named.clear();
}

// What may be seen of the tricks: the last one if it is open, else the one on the table.
const shown = (board) => board.querySelector("#last[open] .played") ?? board.querySelector(".now-trick .played");
const cards = (list) => [...(list?.children ?? [])];
const at = (card) => card.classList[0];
const face = (card) => card.querySelector(".face")?.textContent;
const finished = (old, fresh) => fresh.dataset.trick !== undefined && fresh.dataset.trick !== old.dataset.trick;

// The cards that have come onto the table, of a trick that goes on or of a new one.
function landed(old, fresh) {
  const list = shown(fresh);
  const [ends, last] = [finished(old, fresh), Boolean(list?.closest("#last"))];
  if (last && !ends) return [];
  const before = last === ends ? old.querySelector(".now-trick .played") : null;
  const lay = new Map(cards(before).map((card) => [at(card), face(card)]));
  return cards(list).filter((card) => !lay.has(at(card)) || (lay.get(at(card)) ?? face(card)) !== face(card));
}

// Where a card was before: in the reader's hand, or with the seat that played it.
function origin(card, old, fresh) {
  const [rank, suit] = [card.querySelector(".face b")?.textContent, card.querySelector(".face")?.classList[1]];
  const held = suit ? [...old.querySelectorAll(`#hand .card.${suit}`)] : [];
  const own = held.findLast((each) => each.querySelector("b").textContent === rank && !fresh.querySelector(`#${each.id}`));
  return own ? [own, "card"] : [old.querySelector(`.seat.${at(card)} .count`), "deal"];
}

// What travels when a fresh board takes the place of the old: from where, as what, and to where once it is there.
function plan(old, fresh) {
  const gap = Number(fresh.dataset.trick ?? 0) - Number(old.dataset.trick ?? 0);
  if (gap < 0 || gap > 2) return [];
  const going = landed(old, fresh).map((card) => {
    const [from, kind] = origin(card, old, fresh);
    return { from, kind, to: () => cards(shown(old)).find((each) => at(each) === at(card))?.querySelector(".face, .facedown") };
  });
  return fresh.querySelector("#last[open]") ? going : [...going, ...leaving(old)];
}

// The last trick, if it is seen and went to the waste; one that was picked up has gone already.
function leaving(board) {
  const from = board.querySelector("#last[open]:not([data-taker]) .played");
  return from ? [{ from, kind: "stack", to: () => board.querySelector("[data-waste]") }] : [];
}

// Makes a change, seen as a travel if anything that travels is in view. Resolves once it is made, and never rejects.
function fly(change, going) {
  clear();
  if (moves()) going.forEach(({ from, kind }, i) => name(from, `go-${i}`, kind));
  if (!named.size) {
    change();
    return Promise.resolve();
  }
  const transition = document.startViewTransition(() => {
    if (flying !== transition) return change(); // another one has taken its place
    clear();
    change();
    going.forEach(({ to, kind }, i) => name(to(), `go-${i}`, kind));
  });
  flying = transition;
  transition.ready.catch(() => {});
  transition.finished.catch(() => {}).finally(() => flying === transition && land());
  return transition.updateCallbackDone.catch(reportError);
}

function land() {
  flying = null;
  clear();
}

// Who picks up is shown in three steps: the last card lands, the highest pulses, the stack goes to its new owner while
// the trick itself stays to be read.
async function pickUp(board, trick) {
  const stays = () => moves() && !flying && board.dataset.trick === trick && inView(board.querySelector("#last .played"));
  await flying?.finished.catch(() => {});
  if (!stays()) return;
  await board.querySelector("#last .winning .face")?.animate({ scale: [1, 1.15, 1] }, PULSE).finished.catch(() => {});
  if (!stays()) return;
  const from = board.querySelector("#last .played");
  const { taker } = from.closest("#last").dataset;
  fly(() => {}, [{ from, kind: "stack", to: () => board.querySelector(`[data-seat="${taker}"] .count`) }]);
}

// Lets a fresh board take the place of the old, which stays as an element and becomes the fresh one.
export function moved(swap, fresh, old) {
  const taken = finished(old, fresh) && fresh.querySelector("#last[data-taker]");
  const done = fly(swap, plan(old, fresh));
  if (taken) done.then(() => pickUp(old, fresh.dataset.trick));
  return done;
}

// Lets the last trick go.
export const putAway = (change, board) => fly(change, leaving(board));
