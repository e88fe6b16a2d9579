// A player's side of the table: whose turn it is, decisions, money; seat and chips now and then.

import { html, useEffect, useMemo, useRef, useState } from "./nodes.js";
import { DECISIONS } from "./acts.js";
import { BettingDock } from "./betting.js";
import { sound } from "./sounds.js";
import { Clock } from "./clock.js";
import { clausesOf, lineOf } from "./history.js";
import { cents as readCents, useKeys } from "./ui.js";
import { capital, cardName, dollars, plain, sideName, signed, spaced, stateOf, totalOf } from "./words.js";
import { roundResult } from "./picture.js";

/** Acts on offer as buttons; the same act on several boxes says which box. */
function labelOf(act, many) {
  const known = DECISIONS[act.act];
  const name = known ? known.label : capital(spaced(act.act));
  const amount = act.act === "Insure" ? ` for ${dollars(act.cents)}` : "";
  return `${name}${amount}${many && act.box ? `, box ${act.box}` : ""}`;
}

/** What is wrong with an amount that somebody wrote, in a sentence; nothing where it is more than nothing. */
function amountProblem(text) {
  const value = readCents(text);
  if (value > 0) return "";
  if (!String(text).trim()) return "Amount: enter dollars, such as 100 or 1,000.50.";
  if (value <= 0) return "Amount: it must be more than $0; enter dollars, such as 100 or 1,000.50.";
  return `Amount: “${String(text).trim()}” cannot be read; enter dollars, such as 100 or 1,000.50.`;
}

/** One amount and its button; what cannot be read is said beside the field, and nothing is sent. */
function AmountForm({ id, text, onText, button, send, idle = true, placeholder = "" }) {
  const [refused, setRefused] = useState(null); // the text that could not be read: once it is changed, it is read anew
  const problem = refused === text ? amountProblem(text) : "";
  const submit = (event) => {
    event.preventDefault();
    if (amountProblem(text)) setRefused(text);
    else send(readCents(text));
  };
  return html`<form class="row amount" onSubmit=${submit} novalidate>
    <label for=${id}>Amount</label>
    <input
      id=${id}
      inputmode="decimal"
      autocomplete="off"
      size="8"
      placeholder=${placeholder}
      value=${text}
      aria-invalid=${problem ? "true" : "false"}
      aria-describedby=${problem ? `${id}-problem` : undefined}
      onInput=${(event) => onText(event.target.value)}
    />
    <button type="submit" disabled=${!idle}>${button}</button>
    ${problem && html`<p class="problem" id=${`${id}-problem`} role="alert">${problem}</p>`}
  </form>`;
}

export function Decisions({ legal, send, where, onPass, what, part, setPart }) {
  const [depth, setDepth] = useState(null);
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
    <div class=${`buttons${legal.length > 3 ? " crowd" : ""}`}>
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
      html`<details
        class="less"
        open=${part !== null}
        onToggle=${(event) => setPart(event.currentTarget.open ? (part ?? "") : null)}
      >
        <summary>${verb} for another amount</summary>
        <${AmountForm}
          id="part"
          placeholder="5.00"
          text=${part ?? ""}
          onText=${setPart}
          button=${verb}
          send=${(cents) => send({ ...partly, cents })}
        />
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
    cut: `The cut is offered to ${!others ? "the house" : ["supervisor", "dealer"].includes(who[0]) ? `the ${others}` : others}`,
    "cutting-card": "The dealer places the cutting card",
    expose: `Waiting for ${others} to turn the cards up${box}`,
    jackpot: "Waiting for the jackpot link",
    insurance: "Insurance is open",
    surrender: "Surrender is open",
    answer: `Waiting for ${others} to answer${box}`,
    forfeit: `Keep or forfeit: ${others}${box}`,
    decision: `Waiting for ${others}${box}`,
    stopped: "The table is stopped: a supervisor will attend to it",
    approval: `Waiting for approval by the ${plain(others)}`,
    refund: `Take the wagers back or play on: ${others}`,
    reconstruction: `The round is to be rebuilt by the ${plain(others || "dealer")}`,
    void: `The cards have run out: waiting for the ${plain(others)}`,
    confirmation: "The decks are checked before the next deal",
    "short-hand": `A hand lacks cards: ${others}${box}`,
  };
  return words[waiting.what] || stateOf(view);
}

/** What this player may decide now; a card drawn in error may be refused by whoever would get it. */
function decisionsOf({ legal = [], waiting, view }, me) {
  const own = legal.filter((act) => act.player === me && act.act in DECISIONS);
  const last = ({ act }) => Number(Boolean(DECISIONS[act].last)); // what loses something comes after what loses nothing
  own.sort((one, other) => last(one) - last(other));
  const error = waiting?.what === "decision" && view.drawn_in_error?.length > 0 && own.length > 0;
  return error ? [...own, { act: "RefuseCard", player: me, box: waiting.box }] : own;
}

/** What is asked of this player, in words: where, and what they hold against what. */
function askedWords({ waiting, view, mine }, legal, where) {
  const at = where ? `, ${where.toLowerCase()}` : "";
  const first = legal[0]?.act;
  if (first === "Cut") return "You may cut";
  if (waiting?.what === "insurance") return `Insurance${at}?`;
  if (waiting?.what === "surrender") return `Surrender${at}?`;
  if (waiting?.what === "forfeit") return `Play on with the doubled wager${at}?`;
  if (waiting?.what === "answer") return `${capital(spaced(first))} too${at}?`;
  const hidden = mine?.hands?.[`${waiting?.box}.${waiting?.hand || 0}`]; // cards that only their player may look at
  const hand = hidden || view.boxes.find((box) => box.box === waiting?.box)?.hands[waiting.hand || 0];
  const total = hand && waiting.what === "decision" ? totalOf(hand) : "";
  return `Your decision${at}${total ? `: ${total} against ${dealerShows(view.dealer)}` : ""}`;
}

/** What the dealer's cards are called: "a 7", "an ace", or a total. */
function dealerShows({ cards, ...dealer }) {
  if (cards.length !== 1) return totalOf({ cards, ...dealer }) || "no card";
  const rank = cardName(cards[0]).split(" ")[0];
  return `${/^(a|8)/.test(rank) ? "an" : "a"} ${rank}`;
}

/** What lies on the table for a player: counted as lost by the floor until it is settled. */
export function atStake(view, me) {
  let cents = 0;
  for (const box of view.boxes) {
    if (!box.hands.length) cents += box.wagers[me] || 0;
    for (const hand of box.hands) {
      const wager = hand.wagers[me];
      if (wager && !wager.settled) cents += wager.cents + (wager.doubled_cents || 0);
    }
    for (const wagers of Object.values(box.side)) cents += wagers[me] || 0;
    cents += box.insurance[me] || 0;
  }
  return cents;
}

/** What the keyboard may find under its fingers by itself: nothing that costs money or gives something up. */
const HARMLESS = Object.keys(DECISIONS)
  .filter((act) => DECISIONS[act].calm)
  .map((act) => `[data-act=${act}]`)
  .concat("[data-do=ready]")
  .join(", ");

/** Who uses the keyboard finds the next button under their fingers, or else the question: what was pressed is gone by then. */
function useFocusKept(ref) {
  const had = useRef(false);
  useEffect(() => {
    const came = (event) => (had.current = Boolean(ref.current?.contains(event.target)));
    const pointed = () => (had.current = false);
    addEventListener("focusin", came);
    addEventListener("pointerdown", pointed);
    return () => {
      removeEventListener("focusin", came);
      removeEventListener("pointerdown", pointed);
    };
  }, []);
  useEffect(() => {
    const question = ref.current?.querySelector(".dock-state");
    if (!had.current || ![document.body, question].includes(document.activeElement)) return;
    (ref.current?.querySelector(HARMLESS) || question)?.focus({ preventScroll: true });
  });
}

const toneOf = (cents) => (cents < 0 ? "minus" : cents > 0 ? "plus" : "");
const lastWords = (cents) => (cents ? `You ${cents > 0 ? "won" : "lost"} ${dollars(Math.abs(cents))}.` : "You broke even.");

const BOUGHT = "pitboss-bought";

/** What this player has bought at a table, as far as this browser has seen: the floor counts only chips that it knows. */
export function boughtBy(events, table, me) {
  let kept = {};
  try {
    kept = JSON.parse(sessionStorage.getItem(BOUGHT) || "{}");
  } catch {
    // somebody else's writing: begin anew
  }
  const key = `${table} ${me}`;
  const seen = { ...kept[key] };
  for (const { event, version } of events)
    if (event.event === "ChipsBought" && event.player === me) seen[version] = event.cents;
  if (Object.keys(seen).length > Object.keys(kept[key] || {}).length)
    sessionStorage.setItem(BOUGHT, JSON.stringify({ ...kept, [key]: seen }));
  return Object.values(seen).reduce((sum, cents) => sum + cents, 0);
}

const OWN_WISH = new Set(["withdrawn", "taken-back"]);

/** What somebody else did to this player, said where refusals are; nothing where it does not concern them. */
function newsOf(each, me, rulebook) {
  const { event } = each;
  if (event.player !== me || each.by === me) return null;
  const reason = event.reason || "withdrawn"; // what is usual is not said
  const told = { rulebook, clauses: clausesOf(each), stays: true };
  if (event.event === "WagerReturned" && reason === "refused")
    return {
      ...told,
      tone: "refused",
      text: `box ${event.box}: your wager of ${dollars(event.cents)}${event.kind && event.kind !== "original" ? ` on ${sideName(event.kind)}` : ""} was refused by the house and is yours again; make another, or ask there why.`,
    };
  if (event.event === "WagerReturned" && !OWN_WISH.has(reason))
    return { ...told, tone: "refused", text: `${lineOf(each)}.` };
  if (event.event === "DisputeRuled") return { ...told, tone: "proposed", text: `your dispute is ruled on: ${event.ruling}` };
  return null;
}

/** Tells a player what happens to them while they look on, and not what happened before they came. */
export function useNews(playback, me, tell) {
  const seen = useRef(null);
  useEffect(() => {
    if (!playback?.update) return;
    const { version, view } = playback.update;
    if (seen.current?.playback !== playback) seen.current = { playback, version, n: Infinity };
    const last = seen.current;
    const news = [];
    for (let at = playback.past.length - 1; at >= 0; at -= 1) {
      const each = playback.past[at];
      if (each.version < last.version || (each.version === last.version && each.n <= last.n)) break;
      news.unshift(each);
    }
    if (!news.length) return;
    seen.current = { playback, version: news.at(-1).version, n: news.at(-1).n };
    const told = news.map((each) => newsOf(each, me, view.name)).filter(Boolean);
    if (told.length) tell(told.at(-1));
  });
}

const STAKE = 100000; // play money with which one begins at a table that does not count chips

/** What a player is to be told for as long as it is so: what keeps them from playing, and their limits. */
function standing(mine, left) {
  const told = [];
  if (mine.barred) told.push("You are barred from this game. A supervisor can tell you why.");
  if (mine.paused) told.push("You pause until the next period of your loss limit begins.");
  if (mine.card_due) told.push("Show the dealer your own player card before you bet again.");
  if (mine.restriction) told.push(`You are restricted: ${plain(mine.restriction)}.`);
  if (left === 0) told.push("You have reached your loss limit. You can bet again in its next period.");
  return told;
}

/** The limits on the sign, said when they change while somebody is here. */
function useLimits(sign) {
  const words = `${sign.minimum_cents} ${sign.maximum_cents}`;
  const before = useRef(words);
  const [told, setTold] = useState("");
  useEffect(() => {
    if (before.current !== words && sign.maximum_cents) setTold(`The limits have changed: ${dollars(sign.minimum_cents)} to ${dollars(sign.maximum_cents)}.`);
    before.current = words;
  }, [words]);
  return [told, () => setTold("")];
}

export function PlayerDock({ update, playback, betting: chips, me, notice, send, pass, unpass, idle }) {
  const betting = chips?.missed ? null : chips;
  const [passed, setPassed] = useState("");
  const [part, setPart] = useState({ at: "", text: null }); // an amount somebody writes, for one decision only
  const { view, waiting } = update;
  const here = `${update.round} ${waiting?.what} ${waiting?.box} ${waiting?.hand}`;
  const dock = useRef(null);
  useFocusKept(dock);
  const settled = useRef({ mine: {}, stake: 0 });
  if (playback.calm) settled.current = { mine: update.mine || {}, stake: atStake(view, me) };
  const { mine, stake } = settled.current;
  const legal = decisionsOf(update, me);
  const housed = update.dealer === "house";
  const moment = `${update.round} ${waiting?.what}${housed ? "" : ` ${JSON.stringify(legal)}`}`;
  const done = () => {
    if (housed || offers) pass();
    setPassed(moment);
  };
  const changeMind = () => {
    unpass();
    setPassed("");
  };
  const alone = housed && passed !== moment;
  const offers = ["insurance", "surrender"].includes(waiting?.what) && legal.length > 0;
  const offered = offers && passed !== moment;
  const putAway = offers && !offered && !housed; // a person deals: they see who declined, and close the offer
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
  const bought = useMemo(
    () => boughtBy(playback.past, update.table, me),
    [playback.past.length, playback.past.at(-1)?.version, update.table, me],
  );
  const counted = update.house?.counted || (mine.chips_cents ?? null) !== null;
  const playMoney = !counted && update.house?.practice !== false;
  const [limits, seen] = useLimits(view.sign);
  const playing = stake > 0 || view.boxes.some((box) => me in box.wagers || box.hands.some((hand) => me in hand.wagers));
  const looksOn = "You have no bet in this round. You can bet when the next one opens.";
  const patience = !playback.calm ? "Dealing…" : playing ? "You will be asked when it is your turn." : looksOn;
  useEffect(() => {
    if (ready) sound("turn");
  }, [ready]);
  useEffect(() => {
    if (last) sound(last > 0 ? "win" : "lose");
  }, [playback.lastRound]);
  const idly = update.closed ? html`<a href="#/tables">Choose another table</a>` : patience;
  useKeys((event) => {
    if (!betting) return;
    const key = event.key.toLowerCase();
    const { drafted, lying, lastCents, busy } = betting;
    if (key === "escape" && drafted) betting.clear();
    else if (key === "z" && drafted) betting.undo();
    else if (busy) return;
    else if (key === "enter" && drafted && !event.target.closest("button:not(.spot)")) betting.place();
    else if (key === "escape" && lying) betting.takeBack();
    else if (key === "a" && lastCents && !drafted) betting.again();
    else if (key === "g" && alone && lying && !drafted) done();
    else return;
    event.preventDefault();
  });
  const over = last !== null && playback.calm && betting && !betting.lying;
  const waits = betting?.lying > 0 && !alone && update.dealer === "house";
  const usual = waits ? "You are ready: the deal starts when the others are" : waitingWords(waiting, me, view);
  const told = update.closed ? "This table is closed" : usual;
  const state = over ? `${lastWords(last)} ${told}` : told;
  return html`<section class=${`dock${ready ? " yours" : ""}${over && last > 0 ? " won-round" : ""}`} aria-label="Your turn and wagers" ref=${dock}>
    ${notice}
    <div class="dock-head">
      <p
        class="dock-state"
        role="status"
        tabindex="-1"
        onKeyDown=${(event) => event.key === " " && event.preventDefault()}
      >${ready ? askedWords(update, legal, where) : state}</p
      >
      <${Clock} clock=${update.clock} received=${update.received} />
      <dl class="money">
        ${
          counted &&
          html`<div>
            <dt>Chips</dt>
            <dd>${dollars(mine.chips_cents || 0)}</dd>
          </div>`
        }
        ${
          mine.tokens_cents > 0 &&
          html`<div>
            <dt>Tokens</dt>
            <dd>${dollars(mine.tokens_cents)}</dd>
          </div>`
        }
        ${
          playMoney &&
          html`<div>
            <dt>Play money</dt>
            <dd>${dollars(STAKE + bought + (mine.net_cents || 0))}</dd>
          </div>`
        }
        ${
          !counted &&
          bought > 0 &&
          html`<div>
            <dt>Bought</dt>
            <dd>${dollars(bought)}</dd>
          </div>`
        }
        ${
          mine.net_cents !== undefined &&
          html`<div>
            <dt>Won or lost</dt>
            <dd class=${toneOf(mine.net_cents + stake)}>${signed(mine.net_cents + stake)}</dd>
          </div>`
        }
        ${
          stake > 0 &&
          html`<div>
            <dt>On the table</dt>
            <dd>${dollars(stake)}</dd>
          </div>`
        }
        ${
          last !== null &&
          playback.calm &&
          html`<div>
            <dt>Last round</dt>
            <dd class=${toneOf(last)}>${last === 0 ? "even" : signed(last)}</dd>
          </div>`
        }
        ${
          mine.loss_left_cents !== null &&
          mine.loss_left_cents !== undefined &&
          html`<div>
            <dt>Loss limit left</dt>
            <dd>
              ${dollars(mine.loss_left_cents)}${
                mine.loss_limit_cents !== undefined && ` of ${dollars(mine.loss_limit_cents)}`
              }
            </dd>
          </div>`
        }
      </dl>
    </div>
    ${standing(mine, mine.loss_left_cents).map((text) => html`<p key=${text} class="notice">${text}</p>`)}
    ${chips?.missed > 0 && html`<p class="unplaced" role="alert">${`Betting closed before you placed ${dollars(chips.missed)}: these chips are back with you.`}</p>`}
    ${limits && html`<p class="notice limits-changed" role="status">${limits} <button type="button" class="quiet" onClick=${seen} aria-label="Dismiss">✕</button></p>`}
    ${
      ready &&
      html`<${Decisions}
        legal=${legal}
        send=${send}
        where=${where}
        onPass=${offered ? done : null}
        what=${waiting?.what}
        part=${part.at === here ? part.text : null}
        setPart=${(text) => setPart({ at: here, text })}
      />`
    }
    ${betting && html`<${BettingDock} betting=${betting} onReady=${alone ? done : null} />`}
    ${
      putAway &&
      idle &&
      html`<p class="quiet-line put-away">
        No ${waiting.what}: the dealer has been told.
        <button type="button" class="quiet" onClick=${changeMind}>Change my mind</button>
      </p>`
    }
    ${nothing && !(putAway && idle) && html`<p class="quiet-line">${idle ? idly : "Sending…"}</p>`}
  </section>`;
}

export const leaving = (me) => ({ act: "LeaveTable", player: me });

/** Seats, chips and control: what a player does now and then. */
export function PlayerMore({ update, me, send, idle, house, events, onLeave }) {
  const { view } = update;
  const bought = boughtBy(events, update.table, me);
  const seat = view.players[me]?.seat;
  const pocket = update.mine?.pocket_cents || 0;
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
      ${seat ? `You sit at box ${seat} and make its decisions.` : "You have no seat: you can bet on any box, and the player seated there makes its decisions."}
    </p>
    <div class="buttons small">
      ${boxes.map(
        (box) =>
          html`<button
            type="button"
            key=${box}
            disabled=${!idle || taken.has(box)}
            onClick=${() => send({ act: "TakeSeat", player: me, box })}
          >
            Sit at ${box}
          </button>`,
      )}
    </div>
    <h3>Chips</h3>
    <${AmountForm}
      id="buy"
      text=${amount}
      onText=${setAmount}
      button="Buy chips"
      idle=${idle}
      send=${(cents) => send({ act: "BuyChips", player: me, cents })}
    />
    ${bought > 0 && html`<p role="status">You have bought ${dollars(bought)} at this table.</p>`}
    ${
      pocket > 0 &&
      html`<p>You have ${dollars(pocket)} in chips with you.</p>
        <button type="button" disabled=${!idle} onClick=${() => send({ act: "BringChips", player: me, cents: pocket })}>
          Put them on the table
        </button>`
    }
    ${
      house?.counted &&
      html`<button
          type="button"
          disabled=${!idle || Boolean(amountProblem(amount))}
          onClick=${() => send({ act: "TakeChips", player: me, cents: readCents(amount) })}
        >
          Take ${dollars(readCents(amount) || 0)} away
        </button>
        <p class="hint">When you leave, you take all your chips with you, to the next table or to the cage.</p>`
    }
    <p>Change the colour of ${dollars(readCents(amount) || 0)} in chips:</p>
    <div class="buttons small">
      ${(house?.chips_cents || []).map(
        (chip) =>
          html`<button
            type="button"
            key=${chip}
            disabled=${!idle || Boolean(amountProblem(amount))}
            onClick=${() => send({ act: "ChangeColour", player: me, cents: readCents(amount), chip_cents: chip })}
          >
            Into ${dollars(chip)} chips
          </button>`,
      )}
    </div>
    ${
      shared.length > 0 &&
      html`<h3>Shared boxes</h3>
        <p>Where the rulebook allows it, you may leave the decisions on a shared box to another player.</p>
        <div class="buttons small">
          ${shared.map(
            ({ box }) =>
              html`<button type="button" key=${box} disabled=${!idle} onClick=${() => send({ act: "DeclineControl", player: me, box })}>
                Decline control of box ${box}
              </button>`,
          )}
        </div>`
    }
    <h3>Leave</h3>
    <button type="button" disabled=${!idle} onClick=${onLeave}>Leave the table</button>
    <p class="hint">Optional wagers here: ${view.sign.side_bets.map(sideName).join(", ") || "none"}.</p>
  </div>`;
}
