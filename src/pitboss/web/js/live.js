// One socket for all tables that this page watches. It reconnects by itself, resumes after the last version seen, and
// says again what was not answered: an act keeps its id, so the floor decides it once and gives the first answer again.

import { placeOf, takeAlong, takenAlong } from "./moving.js";
import { capital, citation, commandId, spaced } from "./words.js";

const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 8000;
const PING_MS = 20000;
const MISSES = 3; // so often in vain, and another server of the floor is tried
const SILENCE_MS = 6000; // no answer to a ping for so long: the line is dead, whatever the browser thinks of it
const OPENING_MS = 8000; // a line that is not open after so long never will be
const DOUBT_MS = 3000; // an act without an answer for so long: is anybody there?
const PATIENCE_MS = 20000; // an act without an answer for so long is given up

/** Who comes for the first time gets the table as it is; who was here gets what happened since. */
const watching = (table, after) => (after === null ? { do: "watch", table } : { do: "watch", table, after });

/** Nobody knows what became of an act, so nobody says it again. */
const unsure = ({ act }) => ({
  is: "unsure",
  text: `${capital(spaced(act.act))}: no answer came, so it may or may not have been done; check the table before you do it again.`,
});

export class Live {
  constructor() {
    this.watching = new Map(); // table -> { after, round, moment, passed, answered, told, listeners }
    this.unanswered = new Map(); // id -> { message, round, seen, until, timer, resolve }, in the order of asking
    this.name = ""; // who is at this page
    this.patience = PATIENCE_MS;
    this.statusListeners = new Set();
    this.elsewhereListeners = new Set();
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

  /** `early`: a table will be watched in a moment. */
  connect(early = false) {
    if (this.socket || (!this.watching.size && !early)) return;
    clearTimeout(this.timer);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws`);
    this.socket = socket;
    if (this.status !== "lost") this.say("connecting");
    this.text = "";
    socket.onopen = () => this.opened();
    socket.onmessage = (message) => this.received(JSON.parse(message.data));
    socket.onclose = (event) => this.closed(socket, event.code);
    setTimeout(() => socket.readyState === 0 && this.drop(socket), OPENING_MS);
  }

  /** Nobody is at the other end, whatever the browser thinks. */
  drop(socket) {
    if (this.socket !== socket) return;
    socket.close();
    this.closed(socket, 0);
  }

  opened() {
    this.wait = FIRST_WAIT_MS;
    this.misses = 0;
    this.say("open");
    for (const [table, watch] of this.watching) {
      watch.told = false; // what is not answered is said again once we know how the table stands
      this.send(watching(table, watch.after));
    }
    clearInterval(this.pinger);
    this.pinger = setInterval(() => this.check(), PING_MS);
  }

  /** Is the floor still there? A line that is dead may take minutes to break by itself. */
  check(silence = SILENCE_MS) {
    const socket = this.socket;
    if (!socket || socket.readyState !== 1) return;
    this.send({ do: "ping" });
    clearTimeout(this.listening);
    this.listening = setTimeout(() => this.drop(socket), silence);
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
    if (this.socket?.readyState === 1) return this.check();
    if (this.socket) this.drop(this.socket);
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
      watch.round = message.round;
      watch.moment = `${message.round} ${message.waiting?.what}`;
      if (!watch.told) this.sayAgain(message.table, message);
      for (const listener of [...watch.listeners]) listener(message);
    } else if (message.is === "answer") {
      if (message.id) return this.answered(message.id, message.answer);
      for (const listener of this.problemListeners || [])
        listener({ ...message.answer, text: answerText(message.answer) });
      for (const [table, each] of this.watching) if (!each.told) this.sayAgain(table, null); // it cannot be watched
    } else if (message.is === "moved") {
      this.follow(message);
    } else if (message.is === "servers") {
      // A server whose lease lapsed for a moment is soon told of again; who forgot it would have nowhere to go.
      if (message.addresses.length) this.servers = message.addresses;
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

  /** What became of acts whose page was left before the answer came: `listener({ id, text })`. */
  onElsewhere(listener) {
    this.elsewhereListeners.add(listener);
    return () => this.elsewhereListeners.delete(listener);
  }

  tellElsewhere(name, table, answer) {
    const text = answerText(answer);
    if (!text || name !== this.name) return;
    const { rulebook = "", clauses = [] } = answer.refusal || {};
    const cited = clauses.length ? `${rulebook} ${citation(clauses)}: ` : "";
    for (const listener of this.elsewhereListeners) listener({ id: commandId(), text: `${table}: ${cited}${text}` });
  }

  answered(id, answer) {
    const waiting = this.unanswered.get(id);
    if (!waiting) return;
    if (answer.is === "moved") return this.follow(answer);
    const { table } = waiting.message;
    const watch = this.watching.get(table);
    if (watch) watch.answered = Math.max(watch.answered, answer.version || 0);
    this.settle(id, answer);
  }

  /** Whoever asked is told, and the act is no longer said again. */
  settle(id, answer) {
    const waiting = this.unanswered.get(id);
    if (!waiting) return;
    this.unanswered.delete(id);
    clearTimeout(waiting.timer);
    waiting.resolve(answer);
    this.leave(waiting.message.table);
  }

  /** The acts of a table that have no answer yet, in the order in which they were asked for. */
  pending(table) {
    return [...this.unanswered.values()].filter(({ message }) => message.table === table);
  }

  /** The table is watched again: what was not answered is said again with the same ids.
   *
   *  An act was meant for the round that was on the table then. In another round it is only said to hear the answer
   *  that it had: where the floor has not done as much in this person's name since, it would be a new act. */
  sayAgain(table, update) {
    const watch = this.watching.get(table);
    watch.told = true;
    if (watch.passed && watch.passed === watch.moment) this.send({ do: "pass", table });
    const pending = this.pending(table);
    const late = pending.filter(({ round }) => update && round !== null && round !== update.round);
    const since = late.length ? late[0].seen : 0;
    const done = (update?.events || []).filter(({ by, version }) => by === this.name && version > since);
    const taken = new Set(done.map(({ version }) => version)).size;
    for (const each of pending) {
      const over = Date.now() >= each.until || (late.includes(each) && taken < late.length);
      if (over) this.settle(each.message.id, unsure(each.message));
      else this.send(each.message);
    }
  }

  /** Another process owns the table: its own page goes on from where we are. */
  follow({ address }) {
    if (!address) return this.socket?.close(); // nobody knows yet: watch anew
    const there = placeOf(address);
    if (there.host === location.host) return this.socket?.close(); // it came back to where we are: watch anew
    there.hash = location.hash;
    this.pack();
    location.assign(there);
  }

  /** What is not answered goes along to the other server's page. */
  pack() {
    const acts = [...this.unanswered.values()].map(({ message, round, seen, until }) => {
      const { table, id, act } = message;
      return { name: this.name, table, id, act, round, seen, until };
    });
    takeAlong(acts);
  }

  /** What was not answered at the server that this page comes from: the promises of the answers. */
  brought(table) {
    const acts = takenAlong(this.name, table);
    const watch = this.watching.get(table);
    if (acts.length && watch && watch.after === null) watch.after = acts[0].seen || null;
    return acts.map(({ id, act, round, seen, until, cut }) => {
      const message = { do: "act", table, id, act };
      if (cut) return Promise.resolve(unsure(message));
      return this.ask(message, { round, seen, until: Math.min(until, Date.now() + this.patience) });
    });
  }

  /** Who is at this page now; what somebody else asked for is not said in their name. */
  come(name) {
    if (name !== this.name) this.forget();
    this.name = name;
  }

  forget() {
    for (const { message } of [...this.unanswered.values()]) this.settle(message.id, unsure(message));
  }

  watch(table, listener) {
    const before = this.watching.get(table);
    const watch = before || { round: null, answered: 0, listeners: new Set() };
    if (!watch.listeners.size) {
      Object.assign(watch, { after: null, told: false });
      this.watching.set(table, watch);
      this.send(watching(table, null));
    }
    watch.listeners.add(listener);
    this.connect();
    return () => {
      watch.listeners.delete(listener);
      if (this.watching.get(table) === watch) this.leave(table);
    };
  }

  /** A table at which nobody looks any more is watched until its acts are answered. */
  leave(table) {
    const watch = this.watching.get(table);
    if (!watch || watch.listeners.size || this.pending(table).length) return;
    this.watching.delete(table);
    this.send({ do: "unwatch", table });
  }

  /** Ask for an act; the promise holds the floor's answer, over reconnects too, or that nobody knows it. */
  act(table, act) {
    const watch = this.watching.get(table);
    const seen = Math.max(watch?.after || 0, watch?.answered || 0);
    const message = { do: "act", table, id: commandId(), act };
    return this.ask(message, { round: watch?.round ?? null, seen, until: Date.now() + this.patience });
  }

  ask(message, { round, seen, until }) {
    const { id, table } = message;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.settle(id, unsure(message)), until - Date.now());
      this.unanswered.set(id, { message, round, seen, until, timer, resolve });
      const watch = this.watching.get(table);
      if (!watch || watch.told) this.send(message);
      setTimeout(() => this.unanswered.has(id) && this.check(), DOUBT_MS);
      this.connect();
    });
  }

  /** "Nothing (more) for me of what is offered now": the house dealer need not wait. It has no answer, so it is said again
   *  after a line broke, as long as the same is offered. */
  pass(table) {
    const watch = this.watching.get(table);
    if (watch) watch.passed = watch.moment;
    this.send({ do: "pass", table });
    this.check();
  }

  /** "I have changed my mind", where a person deals and has read that this player declined. */
  unpass(table) {
    const watch = this.watching.get(table);
    if (watch) watch.passed = null;
    this.send({ do: "unpass", table });
    this.check();
  }

  /** A dealer sets the pace (`on`, `off`), or has done what the prompt at this place asks for (`done`, `rest`). */
  pace(table, pace, place = "") {
    this.send({ do: "pace", table, pace, place });
    this.check();
  }

  close() {
    this.forget();
    this.name = "";
    this.watching.clear();
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
