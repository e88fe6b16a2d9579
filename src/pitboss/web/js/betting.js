// A player's wagers before the deal: chips, tokens where the rulebook takes them, placing, taking back, the same again.

import { html, useEffect, useRef, useState } from "./nodes.js";
import { Chip } from "./chips.js";
import { chosen } from "./settings.js";
import { sound } from "./sounds.js";
import { dollars, sideName } from "./words.js";

const LAST = "pitboss-last-wagers";
const SETTLED_MS = 700; // chips that count at once are bet so long after the last of them

function keptWagers() {
  try {
    return JSON.parse(sessionStorage.getItem(LAST) || "{}");
  } catch {
    return {};
  }
}

const lastWagers = (table) => keptWagers()[table] || {};

function keepWagers(table, wagers) {
  sessionStorage.setItem(LAST, JSON.stringify({ ...keptWagers(), [table]: wagers }));
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

/** How much of the wagers that lie on the table is in promotional tokens: box -> kind -> player -> cents. */
export function tokensOn(events) {
  const found = {};
  let first = events.length;
  while (first > 0 && !["RoundEnded", "RoundVoided"].includes(events[first - 1].event.event)) first -= 1;
  for (const { event } of events.slice(first)) {
    const { event: name, box, kind = "original", player, token_cents: cents } = event;
    if (name === "WagerPlaced" && cents) ((found[box] ||= {})[kind] ||= {})[player] = cents;
    else if (name === "WagerPlaced" || name === "WagerReturned") delete found[box]?.[kind]?.[player];
  }
  return found;
}

const parts = (key) => {
  const [box, kind] = key.split("|");
  return { box: Number(box), kind };
};

const saidOf = (key) => {
  const { box, kind } = parts(key);
  return `Box ${box}${kind === "original" ? "" : `, ${sideName(kind)}`}`;
};

/** Original wagers first: an optional wager may need one beside it. */
const originalsFirst = ([a], [b]) => Number(b.endsWith("|original")) - Number(a.endsWith("|original"));

const placing = (me, key, cents, tokens) => {
  const { box, kind } = parts(key);
  return {
    act: "PlaceWager",
    player: me,
    box,
    cents,
    ...(kind === "original" ? {} : { kind }),
    ...(tokens ? { token_cents: tokens } : {}),
  };
};

const withdrawing = (me, key) => {
  const { box, kind } = parts(key);
  return { act: "WithdrawWager", player: me, box, ...(kind === "original" ? {} : { kind }) };
};

/** Chips in the order in which they were laid, summed up by spot. */
function draftsOf(laid) {
  const drafts = {};
  for (const { key, cents, token } of laid) {
    const before = drafts[key] || { cents: 0, tokens: 0 };
    drafts[key] = { cents: before.cents + cents, tokens: before.tokens + (token ? cents : 0) };
  }
  return drafts;
}

const sum = (amounts) => amounts.reduce((total, cents) => total + cents, 0);

/** Place wagers one after another; what is there already is taken back and laid again with what is added. They are for
 *  one round: once that is over, none of them is placed. The spots whose wagers were not accepted, or not even tried. */
async function putAll(wagers, { me, placed, tokens, send, over }) {
  const left = Object.entries(wagers).sort(originalsFirst);
  for (; left.length && !over(); left.shift()) {
    const [key, { cents, tokens: added }] = left[0];
    const { box, kind } = parts(key);
    const before = placed[key] || 0;
    const held = tokens[box]?.[kind]?.[me] || 0;
    if (before) {
      const back = await send(withdrawing(me, key));
      if (back.is !== "accepted" || over()) break;
    }
    const answer = await send(placing(me, key, before + cents, held + added));
    if (answer.is === "unsure") {
      left.shift(); // perhaps it lies there: nobody lays it again unseen
      break;
    }
    if (answer.is !== "accepted") {
      if (before && !over()) await send(placing(me, key, before, held), { quiet: true });
      break;
    }
  }
  return left.map(([key]) => key);
}

/** A player's chips. While wagers are on their way (`busy`) nothing else is begun: whoever said "Deal" then would be dealt
 *  in with a part of them. */
export function useBetting({ table, round, view, me, helping, house, rulebook, send, idle, open, tokens, onLay = () => {} }) {
  const denominations = (house && house.chips_cents) || [100, 250, 500, 2500, 10000];
  const [chip, setChip] = useState(null);
  const [laid, setLaid] = useState([]);
  const lay = (chips) => {
    onLay(); // they do something else: what was said before is answered
    setLaid(chips);
  };
  const [inTokens, setInTokens] = useState(false);
  const now = useRef(round);
  now.current = round;
  const over = () => now.current !== round;
  const [moving, setMoving] = useState(""); // wagers that are on their way, in words
  const meanwhile = async (words, moves) => {
    setMoving(words);
    try {
      return await moves();
    } finally {
      setMoving("");
    }
  };
  const latest = useRef(() => {});
  useEffect(() => {
    if (!open || !laid.length || moving || !idle || chosen("chips") !== "at-once") return undefined;
    const timer = setTimeout(() => latest.current(), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [open, laid, moving, idle]);
  const [missed, setMissed] = useState(0); // cents that were laid and not placed when the bets closed
  useEffect(() => {
    if (open || !laid.length) return;
    setMissed(sum(laid.map(({ cents }) => cents)));
    setLaid([]);
  }, [open]);
  useEffect(() => setMissed(0), [round]);
  const current =
    chip && denominations.includes(chip)
      ? chip
      : denominations.find((cents) => cents >= view.sign.minimum_cents) || denominations.at(-1);
  if (!open) return missed ? { missed } : null;
  const placed = placedBy(view, me);
  const drafts = draftsOf(laid);
  const takesTokens = (rulebook?.terms["wagers.means"]?.is || []).includes("promotional-tokens");
  const putting = async (wagers) => {
    setLaid([]);
    const left = await putAll(wagers, { me, placed, tokens, send, over });
    if (left.length) return setLaid((now) => [...laid.filter(({ key }) => left.includes(key)), ...now]);
    const added = Object.entries(wagers).map(([key, { cents }]) => [key, (placed[key] || 0) + cents]);
    keepWagers(table, { ...placed, ...Object.fromEntries(added) });
    return undefined;
  };
  const put = (wagers) =>
    meanwhile(`Placing ${dollars(sum(Object.values(wagers).map(({ cents }) => cents)))}…`, () => putting(wagers));
  latest.current = () => put(drafts);
  const last = Object.entries(lastWagers(table)).map(([key, cents]) => [key, { cents, tokens: 0 }]);
  const takingBack = async (keys) => {
    for (const key of keys) if (!over()) await send(withdrawing(me, key));
  };
  const takeBack = (keys) =>
    meanwhile(`Taking back ${dollars(sum(keys.map((key) => placed[key])))}…`, () => takingBack(keys));
  const takeBackOne = (key) => takeBack([key]);
  const busy = moving !== "" || !idle;
  return {
    me,
    helping,
    chip: current,
    setChip,
    denominations,
    takesTokens,
    inTokens: takesTokens && inTokens,
    setInTokens,
    drafts,
    placed,
    moving,
    busy,
    drafted: sum(laid.map(({ cents }) => cents)),
    lying: sum(Object.values(placed)),
    add: (box, kind, cents) => {
      sound("chip");
      lay([...laid, { key: `${box}|${kind}`, cents, token: takesTokens && inTokens }]);
    },
    remove: (box, kind) => {
      const key = `${box}|${kind}`;
      if (drafts[key]) lay(laid.filter((each) => each.key !== key));
      else if (placed[key] && !busy) takeBackOne(key);
    },
    undo: () => lay(laid.slice(0, -1)),
    clear: () => lay([]),
    place: () => put(drafts),
    again: () => put(Object.fromEntries(last)),
    lastCents: Object.keys(placed).length ? 0 : sum(last.map(([, { cents }]) => cents)),
    takeBackOne,
    takeBack: () => takeBack(Object.entries(placed).sort(originalsFirst).reverse().map(([key]) => key)),
  };
}

export function ChipRail({ betting }) {
  const { chip, setChip, denominations, inTokens } = betting;
  const keys = (event) => {
    const to = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!to) return;
    event.preventDefault();
    const at = (denominations.indexOf(chip) + to + denominations.length) % denominations.length;
    setChip(denominations[at]);
    event.currentTarget.children[at].focus();
  };
  const name = inTokens ? "Token" : "Chip";
  return html`<div class="chip-rail" role="radiogroup" aria-label=${`${name} to place`} onKeyDown=${keys}>
    ${denominations.map(
      (cents) =>
        html`<button
          type="button"
          key=${cents}
          role="radio"
          aria-checked=${cents === chip ? "true" : "false"}
          aria-label=${`${name} of ${dollars(cents)}`}
          tabindex=${cents === chip ? 0 : -1}
          class="chip-choice"
          draggable="true"
          onDragStart=${(event) => {
            event.dataTransfer.setData("text/plain", String(cents));
            setChip(cents);
          }}
          onClick=${() => setChip(cents)}
        >
          <${Chip} cents=${cents} token=${inTokens} />
        </button>`,
    )}
  </div>`;
}

function hintOf({ moving, drafted, lying, lastCents }) {
  if (moving) return moving;
  if (drafted) return `${dollars(drafted)} to place`;
  if (lying) return `${dollars(lying)} on the table`;
  return lastCents ? "Choose a chip and a box" : "Choose a chip, then a box on the felt";
}

/** What lies on the table, and each wager to be taken back by itself. */
function Placed({ betting }) {
  const keys = Object.entries(betting.placed);
  const hint = html`<span class=${betting.drafted ? "speech" : "betting-hint"} aria-live="polite">${hintOf(betting)}</span>`;
  if (keys.length < 2 || betting.drafted) return hint;
  return html`<details class="placed">
    <summary>${hint}</summary>
    <ul aria-label="Take wagers back one by one">
      ${keys.map(
        ([key, cents]) =>
          html`<li key=${key}>
            <button
              type="button"
              onClick=${() => !betting.busy && betting.takeBackOne(key)}
              aria-label=${`Take back ${saidOf(key)}, ${dollars(cents)}`}
            >
              ${saidOf(key)} ${dollars(cents)} <span aria-hidden="true">✕</span>
            </button>
          </li>`,
      )}
    </ul>
  </details>`;
}

function Tokens({ betting }) {
  if (!betting.takesTokens) return null;
  return html`<button
    type="button"
    class="token-switch"
    data-do="tokens"
    aria-pressed=${betting.inTokens ? "true" : "false"}
    aria-label="Wager promotional tokens"
    title="Wager promotional tokens"
    onClick=${() => betting.setInTokens(!betting.inTokens)}
  >
    <svg class="token" viewBox="0 0 100 100" aria-hidden="true">
      <path class="chip-body" d="M30 3H70L97 30V70L70 97H30L3 70V30Z" /></svg
    >Tokens
  </button>`;
}

/** Who helps others by hand says whose chips these are. */
function Helping({ betting }) {
  const { helping, me, busy, drafted } = betting;
  if (!helping) return null;
  return html`<label class="field helping"
    >Chips of
    <select data-do="helping" disabled=${busy || drafted > 0} value=${me} onChange=${(event) => helping.set(event.target.value)}>
      ${helping.names.map((name) => html`<option key=${name} value=${name} selected=${name === me}>${name}</option>`)}
    </select>
  </label>`;
}

export function BettingDock({ betting, onReady }) {
  const { drafted, lying, lastCents, busy } = betting;
  const told = drafted > 0 && !busy && chosen("chips") !== "at-once";
  return html`<div class="betting">
    <${Helping} betting=${betting} />
    <${ChipRail} betting=${betting} />
    <${Tokens} betting=${betting} />
    <${Placed} betting=${betting} />
    <div class="buttons">
      ${!busy && drafted > 0 && html`<button type="button" class="primary" data-do="place" onClick=${betting.place}>Place ${dollars(drafted)} <kbd>Enter</kbd></button>`}
      ${drafted > 0 && html`<button type="button" data-do="undo" onClick=${betting.undo}>Undo <kbd>Z</kbd></button>`}
      ${drafted > 0 && html`<button type="button" data-do="clear" onClick=${betting.clear}>Clear <kbd>Esc</kbd></button>`}
      ${!busy && !drafted && lastCents > 0 && html`<button type="button" class="primary" data-do="again" onClick=${betting.again}>Same again, ${dollars(lastCents)} <kbd>A</kbd></button>`}
      ${!busy && !drafted && lying > 0 && onReady && html`<button type="button" class="primary" data-do="ready" onClick=${onReady}>Deal <kbd>G</kbd></button>`}
      ${!busy && !drafted && lying > 0 && html`<button type="button" data-do="take-back" onClick=${betting.takeBack}>Take back <kbd>Esc</kbd></button>`}
    </div>
    ${told && html`<p class="unplaced">${`Not bet yet: press Place, or ${dollars(drafted)} is not in the next round.`}</p>`}
  </div>`;
}
