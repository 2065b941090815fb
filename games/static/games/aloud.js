// What happened is read out: politely and in order, and at once when it is the reader's turn or all is over (R45).

const byId = (id) => document.getElementById(id);

function announce({ fresh, old }) {
  // A seat that changes hands is no entry of the log: what was not told before is news as well.
  const version = Number(old.dataset.version);
  const handed = new Set([...old.querySelectorAll(".log .Handed")].map((line) => line.textContent));
  const lines = [...fresh.querySelectorAll(".log li[data-step]")].filter(
    (line) => Number(line.dataset.step) > version || (line.matches(".Handed") && !handed.has(line.textContent)),
  );
  const said = lines.map((line) => line.textContent.trim()).reverse();
  if (said.length) byId("polite").textContent = said.length > 3 ? `${said.length} things happened. ${said.slice(-3).join(" ")}` : said.join(" ");
  const { state } = fresh.dataset;
  if (state !== old.dataset.state && state !== "waiting") byId("assertive").textContent = fresh.querySelector("#banner .said").textContent;
  else if (state === "waiting") byId("assertive").textContent = "";
}

document.addEventListener("getaway:board", ({ detail }) => announce(detail));
