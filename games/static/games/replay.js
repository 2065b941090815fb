// Arrow keys turn the pages of a replay; Play turns them one after the other, until Stop, a key or the last one (R33).

const PAGE = 1800; // how long one stands
const rels = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };
const button = document.getElementById("play");
const link = (rel) => document.querySelector(`.stepper a[rel=${rel}]`);
let timer = 0;

function turn(rel, playing = false) {
  const url = new URL(link(rel).href);
  if (playing) url.searchParams.set("play", "1");
  location.replace(url);
}

function play() {
  button.textContent = "Stop";
  timer = setTimeout(turn, PAGE, "next", true);
}

function stop() {
  clearTimeout(timer);
  timer = 0;
  if (button) button.textContent = "Play";
}

document.addEventListener("keydown", (event) => {
  const rel = rels[event.key];
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (rel || event.key === "Escape") stop();
  if (event.key === " " && button && !event.target.closest("a, button, summary")) {
    event.preventDefault();
    button.click();
  }
  if (!rel || !link(rel)) return;
  event.preventDefault();
  turn(rel);
});

if (button) {
  button.hidden = false;
  button.addEventListener("click", () => (timer ? stop() : play()));
  if (new URLSearchParams(location.search).has("play")) play();
}
