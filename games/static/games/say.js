// The sentence above the confirm bar.

const READ = 6000; // it stays this long, or until the board changes or the reader acts
const why = document.getElementById("why");
let timer = 0;

// Shows a sentence. One that an alert has read out already is for the eye only, and stays, as does one with `stays`.
export function explain(text, { alerted = false, stays = alerted } = {}) {
  clearTimeout(timer);
  why.textContent = "";
  why.ariaHidden = String(alerted);
  // A moment later, so that the same sentence is read out again.
  if (text) timer = setTimeout(say, 30, text, stays);
}

function say(text, stays) {
  why.textContent = text;
  if (!stays) timer = setTimeout(explain, READ, "");
}

// Takes a sentence away if it is still the one that is shown.
export const unsay = (text) => why.textContent === text && explain("");

document.addEventListener("pointerdown", () => explain(""));
