// A table that waits for people: who has sat down appears, and once the cards are dealt everybody is led to them.

import { Line } from "./line.js";

const EVERY = 5000;
const LIVE = 20000; // the same while a socket tells of what changes
// Not the address of this page: it may be the answer to a form.
const page = document.getElementById("table").dataset.page;
const path = `${page}?wait=1`;

// What the reader is here: whoever becomes the host, is taken off or sits down elsewhere needs another page.
const as = (tree) => tree.getElementById("table").dataset.as;

const parsed = (html) => new DOMParser().parseFromString(html, "text/html");

// False if the site could not answer.
async function look() {
  if (document.hidden) return true;
  const answer = await fetch(path, { headers: { Accept: "text/html" } });
  if (answer.ok && !answer.redirected) show(parsed(await answer.text()));
  else if (answer.redirected) location.assign(answer.url);
  // Closed, or no longer open to whoever looks.
  else if (answer.status === 404) location.assign(page);
  return answer.status < 500;
}

function show(fresh) {
  const other = !fresh.querySelector("#table[data-status=open]") || as(fresh) !== as(document);
  if (other) return location.assign(page);
  document.title = fresh.title;
  for (const id of ["heading", "live", "start", "hands"]) replace(document.getElementById(id), fresh.getElementById(id));
}

// What somebody is filling in is let be; forms keep their tokens, which change with every answer.
function replace(old, fresh) {
  if (!old || !fresh || old.contains(document.activeElement) || old.querySelector("details[open]")) return;
  const bare = (node) => {
    const copy = node.cloneNode(true);
    copy.querySelectorAll("input[type=hidden]").forEach((each) => each.remove());
    return copy.innerHTML;
  };
  if (bare(old) !== bare(fresh)) old.replaceWith(document.adoptNode(fresh));
}

// Whoever sits here has this table on their list of games: when that changes, so may this page.
const mine = Boolean(document.getElementById("line"));
let list = "";

function listed(html) {
  list = parsed(html).getElementById("list").dataset.digest;
  return look().catch(() => {});
}

if (mine) new Line({ path: "/ws/home/", at: () => list, show: listed, look, pace: () => EVERY, place: "line" });
setInterval(() => look().catch(() => {}), mine ? LIVE : EVERY);
document.addEventListener("visibilitychange", () => look().catch(() => {}));
