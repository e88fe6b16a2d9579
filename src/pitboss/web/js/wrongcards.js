// Cards that lie where they do not belong: drawn in error, or dealt to the wrong place.

import { html } from "./nodes.js";
import { Cards } from "./cards.js";
import { cardName } from "./words.js";

const named = (cards) => cards.map((card) => (card === "??" ? "a card face down" : cardName(card))).join(", ");

function Group({ title, cards }) {
  return html`<div class="wrong-group">
    <span>${title}</span>
    <${Cards} cards=${cards} label=${`${title}: ${named(cards)}`} step=${0.65} />
  </div>`;
}

export function WrongCards({ view }) {
  const drawn = view.drawn_in_error || [];
  const places = new Map();
  for (const [box, card] of view.misdealt || []) places.set(box, [...(places.get(box) || []), card]);
  if (!drawn.length && !places.size) return null;
  return html`<section class="wrong-cards" aria-label="Cards that lie wrongly">
    ${drawn.length > 0 && html`<${Group} title="Drawn in error" cards=${drawn} />`}
    ${[...places].map(
      ([box, cards]) => html`<${Group} key=${box} title=${box ? `Misdealt to box ${box}` : "Misdealt to the dealer"} cards=${cards} />`,
    )}
  </section>`;
}
