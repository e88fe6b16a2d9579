// The cloth with everything on it, as a picture of the table shows it.

import { html, useMemo } from "./nodes.js";
import { OnTheLine, Seat } from "./boxes.js";
import { Cards } from "./cards.js";
import { Art, Jackpot, Printed, Shoe, Sign } from "./cloth.js";
import { emptyBox } from "./picture.js";
import { cardName, totalOf } from "./words.js";

const NO_TOKENS = {};

const dealerWords = (dealer) => {
  if (!dealer.cards.length) return "Dealer has no cards";
  return `Dealer: ${dealer.cards.map(cardName).join(", ")}, total ${totalOf(dealer)}`;
};

function Dealer({ dealer, natural }) {
  const result =
    { stood: "stands", bust: "bust", natural: natural || "natural", "no-card": "draws no more" }[dealer.result] || "";
  if (!dealer.cards.length)
    return html`<section class="dealer" aria-label="Dealer"><p class="dealer-place">Dealer</p></section>`;
  return html`<section class="dealer" aria-label="Dealer">
    <${Cards} cards=${dealer.cards} label=${dealerWords(dealer)} step=${dealer.cards.length > 4 ? 0.42 : 0.65} />
    <p class="dealer-total">
      <span class=${`total${dealer.result === "bust" ? " bust" : ""}`}>${totalOf(dealer)}</span> ${result}
    </p>
  </section>`;
}

export function Felt({ view, picture, mine, me, house, rulebook, betting, tokens = NO_TOKENS, linked }) {
  const boxes = (house && house.boxes) || Math.max(7, ...view.boxes.map((box) => box.box));
  const denominations = (house && house.chips_cents) || [100, 250, 500, 2500, 10000];
  const written = useMemo(() => lettersOf(rulebook), [rulebook]);
  const numbers = Array.from({ length: boxes }, (_, at) => at + 1);
  const shown = numbers.map((number) => revealed(picture.boxes[number] || emptyBox(number), mine));
  return html`<div class="felt-box">
    <div class="felt">
      <${Art} inscriptions=${written.inscriptions} insurance=${written.insurance} />
      <div class="felt-top">
        <div class="signs">
          <${Sign} sign=${view.sign} house=${house} />
          <${Jackpot} cents=${view.jackpot_cents} linked=${linked} />
        </div>
        <${Dealer} dealer=${picture.dealer} natural=${rulebook?.natural} />
        <${Shoe} view=${view} />
      </div>
      <${Printed} rulebook=${rulebook} sides=${view.sign.side_bets} />
      <div class="inscriptions-plain" aria-hidden="true">
        ${[...written.inscriptions, written.insurance].filter(Boolean).join(" · ")}
      </div>
      <div class="seats">
        ${shown.map(
          (box, at) =>
            html`<${OnTheLine} key=${`line${at}`} number=${at + 1} boxes=${boxes} box=${box} denominations=${denominations} />`,
        )}
        ${shown.map(
          (box, at) =>
            html`<${Seat}
              key=${at}
              number=${at + 1}
              boxes=${boxes}
              box=${box}
              view=${view}
              turn=${picture.turn}
              me=${me}
              betting=${betting}
              denominations=${denominations}
              tokens=${tokens[at + 1] || NO_TOKENS}
            />`,
        )}
      </div>
    </div>
  </div>`;
}

/** Cards that lie face down for others and that this player may look at. */
function revealed(box, mine) {
  if (!mine?.hands || !box.hands.some((hand) => hand.cards.includes("??"))) return box;
  const hands = box.hands.map((hand, at) => {
    const own = mine.hands[`${box.box}.${at}`];
    return own && own.cards.length === hand.cards.length ? { ...hand, ...own } : hand;
  });
  return { ...box, hands };
}

/** The inscriptions as the floor gives them: texts with clauses; the one on insurance goes on the insurance line. */
function lettersOf(rulebook) {
  const texts = (rulebook?.inscriptions || []).map((each) => (typeof each === "string" ? each : each.text));
  const insurance = texts.find((text) => /insurance/i.test(text));
  return { inscriptions: texts.filter((text) => text !== insurance), insurance };
}
