// A player's side of the table: chips, wagers, decisions.

import { html, useMemo, useRef, useState } from "./vendor/preact-htm.js";
import { Chip } from "./chips.js";
import { Clock } from "./clock.js";
import { cents as readCents, useKeys } from "./ui.js";
import { DECISIONS, capital, dollars, plain, sideName, signed, spaced, stateOf } from "./words.js";
import { roundResult } from "./picture.js";

const LAST = "pitboss-last-wagers";

function lastWagers(table) {
  try {
    return JSON.parse(sessionStorage.getItem(LAST) || "{}")[table] || {};
  } catch {
    return {};
  }
}

function keepWagers(table, wagers) {
  const all = { ...JSON.parse(sessionStorage.getItem(LAST) || "{}"), [table]: wagers };
  sessionStorage.setItem(LAST, JSON.stringify(all));
}

/** What this player has on the table before the deal: "3|original" -> cents. */
export function placedBy(view, me) {
  const placed = {};
  for (const box of view.boxes) {
    if (box.hands.length) continue;
    if (me in box.wagers) placed[`${box.box}|original`] = box.wagers[me];
    for (const [kind, wagers] of Object.entries(box.side)) if (me in wagers) placed[`${box.box}|${kind}`] = wagers[me];
  }
  return placed;
}

const parts = (key) => {
  const [box, kind] = key.split("|");
  return { box: Number(box), kind };
};

/** Original wagers first: an optional wager may need one beside it. */
const inOrder = (wagers) =>
  Object.entries(wagers).sort(([a], [b]) => Number(b.endsWith("|original")) - Number(a.endsWith("|original")));

const placing = (me, key, amount) => {
  const { box, kind } = parts(key);
  return { act: "PlaceWager", player: me, box, cents: amount, ...(kind === "original" ? {} : { kind }) };
};

const withdrawing = (me, key) => {
  const { box, kind } = parts(key);
  return { act: "WithdrawWager", player: me, box, ...(kind === "original" ? {} : { kind }) };
};

export function useBetting({ table, view, me, house, send, open }) {
  const denominations = (house && house.chips_cents) || [100, 250, 500, 2500, 10000];
  const [chip, setChip] = useState(null);
  const [drafts, setDrafts] = useState({});
  const current =
    chip && denominations.includes(chip)
      ? chip
      : denominations.find((cents) => cents >= view.sign.minimum_cents) || denominations.at(-1);
  if (!open) return null;
  const placed = placedBy(view, me);
  const set = (key, cents) => {
    const next = { ...drafts };
    if (cents > 0) next[key] = cents;
    else delete next[key];
    setDrafts(next);
  };
  const put = async (wagers) => {
    setDrafts({});
    for (const [key, cents] of inOrder(wagers)) {
      const before = placed[key] || 0;
      if (before) {
        const back = await send(withdrawing(me, key));
        if (back.is !== "accepted") return;
      }
      const answer = await send(placing(me, key, before + cents));
      if (answer.is !== "accepted") {
        if (before) await send(placing(me, key, before));
        return;
      }
    }
    keepWagers(table, {
      ...placed,
      ...Object.fromEntries(Object.entries(wagers).map(([key, cents]) => [key, (placed[key] || 0) + cents])),
    });
  };
  return {
    chip: current,
    setChip,
    denominations,
    drafts,
    placed,
    add: (box, kind, cents) => set(`${box}|${kind}`, (drafts[`${box}|${kind}`] || 0) + cents),
    remove: (box, kind) => {
      const key = `${box}|${kind}`;
      if (drafts[key]) set(key, 0);
      else if (placed[key]) send(withdrawing(me, key));
    },
    clear: () => setDrafts({}),
    place: () => put(drafts),
    again: () => put(lastWagers(table)),
    hasLast: Object.keys(lastWagers(table)).length > 0 && !Object.keys(placed).length,
    takeBack: async () => {
      for (const key of Object.keys(placed).sort(
        (a, b) => Number(a.endsWith("|original")) - Number(b.endsWith("|original")),
      ))
        await send(withdrawing(me, key));
    },
  };
}

const sum = (wagers) => Object.values(wagers).reduce((total, cents) => total + cents, 0);

export function ChipRail({ betting }) {
  const { chip, setChip, denominations } = betting;
  const keys = (event) => {
    const to = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!to) return;
    event.preventDefault();
    const at = (denominations.indexOf(chip) + to + denominations.length) % denominations.length;
    setChip(denominations[at]);
    event.currentTarget.children[at].focus();
  };
  return html`<div class="chip-rail" role="radiogroup" aria-label="Chip to place" onKeyDown=${keys}>
    ${denominations.map(
      (cents) =>
        html`<button
          type="button"
          key=${cents}
          role="radio"
          aria-checked=${cents === chip ? "true" : "false"}
          aria-label=${`Chip of ${dollars(cents)}`}
          tabindex=${cents === chip ? 0 : -1}
          class="chip-choice"
          draggable="true"
          onDragStart=${(event) => {
            event.dataTransfer.setData("text/plain", String(cents));
            setChip(cents);
          }}
          onClick=${() => setChip(cents)}
        >
          <${Chip} cents=${cents} />
        </button>`,
    )}
  </div>`;
}

function BettingDock({ betting, view, onReady }) {
  const drafted = sum(betting.drafts);
  const lying = sum(betting.placed);
  const hint = drafted
    ? `${dollars(drafted)} to place`
    : lying
      ? `${dollars(lying)} on the table`
      : view.boxes.length || betting.hasLast
        ? "Choose a chip and a box"
        : "Choose a chip, then click a box on the felt";
  return html`<div class="betting">
    <${ChipRail} betting=${betting} />
    <p class="betting-hint" aria-live="polite">${hint}</p>
    <div class="buttons">
      ${drafted > 0 && html`<button type="button" class="primary" data-do="place" onClick=${betting.place}>Place ${dollars(drafted)} <kbd>Enter</kbd></button>`}
      ${drafted > 0 && html`<button type="button" data-do="clear" onClick=${betting.clear}>Clear <kbd>Esc</kbd></button>`}
      ${!drafted && betting.hasLast && html`<button type="button" class="primary" data-do="again" onClick=${betting.again}>Same wagers again <kbd>A</kbd></button>`}
      ${!drafted && lying > 0 && onReady && html`<button type="button" class="primary" data-do="ready" onClick=${onReady}>Deal <kbd>G</kbd></button>`}
      ${!drafted && lying > 0 && html`<button type="button" data-do="take-back" onClick=${betting.takeBack}>Take back <kbd>Esc</kbd></button>`}
    </div>
  </div>`;
}

/** Acts on offer as buttons; the same act on several boxes says which box. */
function labelOf(act, many) {
  const known = DECISIONS[act.act];
  const name = known ? known.label : capital(spaced(act.act));
  const amount = act.act === "Insure" ? ` for ${dollars(act.cents)}` : "";
  return `${name}${amount}${many && act.box ? `, box ${act.box}` : ""}`;
}

export function Decisions({ legal, send, where, onPass, what }) {
  const [depth, setDepth] = useState(null);
  const [part, setPart] = useState("");
  const cut = legal.find((act) => act.act === "Cut");
  const partly = legal.find((act) => act.act === "Double" || act.act === "Insure");
  const verb = partly && DECISIONS[partly.act].label;
  const boxes = new Set(legal.map((act) => act.box || 0));
  const firsts = new Map();
  for (const act of legal) {
    const key = DECISIONS[act.act]?.key;
    if (key && !firsts.has(key)) firsts.set(key, act);
  }
  const act = (each) => send(each.act === "Cut" && depth ? { ...each, depth: Number(depth) } : each);
  useKeys((event) => {
    const found = firsts.get(event.key.toLowerCase());
    if (!found && onPass && event.key.toLowerCase() === "n") onPass();
    if (!found) return;
    event.preventDefault();
    act(found);
  });
  return html`<div class="decisions" role="group" aria-label=${where ? `Decide for ${where}` : "Decide"}>
    ${
      cut &&
      html`<label class="cut"
        >Depth, cards from the front
        <input
          type="range"
          min="1"
          max=${cut.depth * 2 - 1}
          value=${depth || cut.depth}
          onInput=${(event) => setDepth(event.target.value)}
        />
        <output>${depth || cut.depth}</output>
      </label>`
    }
    <div class="buttons">
      ${legal.map((each, at) => {
        const known = DECISIONS[each.act];
        const shown = known && firsts.get(known.key) === each;
        return html`<button
          type="button"
          key=${at}
          class=${at === 0 ? "decision first" : "decision"}
          title=${known?.says || ""}
          onClick=${() => act(each)}
          data-act=${each.act}
        >
          ${labelOf(each, boxes.size > 1)} ${shown && html`<kbd>${known.key.toUpperCase()}</kbd>`}
        </button>`;
      })}
      ${onPass && html`<button type="button" class="decision" onClick=${onPass} data-act="pass">No ${what} <kbd>N</kbd></button>`}
    </div>
    ${
      partly &&
      html`<details class="less">
        <summary>${verb} for another amount</summary>
        <form
          onSubmit=${(event) => {
            event.preventDefault();
            const amount = readCents(part);
            if (amount > 0) send({ ...partly, cents: amount });
          }}
        >
          <label for="part">Amount</label>
          <input
            id="part"
            inputmode="decimal"
            size="7"
            placeholder="5.00"
            value=${part}
            onInput=${(event) => setPart(event.target.value)}
          />
          <button type="submit">${verb}</button>
        </form>
      </details>`
    }
  </div>`;
}

/** Whom the table waits for, said to everybody. */
export function waitingWords(waiting, me, view) {
  if (!waiting) return "";
  const who = (waiting.who || []).filter((name) => name !== "dealer");
  const others = who.map((name) => (name === me ? "you" : name)).join(", ");
  const box = waiting.box ? `, box ${waiting.box}` : "";
  const words = {
    wagers: view.betting_closed ? "No more bets" : "Wagers are open",
    shuffle: "The dealer shuffles",
    cut: `The cut is offered to ${others || "the house"}`,
    "cutting-card": "The dealer places the cutting card",
    expose: `Waiting for ${others} to turn the cards up${box}`,
    jackpot: "Waiting for the jackpot link",
    insurance: "Insurance is open",
    surrender: "Surrender is open",
    answer: `Waiting for ${others} to answer${box}`,
    forfeit: `Keep or forfeit: ${others}${box}`,
    decision: `Waiting for ${others}${box}`,
    approval: `Waiting for approval by the ${plain(others)}`,
    refund: `Take the wagers back or play on: ${others}`,
    reconstruction: `The round is to be rebuilt by the ${plain(others || "dealer")}`,
    "short-hand": `A hand lacks cards: ${others}${box}`,
  };
  return words[waiting.what] || stateOf(view);
}

const ELSEWHERE = ["PlaceWager", "WithdrawWager", "TakeSeat", "LeaveTable", "BuyChips"];

/** What this player may decide now; a card drawn in error may be refused by whoever would get it. */
function decisionsOf({ legal = [], waiting, view }, me) {
  const own = legal.filter((act) => act.player === me && !ELSEWHERE.includes(act.act));
  const error = waiting?.what === "decision" && view.drawn_in_error?.length > 0 && own.length > 0;
  return error ? [...own, { act: "RefuseCard", player: me, box: waiting.box }] : own;
}

export function PlayerDock({ update, playback, betting, me, send, pass, idle }) {
  const [passed, setPassed] = useState("");
  const { view, waiting } = update;
  const settled = useRef({});
  if (playback.calm) settled.current = update.mine || {};
  const mine = settled.current;
  const legal = decisionsOf(update, me);
  const moment = `${update.round} ${waiting?.what}`;
  const done = () => {
    setPassed(moment);
    pass();
  };
  const alone = update.dealer === "house" && passed !== moment;
  const offered = alone && ["insurance", "surrender"].includes(waiting?.what) && legal.length > 0;
  const ready = playback.calm && idle && legal.length > 0 && passed !== moment;
  const boxes = new Set(legal.map((act) => act.box).filter(Boolean));
  const turn = view.turn && boxes.has(view.turn.box) ? view.turn : null;
  const split = turn && (view.boxes.find((box) => box.box === turn.box)?.hands.length || 0) > 1;
  const where = boxes.size === 1 ? `Box ${[...boxes][0]}${split ? `, hand ${turn.hand + 1}` : ""}` : "";
  const last = useMemo(
    () => (playback.lastRound.some((each) => each.event.player === me) ? roundResult(playback.lastRound, me) : null),
    [playback.lastRound, me],
  );
  const nothing = !ready && !betting;
  useKeys((event) => {
    if (!betting) return;
    if (event.key === "Enter" && sum(betting.drafts) && !event.target.closest("button")) betting.place();
    else if (event.key === "Escape") sum(betting.drafts) ? betting.clear() : betting.takeBack();
    else if (event.key.toLowerCase() === "a" && betting.hasLast) betting.again();
    else if (event.key.toLowerCase() === "g" && alone && sum(betting.placed)) done();
    else return;
    event.preventDefault();
  });
  const turns = legal[0]?.act === "Cut" ? "You may cut" : "Your decision";
  const asked = where ? `${turns}, ${where.toLowerCase()}` : turns;
  return html`<section class=${`dock${ready ? " yours" : ""}`} aria-label="Your turn and wagers">
    <div class="dock-head">
      <p class="dock-state">${ready ? asked : waitingWords(waiting, me, view)}</p>
      <${Clock} clock=${update.clock} received=${update.received} />
      <dl class="money">
        ${
          mine.chips_cents !== null &&
          mine.chips_cents !== undefined &&
          html`<div>
            <dt>Chips</dt>
            <dd>${dollars(mine.chips_cents)}</dd>
          </div>`
        }
        ${
          mine.net_cents !== undefined &&
          html`<div>
            <dt>Won or lost</dt>
            <dd class=${mine.net_cents < 0 ? "minus" : "plus"}>${signed(mine.net_cents)}</dd>
          </div>`
        }
        ${
          last !== null &&
          playback.calm &&
          html`<div>
            <dt>Last round</dt>
            <dd class=${last < 0 ? "minus" : "plus"}>${last === 0 ? "even" : signed(last)}</dd>
          </div>`
        }
        ${
          mine.loss_limit_cents !== null &&
          mine.loss_limit_cents !== undefined &&
          html`<div>
            <dt>Loss limit</dt>
            <dd>${dollars(mine.loss_limit_cents)}</dd>
          </div>`
        }
      </dl>
    </div>
    ${mine.restriction && html`<p class="notice">You are restricted: ${plain(mine.restriction)}.</p>`}
    ${ready && html`<${Decisions} legal=${legal} send=${send} where=${where} onPass=${offered ? done : null} what=${waiting?.what} />`}
    ${betting && html`<${BettingDock} betting=${betting} view=${view} onReady=${alone ? done : null} />`}
    ${nothing && html`<p class="quiet-line">${playback.calm ? "You will be asked when it is your turn." : "Dealing…"}</p>`}
  </section>`;
}

/** Seats, chips and control: what a player does now and then. */
export function PlayerMore({ update, me, send, house }) {
  const { view } = update;
  const seat = view.players[me]?.seat;
  const [amount, setAmount] = useState("100");
  const boxes = Array.from({ length: (house && house.boxes) || 7 }, (_, at) => at + 1);
  const taken = new Set(
    Object.values(view.players)
      .map((player) => player.seat)
      .filter(Boolean),
  );
  const shared = view.boxes.filter((box) => me in box.wagers && Object.keys(box.wagers).length > 1);
  return html`<div class="more">
    <h3>Your seat</h3>
    <p>
      ${seat ? `You sit at box ${seat} and call its decisions.` : "You have no seat: you may wager on any box, and whoever is seated there calls."}
    </p>
    <div class="buttons small">
      ${boxes.map(
        (box) =>
          html`<button
            type="button"
            key=${box}
            disabled=${taken.has(box)}
            onClick=${() => send({ act: "TakeSeat", player: me, box })}
          >
            Sit at ${box}
          </button>`,
      )}
    </div>
    <h3>Chips</h3>
    <form
      class="row"
      onSubmit=${(event) => {
        event.preventDefault();
        const value = readCents(amount);
        if (value > 0) send({ act: "BuyChips", player: me, cents: value });
      }}
    >
      <label for="buy">Amount</label>
      <input
        id="buy"
        inputmode="decimal"
        size="8"
        value=${amount}
        onInput=${(event) => setAmount(event.target.value)}
      />
      <button type="submit">Buy chips</button>
    </form>
    <h3>Shared boxes</h3>
    <p>Where the rulebook lets you, you may leave the decisions on a shared box to another.</p>
    <div class="buttons small">
      ${shared.map(
        ({ box }) =>
          html`<button type="button" key=${box} onClick=${() => send({ act: "DeclineControl", player: me, box })}>
            Decline control of box ${box}
          </button>`,
      )}
    </div>
    <h3>Leave</h3>
    <button type="button" onClick=${() => send({ act: "LeaveTable", player: me })}>Leave the table</button>
    <p class="hint">Optional wagers here: ${view.sign.side_bets.map(sideName).join(", ") || "none"}.</p>
  </div>`;
}
