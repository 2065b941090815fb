// The table's script: choose, then confirm; keep the board fresh; say what happened. Without it the page works too.
// Every board, whoever sends it, comes in through show().

const HOLD = 3000; // a finished trick stays this long, or until the reader acts (R20)
const byId = (id) => document.getElementById(id);
const board = () => byId("board");
const bar = byId("confirm");
const why = byId("why");

let chosen = ""; // the value of the chosen card, "" for none
let taking = false; // the hand of the next seat is chosen instead
let sure = false; // a foul, confirmed once
let busy = false; // a move is on its way
let ended = { trick: board().dataset.trick, at: 0, seen: true };
let lastOpen = null; // what the reader did with "Last trick": true, false, or null for nothing
let failures = 0;
let timer = 0;

document.documentElement.classList.add("js");

// Choosing

const cardButton = () => chosen && board().querySelector(`.card[value="${chosen}"]`);

function choose(value) {
  chosen = value;
  taking = sure = false;
  drawChoice();
}

function drawChoice() {
  for (const card of board().querySelectorAll("[aria-pressed]")) card.removeAttribute("aria-pressed");
  const card = cardButton();
  bar.hidden = !(card || taking);
  bar.classList.toggle("warn", taking || sure);
  if (card) card.setAttribute("aria-pressed", "true");
  const [yes, note] = bar.querySelectorAll(".yes, small");
  note.textContent = "No undo.";
  if (taking) yes.textContent = `${byId("take-button").textContent.trim()}: sure?`;
  else if (card && sure) yes.textContent = `Play it all the same`;
  else if (card) yes.textContent = `Play ${card.dataset.name}`;
  if (card && card.classList.contains("foul")) note.textContent = "A foul: you take the cards on the table.";
}

function confirmed() {
  const card = cardButton();
  if (busy) return;
  if (taking) byId("take-button").form.requestSubmit(byId("take-button"));
  else if (card && card.classList.contains("foul") && !sure) {
    sure = true;
    drawChoice();
  } else if (card) card.form.requestSubmit(card);
}

function explain(text) {
  why.textContent = "";
  // A moment later, so that the same sentence is read out again.
  if (text) setTimeout(() => (why.textContent = text), 30);
}

document.addEventListener("click", (event) => {
  const held = holding() && board().querySelector(".now-trick");
  seen();
  const card = event.target.closest(".card");
  const summary = event.target.closest("#last > summary");
  // The tap that ends the show of a finished trick does not begin it anew.
  if (summary && held) event.preventDefault();
  else if (summary) lastOpen = !summary.parentElement.open;
  if (!card) return;
  event.preventDefault();
  rove(card);
  if (card.ariaDisabled === "true") {
    choose("");
    return explain(card.dataset.why);
  }
  explain("");
  if (chosen === card.value && card.getAttribute("aria-pressed")) confirmed();
  else choose(card.value);
});

bar.querySelector(".yes").addEventListener("click", confirmed);
bar.querySelector(".no").addEventListener("click", () => choose(""));

// A hand is taken only when asked for twice; this hears of the form before htmx does.
document.addEventListener("submit", (event) => {
  if (!event.target.matches("#take form") || taking) return;
  event.preventDefault();
  event.stopPropagation();
  choose("");
  taking = true;
  drawChoice();
  bar.querySelector(".yes").focus();
}, true);

// Keys: arrows move in the hand, whose cards are one stop of the tab key

const hand = () => [...board().querySelectorAll(".card")];

function rove(to) {
  for (const card of hand()) card.tabIndex = card === to ? 0 : -1;
}

function beside(card, key) {
  const rows = [...board().querySelectorAll(".row")].map((row) => [...row.querySelectorAll(".card")]);
  const y = rows.findIndex((row) => row.includes(card));
  const x = rows[y].indexOf(card);
  const all = rows.flat();
  if (key === "ArrowLeft") return all[all.indexOf(card) - 1];
  if (key === "ArrowRight") return all[all.indexOf(card) + 1];
  if (key === "Home") return rows[y][0];
  if (key === "End") return rows[y].at(-1);
  const row = rows[y + (key === "ArrowUp" ? -1 : 1)];
  return row && row[Math.min(x, row.length - 1)];
}

document.addEventListener("keydown", (event) => {
  seen();
  if (event.key === "Escape" && !bar.hidden) return choose("");
  const card = event.target.closest(".card");
  if (!card || !["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"].includes(event.key)) return;
  event.preventDefault();
  const to = beside(card, event.key);
  if (!to) return;
  rove(to);
  to.focus();
});

// Sending: htmx posts the form

// htmx knows the button that was clicked last, not the one that submits.
document.addEventListener("htmx:configRequest", ({ detail }) => {
  const button = detail.triggeringEvent?.submitter;
  if (button?.name) detail.parameters[button.name] = button.value;
});

document.addEventListener("htmx:beforeRequest", (event) => {
  if (busy) return event.preventDefault();
  busy = true;
  bar.querySelector(".yes").textContent = "Sending…";
  board().setAttribute("aria-busy", "true");
});

document.addEventListener("htmx:afterRequest", () => {
  busy = false;
  board().removeAttribute("aria-busy");
  drawChoice();
});

document.addEventListener("htmx:beforeSwap", (event) => {
  if (!event.detail.shouldSwap) return;
  event.detail.shouldSwap = false;
  if (event.detail.xhr.status === 200) {
    choose("");
    byId("take")?.removeAttribute("open");
  }
  show(event.detail.xhr.responseText);
});

document.addEventListener("htmx:sendError", () => explain("Not sent: there is no connection. Your choice is kept: confirm it again."));
document.addEventListener("htmx:responseError", (event) => {
  explain(event.detail.xhr.status < 500 ? "The table did not take that: load the page again." : "Our side failed: try again.");
});

// A new board

const older = (fresh, old) => Number(fresh.version) < Number(old.version) || (fresh.version === old.version && Number(fresh.revision) < Number(old.revision));

function show(html) {
  const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("board");
  const old = board();
  if (!fresh || older(fresh.dataset, old.dataset)) return;
  const active = old.contains(document.activeElement) ? document.activeElement : null;
  for (const box of old.querySelectorAll("details[id][open]:not(#last)")) {
    fresh.querySelector(`#${box.id}`)?.setAttribute("open", "");
  }
  const before = { version: Number(old.dataset.version), state: old.dataset.state };
  document.adoptNode(fresh);
  old.replaceWith(fresh);
  window.htmx.process(fresh);
  if (taking && !byId("take-button")) taking = false;
  settle();
  keepTrick();
  if (active) (byId(active.id) ?? byId("banner")).focus({ preventScroll: true });
  announce(fresh, before);
}

// What every board needs, the first one too: one card a tab stop, the choice drawn, a forced card chosen (R10).
function settle() {
  const only = board().querySelector(".card[data-only]");
  if (!cardButton()) chosen = only ? only.value : "";
  rove((document.activeElement.closest(".card") && byId(document.activeElement.id)) || cardButton() || board().querySelector(".card.play") || hand()[0]);
  drawChoice();
  const mine = board().dataset.state === "my-turn";
  document.title = (mine ? "Your turn: " : "") + document.title.replace(/^Your turn: /, "");
}

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

function announce(fresh, before) {
  const lines = [...fresh.querySelectorAll(".log li[data-step]")].filter((line) => Number(line.dataset.step) > before.version);
  const said = lines.map((line) => line.textContent.trim()).reverse();
  if (said.length) byId("polite").textContent = said.length > 3 ? `${said.length} things happened. ${said.slice(-3).join(" ")}` : said.join(" ");
  const { state } = fresh.dataset;
  if (state !== before.state && state !== "waiting") byId("assertive").textContent = byId("banner").textContent;
  else if (state === "waiting") byId("assertive").textContent = "";
}

// Looking for news

function delay() {
  if (failures) return Math.min(30000, 1000 * 2 ** failures);
  if (document.hidden) return 15000;
  return { waiting: 1000, "my-turn": 2000, over: 8000 }[board().dataset.state];
}

function pollLater(after = delay()) {
  clearTimeout(timer);
  timer = setTimeout(poll, after);
}

async function poll() {
  if (busy) return pollLater();
  const { src, version, revision } = board().dataset;
  try {
    const answer = await fetch(`${src}?since=${version}.${revision}`, { headers: { "HX-Request": "true" } });
    if (answer.status === 401) return location.assign(answer.headers.get("HX-Redirect"));
    if (answer.status === 404) return location.reload();
    failures = answer.status < 400 ? 0 : failures + 1;
    if (answer.status === 200) {
      const html = await answer.text();
      if (!busy) show(html);
    }
  } catch {
    failures += 1;
    if (failures === 2) explain("There is no connection: the table may have moved on.");
  }
  pollLater();
}

document.addEventListener("visibilitychange", () => !document.hidden && pollLater(0));
window.addEventListener("pageshow", (event) => event.persisted && pollLater(0));

settle();
pollLater();
