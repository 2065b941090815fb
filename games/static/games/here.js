// Who has the table before their eyes just now: a dot at their seat, and words for who does not see it. It is no part of
// a board: each board gets it as it comes.

let here = new Set();

function mark(tree) {
  for (const seat of tree.querySelectorAll(".seat")) {
    const dot = seat.querySelector(".here");
    const is = here.has(Number(seat.dataset.seat));
    if (dot && !is) dot.remove();
    if (is && !dot) seat.append(made());
  }
}

function made() {
  const dot = document.createElement("span");
  const words = document.createElement("span");
  dot.className = "here";
  dot.title = "Here now";
  words.className = "vh";
  words.textContent = ", here now";
  dot.append(words);
  return dot;
}

document.addEventListener("getaway:here", ({ detail }) => {
  here = new Set(detail);
  mark(document);
});
document.addEventListener("getaway:board", ({ detail }) => mark(detail.fresh));
