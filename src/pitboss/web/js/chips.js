// Chips of the house's denominations.

import { html } from "./vendor/preact-htm.js";
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

export function Chip({ cents }) {
  const edge = [];
  for (let at = 0; at < 8; at++)
    edge.push(
      html`<rect class="chip-mark" x="44" y="1" width="12" height="15" transform=${`rotate(${at * 45} 50 50)`} />`,
    );
  const text = short(cents);
  return html`<svg class=${`chip tone-${tone(cents)}`} viewBox="0 0 100 100" aria-hidden="true">
    <circle class="chip-body" cx="50" cy="50" r="48" />
    ${edge}
    <circle class="chip-ring" cx="50" cy="50" r="34" />
    <text class=${`chip-text len${text.length}`} x="50" y="50" text-anchor="middle" dominant-baseline="central">
      ${text}
    </text>
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

export function Stack({ cents, denominations }) {
  const chips = chipsFor(cents, denominations).slice(0, 5).reverse();
  return html`<span class="stack" aria-hidden="true">
    ${chips.map((chip, at) => html`<span class=${`stack-chip at${at}`} key=${at}><${Chip} cents=${chip} /></span>`)}
  </span>`;
}

export function Amount({ cents }) {
  return html`<span class="amount">${dollars(cents)}</span>`;
}
