// How amounts, cards, roles and acts are said. No rule lives here.

import { NAMES } from "./acts.js";

export const SUITS = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
const RANKS = { A: "ace", J: "jack", Q: "queen", K: "king", T: "10" };

let coin = "$";

/** At a tournament's table every amount is of its chips, which are no money: they stand as plain numbers. */
export function inChips(yes) {
  coin = yes ? "" : "$";
}

const written = [0, 2].map((digits) => new Intl.NumberFormat("en-AU", { minimumFractionDigits: digits, maximumFractionDigits: 2 }));

export function dollars(cents) {
  const sign = cents < 0 ? "−" : "";
  const whole = Math.abs(cents);
  return `${sign}${coin}${written[whole % 100 ? 1 : 0].format(whole / 100)}`;
}

/** `alice wagers $25.00` as it is at this table; of a tournament: `alice wagers 25`. */
export const amountsIn = (text) => (coin ? text : text.replace(/\$(\d[\d,]*)(?:\.00)?/g, "$1"));

export function signed(cents) {
  return cents > 0 ? `+${dollars(cents)}` : dollars(cents);
}

export function cardName(card) {
  if (!card || card === "??") return "a card face down";
  const rank = card.slice(0, -1);
  const suit = SUITS[card.slice(-1)];
  return suit ? `${RANKS[rank] || rank} of ${suit}` : card;
}

export function cardSign(card) {
  const signs = { s: "♠", h: "♥", d: "♦", c: "♣" };
  if (!card || card === "??") return "▮";
  const rank = card.slice(0, -1);
  return `${rank === "T" ? "10" : rank}${signs[card.slice(-1)] || ""}`;
}

const CARDS = /(?<![-\w])(10|[2-9TJQKA])([shdc])(?![-\w])/g;

/** `box 5: Qc, 20` is shown as `box 5: Q♣, 20`; "blazing-7s" stays as it is. */
export function withSigns(text) {
  return String(text).replace(CARDS, (card) => cardSign(card));
}

/** The same as it is read out: `box 5: queen of clubs, 20`. */
export function withNames(text) {
  return String(text).replace(CARDS, (card) => cardName(card));
}

export function totalOf(hand) {
  if (!hand.total || !hand.cards.length) return "";
  return hand.soft && hand.total < 21 ? `soft ${hand.total}` : `${hand.total}`;
}

export function plain(word) {
  return String(word).replace(/[-_]/g, " ");
}

/** Clauses as people cite them. */
export function citation(clauses, most = Infinity) {
  const printed = (clauses || []).map((clause) => clause.replace(/^def:/, "").replace(/:.*$/, ""));
  return [...new Set(printed)].slice(0, most).join(", ");
}

export function capital(text) {
  return text ? text[0].toUpperCase() + text.slice(1) : "";
}

/** `PlaceCuttingCard` is said as "place cutting card". */
export function spaced(name) {
  return String(name)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase();
}

export const ROLE_NAMES = {
  player: "Player",
  dealer: "Dealer",
  "gaming-supervisor": "Gaming supervisor",
  supervisor: "Casino supervisor",
  "gaming-manager": "Gaming manager",
  "tournament-manager": "Tournament manager",
  inspector: "Inspector",
  administrator: "Administrator",
};

/** `perfect-pairs` is called Perfect Pairs, and `blazing-7s` Blazing 7s. */
export function sideName(kind) {
  return plain(kind).replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

const NAMED = new RegExp(`(?<![-\\w])(${[...NAMES.wagers, ...NAMES.ids].sort((one, other) => other.length - one.length).join("|")})(?![-\\w])`, "g");
const QUOTED = new RegExp(`'(${NAMES.wagers.map(sideName).join("|")})'`, "g");

/** `alice wagers $5.00 on perfect-pairs` is said as `alice wagers $5.00 on Perfect Pairs`; names of people stay. */
export function inWords(text) {
  return amountsIn(String(text))
    .replace(NAMED, (id) => (NAMES.wagers.includes(id) ? sideName(id) : plain(id)))
    .replace(/\boriginal: minimum/g, "original wager: minimum")
    .replace(QUOTED, "$1");
}

export const PHASES = {
  wagers: "Place your wagers",
  dealing: "The initial deal",
  insurance: "Insurance is open",
  interim: "Interim settlement",
  surrender: "Surrender is open",
  play: "Players decide",
  settling: "The final settlement",
};

export const PREPARATIONS = {
  shuffle: "The cards are waiting to be shuffled",
  cut: "The cut is offered",
  "cutting-card": "The cutting card goes in",
};

export function stateOf(view) {
  if (!view) return "";
  if (view.preparation && view.preparation !== "ready")
    return PREPARATIONS[view.preparation] || plain(view.preparation);
  return PHASES[view.phase] || plain(view.phase);
}

/** Short unique ids for commands: a repeated one gets the first answer. */
export function commandId() {
  return crypto.randomUUID
    ? crypto.randomUUID()
    : [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");
}
