// Boards that come by themselves: how the page learns that the table has moved on.

import { board, byId, sending, show } from "./boards.js";

const LOST = "There is no connection: the table may have moved on.";

let failures = 0;
let whole = false; // the next look for news asks for all there is: a moment has come that the board names
let timer = 0;

// Says how live the page is, "" while it is.
function tell(text) {
  if (byId("live").textContent !== text) byId("live").textContent = text;
}

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
  if (sending()) return pollLater();
  const { src, version, revision } = board().dataset;
  try {
    const asked = new URLSearchParams(whole ? {} : { since: `${version}.${revision}` });
    if (!document.hidden) asked.set("visible", "1");
    const answer = await fetch(`${src}?${asked}`, { headers: { "HX-Request": "true" } });
    whole = false;
    if (answer.status === 401) return location.assign(answer.headers.get("HX-Redirect"));
    if (answer.status === 404) return location.reload();
    failures = answer.status < 400 ? 0 : failures + 1;
    if (!failures) tell("");
    if (answer.status === 200) show(await answer.text(), { pushed: true });
  } catch {
    failures += 1;
    if (failures === 2) tell(LOST);
  }
  pollLater();
}

document.addEventListener("visibilitychange", () => !document.hidden && pollLater(0));
document.addEventListener("getaway:time", () => {
  whole = true;
  pollLater(500);
});
window.addEventListener("pageshow", (event) => event.persisted && pollLater(0));

pollLater();
