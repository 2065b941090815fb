// Arrow keys turn the pages of a replay.

const rels = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };

document.addEventListener("keydown", (event) => {
  const rel = rels[event.key];
  if (!rel || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = document.querySelector(`.stepper a[rel=${rel}]`);
  if (!link) return;
  event.preventDefault();
  location.replace(link.href);
});
