// Notices in this browser: turned on and off here, where the browser can.
"use strict";
(() => {
  const box = document.getElementById("push");
  const { key, url, remove, worker } = box.dataset;
  const said = document.getElementById("push-said");
  const token = box.querySelector("input[name=csrfmiddlewaretoken]").value;

  const show = (state) => {
    for (const part of box.querySelectorAll("[data-state]")) part.hidden = part.dataset.state !== state;
  };

  const bytes = (text) =>
    Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));

  const mark = async (text) => {
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    return Array.from(new Uint8Array(hash), (each) => each.toString(16).padStart(2, "0")).join("");
  };

  const post = (address, fields) =>
    fetch(address, {
      method: "POST",
      body: new URLSearchParams({ ...fields, csrfmiddlewaretoken: token }),
      credentials: "same-origin",
    });

  const subscribed = async () => {
    const registration = await navigator.serviceWorker.getRegistration("/");
    return registration ? registration.pushManager.getSubscription() : null;
  };

  // A browser keeps to the key that it was given first.
  const ours = (subscription) => {
    const given = new Uint8Array(subscription.options.applicationServerKey || []);
    const wanted = bytes(key);
    return given.length === wanted.length && wanted.every((each, at) => each === given[at]);
  };

  const turnOn = async () => {
    if ((await Notification.requestPermission()) !== "granted") return look();
    await navigator.serviceWorker.register(worker);
    const registration = await navigator.serviceWorker.ready;
    let subscription = await registration.pushManager.getSubscription();
    if (subscription && !ours(subscription)) {
      await subscription.unsubscribe();
      subscription = null;
    }
    const asked = { userVisibleOnly: true, applicationServerKey: bytes(key) };
    subscription = subscription || (await registration.pushManager.subscribe(asked));
    const { endpoint, keys } = subscription.toJSON();
    const answer = await post(url, { endpoint, p256dh: keys.p256dh, auth: keys.auth });
    if (answer.status === 204) return location.reload();
    if (answer.status === 422) {
      await subscription.unsubscribe();
      said.textContent = await answer.text();
      return null;
    }
    throw new Error(String(answer.status));
  };

  const turnOff = async () => {
    const subscription = await subscribed();
    if (subscription) {
      await post(remove, { endpoint: subscription.endpoint });
      await subscription.unsubscribe();
    }
    return location.reload();
  };

  const look = async () => {
    if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) {
      const apple = /iPhone|iPad/.test(navigator.userAgent) || (/Mac/.test(navigator.platform) && navigator.maxTouchPoints > 1);
      return show(apple && !navigator.standalone ? "ios" : "none");
    }
    if (Notification.permission === "denied") return show("denied");
    const subscription = await subscribed();
    const mine = subscription && ours(subscription) ? await mark(subscription.endpoint) : "";
    const row = mine && document.querySelector(`[data-mark="${mine}"]`);
    if (row) row.querySelector("[data-here]").hidden = false;
    return show(row ? "on" : "off");
  };

  const act = (button, doing) =>
    button.addEventListener("click", async () => {
      button.disabled = true;
      said.textContent = "";
      try {
        await doing();
      } catch {
        said.textContent = box.dataset.fault;
      }
      button.disabled = false;
    });

  act(document.getElementById("push-on"), turnOn);
  act(document.getElementById("push-off"), turnOff);
  look().catch(() => show("none"));
})();
