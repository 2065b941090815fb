// After a card: the next game that waits, unless the reader does anything at all (R24).

import { settled } from "./boards.js";

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

document.addEventListener("htmx:afterRequest", async ({ detail }) => {
  if (detail.xhr.status !== 200 || !detail.requestConfig.path.endsWith("/play/")) return;
  stay();
  await settled();
  const wait = Number(link()?.dataset.wait);
  if (!wait) return;
  leaving = setTimeout(go, wait * 1000);
  from = document.activeElement.id;
  note("You are taken there in a moment. Tap, or press a key, to stay.");
});

for (const act of ["keydown", "pointerdown", "wheel"]) document.addEventListener(act, stay, { passive: true });
document.addEventListener("focusin", ({ target }) => {
  // A fresh board gives the focus back to what had it.
  if (target.id !== from && target.id !== "banner") stay();
});
// What is said here stays said.
document.addEventListener("getaway:board", ({ detail: { fresh, old } }) => {
  const [place, said] = [fresh, old].map((each) => each.querySelector("#next-note"));
  if (place && said) place.textContent = said.textContent;
});
document.addEventListener("visibilitychange", () => document.hidden && stay());
