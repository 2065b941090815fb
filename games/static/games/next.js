// After a card: the next game that waits, unless the reader does anything at all (R24).

const link = () => document.getElementById("next-game");

let leaving = 0;
let from = "";

function stay() {
  if (!leaving) return;
  clearTimeout(leaving);
  leaving = 0;
  note("");
}

const note = (text) => {
  const place = document.getElementById("next-note");
  if (place) place.textContent = text;
};

function go() {
  leaving = 0;
  // It may be the reader's turn here by now.
  if (link()) location.assign(link().href);
}

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const wait = Number(link()?.dataset.wait);
  if (detail.xhr.status !== 200 || !detail.requestConfig.path.endsWith("/play/") || !wait) return;
  stay();
  leaving = setTimeout(go, wait * 1000);
  from = document.activeElement.id;
  note("You are taken there in a moment. Tap, or press a key, to stay.");
});

for (const act of ["keydown", "pointerdown", "wheel"]) document.addEventListener(act, stay, { passive: true });
document.addEventListener("focusin", ({ target }) => {
  // A fresh board gives the focus back to what had it.
  if (target.id !== from && target.id !== "banner") stay();
});
document.addEventListener("visibilitychange", () => document.hidden && stay());
