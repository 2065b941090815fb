// The list of games keeps itself fresh, and the count in the title and on the icon with it.

import { guarded } from "./guard.js";
import { Line } from "./line.js";
import { morph } from "./morph.js";

const list = () => document.getElementById("list");

function count(mine) {
  document.body.dataset.mine = mine;
  const plain = document.title.replace(/^\(\d+\) /, "");
  document.title = Number(mine) ? `(${mine}) ${plain}` : plain;
}

function show(html) {
  const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("list");
  if (!fresh) return;
  const active = list().contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  guarded(() => morph(list(), fresh));
  count(fresh.dataset.mine);
  // A game that has come to another list takes the focus along.
  const kept = [...list().querySelectorAll("a")].find((each) => each.getAttribute("href") === active);
  if (kept && kept !== document.activeElement) kept.focus({ preventScroll: true });
}

async function look(signal) {
  const asked = new URLSearchParams({ since: list().dataset.digest });
  const answer = await fetch(`/list/?${asked}`, { headers: { "HX-Request": "true" }, signal });
  if (answer.status === 401) location.assign(answer.headers.get("HX-Redirect"));
  else if (answer.status === 200) show(await answer.text());
  return answer.status < 400;
}

const games = new Line({
  path: "/ws/home/",
  at: () => list().dataset.digest,
  show,
  said: ({ mine }) => mine === undefined || count(mine),
  look,
  pace: () => (document.hidden ? 60000 : 5000),
});

document.addEventListener("getaway:time", () => games.ask(500));
