// Tells events at a pace that people can follow, and hands the table over to the floor's view when all are told.

import { follow, pictureOf, settle } from "./picture.js";
import { soundOf } from "./sounds.js";

const PACE_MS = {
  CardDealt: 230,
  CardBurned: 160,
  HandDivided: 260,
  HandExposed: 260,
  DealerFinished: 450,
  WagerPaid: 380,
  WagerCollected: 260,
  WagerStoodOff: 320,
  SideBetPaid: 420,
  SuperBonusPaid: 900,
};
const HOLD_MS = 2600; // how long a finished round stays in sight while others already wager
const TOO_MANY = 90; // more than these at once are not told one by one
const KEPT = 600;
const OVER = new Set(["RoundEnded", "RoundVoided"]);

export class Playback {
  constructor(changed, { motion = () => true, say = () => {} } = {}) {
    this.changed = changed;
    this.motion = motion;
    this.say = say;
    this.queue = [];
    this.history = [];
    this.round = [];
    this.lastRound = [];
    this.picture = null;
    this.update = null;
    this.holdUntil = 0;
    this.told = [];
  }

  /** What has been told so far, and not what is still to come. */
  get past() {
    return this.queue.length ? this.history.slice(0, -this.queue.length) : this.history;
  }

  get calm() {
    return !this.queue.length;
  }

  receive(update) {
    const first = !this.update;
    const { version, n } = this.last || { version: -1, n: -1 }; // an act may be told card by card
    const news = (update.events || []).filter((each) => each.version > version || (each.version === version && each.n > n));
    this.update = update;
    this.last = news.at(-1) || (first ? { version: update.version, n: Infinity } : this.last);
    if (!first && update.missed) Object.assign(this, { history: [], lastRound: [] }); // nobody knows what came between
    this.remember(news);
    if (first || update.missed || news.length > TOO_MANY) {
      this.queue = [];
      this.picture = pictureOf(update.view);
      return first ? this.changed() : this.older([]);
    }
    this.queue.push(...news);
    this.run();
  }

  /** What happened before this page came to the table: history, and what this round and the last one brought. */
  older(events) {
    const known = new Set(this.history.map((each) => `${each.version}.${each.n}`));
    this.history.unshift(...events.filter((each) => !known.has(`${each.version}.${each.n}`)));
    const told = this.past;
    const ends = told.flatMap(({ event }, at) => (OVER.has(event.event) ? [at] : []));
    const last = ends.at(-1) ?? -1;
    const before = ends.at(-2) ?? -1;
    this.round = told.slice(last + 1);
    const latest = told.slice(before + 1, last + 1);
    if (latest.some(({ event }) => event.event === "BettingClosed")) this.lastRound = latest;
    if (this.calm) this.lookBack(told.slice(before + 1));
    this.changed();
  }

  /** The cloth as somebody sees it who was here from the start: results and cleared cards stay in sight. */
  lookBack(told) {
    const view = this.update.view;
    const blank = pictureOf({ boxes: [], dealer: { cards: [], total: 0, soft: false }, turn: null });
    this.picture = settle(
      told.reduce((picture, { event }) => follow(picture, event), blank),
      view,
    );
  }

  remember(news) {
    this.history.push(...news);
    if (this.history.length > KEPT) this.history.splice(0, this.history.length - KEPT);
  }

  run() {
    clearTimeout(this.timer);
    const now = performance.now();
    while (this.queue.length) {
      if (this.holdUntil > now && !this.queue.some(({ event }) => OVER.has(event.event))) return this.later(this.holdUntil - now);
      const event = this.queue[0].event;
      const pause = this.tell(this.queue.shift());
      if (pause && this.motion() && !document.hidden) {
        soundOf(event);
        this.flushSpeech();
        this.changed();
        return this.later(this.queue.length > 40 ? pause / 3 : pause);
      }
    }
    this.picture = settle(this.picture, this.update.view);
    this.flushSpeech();
    this.changed();
  }

  later(wait) {
    this.timer = setTimeout(() => this.run(), wait);
    this.changed();
  }

  tell(each) {
    const name = each.event.event;
    this.round.push(each);
    this.picture = follow(this.picture, each.event);
    this.told.push(each);
    if (name === "RoundVoided") this.round = [];
    if (name === "RoundEnded") {
      this.lastRound = this.round;
      this.round = [];
      const behind = this.queue.some(({ event }) => OVER.has(event.event)); // the next round is over too: no time to lose
      if (!behind) this.holdUntil = performance.now() + HOLD_MS;
    }
    return PACE_MS[name] || 0;
  }

  /** Somebody acts: whatever is still to be told is told at once. */
  flush() {
    this.holdUntil = 0;
    clearTimeout(this.timer);
    while (this.queue.length) this.tell(this.queue.shift());
    this.holdUntil = 0;
    if (this.update) this.run();
  }

  flushSpeech() {
    if (this.told.length) this.say(this.told);
    this.told = [];
  }

  stop() {
    clearTimeout(this.timer);
  }
}
