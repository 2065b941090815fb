// A line to the site: a socket that brings what is new, opened again whenever it breaks. While there is none the page
// asks every few seconds, and says so if that lasts.

const BEAT = 25000; // how often the site hears what the page shows; it answers, unless that answers a board
const SILENCE = 40000; // no word for so long: the line is dead, whatever the browser thinks
const OPENING = 15000; // the same for a new one, and for a look
const WAKING = 8000; // the same for who comes back to the page
const SPACING = 3000; // between two heartbeats that nobody waits for
const LEAVING = 800; // by then whoever signs out has another page
const MINUTE = 60000;
const LATER = new Set([4400, 4403, 4429]); // the site wants no other line of this page for a while
const NOT_LIVE = "Not live: this page asks every few seconds.";
const LOST = "There is no connection: this page may be out of date.";

// Not all pages at once, after the site was away.
const about = (ms) => ms * (0.5 + Math.random());
const soon = () => Math.random() * 3000;

function canInflate() {
  try {
    return Boolean(new DecompressionStream("deflate-raw"));
  } catch {
    return false; // this engine is sent plain text
  }
}

const inflated = (data) => new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();

// What a page gives:
// path: of the socket. at(): what it shows, in the words of the site. show(html), said(message): what came.
// look(signal): asks for what is new; false if the site could not answer. pace(): how long until it asks again, in ms.
// may(): whether it can say now what it shows. change(live): the line is up, or down. place: the id of where it is said
// that the page is not live.
const SILENT = { said() {}, may: () => true, change() {}, place: "live" };

export class Line {
  #page;
  #socket = null;
  #live = false;
  #ever = false; // a socket has worked on this page
  #later = false; // none is opened before its time, whoever comes back
  #failed = 0; // sockets in a row that brought nothing
  #lost = 0; // looks in a row that found no site
  #heard = 0;
  #beaten = 0;
  #looking = null; // cuts the look that is under way
  #told = ""; // what the site knows the page to show
  #owed = false; // the site waits to hear that what it sent is shown
  #order = Promise.resolve();
  #timers = {};

  constructor(page) {
    this.#page = { ...SILENT, ...page };
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#beatSoon() : this.#back()));
    window.addEventListener("online", () => this.#back());
    window.addEventListener("offline", () => this.#cut());
    window.addEventListener("pagehide", () => this.#leave());
    window.addEventListener("pageshow", ({ persisted }) => persisted && this.#return());
    this.#open();
    this.#askLater();
    this.#tell();
  }

  // What the page shows may have changed.
  shown() {
    if (this.#owed || this.#page.at() !== this.#told) this.#beat();
  }

  // Asks after so many ms, live or not.
  ask(ms) {
    this.#after(ms, "ask", () => this.#ask());
  }

  #after(ms, name, act) {
    this.#stop(name);
    this.#timers[name] = setTimeout(() => {
      delete this.#timers[name];
      act();
    }, ms);
  }

  #stop(...names) {
    for (const each of names) {
      clearTimeout(this.#timers[each]);
      delete this.#timers[each];
    }
  }

  #tell() {
    const blocked = this.#failed > 1 || !window.WebSocket;
    const text = this.#live ? "" : this.#lost > 1 ? LOST : blocked ? NOT_LIVE : "";
    const place = document.getElementById(this.#page.place);
    if (place.textContent !== text) place.textContent = text;
  }

  // The socket

  #open() {
    this.#stop("retry");
    if (this.#socket || !window.WebSocket) return;
    this.#later = false;
    const asked = new URLSearchParams({ since: this.#page.at() });
    if (!canInflate()) asked.set("plain", "1");
    const mine = new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}${this.#page.path}?${asked}`);
    this.#socket = mine;
    mine.binaryType = "arraybuffer";
    mine.onopen = () => mine === this.#socket && this.#beat();
    mine.onmessage = ({ data }) => mine === this.#socket && this.#hear(mine, data);
    mine.onclose = ({ code }) => mine === this.#socket && this.#closed(code);
    this.#deadAfter(OPENING);
  }

  #deadAfter(ms) {
    this.#after(ms, "silence", () => this.#closed(0));
  }

  #hear(mine, data) {
    this.#heard = Date.now();
    this.#deadAfter(SILENCE);
    // One after the other: to unpack one takes a while.
    this.#order = this.#order.then(() => this.#take(mine, data)).catch(() => mine === this.#socket && this.#closed(0));
  }

  async #take(mine, data) {
    const text = typeof data === "string" ? data : await inflated(data);
    if (mine !== this.#socket) return;
    if (text.trimStart().startsWith("<")) {
      this.#owed = true;
      await this.#page.show(text);
      if (this.#owed) this.#beat();
    } else this.#page.said(JSON.parse(text));
    this.#works();
  }

  #works() {
    this.#failed = this.#lost = 0;
    if (this.#live) return;
    this.#live = this.#ever = true;
    this.#stop("ask");
    this.#page.change(true);
    this.#tell();
  }

  #drop() {
    const [socket, live] = [this.#socket, this.#live];
    this.#socket = null;
    this.#live = this.#owed = false;
    this.#stop("beat", "silence");
    socket?.close(1000);
    if (live) this.#page.change(false);
  }

  #closed(code) {
    this.#failed = this.#live ? 0 : this.#failed + 1;
    this.#drop();
    this.#later = LATER.has(code);
    if (this.#later) this.#failed = Math.max(this.#failed, 2);
    // Who is not heard for long is not looking either.
    const wait = code === 4401 ? 2 * LEAVING : this.#wait();
    if (!(code === 4408 && document.hidden)) this.#after(wait, "retry", () => this.#open());
    // Whoever may not look any more learns it from the answer; who signed out on this very page is led on before.
    if (code === 4401) this.ask(LEAVING);
    else if (code === 4404) this.ask(0);
    else this.#askLater();
    this.#tell();
  }

  #wait() {
    if (this.#later) return about(5 * MINUTE);
    if (!this.#failed) return soon();
    return about(this.#ever || this.#failed < 2 ? Math.min(30000, 500 * 2 ** this.#failed) : MINUTE);
  }

  // Says what the page shows, and whether anybody looks at it.
  #beat() {
    this.#after(BEAT, "beat", () => this.#beat());
    if (this.#socket?.readyState !== 1 || !this.#page.may()) return;
    this.#told = this.#page.at();
    this.#owed = false;
    this.#beaten = Date.now();
    this.#socket.send(JSON.stringify({ at: this.#told, seen: document.hidden ? 0 : 1 }));
  }

  #beatSoon() {
    if (this.#socket) this.#after(Math.max(0, this.#beaten + SPACING - Date.now()), "beat", () => this.#beat());
  }

  // Asking

  // A look that is due is not put off by lines that fail meanwhile.
  #askLater() {
    if (!this.#live && !this.#looking && !this.#timers.ask) this.ask(this.#lost ? Math.min(30000, 1000 * 2 ** this.#lost) : this.#page.pace());
  }

  // A network that swallows what is asked would keep the page waiting for minutes.
  async #ask() {
    this.#looking?.abort();
    const mine = (this.#looking = new AbortController());
    this.#after(OPENING, "look", () => mine.abort());
    const found = await this.#page.look(mine.signal).catch(() => false);
    if (mine !== this.#looking) return; // another look has taken its place
    this.#looking = null;
    this.#stop("look");
    const before = this.#lost;
    this.#lost = found ? 0 : before + 1;
    // The site is back.
    if (before && !this.#lost && !this.#later) this.#after(soon(), "retry", () => this.#open());
    this.#tell();
    this.#askLater();
  }

  // Coming and going

  #back() {
    if (!this.#later && (this.#failed < 2 || this.#ever)) this.#open();
    if (!this.#live || Date.now() - this.#heard > BEAT + 5000) this.ask(0);
    if (!this.#live) return;
    this.#beatSoon();
    this.#deadAfter(WAKING);
  }

  // The browser says that there is no network. It may be wrong: this very computer is there without one.
  #cut() {
    this.#drop();
    this.#lost = Math.max(this.#lost, 2);
    if (!this.#timers.retry) this.#after(this.#wait(), "retry", () => this.#open());
    this.ask(0);
    this.#tell();
  }

  // No browser keeps a page for Back while it has a socket.
  #leave() {
    this.#drop();
    this.#stop(...Object.keys(this.#timers));
  }

  #return() {
    this.#failed = 0;
    this.#later = false;
    this.#back();
  }
}
