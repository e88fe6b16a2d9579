// The cloth: dealer, boxes from the dealer's left, insurance line, optional wagers' spots, the sign and the inscriptions.

import { html, useMemo } from "./vendor/preact-htm.js";
import { oddsOf } from "./book.js";
import { Cards } from "./cards.js";
import { Stack } from "./chips.js";
import { capital, cardName, cardSign, dollars, plain, sideName, totalOf } from "./words.js";

const WIDE = 1000;
const HIGH = 620;
const MIDDLE = { x: 500, y: 24 };

/** Where a box lies on the half circle; box 1 is at the dealer's left, which is the players' right. */
export function place(box, boxes) {
  const from = 17;
  const step = boxes > 1 ? (180 - 2 * from) / (boxes - 1) : 0;
  const angle = ((boxes > 1 ? from + step * (box - 1) : 90) * Math.PI) / 180;
  const x = MIDDLE.x + 412 * Math.cos(angle);
  const y = MIDDLE.y + 438 * Math.sin(angle);
  return { left: `${(x / WIDE) * 100}%`, top: `${(y / HIGH) * 100}%` };
}

/** An arc around the dealer, from `from` degrees on the players' left to as far on their right. */
function arc(radius, from = 0) {
  const angle = (from * Math.PI) / 180;
  const across = radius * Math.cos(angle);
  const down = MIDDLE.y + radius * Math.sin(angle);
  return `M${MIDDLE.x - across} ${down}A${radius} ${radius} 0 0 0 ${MIDDLE.x + across} ${down}`;
}

function Lettering({ id, radius, size, children }) {
  return html`<g>
    <path id=${id} d=${arc(radius)} fill="none" />
    <text class="lettering" font-size=${size} text-anchor="middle"
      ><textPath href=${`#${id}`} startOffset="50%">${children}</textPath></text
    >
  </g>`;
}

function Art({ inscriptions, insurance }) {
  const [first, ...others] = inscriptions;
  return html`<svg class="felt-art" viewBox=${`0 0 ${WIDE} ${HIGH}`} aria-hidden="true" preserveAspectRatio="none">
    <defs>
      <radialGradient id="cloth" cx="50%" cy="20%" r="85%">
        <stop class="cloth-light" offset="0%" />
        <stop class="cloth-dark" offset="100%" />
      </radialGradient>
    </defs>
    <path class="rail" d=${`M6 6H994V60C994 380 790 614 500 614S6 380 6 60Z`} />
    <path class="cloth" d=${`M22 20H978V62C978 372 782 600 500 600S22 372 22 62Z`} fill="url(#cloth)" />
    ${first && html`<${Lettering} id="arc-first" radius=${insurance ? 250 : 288} size=${25}>${first}<//>`}
    ${others.length > 0 && html`<${Lettering} id="arc-second" radius=${insurance ? 275 : 315} size=${14.5}>${others.join("  ·  ")}<//>`}
    ${
      insurance &&
      html`<g>
        <path
          class="insurance-band"
          d=${`${arc(322, 30)}L${500 + 286 * Math.cos(Math.PI / 6)} ${24 + 143}A286 286 0 0 1 ${500 - 286 * Math.cos(Math.PI / 6)} ${24 + 143}Z`}
        />
        <${Lettering} id="arc-insurance" radius=${310} size=${17}>${insurance}<//>
      </g>`
    }
  </svg>`;
}

function Result({ result }) {
  const { kind, cents } = result;
  const text =
    kind === "paid"
      ? `+${dollars(cents)}`
      : kind === "lost" || kind === "forfeited"
        ? `−${dollars(cents)}`
        : kind === "half back"
          ? `${dollars(cents)} back`
          : kind;
  return html`<span class=${`result ${kind.replace(" ", "-")}`}>${text}</span>`;
}

function handWords(hand) {
  if (!hand.cards.length) return "";
  const total = totalOf(hand);
  return `${hand.cards.map(cardName).join(", ")}${total ? `, total ${total}` : ""}${hand.bust ? ", bust" : ""}`;
}

function HandView({ hand, turn, label }) {
  const total = hand.bust ? "bust" : totalOf(hand);
  const results = Object.entries(hand.results || {});
  return html`<div class=${`hand${turn ? " turn" : ""}${hand.cleared ? " cleared" : ""}`}>
    ${hand.cards.length > 0 && html`<${Cards} cards=${hand.cards} label=${label} />`}
    <div class="hand-notes">
      ${total && html`<span class=${`total${hand.bust ? " bust" : ""}`} aria-hidden="true">${total}</span>`}
      ${hand.doubled && html`<span class="tag">doubled</span>`} ${hand.waits && html`<span class="tag">waits</span>`}
      ${results.map(([name, result]) => html`<${Result} key=${name} result=${result} />`)}
    </div>
  </div>`;
}

/** Chips on one spot: each player's stack, and the sum; the names of those who share a box stand below it. */
function Wagers({ wagers, draft, denominations, me }) {
  const list = Object.entries(wagers);
  const sum = list.reduce((total, [, cents]) => total + cents, 0);
  return html`<span class="wagers">
    ${
      list.length > 0 &&
      html`<span class=${`wager${me in wagers ? " own" : ""}`}>
        <span class=${`stacks w${list.length}`}
          >${list.map(([name, cents]) => html`<${Stack} key=${name} cents=${cents} denominations=${denominations} />`)}</span
        >
        <span class="wager-sum">${dollars(sum)}</span>
      </span>`
    }
    ${draft > 0 && html`<span class="wager draft"><${Stack} cents=${draft} denominations=${denominations} /><span class="wager-sum">${dollars(draft)}?</span></span>`}
  </span>`;
}

/** The wagers that lie before a box: on the box itself before the deal, on its hands afterwards. */
function lying(box) {
  if (!box.hands.length) return box.wagers;
  const sum = {};
  for (const hand of box.hands)
    for (const [name, wager] of Object.entries(hand.wagers)) {
      if (!wager.settled) sum[name] = (sum[name] || 0) + wager.cents + (wager.doubled_cents || 0);
    }
  return sum;
}

const SPOT_SIGNS = { "perfect-pairs": "PP", "any-pairs": "AP", "star-pairs": "SP", "blazing-7s": "7s" };

function Spot({ box, kind, wagers, draft, betting, denominations, me, results }) {
  const side = kind !== "original";
  const said = Object.entries(wagers)
    .map(([name, cents]) => `${name} ${dollars(cents)}`)
    .join(", ");
  const name = `Box ${box}${side ? `, ${sideName(kind)}` : ""}`;
  const inside = html`${side && !draft && !said && !results.length && html`<span class="spot-sign" aria-hidden="true">${SPOT_SIGNS[kind] || plain(kind)}</span>`}
    ${!side && !draft && !said && html`<span class="spot-number" aria-hidden="true">${box}</span>`}
    <${Wagers} wagers=${wagers} draft=${draft} denominations=${denominations} me=${me} />
    ${results.map((each) => html`<${Result} key=${each.what + each.player} result=${each} />`)}`;
  const shape = `spot ${side ? `side ${kind}` : "main"}${said || draft ? " taken" : ""}`;
  if (!betting) {
    if (side && !said && !results.length) return html`<span class=${shape} aria-hidden="true">${inside}</span>`;
    return html`<span class=${shape} role="img" aria-label=${`${name}: ${said || "no wager"}`}>${inside}</span>`;
  }
  const drop = (event) => {
    event.preventDefault();
    event.currentTarget.classList.remove("over");
    const cents = Number(event.dataTransfer.getData("text/plain"));
    if (cents) betting.add(box, kind, cents);
  };
  return html`<button
    type="button"
    class=${`${shape} open`}
    data-box=${box}
    data-kind=${kind}
    aria-label=${`${name}${said ? `: ${said}` : ""}${draft ? `, ${dollars(draft)} to place` : ""}. Add ${dollars(betting.chip)}`}
    title=${side ? `${sideName(kind)}, box ${box}` : `Box ${box}`}
    onClick=${() => betting.add(box, kind, betting.chip)}
    onContextMenu=${(event) => {
      event.preventDefault();
      betting.remove(box, kind);
    }}
    onDragOver=${(event) => {
      event.preventDefault();
      event.currentTarget.classList.add("over");
    }}
    onDragLeave=${(event) => event.currentTarget.classList.remove("over")}
    onDrop=${drop}
  >
    ${inside}
  </button>`;
}

function Seat({ number, boxes, box, view, turn, me, betting, denominations }) {
  const seated = Object.entries(view.players).find(([, player]) => player.seat === number)?.[0];
  const owner = box.controller || seated;
  const reserved = view.reserved?.[number];
  const wagers = lying(box);
  const sides = view.sign.side_bets;
  const mine = me && (me in wagers || me in box.wagers || seated === me || box.hands.some((hand) => me in hand.wagers));
  const here = turn && turn.box === number;
  const many = box.hands.length > 1 || box.hands.some((hand) => hand.cards.length > 2);
  const results = Object.values(box.results || {});
  const busy = betting || mine || box.hands.length > 0 || Object.keys(wagers).length > 0 || results.length > 0;
  const label = [
    `Box ${number}`,
    owner && `${owner} ${box.controller ? "calls" : "is seated"}`,
    reserved && `reserved for ${reserved}`,
    here && "to decide now",
  ]
    .filter(Boolean)
    .join(", ");
  return html`<section
    class=${`seat${busy ? "" : " idle"}${mine ? " mine" : ""}${here ? " turn" : ""}${many ? " many" : ""} hands${box.hands.length}`}
    style=${place(number, boxes)}
    aria-label=${label}
  >
    <div class="hands">
      ${box.hands.map(
        (hand, at) =>
          html`<${HandView}
            key=${at}
            hand=${hand}
            turn=${here && turn.hand === at}
            label=${`Box ${number}${box.hands.length > 1 ? ` hand ${at + 1}` : ""}: ${handWords(hand)}`}
          />`,
      )}
    </div>
    <div class="spots">
      ${
        sides.length > 0 &&
        html`<div class=${`sides ${number > (boxes + 1) / 2 ? "right" : "left"}`}>
          ${sides.map(
            (kind) =>
              html`<${Spot}
                key=${kind}
                box=${number}
                kind=${kind}
                wagers=${box.side[kind] || {}}
                draft=${betting ? betting.drafts[`${number}|${kind}`] || 0 : 0}
                betting=${betting}
                denominations=${denominations}
                me=${me}
                results=${results.filter((each) => each.what === kind || (kind === "blazing-7s" && each.what === "jackpot"))}
              />`,
          )}
        </div>`
      }
      <${Spot}
        box=${number}
        kind="original"
        wagers=${wagers}
        draft=${betting ? betting.drafts[`${number}|original`] || 0 : 0}
        betting=${betting}
        denominations=${denominations}
        me=${me}
        results=${results.filter((each) => ["Super Bonus", "bonus"].includes(each.what))}
      />
    </div>
    <${Insurance} box=${box} results=${results.filter((each) => each.what === "insurance")} />
    <p class="seat-name">
      <span class="seat-number">${number}</span>
      ${owner ? html`<span class="seat-owner">${owner}${owner === me ? " (you)" : ""}</span>` : reserved ? html`<span class="seat-owner">for ${reserved}</span>` : ""}
    </p>
    ${
      Object.keys(wagers).length > 1 &&
      html`<ul class="sharers">
        ${Object.entries(wagers).map(([name, cents]) => html`<li key=${name}>${name} ${dollars(cents)}</li>`)}
      </ul>`
    }
  </section>`;
}

function Insurance({ box, results }) {
  const placed = Object.entries(box.insurance || {});
  if (!placed.length && !results.length) return null;
  return html`<p class="insured">
    ${placed.map(([name, cents]) => html`<span key=${name}>insured ${dollars(cents)}</span>`)}
    ${results.map((each) => html`<${Result} key=${each.player} result=${each} />`)}
  </p>`;
}

function Sign({ sign, jackpot, house }) {
  const steps = sign.multiples
    ? `in multiples of ${dollars(sign.minimum_cents)}`
    : sign.unit_cents
      ? `in steps of ${dollars(sign.unit_cents)}`
      : "";
  return html`<div class="sign" role="note" aria-label="Limits sign">
    <span class="sign-head">Limits</span>
    <strong>${dollars(sign.minimum_cents)} to ${dollars(sign.maximum_cents)}</strong>
    ${steps && html`<span>${steps}</span>`}
    ${Object.entries(sign.side_limits || {}).map(([kind, [least, most]]) => html`<span key=${kind}>${sideName(kind)} ${dollars(least)} to ${dollars(most)}</span>`)}
    ${house && house.low_limit && html`<span>Low-limit table</span>`}
    ${jackpot !== null && jackpot !== undefined && html`<span class="jackpot">Jackpot <b>${dollars(jackpot)}</b></span>`}
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
function Printed({ rulebook, sides }) {
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

function Shoe({ view }) {
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

const dealerWords = (dealer) => {
  if (!dealer.cards.length) return "Dealer has no cards";
  return `Dealer: ${dealer.cards.map(cardName).join(", ")}, total ${totalOf(dealer)}`;
};

export function Felt({ view, picture, mine, me, house, rulebook, betting }) {
  const boxes = (house && house.boxes) || Math.max(7, ...view.boxes.map((box) => box.box));
  const denominations = (house && house.chips_cents) || [100, 250, 500, 2500, 10000];
  const written = useMemo(() => lettersOf(rulebook), [rulebook]);
  const dealer = picture.dealer;
  const result =
    { stood: "stands", bust: "bust", natural: rulebook?.natural || "natural", "no-card": "draws no more" }[
      dealer.result
    ] || "";
  const numbers = Array.from({ length: boxes }, (_, at) => at + 1);
  return html`<div class="felt-box">
    <div class="felt">
      <${Art} inscriptions=${written.inscriptions} insurance=${written.insurance} />
      <div class="felt-top">
        <${Sign} sign=${view.sign} jackpot=${view.jackpot_cents} house=${house} />
        <section class="dealer" aria-label="Dealer">
          ${dealer.cards.length ? html`<${Cards} cards=${dealer.cards} label=${dealerWords(dealer)} />` : html`<p class="dealer-place">Dealer</p>`}
          ${dealer.cards.length > 0 && html`<p class="dealer-total"><span class="total">${totalOf(dealer)}</span> ${result}</p>`}
        </section>
        <${Shoe} view=${view} />
      </div>
      <${Printed} rulebook=${rulebook} sides=${view.sign.side_bets} />
      <div class="inscriptions-plain" aria-hidden="true">${written.inscriptions.join(" · ")}</div>
      <div class="seats">
        ${numbers.map(
          (number) =>
            html`<${Seat}
              key=${number}
              number=${number}
              boxes=${boxes}
              box=${revealed(picture.boxes[number] || empty(number), mine)}
              view=${view}
              turn=${picture.turn}
              me=${me}
              betting=${betting}
              denominations=${denominations}
            />`,
        )}
      </div>
    </div>
  </div>`;
}

const empty = (number) => ({
  box: number,
  controller: null,
  wagers: {},
  side: {},
  insurance: {},
  hands: [],
  results: {},
});

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
