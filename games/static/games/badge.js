// How many games wait, on the icon of the app: the number that stands in the title (R23). A board that changes counts anew.

const { body } = document;

function show() {
  const count = Number(body.dataset.mine);
  const shown = count ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
  shown?.catch(() => {}); // it is no app here
}

new MutationObserver(show).observe(body, { attributeFilter: ["data-mine"] });
show();
