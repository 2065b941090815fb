// How far the reader has seen the game, told to the site so that "Since you were away" begins there (R25). What was
// shown is what stood in a visible tab for a second; the box itself must have been in view.

const LONG_ENOUGH = 1000;
const OFTEN_ENOUGH = 10000; // nobody watches one card a time go to the site

const byId = (id) => document.getElementById(id);
const board = () => byId("board");
const form = byId("seen"); // only those who sit there have one

let told = Number(form?.dataset.number); // the last number that the site knows
let shown = told;
let looking = 0;
let last = -Infinity;
let later = 0;

function tell(keepalive = false) {
  clearTimeout(later);
  later = 0;
  if (shown <= told) return;
  told = shown;
  last = Date.now();
  const body = new URLSearchParams(new FormData(form));
  body.set("number", String(shown));
  fetch(form.action, { method: "POST", body, keepalive, headers: { "HX-Request": "true" } }).catch(() => {
    told = -1; // it does not know: what comes next tells it
  });
}

const flush = () => form && tell(true);

function tellSoon() {
  if (!later) later = setTimeout(tell, Math.max(0, last + OFTEN_ENOUGH - Date.now()));
}

const inView = new IntersectionObserver(look, { threshold: [0, 0.5, 1] });

// The box counts as shown if it is open, and half of it, or half a screen of it, is in view.
function boxShows() {
  const box = byId("away");
  if (!box) return true;
  if (!box.open) return false;
  const { top, bottom, height } = box.getBoundingClientRect();
  const part = Math.min(bottom, innerHeight) - Math.max(top, 0);
  return part >= Math.min(height, innerHeight) / 2;
}

function look() {
  clearTimeout(looking);
  if (!form || document.hidden || !boxShows()) return;
  const { version } = board().dataset;
  looking = setTimeout(() => {
    if (document.hidden || !boxShows()) return;
    shown = Math.max(shown, Number(version));
    tellSoon();
  }, LONG_ENOUGH);
}

function watch() {
  inView.disconnect();
  if (byId("away")) inView.observe(byId("away"));
  look();
}

// A fresh board brings a box of its own only if nobody was looking; else the old one stays until the reader acts.
document.addEventListener("getaway:board", ({ detail: { fresh, old } }) => {
  const [box, kept] = [fresh, old].map((each) => each.querySelector("#away"));
  if (box && !document.hidden && !kept) box.remove();
  else if (kept && !box) fresh.querySelector(".news").append(kept.cloneNode(true));
});
document.addEventListener("getaway:shown", watch);

// Whoever plays a card has read enough; this hears of the answer before the table does.
document.addEventListener(
  "htmx:beforeSwap",
  ({ detail }) => {
    if (detail.xhr.status === 200 && detail.requestConfig.path.endsWith("/play/")) byId("away")?.remove();
  },
  true,
);

document.addEventListener("submit", (event) => {
  if (!event.target.matches("#away form")) return;
  event.preventDefault();
  shown = Math.max(shown, Number(board().dataset.version));
  tell();
  byId("away").remove();
  byId("banner").focus({ preventScroll: true });
});

// Heard on its way down: it does not rise.
document.addEventListener("toggle", look, true);

document.addEventListener("visibilitychange", () => (document.hidden ? flush() : watch()));
window.addEventListener("pagehide", flush);

watch();
