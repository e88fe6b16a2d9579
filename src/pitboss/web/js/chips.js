// Chips of the house's denominations.

import { html } from "./nodes.js";
import { dollars } from "./words.js";

const TONES = [
  [100000, "gold"],
  [50000, "purple"],
  [10000, "black"],
  [2500, "green"],
  [1000, "blue"],
  [500, "red"],
  [250, "pink"],
  [0, "white"],
];

export const tone = (cents) => TONES.find(([least]) => cents >= least)[1];

export function short(cents) {
  if (cents >= 100000 && cents % 100000 === 0) return `${cents / 100000}k`;
  return cents % 100 ? (cents / 100).toFixed(2) : `${cents / 100}`;
}

const MARKS = Array.from(
  { length: 8 },
  (_, at) => html`<rect class="chip-mark" x="44" y="1" width="12" height="15" transform=${`rotate(${at * 45} 50 50)`} />`,
);

function Face({ cents, token }) {
  const text = short(cents);
  return html`${token ? html`<path class="chip-body" d="M30 3H70L97 30V70L70 97H30L3 70V30Z" />` : html`<circle class="chip-body" cx="50" cy="50" r="48" />${MARKS}`}
    <circle class="chip-ring" cx="50" cy="50" r="34" />
    <text class=${`chip-text len${text.length}`} x="50" y="50" text-anchor="middle" dominant-baseline="central">
      ${text}
    </text>`;
}

/** A chip, round; or a promotional token, with eight corners. */
export function Chip({ cents, token }) {
  return html`<svg
    class=${token ? "chip token" : `chip tone-${tone(cents)}`}
    viewBox="0 0 100 100"
    aria-hidden="true"
  >
    <${Face} cents=${cents} token=${token} />
  </svg>`;
}

/** The fewest chips that make an amount, largest first; what no chip makes is left out. */
export function chipsFor(cents, denominations) {
  const found = [];
  let left = cents;
  for (const chip of [...denominations].sort((a, b) => b - a)) {
    while (left >= chip && found.length < 40) {
      found.push(chip);
      left -= chip;
    }
  }
  return found;
}

const TALLEST = 7;
const THICK = 13;

/** A stack as one sees it from above: the largest chips lowest, an edge of each, and the face of the topmost. */
export function Stack({ cents, denominations, tokens = 0 }) {
  const pile = [
    ...chipsFor(cents - tokens, denominations).map((chip) => ({ cents: chip })),
    ...chipsFor(tokens, denominations).map((chip) => ({ cents: chip, token: true })),
  ].slice(-TALLEST);
  const high = 100 + THICK * (TALLEST - 1);
  return html`<svg class="stack" viewBox=${`0 0 100 ${high}`} aria-hidden="true">
    ${pile.map(
      ({ cents: chip, token }, at) =>
        html`<g
          key=${at}
          class=${token ? "token" : `tone-${tone(chip)}`}
          transform=${`translate(0 ${high - 100 - THICK * at})`}
        >
          ${at === pile.length - 1 ? html`<${Face} cents=${chip} token=${token} />` : html`<circle class="chip-body" cx="50" cy="50" r="48" />${MARKS}`}
        </g>`,
    )}
  </svg>`;
}
