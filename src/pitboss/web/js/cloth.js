// What is printed on the cloth and stands on it: lettering, the insurance line, pay tables, the sign, the jackpot, the shoe.

import { html } from "./nodes.js";
import { ARRANGEMENT } from "./arrangement.js";
import { oddsOf } from "./book.js";
import { capital, cardSign, dollars, plain, sideName } from "./words.js";

const { wide: WIDE, high: HIGH, middle: MIDDLE, across: ACROSS, down: DOWN } = ARRANGEMENT;
const SHOE = { x: 748, y: 70 };
const { line: LINE, lineHalf: HALF, first: FIRST, step: STEP } = ARRANGEMENT;

function angleOf(box, boxes) {
  const step = Math.min(STEP, (180 - 2 * FIRST) / Math.max(1, boxes - 1));
  return ((90 + step * (box - (boxes + 1) / 2)) * Math.PI) / 180;
}

const at = (x, y) => ({ left: `${(x / WIDE) * 100}%`, top: `${(y / HIGH) * 100}%` });

/** Where a box lies on the half circle; box 1 is at the dealer's left, which is the players' right. */
export function place(box, boxes) {
  const angle = angleOf(box, boxes);
  return at(MIDDLE.x + ACROSS * Math.cos(angle), MIDDLE.y + DOWN * Math.sin(angle));
}

/** How far the shoe's mouth is from where a box or the dealer lies, in units of the cloth: cards come from there. */
export function fromShoe(box = 0, boxes = 7) {
  const angle = angleOf(box || 1, boxes);
  const x = box ? MIDDLE.x + ACROSS * Math.cos(angle) : MIDDLE.x;
  const y = box ? MIDDLE.y + DOWN * Math.sin(angle) : 60;
  return { "--from-x": Math.round(SHOE.x - x), "--from-y": Math.round(SHOE.y - y) };
}

/** Where the insurance of a box lies on the line. */
export function placeOnLine(box, boxes) {
  const angle = angleOf(box, boxes);
  return at(MIDDLE.x + LINE * Math.cos(angle), MIDDLE.y + LINE * Math.sin(angle));
}

/** An arc around the dealer, from `from` degrees on the players' left to as far on their right. */
function arc(radius, from = 0) {
  const angle = (from * Math.PI) / 180;
  const across = radius * Math.cos(angle);
  const down = MIDDLE.y + radius * Math.sin(angle);
  return `M${MIDDLE.x - across} ${down}A${radius} ${radius} 0 0 0 ${MIDDLE.x + across} ${down}`;
}

/** A strip between two arcs. */
function band(outer, inner, from) {
  const angle = (from * Math.PI) / 180;
  const x = inner * Math.cos(angle);
  const y = MIDDLE.y + inner * Math.sin(angle);
  return `${arc(outer, from)}L${MIDDLE.x + x} ${y}A${inner} ${inner} 0 0 1 ${MIDDLE.x - x} ${y}Z`;
}

function Lettering({ id, radius, size, children }) {
  return html`<g>
    <path id=${id} d=${arc(radius)} fill="none" />
    <text class=${`lettering ${id}`} font-size=${size} text-anchor="middle"
      ><textPath href=${`#${id}`} startOffset="50%">${children}</textPath></text
    >
  </g>`;
}

export function Art({ inscriptions, insurance }) {
  const [first, ...others] = inscriptions;
  return html`<svg class="felt-art" viewBox=${`0 0 ${WIDE} ${HIGH}`} aria-hidden="true" preserveAspectRatio="none">
    <defs>
      <radialGradient id="cloth" cx="50%" cy="20%" r="85%">
        <stop class="cloth-light" offset="0%" />
        <stop class="cloth-dark" offset="100%" />
      </radialGradient>
    </defs>
    <path class="rail" d=${ARRANGEMENT.rail} />
    <path class="cloth" d=${ARRANGEMENT.cloth} fill="url(#cloth)" />
    ${first && html`<${Lettering} id="arc-first" radius=${insurance ? 260 : 276} size=${insurance ? 21 : 25}>${first}<//>`}
    ${others.length > 0 && html`<${Lettering} id="arc-second" radius=${insurance ? 282 : 302} size=${13.5}>${others.join("  ·  ")}<//>`}
    ${
      insurance &&
      html`<g>
        <path class="insurance-band" d=${band(LINE + HALF, LINE - HALF, 17)} />
        <${Lettering} id="arc-insurance" radius=${LINE + 5} size=${15.5}>${insurance}<//>
      </g>`
    }
  </svg>`;
}

export function Sign({ sign, house }) {
  const steps = sign.multiples
    ? `in multiples of ${dollars(sign.minimum_cents)}`
    : sign.unit_cents
      ? `in steps of ${dollars(sign.unit_cents)}`
      : "";
  return html`<div class="sign" role="note" aria-label="Limits sign">
    <span class="sign-head">Limits</span>
    <strong>${dollars(sign.minimum_cents)} to ${dollars(sign.maximum_cents)}</strong>
    ${sign.old_minimum_cents && html`<span>${dollars(sign.old_minimum_cents)} to ${dollars(sign.maximum_cents)} for who was here before</span>`}
    ${steps && html`<span>${steps}</span>`}
    ${Object.entries(sign.side_limits || {}).map(([kind, [least, most]]) => html`<span key=${kind}>${sideName(kind)} ${dollars(least)} to ${dollars(most)}</span>`)}
    ${house && house.low_limit && html`<span>Low-limit table</span>`}
  </div>`;
}

/** What the jackpot stands at, over the sensors that take the wagers on it. */
export function Jackpot({ cents, linked }) {
  if (cents === null || cents === undefined) return null;
  return html`<div class="jackpot" role="note" aria-label=${`${sideName("blazing-7s")} jackpot: ${dollars(cents)}`}>
    <span class="jackpot-head">${sideName("blazing-7s")}${linked ? ", linked" : ""}</span>
    <b>${dollars(cents)}</b>
  </div>`;
}

const PRINTED = {
  "5-card-21": "five cards",
  "6-card-21": "six cards",
  "7-plus-card-21": "seven or more cards",
  "678-mixed": "6-7-8 mixed",
  "678-suited": "6-7-8 suited",
  "678-spades": "6-7-8 spades",
  "777-mixed": "7-7-7 mixed",
  "777-suited": "7-7-7 suited",
  "777-spades": "7-7-7 spades",
  other: "",
};

/** The pay tables as they are printed on the cloth: a column for each odds on 21 and for each optional wager. */
export function Printed({ rulebook, sides }) {
  const terms = rulebook?.terms || {};
  const columns = new Map();
  const add = (head, line) => columns.set(head, [...(columns.get(head) || []), line]);
  for (const row of terms["interim.pay_table"]?.is || []) {
    const name = PRINTED[row.name] ?? plain(row.name);
    if (name && row.name !== rulebook.natural && row.odds.wins !== row.odds.on) add(oddsOf(row.odds), name);
  }
  for (const kind of sides)
    for (const row of terms[`side_bets.${kind}.pays`]?.is || [])
      add(sideName(kind), `${plain(row.name)} ${oddsOf(row.odds)}`);
  if (!columns.size) return null;
  return html`<div class="printed" aria-hidden="true">
    ${[...columns].map(([head, lines]) => html`<div key=${head}><b>${head}</b>${lines.map((line) => html`<span key=${line}>${line}</span>`)}</div>`)}
  </div>`;
}

export function Shoe({ view }) {
  const source = plain(view.sign.source);
  return html`<div
    class="shoe"
    role="note"
    aria-label=${`${capital(source)} with ${view.sign.decks} decks; ${view.discards} cards discarded`}
  >
    <svg viewBox="0 0 90 60" aria-hidden="true">
      <path class="shoe-body" d="M8 10h58l16 34v8H8z" />
      <path class="shoe-mouth" d="M66 10l16 34v8l-22 0z" />
      <rect class="shoe-card" x="64" y="44" width="20" height="12" rx="1.5" transform="rotate(6 70 50)" />
    </svg>
    <span>${view.sign.decks} decks</span>
    <span>${view.discards} in the rack</span>
    ${view.drawn_in_error?.length > 0 && html`<span class="warn">Drawn in error: ${view.drawn_in_error.map(cardSign).join(" ")}</span>`}
    ${view.cutting_card_shown && html`<span class="warn">Cutting card is out</span>`}
    ${view.final_rounds !== null && view.final_rounds !== undefined && html`<span class="warn">${view.final_rounds} last rounds</span>`}
  </div>`;
}
