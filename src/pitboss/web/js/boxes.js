// The boxes: hands with their totals and results, chips, optional wagers' spots, insurance, and who is there.

import { html, useEffect, useRef } from "./nodes.js";
import { Cards } from "./cards.js";
import { Stack } from "./chips.js";
import { fromShoe, place, placeOnLine } from "./cloth.js";
import { motionOn } from "./settings.js";
import { cardName, dollars, plain, sideName, signed, totalOf } from "./words.js";

/** What became of a wager, in a word or an amount: what was won less what was lost. */
export function resultWords({ paid = 0, lost = 0, stood = 0, back = 0, won = 0 }) {
  const net = paid - lost;
  if (net) return { tone: net > 0 ? "paid" : "lost", text: signed(net) };
  if (won) return { tone: "paid", text: "won" };
  if (stood) return { tone: "even", text: "stand off" };
  return back ? { tone: "even", text: `${dollars(back)} back` } : { tone: "lost", text: "lost" };
}

function Result({ result, name }) {
  const { tone, text } = resultWords(result);
  return html`<span class=${`result ${tone}`}>${name && html`<span class="result-name">${name}</span>`}${name && " "}${text}</span>`;
}

function handWords(hand) {
  if (!hand.cards.length) return "";
  const total = totalOf(hand);
  const said = [...hand.cards.map(cardName), total && `total ${total}`, hand.bust && "bust", hand.doubled && "doubled"];
  const results = Object.entries(hand.results || {}).map(([name, each]) => `; ${name} ${resultWords(each).text}`);
  return `${said.filter(Boolean).join(", ")}${results.join("")}`;
}

/** How much of a card is seen where the next one lies on it. */
const stepOf = (count, many) => (count > 4 ? 0.3 : count > 3 || many ? 0.36 : 0.44);

const STRIP = 162; // how wide a box's hands may be
const CARD = 60;

/** How wide the cards of a box may be so that its hands, two in a row, stay before it; and the widest row in cards. */
function sizeOf(hands) {
  const many = hands.length > 1;
  const wide = ({ cards }) => 1 + (Math.max(cards.length, 1) - 1) * stepOf(cards.length, many);
  const rows = [];
  for (let first = 0; first < hands.length; first += 2) {
    const row = hands.slice(first, first + 2);
    rows.push(row.reduce((sum, hand) => sum + wide(hand), 0.2 * (row.length - 1)));
  }
  const widest = Math.max(1, ...rows);
  return { "--fit": Math.min(rows.length > 1 ? 40 : CARD, Math.floor(STRIP / widest)), "--row": widest };
}

function wagered(hand) {
  return Object.values(hand.wagers).reduce((sum, wager) => sum + wager.cents + (wager.doubled_cents || 0), 0);
}

function HandView({ hand, turn, label, many }) {
  const total = hand.bust ? "bust" : totalOf(hand);
  const results = Object.entries(hand.results || {});
  return html`<div class=${`hand${turn ? " turn" : ""}${hand.cleared ? " cleared" : ""}`}>
    ${hand.cards.length > 0 && html`<${Cards} cards=${hand.cards} label=${label} step=${stepOf(hand.cards.length, many)} />`}
    <div class="hand-notes" aria-hidden="true">
      ${total && html`<span class=${`total${hand.bust ? " bust" : ""}`}>${total}</span>`}
      ${hand.doubled && html`<span class="tag doubled"><span class="in-full">doubled</span><span class="in-short">×2</span></span>`}
      ${many && !results.length && wagered(hand) > 0 && html`<span class="tag">${dollars(wagered(hand))}</span>`}
      ${hand.waits && html`<span class="tag">waits</span>`}
    </div>
    ${
      results.length > 0 &&
      html`<div class=${`results${results.length > 1 ? " several" : ""}`} aria-hidden="true">
        ${results.map(([name, result]) => html`<${Result} key=${name} result=${result} name=${results.length > 1 ? name : ""} />`)}
      </div>`
    }
  </div>`;
}

const sumOf = (wagers) => Object.values(wagers).reduce((total, cents) => total + cents, 0);

/** Chips on one spot: each player's stack, and the sum; the names of those who share a box stand below it. */
function Wagers({ wagers, draft, denominations, me, tokens }) {
  const list = Object.entries(wagers);
  return html`<span class=${`wagers${draft && list.length ? " both" : ""}`}>
    ${
      list.length > 0 &&
      html`<span class=${`wager${me in wagers ? " own" : ""}`}>
        <span class=${`stacks w${list.length}`}
          >${list.map(([name, cents]) => html`<${Stack} key=${name} cents=${cents} tokens=${tokens[name]} denominations=${denominations} />`)}</span
        >
        <span class="wager-sum">${dollars(sumOf(wagers))}</span>
      </span>`
    }
    ${
      draft &&
      html`<span class="wager draft"
        ><${Stack} cents=${draft.cents} tokens=${draft.tokens} denominations=${denominations} /><span class="wager-sum"
          >${dollars(draft.cents)}?</span
        ></span
      >`
    }
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

export const SPOT_SIGNS = { "perfect-pairs": "PP", "any-pairs": "AP", "star-pairs": "SP", "blazing-7s": "7s" };
const signOf = (kind) => SPOT_SIGNS[kind] || plain(kind);

function spotWords(box, kind, wagers, tokens) {
  const said = Object.entries(wagers).map(
    ([name, cents]) => `${name} ${dollars(cents)}${tokens[name] ? `, ${dollars(tokens[name])} of it in tokens` : ""}`,
  );
  return { name: `Box ${box}${kind === "original" ? "" : `, ${sideName(kind)}`}`, said: said.join(", ") };
}

function Spot({ box, kind, wagers, betting, denominations, me, lit, tokens = {} }) {
  const side = kind !== "original";
  const draft = betting?.drafts[`${box}|${kind}`];
  const { name, said } = spotWords(box, kind, wagers, tokens);
  const printed = html`<span class=${side ? "spot-sign" : "spot-number"} aria-hidden="true">${side ? signOf(kind) : box}</span>`;
  const inside = html`${!draft && !said && printed}
    <${Wagers} wagers=${wagers} draft=${draft} denominations=${denominations} me=${me} tokens=${tokens} />`;
  const shape = `spot ${side ? `side ${kind}` : "main"}${said || draft ? " taken" : ""}${lit ? " lit" : ""}`;
  if (!betting) {
    if (side && !said) return html`<span class=${shape} aria-hidden="true">${inside}</span>`;
    return html`<span class=${shape} role="img" aria-label=${`${name}: ${said || "no wager"}`}>${inside}</span>`;
  }
  const drop = (event) => {
    event.preventDefault();
    event.currentTarget.classList.remove("over");
    const cents = Number(event.dataTransfer.getData("text/plain"));
    if (cents) betting.add(box, kind, cents);
  };
  const adds = `Add ${dollars(betting.chip)}${betting.inTokens ? " in tokens" : ""}`;
  const takeBack = (event) => {
    event.preventDefault();
    betting.remove(box, kind);
  };
  return html`<button
    type="button"
    class=${`${shape} open`}
    data-box=${box}
    data-kind=${kind}
    aria-label=${`${name}${said && `: ${said}`}${draft ? `, ${dollars(draft.cents)} to place` : ""}. ${adds}`}
    title=${side ? `${sideName(kind)}, box ${box}` : `Box ${box}`}
    onClick=${() => betting.add(box, kind, betting.chip)}
    onContextMenu=${takeBack}
    onKeyDown=${(event) => ["Delete", "Backspace"].includes(event.key) && takeBack(event)}
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

/** Spots of the optional wagers, two by two beside the box; what became of them lies over them. */
function Sides({ kinds, number, boxes, box, tokens, results, ...more }) {
  const edge = boxes > 4 && (number === 1 || number === boxes);
  const right = number > (boxes + 1) / 2;
  const used = more.betting || results.length > 0 || kinds.some((kind) => Object.keys(box.side[kind] || {}).length > 0);
  return html`<div class=${`sides n${kinds.length} ${right === edge ? "right" : "left"}${used ? "" : " bare"}`}>
    ${kinds.map(
      (kind) =>
        html`<${Spot}
          key=${kind}
          box=${number}
          kind=${kind}
          wagers=${box.side[kind] || {}}
          lit=${kind === "blazing-7s" && Object.keys(box.jackpot || {}).length > 0}
          tokens=${tokens[kind]}
          ...${more}
        />`,
    )}
    ${
      results.length > 0 &&
      html`<ul class="side-results">
        ${results.map((each) => html`<li key=${each.what + each.player}><${Result} result=${each} name=${kinds.length > 1 ? signOf(each.what) : ""} /></li>`)}
      </ul>`
    }
  </div>`;
}

/** Where the boxes lie in rows, the one whose turn it is may be out of sight. */
const small = matchMedia("(max-width: 640px)");

const BONUSES = ["Super Bonus", "bonus"];

function seatWords({ number, owner, box, reserved, here }) {
  return [
    `Box ${number}`,
    owner && `${owner} ${box.controller ? "calls" : "is seated"}`,
    reserved && `reserved for ${reserved}`,
    here && "to decide now",
  ]
    .filter(Boolean)
    .join(", ");
}

export function Seat({ number, boxes, box, view, turn, me, betting, denominations, tokens }) {
  const seated = Object.entries(view.players).find(([, player]) => player.seat === number)?.[0];
  const owner = box.controller || seated;
  const reserved = view.reserved?.[number];
  const wagers = lying(box);
  const kinds = view.sign.side_bets;
  const mine = me && (me in wagers || me in box.wagers || seated === me || box.hands.some((hand) => me in hand.wagers));
  const here = turn && turn.box === number;
  const many = box.hands.length > 1;
  const results = Object.values(box.results || {});
  const asides = results.filter((each) => kinds.includes(each.what));
  const bonuses = results.filter((each) => BONUSES.includes(each.what));
  const busy = betting || owner || reserved || mine || box.hands.length > 0 || Object.keys(wagers).length > 0 || results.length > 0;
  const shared = { betting, denominations, me };
  const seat = useRef(null);
  useEffect(() => {
    if (!here || !mine || !small.matches) return;
    seat.current.scrollIntoView({ block: "center", behavior: motionOn() ? "smooth" : "auto" });
  }, [Boolean(here && mine)]);
  return html`<section
    class=${`seat${busy ? "" : " idle"}${mine ? " mine" : ""}${here ? " turn" : ""}${many ? " many" : ""}${boxes > 4 && (number === 1 || number === boxes) ? ` end-${number === 1 ? "right" : "left"}` : ""}`}
    style=${place(number, boxes)}
    ref=${seat}
    aria-label=${seatWords({ number, owner, box, reserved, here })}
  >
    ${
      box.hands.length > 0 &&
      html`<div class="hands" style=${{ ...sizeOf(box.hands), ...fromShoe(number, boxes) }}>
        ${box.hands.map(
          (hand, at) =>
            html`<${HandView}
              key=${at}
              hand=${hand}
              many=${many}
              turn=${here && turn.hand === at}
              label=${`Box ${number}${many ? ` hand ${at + 1}` : ""}: ${handWords(hand)}`}
            />`,
        )}
      </div>`
    }
    <div class="spots">
      <${Spot} box=${number} kind="original" wagers=${wagers} tokens=${tokens.original} ...${shared} />
      ${
        kinds.length > 0 &&
        html`<${Sides}
          kinds=${kinds}
          number=${number}
          boxes=${boxes}
          box=${box}
          tokens=${tokens}
          results=${asides}
          ...${shared}
        />`
      }
      ${bonuses.length > 0 && html`<p class="bonuses">${bonuses.map((each) => html`<${Result} key=${each.what + each.player} result=${each} name=${each.what} />`)}</p>`}
    </div>
    <div class="seat-foot">
      ${
        (owner || reserved) &&
        html`<p class="seat-name">
          <span class="seat-number">${number}</span>
          <span class="seat-owner"
            >${owner || `for ${reserved}`}${owner && owner === me ? html`<span class="you"> (you)</span>` : ""}</span
          >
        </p>`
      }
      ${
        Object.keys(wagers).length > 1 &&
        html`<ul class="sharers">
          ${Object.entries(wagers).map(([name, cents]) => html`<li key=${name}>${name} ${dollars(cents)}</li>`)}
        </ul>`
      }
      <${Insured} box=${box} results=${results.filter((each) => each.what === "insurance")} />
    </div>
  </section>`;
}

/** On small screens: what is insured, in words under the box. */
function Insured({ box, results }) {
  const placed = Object.entries(box.insurance || {});
  if (!placed.length && !results.length) return null;
  return html`<p class="insured">
    ${placed.map(([name, cents]) => html`<span key=${name}>insured ${dollars(cents)}</span>`)}
    ${results.map((each) => html`<${Result} key=${each.player} result=${each} name="insurance" />`)}
  </p>`;
}

/** Chips on the insurance line. */
export function OnTheLine({ number, boxes, box, denominations }) {
  const cents = sumOf(box.insurance || {});
  const results = Object.values(box.results || {}).filter((each) => each.what === "insurance");
  if (!cents && !results.length) return null;
  const became = results.map((each) => `${each.player} ${resultWords(each).text}`).join(", ");
  return html`<div
    class="line-wager"
    style=${placeOnLine(number, boxes)}
    role="img"
    aria-label=${`Insurance of box ${number}: ${cents ? dollars(cents) : became}`}
  >
    ${cents > 0 && html`<span class="wager"><${Stack} cents=${cents} denominations=${denominations} /><span class="wager-sum">${dollars(cents)}</span></span>`}
    ${results.map((each) => html`<${Result} key=${each.player} result=${each} />`)}
  </div>`;
}
