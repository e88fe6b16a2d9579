// One socket for all tables that this page watches. It reconnects by itself, resumes after the last version seen, and
// sends again what was not answered: a command keeps its id, so the floor applies it once.

import { commandId } from "./words.js";

const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 8000;
const PING_MS = 20000;
const MISSES = 3; // so often in vain, and another server of the floor is tried
const SILENCE_MS = 6000; // no answer to a ping for so long: the line is dead, whatever the browser thinks of it

/** Who comes for the first time gets the table as it is; who was here gets what happened since. */
const watching = (table, after) => (after === null ? { do: "watch", table } : { do: "watch", table, after });

export class Live {
  constructor() {
    this.watching = new Map(); // table -> { after, listeners }
    this.unanswered = new Map(); // id -> { message, resolve }
    this.statusListeners = new Set();
    this.status = "idle";
    this.text = "";
    this.wait = FIRST_WAIT_MS;
    this.socket = null;
    this.servers = []; // where else the floor is
    this.misses = 0;
    addEventListener("online", () => this.retryNow());
    addEventListener("visibilitychange", () => !document.hidden && this.retryNow());
    addEventListener("offline", () => this.check());
  }

  onStatus(listener) {
    this.statusListeners.add(listener);
    return () => this.statusListeners.delete(listener);
  }

  say(status, text = "") {
    this.status = status;
    this.text = text;
    for (const listener of this.statusListeners) listener(status, text);
  }

  connect() {
    if (this.socket || !this.watching.size) return;
    clearTimeout(this.timer);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws`);
    this.socket = socket;
    if (this.status !== "lost") this.say("connecting");
    this.text = "";
    socket.onopen = () => this.opened(socket);
    socket.onmessage = (message) => this.received(JSON.parse(message.data));
    socket.onclose = (event) => this.closed(socket, event.code);
  }

  opened(socket) {
    this.wait = FIRST_WAIT_MS;
    this.misses = 0;
    this.say("open");
    for (const [table, watch] of this.watching) this.send(watching(table, watch.after));
    for (const { message } of this.unanswered.values()) this.send(message);
    clearInterval(this.pinger);
    this.pinger = setInterval(() => this.check(), PING_MS);
  }

  /** Is the floor still there? A line that is dead may take minutes to break by itself. */
  check(silence = SILENCE_MS) {
    const socket = this.socket;
    if (!socket || socket.readyState !== 1) return;
    this.send({ do: "ping" });
    clearTimeout(this.listening);
    this.listening = setTimeout(() => {
      if (this.socket !== socket) return;
      socket.close();
      this.closed(socket, 0);
    }, silence);
  }

  closed(socket, code) {
    if (this.socket !== socket) return;
    this.socket = null;
    clearInterval(this.pinger);
    clearTimeout(this.listening);
    if (code === 4401) return this.say("out");
    if (!this.watching.size) return this.say("idle");
    this.say("lost", this.text);
    this.misses += 1;
    const there = this.servers[this.misses % this.servers.length];
    if (this.misses > MISSES && there) return this.follow({ address: there });
    const wait = this.wait * (0.75 + Math.random() / 2);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT_MS);
    this.timer = setTimeout(() => this.connect(), wait);
  }

  /** The page is looked at again, or the network is back. */
  retryNow() {
    if (this.socket) return this.check();
    if (!this.watching.size) return undefined;
    this.wait = FIRST_WAIT_MS;
    return this.connect();
  }

  /** Whether it went out. */
  send(message) {
    if (!this.socket || this.socket.readyState !== 1) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  received(message) {
    clearTimeout(this.listening);
    const watch = this.watching.get(message.table);
    if (message.is === "update" && watch) {
      watch.after = message.version;
      for (const listener of [...watch.listeners]) listener(message);
    } else if (message.is === "answer") {
      if (message.id) this.answered(message.id, message.answer);
      else
        for (const listener of this.problemListeners || [])
          listener({ ...message.answer, text: answerText(message.answer) });
    } else if (message.is === "moved") {
      this.follow(message);
    } else if (message.is === "servers") {
      this.servers = message.addresses;
    } else if (message.is === "gone") {
      this.text = message.text;
    } else if (
      message.is === "unknown" ||
      message.is === "denied" ||
      message.is === "error" ||
      message.is === "halted"
    ) {
      if (message.id) this.answered(message.id, { ...message, text: message.text.replace(`${message.id}: `, "") });
      else for (const listener of this.problemListeners || []) listener(message);
    }
  }

  onProblem(listener) {
    (this.problemListeners ||= new Set()).add(listener);
    return () => this.problemListeners.delete(listener);
  }

  answered(id, answer) {
    const waiting = this.unanswered.get(id);
    if (!waiting) return;
    if (answer.is === "moved") return this.follow(answer);
    this.unanswered.delete(id);
    waiting.resolve(answer);
  }

  /** Another process owns the table: its own page goes on from where we are. */
  follow({ address }) {
    if (!address) return this.socket?.close(); // nobody knows yet: watch anew
    const there = new URL(address.includes("://") ? address : `${location.protocol}//${address}`);
    if (there.host === location.host) return this.socket?.close(); // it came back to where we are: watch anew
    there.hash = location.hash;
    location.assign(there);
  }

  watch(table, listener) {
    let watch = this.watching.get(table);
    if (!watch) {
      watch = { after: null, listeners: new Set() };
      this.watching.set(table, watch);
      this.send(watching(table, null));
    }
    watch.listeners.add(listener);
    this.connect();
    return () => {
      watch.listeners.delete(listener);
      if (watch.listeners.size || this.watching.get(table) !== watch) return;
      this.watching.delete(table);
      this.send({ do: "unwatch", table });
    };
  }

  /** Ask for an act; the promise holds the floor's answer, over reconnects too. */
  act(table, act) {
    const id = commandId();
    const message = { do: "act", table, id, act };
    return new Promise((resolve) => {
      this.unanswered.set(id, { message, resolve });
      this.send(message);
      this.connect();
    });
  }

  /** "Nothing (more) for me of what is offered now": the house dealer need not wait. Whether it was said. */
  pass(table) {
    return this.send({ do: "pass", table });
  }

  close() {
    this.watching.clear();
    this.unanswered.clear();
    const socket = this.socket;
    this.socket = null;
    clearTimeout(this.timer);
    clearInterval(this.pinger);
    if (socket) socket.close();
    this.say("idle");
  }
}

export const live = new Live();

/** An answer as one sentence, or "" where it was accepted. */
export function answerText(answer) {
  switch (answer.is) {
    case "accepted":
      return "";
    case "refused":
      return answer.refusal.text;
    case "moved":
      return "Another process runs this table now.";
    default:
      return answer.text || "The floor did not accept that.";
  }
}
