// Turns one element into another of its kind with as few changes as it can: what stays keeps focus, selection and
// scroll, and what the reader holds is left alone. Gives back the elements that are new to scripts.

const HELD = new Set(["aria-busy", "aria-pressed", "open", "style", "tabindex"]);

// By what a child is known again. A box that asks for something else is another box.
function key(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) return "";
  const { id, nodeName, dataset, classList } = node;
  if (id) return `#${id} ${dataset.asks ?? ""}`;
  const names = ["aria-labelledby", "name", "data-step"].map((each) => node.getAttribute(each));
  return [nodeName, ...names, classList[0]].join(" ");
}

// Gives to each fresh child the old one that becomes it, if there is one; the other old elements go.
function mates(old, fresh) {
  const known = new Map();
  for (const each of old.children) known.set(key(each), [...(known.get(key(each)) ?? []), each]);
  const found = new Map([...fresh.children].map((each) => [each, known.get(key(each))?.shift()]));
  for (const each of [...known.values()].flat()) each.remove();
  return found;
}

function attributes(old, fresh, added) {
  const names = new Set([...old.getAttributeNames(), ...fresh.getAttributeNames()]);
  for (const name of names) {
    const value = fresh.getAttribute(name);
    if (HELD.has(name) || old.getAttribute(name) === value) continue;
    if (value === null) old.removeAttribute(name);
    else old.setAttribute(name, value);
    if (name.startsWith("hx-")) added.push(old);
  }
}

// Puts a child where it belongs; one that had its place before keeps its focus if the browser can do that.
const place = (parent, node, before) => (parent.moveBefore ?? parent.insertBefore).call(parent, node, before);

// Text is only ever changed where it stands.
function text(old, at, node) {
  if (at?.nodeType !== node.nodeType) {
    old.insertBefore(document.importNode(node), at);
    return at;
  }
  if (at.data !== node.data) at.data = node.data;
  return at.nextSibling;
}

function element(old, at, node, mate, added) {
  if (!mate) {
    added.push(old.insertBefore(document.importNode(node, true), at));
    return at;
  }
  let next = at;
  while (next !== mate && next?.nodeType !== Node.ELEMENT_NODE) {
    const gone = next;
    next = next.nextSibling;
    gone.remove();
  }
  if (next === mate) next = mate.nextSibling;
  else place(old, mate, next);
  morph(mate, node, added);
  return next;
}

export function morph(old, fresh, added = []) {
  if (old.isEqualNode(fresh)) return added;
  attributes(old, fresh, added);
  const found = mates(old, fresh);
  let at = old.firstChild;
  for (const node of fresh.childNodes) {
    at = node.nodeType === Node.ELEMENT_NODE ? element(old, at, node, found.get(node), added) : text(old, at, node);
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
  return added;
}
