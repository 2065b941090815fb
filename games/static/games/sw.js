// Shows notices and leads to the page that they are about. It keeps no page and answers no request.
"use strict";
const here = (path) => {
  const url = new URL(typeof path === "string" ? path : "/", self.location.origin);
  return url.origin === self.location.origin ? url.href : `${self.location.origin}/`;
};

// To the page where it is open already, else to a new one.
const lead = async (path) => {
  const wanted = here(path);
  const open = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const same = open.find((each) => each.url.split("#")[0] === wanted);
  return same ? same.focus() : self.clients.openWindow(wanted);
};

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => {
  let said = {};
  try {
    said = event.data.json();
  } catch {
    // Browsers want something shown for every message.
  }
  const { title = "Getaway", text = "Something has happened at one of your tables.", path = "/", tag = "" } = said;
  const shown = { body: text, tag, renotify: Boolean(tag), icon: "/static/games/icon-192.png", data: { path } };
  event.waitUntil(self.registration.showNotification(title, shown));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(lead(event.notification.data && event.notification.data.path));
});
