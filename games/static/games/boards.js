// Every board, whoever sends it, comes onto the page through show(). Others hear `getaway:board` once a board, with the
// fresh one and the old, and `getaway:shown` when it stands, with `changed`: whether it tells of another moment.

const HOLD = 3000; // a finished trick stays this long, or until the reader acts (R20)

export const byId = (id) => document.getElementById(id);
export const board = () => byId("board");

let ended = { trick: board().dataset.trick, at: 0, seen: true };
let lastOpen = null; // what the reader did with "Last trick": true, false, or null for nothing
let waiting = ""; // a board that came while a move was on its way

const older = (fresh, old) => Number(fresh.version) < Number(old.version) || (fresh.version === old.version && Number(fresh.revision) < Number(old.revision));

const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));

// Whether a move is on its way.
export const sending = () => board().ariaBusy === "true";

// Puts a board on the page, unless it is older than the one that is there. `pushed`: it came by itself, and is no
// answer to what the reader did; then it waits for the answer to a move that is on its way.
export function show(html, { pushed = false } = {}) {
  if (pushed && sending()) {
    waiting = html;
    return;
  }
  const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("board");
  if (fresh && !older(fresh.dataset, board().dataset)) swap(fresh);
}

function swap(fresh) {
  const old = board();
  const active = old.contains(document.activeElement) ? document.activeElement : null;
  // Boxes that are not about the game stay as the reader left them, if they still ask for the same.
  for (const box of old.querySelectorAll("details.box[id], #ask")) {
    const same = fresh.querySelector(`#${box.id}`);
    if (same?.dataset.asks === box.dataset.asks) same?.replaceWith(box);
  }
  const changed = fresh.dataset.version !== old.dataset.version || fresh.dataset.state !== old.dataset.state;
  document.adoptNode(fresh);
  old.replaceWith(fresh);
  tell("getaway:board", { fresh, old });
  window.htmx.process(fresh);
  keepTrick();
  if (active) (active.isConnected ? active : byId(active.id) ?? byId("banner")).focus({ preventScroll: true });
  tell("getaway:shown", { changed });
}

document.addEventListener("htmx:afterRequest", () => {
  const html = waiting;
  waiting = "";
  // Once the answer is on the page.
  if (html) setTimeout(show, 0, html, { pushed: true });
});

// The finished trick

function keepTrick() {
  const { trick } = board().dataset;
  if (trick !== ended.trick) {
    ended = { trick, at: Date.now(), seen: false };
    lastOpen = null;
    setTimeout(() => ended.trick === trick && seen(), HOLD);
  }
  if (!board().querySelector(".now-trick")) return;
  byId("last")?.toggleAttribute("open", lastOpen ?? holding());
}

const holding = () => !ended.seen && Date.now() - ended.at < HOLD;

function seen() {
  if (ended.seen) return;
  ended.seen = true;
  keepTrick();
}

document.addEventListener("click", (event) => {
  const held = holding() && board().querySelector(".now-trick");
  seen();
  const summary = event.target.closest("#last > summary");
  // The tap that ends the show of a finished trick does not begin it anew.
  if (summary && held) event.preventDefault();
  else if (summary) lastOpen = !summary.parentElement.open;
});

document.addEventListener("keydown", seen);
