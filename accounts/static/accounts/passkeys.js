// Shows the way in by passkey where there is one, and says it in words when it does not work.
"use strict";
(() => {
  const form = document.querySelector("form#passkey[hidden]");
  if (form && window.PublicKeyCredential) form.hidden = false;
  document.addEventListener("allauth.error", (event) => {
    const fault = document.getElementById("passkey-fault");
    if (!fault) return;
    event.preventDefault();
    fault.hidden = false;
  });
})();
