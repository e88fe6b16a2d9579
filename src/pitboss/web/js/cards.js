// Playing cards, drawn here.

import { Still, html } from "./nodes.js";
import { SUITS, cardName } from "./words.js";

const SHAPES = {
  h: "M10 17.6C4.6 13 1.8 10 1.8 6.6A4.3 4.3 0 0 1 10 4.7a4.3 4.3 0 0 1 8.2 1.9c0 3.4-2.8 6.4-8.2 11z",
  d: "M10 1.6Q13 6.4 16.8 10 13 13.6 10 18.4 7 13.6 3.2 10 7 6.4 10 1.6z",
  s: "M10 1.8c2.6 4.2 8 6.6 8 10.8a3.8 3.8 0 0 1-6.9 2.2q.3 2 1.8 3.4H7.1q1.5-1.4 1.8-3.4A3.8 3.8 0 0 1 2 12.6C2 8.4 7.4 6 10 1.8z",
  c: "M10 1.8a3.7 3.7 0 0 1 3.1 5.7 3.8 3.8 0 1 1-2.1 6.8q.3 2.3 1.9 3.9H7.1q1.6-1.6 1.9-3.9A3.8 3.8 0 1 1 6.9 7.5 3.7 3.7 0 0 1 10 1.8z",
};

export function Suit({ suit, x = 0, y = 0, size = 20 }) {
  return html`<path d=${SHAPES[suit]} transform=${`translate(${x} ${y}) scale(${size / 20})`} />`;
}

function Face({ rank, suit }) {
  const shown = rank === "T" ? "10" : rank;
  const court = "JQK".includes(rank);
  const corner = html`<g>
    <text class=${`card-rank${shown === "10" ? " ten" : ""}`} x="17" y="32" text-anchor="middle">${shown}</text>
    <${Suit} suit=${suit} x=${7} y=${37} size=${20} />
  </g>`;
  return html`<g class=${`suit-${suit}`}>
    ${corner}
    <g transform="rotate(180 50 70)">${corner}</g>
    ${
      court
        ? html`<g>
            <rect class="card-frame" x="31" y="18" width="38" height="104" rx="5" />
            <${Suit} suit=${suit} x=${34} y=${22} size=${13} />
            <${Suit} suit=${suit} x=${53} y=${105} size=${13} />
            <text class="card-court" x="50" y="88" text-anchor="middle">${rank}</text>
          </g>`
        : html`<${Suit}
            suit=${suit}
            x=${rank === "A" ? 24 : 30}
            y=${rank === "A" ? 44 : 50}
            size=${rank === "A" ? 52 : 40}
          />`
    }
  </g>`;
}

function Back() {
  const lines = [];
  for (let at = -120; at <= 120; at += 12) {
    lines.push(html`<path d=${`M${at} 10l120 120M${at + 100} 10l-120 120`} />`);
  }
  return html`<g class="card-back">
    <rect x="7" y="7" width="86" height="126" rx="6" />
    <svg x="7" y="7" width="86" height="126" viewBox="0 0 86 126"><g class="card-lattice">${lines}</g></svg>
    <rect class="card-back-edge" x="7" y="7" width="86" height="126" rx="6" />
  </g>`;
}

/** A card that lies is not drawn again when another one comes. */
export class Card extends Still {
  render({ card, quiet }) {
    const known = card && card !== "??" && SUITS[card.slice(-1)];
    const name = quiet ? { "aria-hidden": "true" } : { role: "img", "aria-label": cardName(card) };
    return html`<svg class="card" viewBox="0 0 100 140" ...${name}>
      <rect class="card-paper" x="1" y="1" width="98" height="138" rx="9" />
      ${known ? html`<${Face} rank=${card.slice(0, -1)} suit=${card.slice(-1)} />` : html`<${Back} />`}
    </svg>`;
  }
}

/** Cards of one hand, overlapping so that every corner can be read; `step` is how much of a card is seen. */
export function Cards({ cards, label, step = 0.44 }) {
  return html`<div
    class="cards"
    style=${{ "--step": step, "--count": cards.length }}
    role="img"
    aria-label=${label || cards.map(cardName).join(", ")}
  >
    ${cards.map((card, at) => html`<${Card} key=${at} card=${card} quiet />`)}
  </div>`;
}
