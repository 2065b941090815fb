// Tells the site which time it is here: in the forms of new people, and once for those whose zone it does not know.
"use strict";
(() => {
  const { url } = document.currentScript.dataset;
  let zone = "";
  try {
    zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
  } catch {
    return;
  }
  for (const field of document.querySelectorAll("input[data-zone]")) field.value = zone;
  const token = document.querySelector("#signout input[name=csrfmiddlewaretoken]");
  if (url && token && zone) {
    const body = new URLSearchParams({ zone, csrfmiddlewaretoken: token.value });
    fetch(url, { method: "POST", body, credentials: "same-origin" }).catch(() => {});
  }
})();
