// Whether a card is asked about before it is played (R7): each device has its own word; until then slow tables ask.

const root = document.documentElement;
const KEY = "ask-first";

function kept() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // this browser keeps nothing
  }
}

function keep(word) {
  try {
    localStorage.setItem(KEY, word);
  } catch {
    // for this page only, then
  }
}

function draw(word = kept()) {
  const live = "live" in document.getElementById("board").dataset;
  root.dataset.ask = word ?? (live ? "no" : "yes");
  const box = document.getElementById(KEY);
  if (box) box.checked = root.dataset.ask === "yes";
}

document.addEventListener("change", ({ target }) => {
  if (target.id !== KEY) return;
  const word = target.checked ? "yes" : "no";
  keep(word);
  draw(word);
});

document.addEventListener("getaway:shown", () => draw(kept() ?? root.dataset.ask));
draw();
