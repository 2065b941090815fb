// A table that waits for people: who has sat down appears, and once the cards are dealt everybody is led to them.

const EVERY = 5000;
// Not the address of this page: it may be the answer to a form.
const page = document.getElementById("table").dataset.page;
const path = `${page}?wait=1`;

// What the reader is here: whoever becomes the host, is taken off or sits down elsewhere needs another page.
const as = (tree) => tree.getElementById("table").dataset.as;

async function look() {
  if (document.hidden) return;
  const answer = await fetch(path, { headers: { Accept: "text/html" } });
  if (answer.redirected) return location.assign(answer.url);
  // Closed, or no longer open to whoever looks.
  if (answer.status === 404) return location.assign(page);
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!fresh.querySelector("#table[data-status=open]")) return location.assign(page);
  if (as(fresh) !== as(document)) return location.assign(page);
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

setInterval(() => look().catch(() => {}), EVERY);
document.addEventListener("visibilitychange", () => look().catch(() => {}));
