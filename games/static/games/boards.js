// Every board, whoever sends it, comes onto the page through show(): the board that stands there becomes the fresh one.
// Others hear `getaway:board` before, with the fresh one, to which they may add what is theirs, and the old; and
// `getaway:shown` after, with `changed`: whether it tells of another moment, and `pushed`: whether it came by itself.

import { guarded } from "./guard.js";
import { morph } from "./morph.js";
import { moved, putAway } from "./travel.js";

const HOLD = 3000; // at live tables a finished trick stays this long; everywhere until the reader acts (R20)

export const byId = (id) => document.getElementById(id);
export const board = () => byId("board");

let ended = { trick: board().dataset.trick, seen: true };
let lastOpen = null; // what the reader did with "Last trick": true, false, or null for nothing
let waiting = ""; // a board that came while a move was on its way
let under = null; // the change that is under way
let answering = false; // it is the answer to a move

const older = (fresh, old) => Number(fresh.version) < Number(old.version) || (fresh.version === old.version && Number(fresh.revision) < Number(old.revision));

const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));

// Whether a move is on its way, or its answer onto the page.
export const sending = () => board().ariaBusy === "true" || answering;

// Resolves once no change is under way.
export const settled = async () => under;

// Puts a board on the page, unless it is older than the one that is there. `pushed`: it came by itself, and is no
// answer to what the reader did; then it waits for the answer to a move that is on its way.
export function show(html, { pushed = false } = {}) {
  if (under) under.then(() => show(html, { pushed }));
  else if (pushed && sending()) waiting = html;
  else bring(new DOMParser().parseFromString(html, "text/html").getElementById("board"), pushed);
}

function bring(fresh, pushed) {
  const old = board();
  if (!fresh || older(fresh.dataset, old.dataset)) return;
  drawTrick(fresh);
  answering = !pushed;
  const done = () => (under = null);
  const swap = () => {
    answering = false;
    if (pushed) guarded(() => become(old, fresh, pushed));
    else become(old, fresh, pushed);
  };
  under = moved(swap, fresh, old);
  under.then(done, done);
}

function become(old, fresh, pushed) {
  const active = old.contains(document.activeElement) ? document.activeElement : null;
  const changed = fresh.dataset.version !== old.dataset.version || fresh.dataset.state !== old.dataset.state;
  old.querySelector(".alert")?.remove(); // so that the same one is read out again
  tell("getaway:board", { fresh, old });
  sign(fresh);
  for (const each of morph(old, fresh)) window.htmx.process(each);
  drawTrick(old);
  if (active && document.activeElement !== active) (active.isConnected ? active : byId(active.id) ?? byId("banner")).focus({ preventScroll: true });
  tell("getaway:shown", { changed, pushed });
}

// Boards that are pushed are made for nobody's session: their forms take the token of the page.
function sign(fresh) {
  const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value;
  for (const each of fresh.querySelectorAll("[name=csrfmiddlewaretoken][value='-']")) each.setAttribute("value", token ?? "-");
}

document.addEventListener("htmx:afterRequest", () => {
  const html = waiting;
  waiting = "";
  // Once the answer is on the page.
  if (html) setTimeout(show, 0, html, { pushed: true });
});

// The finished trick

// Opens the last trick where the table is empty, or while it is still looked at; else what the reader did with it holds.
function drawTrick(root) {
  const { trick } = root.dataset;
  if (trick !== ended.trick) {
    ended = { trick, seen: false };
    lastOpen = null;
    if ("live" in root.dataset) setTimeout(() => ended.trick === trick && seen(), HOLD);
  }
  const goesOn = Boolean(root.querySelector(".now-trick"));
  const last = root.querySelector("#last");
  last?.toggleAttribute("open", !goesOn || (lastOpen ?? !ended.seen));
  last?.toggleAttribute("data-held", goesOn && !ended.seen);
}

const holding = () => !ended.seen && board().querySelector(".now-trick");

function seen() {
  const held = holding();
  ended.seen = true;
  if (held) putAway(() => drawTrick(board()), board());
}

document.addEventListener("click", (event) => {
  const held = holding();
  seen();
  const summary = event.target.closest("#last > summary");
  // The tap that ends the show of a finished trick does not begin it anew.
  if (summary && held) event.preventDefault();
  else if (summary) lastOpen = !summary.parentElement.open;
});

document.addEventListener("keydown", seen);
