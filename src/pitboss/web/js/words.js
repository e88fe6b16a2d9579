// How amounts, cards, roles and acts are said. No rule lives here.

export const SUITS = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
const RANKS = { A: "ace", J: "jack", Q: "queen", K: "king", T: "10" };

export function dollars(cents) {
  const sign = cents < 0 ? "−" : "";
  const whole = Math.abs(cents);
  const text = (whole / 100).toLocaleString("en-AU", {
    minimumFractionDigits: whole % 100 ? 2 : 0,
    maximumFractionDigits: 2,
  });
  return `${sign}$${text}`;
}

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
  supervisor: "Gaming supervisor",
  "gaming-manager": "Gaming manager",
  "tournament-manager": "Tournament manager",
  inspector: "Inspector",
  administrator: "Administrator",
};

export const SIDE_NAMES = {
  "perfect-pairs": "Perfect Pairs",
  "any-pairs": "Any Pairs",
  "star-pairs": "Star Pairs",
  "blazing-7s": "Blazing 7s",
};

export function sideName(kind) {
  return SIDE_NAMES[kind] || capital(plain(kind));
}

/** Other names of the engine that stand in its sentences. */
const IDS = [
  "shuffling-device",
  "promotional-tokens",
  "assistant-gaming-manager",
  "gaming-manager",
  "casino-supervisor",
  "casino-operator",
  "shift-manager",
  "tournament-manager",
  "same-colour",
];
const NAMED = new RegExp(`(?<![-\\w])(${[...Object.keys(SIDE_NAMES), ...IDS].join("|")})(?![-\\w])`, "g");

/** `alice wagers $5.00 on perfect-pairs` is said as `alice wagers $5.00 on Perfect Pairs`; names of people stay. */
export function inWords(text) {
  return String(text)
    .replace(NAMED, (id) => SIDE_NAMES[id] || plain(id))
    .replace(/\boriginal: minimum/g, "original wager: minimum")
    .replace(/'(Perfect Pairs|Any Pairs|Star Pairs|Blazing 7s)'/g, "$1");
}

/** What a decision is called on its button, and the key that makes it. */
export const DECISIONS = {
  Hit: { label: "Hit", key: "h", says: "take a card" },
  Stand: { label: "Stand", key: "s", says: "take no more cards" },
  Double: { label: "Double", key: "d", says: "double the wager" },
  Split: { label: "Split", key: "p", says: "make two hands" },
  Surrender: { label: "Surrender", key: "u", says: "give up half" },
  Insure: { label: "Insure", key: "i", says: "insure against the dealer" },
  Decline: { label: "Not me", key: "n", says: "do not follow" },
  Keep: { label: "Play on", key: "k", says: "keep the doubled wager" },
  Forfeit: { label: "Forfeit", key: "f", says: "take the doubled part back" },
  Expose: { label: "Turn cards up", key: "e", says: "show the first two cards" },
  Cut: { label: "Cut the cards", key: "c", says: "put the cutting card in" },
  DeclineCut: { label: "Leave the cut", key: "l", says: "let the next player cut" },
  TakeBack: { label: "Take wagers back", key: "t", says: "withdraw from the round" },
  PlayOn: { label: "Play on", key: "k", says: "leave the wagers" },
  RefuseCard: { label: "Refuse the card", key: "r", says: "do not take the card drawn in error" },
  DeclineControl: { label: "Decline control", key: "o", says: "let another call the decisions" },
};

/** What the dealer's next step is called on the big button. */
export const DEALER_STEPS = {
  Shuffle: { label: "Shuffle the cards", key: "Enter" },
  Mix: { label: "Mix the cards in the device", key: "Enter" },
  Cut: { label: "Cut the cards", key: "Enter" },
  DeclineCut: { label: "Leave the cut", key: "l" },
  PlaceCuttingCard: { label: "Place the cutting card", key: "Enter" },
  CallNoMoreBets: { label: "Call “no more bets”", key: "b" },
  Deal: { label: "Deal the round", key: "Enter" },
  CloseInsurance: { label: "Close insurance", key: "Enter" },
  CloseSurrender: { label: "Close surrender", key: "Enter" },
  Reconstruct: { label: "Rebuild the round", key: "Enter" },
  Approve: { label: "Approve that the game goes on", key: "Enter" },
  PassOver: { label: "Pass over: no decision", key: "x" },
};

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
  shuffle: "The cards are to be shuffled",
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
