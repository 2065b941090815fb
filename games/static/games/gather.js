// A table that waits for people: who has sat down appears, and once the cards are dealt everybody is led to them.

const EVERY = 5000;
const path = `${location.pathname}?wait=1`;

async function look() {
  if (document.hidden) return;
  const answer = await fetch(path, { headers: { Accept: "text/html" } });
  if (answer.redirected) return location.assign(answer.url);
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!fresh.querySelector("#table[data-status=open]")) return location.reload();
  for (const id of ["live", "start", "hands"]) replace(document.getElementById(id), fresh.getElementById(id));
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
