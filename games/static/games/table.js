// The table's script: choose, then confirm; say what happened. Without it the page works too.

import { board, byId, sending, show } from "./boards.js";
import { explain } from "./say.js";
import { still } from "./still.js";

const bar = byId("confirm");

let chosen = ""; // the value of the chosen card, "" for none
let taking = false; // the hand of the next seat is chosen instead
let sure = false; // a foul, confirmed once
let from = ""; // the id of what was chosen last: there the focus goes back
let offered = ""; // what the hand that is about to be taken was called

document.documentElement.classList.add("js");

// Choosing

const cardButton = () => (chosen ? board().querySelector(`.card[value="${chosen}"]`) : null);

function choose(value) {
  chosen = value;
  taking = sure = false;
  drawChoice();
  reveal(cardButton()?.closest(".row"));
}

const isFoul = (card) => Boolean(card?.classList.contains("foul"));

function drawChoice() {
  const card = cardButton();
  for (const each of board().querySelectorAll("[aria-pressed]")) if (each !== card) each.removeAttribute("aria-pressed");
  const focused = bar.contains(document.activeElement);
  bar.hidden = !(card || taking);
  bar.classList.toggle("warn", taking || isFoul(card));
  card?.setAttribute("aria-pressed", "true");
  from = taking ? "take-open" : card?.id ?? from;
  const [yes, note] = bar.querySelectorAll(".yes, small");
  note.textContent = taking ? byId("take-text").textContent : isFoul(card) ? board().dataset.foul : "No undo.";
  if (taking) yes.textContent = `${offer()}: sure?`;
  else if (card) yes.textContent = isFoul(card) && sure ? "Play it all the same" : `Play ${card.dataset.name}`;
  measure();
  if (focused && bar.hidden) (byId(from) ?? byId("banner")).focus({ preventScroll: true });
}

// The page ends above the bar, and scrolls what it shows to above it (R48).
const measure = () => document.documentElement.style.setProperty("--dock", `${bar.offsetHeight}px`);

// A row that is in view already stays where it is.
const reveal = (row) => row?.scrollIntoView({ block: "nearest", behavior: still() ? "auto" : "smooth" });

function confirmed() {
  const card = cardButton();
  if (sending()) return;
  if (taking) byId("take-button").form.requestSubmit(byId("take-button"));
  else if (card && card.classList.contains("foul") && !sure) {
    sure = true;
    drawChoice();
  } else if (card) card.form.requestSubmit(card);
}

document.addEventListener("click", (event) => {
  const card = event.target.closest(".card");
  if (event.target.closest("#take-open")) askToTake(event);
  if (!card) return;
  event.preventDefault();
  if (card.ariaDisabled === "true") {
    choose("");
    return explain(card.dataset.why);
  }
  explain("");
  const again = chosen === card.value && card.getAttribute("aria-pressed");
  if (!again) choose(card.value);
  if (again || (document.documentElement.dataset.ask === "no" && !isFoul(card))) confirmed();
});

bar.querySelector(".yes").addEventListener("click", confirmed);
bar.querySelector(".no").addEventListener("click", () => choose(""));

// A hand is taken only when asked for twice; this hears of the form before htmx does.
document.addEventListener("submit", (event) => event.target.matches("#take form") && !taking && askToTake(event), true);

const offer = () => byId("take-button")?.textContent.trim();

function askToTake(event) {
  event.preventDefault();
  event.stopPropagation();
  choose("");
  taking = true;
  offered = offer();
  drawChoice();
  bar.querySelector(".yes").focus();
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  explain("");
  choose("");
});

// Sending: htmx posts the form

// htmx knows the button that was clicked last, not the one that submits.
document.addEventListener("htmx:configRequest", ({ detail }) => {
  const button = detail.triggeringEvent?.submitter;
  if (button?.name) detail.parameters[button.name] = button.value;
});

document.addEventListener("htmx:beforeRequest", (event) => {
  if (sending()) return event.preventDefault();
  explain("");
  bar.querySelector(".yes").textContent = "Sending…";
  board().setAttribute("aria-busy", "true");
});

document.addEventListener("htmx:afterRequest", () => {
  board().removeAttribute("aria-busy");
  drawChoice();
});

document.addEventListener("htmx:beforeSwap", (event) => {
  if (!event.detail.shouldSwap) return;
  event.detail.shouldSwap = false;
  if (event.detail.xhr.status === 200) choose("");
  show(event.detail.xhr.responseText);
});

document.addEventListener("htmx:sendError", () => explain("Not sent: the connection failed. Your choice is kept: confirm it again.", { stays: true }));
document.addEventListener("htmx:responseError", (event) => {
  const { status } = event.detail.xhr;
  if (status === 429) explain("That was too often: wait a minute and try again.");
  else explain(status < 500 ? "The table did not take that: load the page again." : "Our side failed: try again.");
});

// A new board

document.addEventListener("getaway:shown", ({ detail: { changed, pushed } }) => {
  if (changed) {
    sure = false;
    explain("");
  }
  if (taking && offer() !== offered) {
    taking = false;
    explain("The hand that you were about to take is not offered any more.");
  }
  settle();
  // What comes by itself never takes the reader from where they have gone.
  if (changed && !(pushed && scrollY)) showDuty();
});

// What every board needs, the first one too: one card a tab stop, the choice drawn, a forced card chosen (R10).
function settle() {
  const only = board().querySelector(".card[data-only]");
  if (!cardButton()) {
    chosen = only && !taking ? only.value : "";
    sure = false;
  }
  const stop = document.activeElement.closest("#hand .card") ?? cardButton() ?? board().querySelector(".card.play") ?? board().querySelector(".card");
  for (const card of board().querySelectorAll(".card")) card.tabIndex = card === stop ? 0 : -1;
  drawChoice();
  const { state, mine } = board().dataset;
  const count = Number(mine) ? `(${mine}) ` : "";
  document.title = count + (state === "my-turn" ? "Your turn: " : "") + document.title.replace(/^(\(\d+\) )?(Your turn: )?/, "");
  document.body.dataset.mine = mine;
  const alert = board().querySelector(".alert");
  if (alert) explain(alert.textContent, { alerted: true });
}

// Where only one suit may be played, its row comes into view.
function showDuty() {
  const rows = board().querySelectorAll(".row:has(.play)");
  if (rows.length === 1) reveal(rows[0]);
}

new ResizeObserver(measure).observe(bar);

settle();
if (!byId("away")) showDuty(); // what came while the reader was away is read first
