// Arrow keys move in the hand, whose cards are one stop of the tab key: the one that had the focus last (R46).

const all = (within, what) => [...within.querySelectorAll(what)];

function beside(card, key) {
  const rows = all(document, "#hand .row").map((row) => all(row, ".card"));
  const y = rows.findIndex((row) => row.includes(card));
  const x = rows[y].indexOf(card);
  const cards = rows.flat();
  if (key === "ArrowLeft") return cards[cards.indexOf(card) - 1];
  if (key === "ArrowRight") return cards[cards.indexOf(card) + 1];
  if (key === "Home") return rows[y][0];
  if (key === "End") return rows[y].at(-1);
  const row = rows[y + (key === "ArrowUp" ? -1 : 1)];
  return row && row[Math.min(x, row.length - 1)];
}

document.addEventListener("focusin", ({ target }) => {
  if (!target.matches(".card")) return;
  for (const card of all(document, "#hand .card")) card.tabIndex = card === target ? 0 : -1;
});

document.addEventListener("keydown", (event) => {
  const card = event.target.closest(".card");
  if (!card || !["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"].includes(event.key)) return;
  event.preventDefault();
  beside(card, event.key)?.focus();
});
