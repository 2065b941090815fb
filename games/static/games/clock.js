// Keeps "in 5 hours" true, in the words of the page, by the site's clock; and asks for a fresh board once a moment that
// the page names has come.

const UNITS = [["day", 86400, 172800], ["hour", 3600, 7200], ["minute", 60, 120], ["second", 1, 0]];
const said = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "always" });

let ahead = 0; // by how much the site's clock is ahead of this one, in seconds
const come = new Set(); // moments that have come, asked about once

const now = () => Date.now() / 1000 + ahead;

function far(left, short) {
  if (left <= 0) return "now";
  const [unit, size] = UNITS.find(([, , least]) => left >= least);
  const count = Math.max(1, Math.floor(left / size));
  return short ? count + unit[0] : said.format(count, unit);
}

function tick(within = document) {
  if (document.hidden) return;
  for (const time of within.querySelectorAll("time.when, time.due")) {
    const left = Date.parse(time.dateTime) / 1000 - now();
    const short = time.matches(".due");
    const text = short ? far(left, true) : `(${far(left)})`;
    const place = time.querySelector(".far");
    if (place.textContent !== text) place.textContent = text;
    if (left > 0 || come.has(time.dateTime)) continue;
    come.add(time.dateTime);
    document.dispatchEvent(new Event("getaway:time"));
  }
}

function arrived({ dataset }, within) {
  ahead = Number(dataset.now) - Date.now() / 1000;
  tick(within);
}

document.addEventListener("getaway:board", ({ detail }) => arrived(detail.fresh, detail.fresh));
document.addEventListener("visibilitychange", () => tick());
arrived(document.querySelector("[data-now]"));
setInterval(tick, 1000);
