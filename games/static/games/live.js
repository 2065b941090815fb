// Boards that come by themselves: pushed by a socket, or asked for while there is none.

import { board, sending, settled, show } from "./boards.js";
import { Line } from "./line.js";

let whole = false; // the next look for news asks for all there is: a moment has come that the board names

async function look(signal) {
  if (sending()) return true;
  const { src, version, revision } = board().dataset;
  const asked = new URLSearchParams(whole ? {} : { since: `${version}.${revision}` });
  if (!document.hidden) asked.set("visible", "1");
  const answer = await fetch(`${src}?${asked}`, { headers: { "HX-Request": "true", "HX-Current-URL": location.href }, signal });
  whole = false;
  if (answer.status === 401) location.assign(answer.headers.get("HX-Redirect"));
  else if (answer.status === 404) location.reload();
  else if (answer.status === 200) show(await answer.text(), { pushed: true });
  return answer.status < 400;
}

function pace() {
  if (document.hidden) return 15000;
  return { waiting: 1000, "my-turn": 2000, over: 8000 }[board().dataset.state];
}

const tellHere = (seats) => document.dispatchEvent(new CustomEvent("getaway:here", { detail: seats }));

const table = new Line({
  path: `/ws${board().dataset.src.replace(/board\/$/, "")}`,
  at: () => `${board().dataset.version}.${board().dataset.revision}`,
  show(html) {
    show(html, { pushed: true });
    return settled();
  },
  said: ({ here }) => here && tellHere(here),
  look,
  pace,
  may: () => !sending(),
  change: (live) => live || tellHere([]),
});

document.addEventListener("getaway:shown", () => table.shown());
// An answer may be on the page before its request counts as over.
document.addEventListener("htmx:afterRequest", () => setTimeout(() => table.shown(), 0));
document.addEventListener("getaway:time", () => {
  whole = true;
  table.ask(500);
});
