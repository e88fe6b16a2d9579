// One table, as the role of whoever looks at it has it.

import { html, useEffect, useReducer, useRef, useState } from "./nodes.js";
import { get, query } from "./api.js";
import { tokensOn, useBetting } from "./betting.js";
import { DealerDock } from "./dealer.js";
import { Dispute } from "./dispute.js";
import { Felt } from "./felt.js";
import { History, factOf, lineOf } from "./history.js";
import { answerText, live } from "./live.js";
import { Clock } from "./clock.js";
import { Playback } from "./playback.js";
import { WrongCards } from "./wrongcards.js";
import { PlayerDock, PlayerMore, leaving, useNews, waitingWords } from "./player.js";
import { Rounds } from "./rounds.js";
import { HowToPlayDialog, RulesPanel } from "./rules.js";
import { motionOn } from "./settings.js";
import { SupervisePanel, SupervisorDock } from "./supervise.js";
import { useTableBook } from "./book.js";
import { TournamentStrip } from "./tournament-strip.js";
import { CoachPanel } from "./coach.js";
import { Left, visit } from "./summary.js";
import { Tabs, useTitle } from "./ui.js";
import { citation, dollars, inChips, inWords, plain, signed, stateOf, withNames } from "./words.js";
import { Why } from "./why.js";

const SUPERVISES = new Set(["gaming-supervisor", "supervisor", "gaming-manager", "tournament-manager"]);
const LOOKS_BACK = new Set(["inspector", "gaming-supervisor", "supervisor", "gaming-manager"]);
const UNSAID = new Set(["CardsCleared", "HandHit", "StackArranged", "WagerKept", "CardsCut"]);

const PAST_ACTS = 60;

/** The latest acts before this page came, for the history. */
function readBack(id, version, playback) {
  const after = Math.max(0, version - PAST_ACTS);
  const upTo = (each) => each.version <= version;
  get(`/api/tables/${encodeURIComponent(id)}/events${query({ after, limit: PAST_ACTS })}`).then(
    (events) => playback.older(events.filter(upTo)),
    () => {}, // the table is there all the same
  );
}

/** The table live: its newest update, and the playback that tells it. */
function useTable(id, say) {
  const [, redraw] = useReducer((count) => count + 1, 0);
  const [problem, setProblem] = useState("");
  const kept = useRef(null);
  if (!kept.current || kept.current.id !== id)
    kept.current = { id, playback: new Playback(redraw, { motion: motionOn, say }) };
  const { playback } = kept.current;
  useEffect(() => {
    const unwatch = live.watch(id, (update) => {
      const first = !playback.update;
      setProblem("");
      playback.receive({ ...update, received: performance.now() });
      if (first) readBack(id, update.version, playback);
    });
    const silence = live.onProblem((message) => (!message.table || message.table === id) && setProblem(message.text));
    return () => {
      unwatch();
      silence();
      playback.stop();
    };
  }, [id]);
  return { playback, problem };
}

const READING_MS = 5000; // what was said stays at least so long

/** What the table waits for: once that is something else, it has moved on. */
const momentOf = ({ round, view, waiting }) =>
  `${round} ${view.phase} ${waiting?.what} ${waiting?.box || ""} ${waiting?.hand || ""}`;

/** What is said to somebody, and how to say it. What a player was told goes when the table has moved on; what happened
 *  to them (`stays`) when the round is over. */
function useNotice(update, goes) {
  const [notice, setNotice] = useState(null);
  const moment = update ? momentOf(update) : "";
  const round = update?.round;
  const now = useRef({});
  now.current = { moment, round };
  const tell = (news) => setNotice(news && { ...news, ...now.current, since: performance.now() });
  useEffect(() => {
    if (!notice || !goes || (notice.stays ? notice.round === round : notice.moment === moment)) return undefined;
    const left = Math.max(0, READING_MS - (performance.now() - notice.since));
    const timer = setTimeout(() => setNotice((shown) => (shown === notice ? null : shown)), left);
    return () => clearTimeout(timer);
  }, [notice, moment, round, goes]);
  return [notice, tell];
}

function Notice({ notice, onWhy, onClose }) {
  if (!notice) return null;
  return html`<div class=${`toast ${notice.tone}`} role="alert">
    <p>
      ${notice.clauses?.length > 0 && html`<strong>${notice.rulebook} ${citation(notice.clauses)}: </strong>`}${inWords(notice.text)}
    </p>
    <span class="toast-buttons buttons small">
      ${notice.clauses?.length > 0 && html`<button type="button" onClick=${() => onWhy(notice)}>Why?</button>`}
      <button type="button" onClick=${onClose} aria-label="Dismiss">✕</button>
    </span>
  </div>`;
}

function remarks({ restriction, loss_left_cents: left, chips_cents: chips }) {
  const parts = [restriction && plain(restriction)];
  if (left !== null && left !== undefined) parts.push(`${dollars(left)} of the loss limit left`);
  if (chips !== null && chips !== undefined) parts.push(`${dollars(chips)} in chips`);
  return parts.filter(Boolean).join("; ");
}

function People({ view, mine, me }) {
  const names = Object.entries(view.players);
  const more = mine?.players || {};
  if (!names.length) return html`<p class="empty">Nobody is at the table.</p>`;
  return html`<table class="plain">
    <thead>
      <tr>
        <th scope="col">Player</th>
        <th scope="col">Seat</th>
        <th scope="col">Won or lost</th>
        <th scope="col">Remarks</th>
      </tr>
    </thead>
    <tbody>
      ${names.map(([name, player]) => {
        const known = { ...player, ...(more[name] || {}), ...(name === me ? mine : {}) };
        return html`<tr key=${name}>
          <th scope="row">${name}</th>
          <td>${player.seat ? `box ${player.seat}` : "–"}</td>
          <td>${known.net_cents === undefined ? "–" : signed(known.net_cents)}</td>
          <td>${remarks(known)}</td>
        </tr>`;
      })}
    </tbody>
  </table>`;
}

/** What somebody who walks up to the table hears first: the last few things that happened. */
function lately(past) {
  const told = past.filter((each) => !UNSAID.has(each.event?.event)).slice(-3);
  return told.length ? `Just now: ${told.map(lineOf).join(". ")}.` : "";
}

export function TablePage({ id, me }) {
  const speech = useRef(null);
  const say = (told) => {
    const texts = told.filter((each) => !UNSAID.has(each.event.event)).map((each) => inWords(withNames(each.text || factOf(each))));
    if (speech.current && texts.length) speech.current.textContent = texts.slice(-12).join(". ");
  };
  const { playback, problem } = useTable(id, say);
  const update = playback.update;
  inChips(Boolean(update?.tournament));
  const { book: rulebook } = useTableBook(
    update && id,
    playback.past.filter((each) => each.event?.event === "DateTurned").length,
  );
  const [why, setWhy] = useState(null);
  const isPlayer = me?.role === "player";
  const [notice, setNotice] = useNotice(update, isPlayer);
  useNews(isPlayer ? playback : null, me?.name, setNotice);
  const [tab, setTab] = useState("");
  const [dealersSide, setDealersSide] = useState(true); // which side of the table a dealer sees it from
  const [learning, setLearning] = useState(false); // whether how to play is open over the table
  const [left, setLeft] = useState(null); // what whoever has left took along
  const [wrong, setWrong] = useState(0); // how often the dealer has asked what to do when something went wrong
  const [, redraw] = useReducer((count) => count + 1, 0);
  const sent = useRef({ flying: 0, version: 0 }); // acts that are not answered yet, and the newest version they made
  const house = update?.house;
  const title = update?.table_name || id;
  useTitle(title);
  const here = useRef(true);
  useEffect(() => () => (here.current = false), []);
  const hear = async (asked) => {
    sent.current.flying += 1;
    redraw();
    const answer = await asked;
    sent.current.flying -= 1;
    sent.current.version = Math.max(sent.current.version, answer.version || 0);
    redraw();
    if (!here.current) live.tellElsewhere(me?.name, title, answer);
    else if (answer.is === "refused") setNotice({ tone: "refused", ...answer.refusal });
    else if (answer.is === "proposed") setNotice({ tone: "proposed", text: answer.text });
    else if (answer.is !== "accepted")
      setNotice({ tone: "denied", text: answerText(answer), clauses: answer.clauses, rulebook: update?.view.name });
    return answer;
  };
  const send = (act, { quiet = false } = {}) => {
    playback.flush();
    if (!quiet) setNotice(null);
    return hear(live.act(id, act));
  };
  const leave = async () => {
    const chips = update.mine?.chips_cents;
    const answer = await send(leaving(me.name));
    if (answer.is === "accepted") setLeft({ chips });
  };
  useEffect(() => {
    if (isPlayer && update?.mine?.present) visit(me.name, id, update.table_name || update.view.name);
  }, [id, Boolean(update?.mine?.present)]);
  useEffect(() => live.brought(id).forEach(hear), [id]);
  const view = update?.view || EMPTY_VIEW;
  const isDealing = update?.waiting?.what === "dealing"; // what was decided is shown as the dealer goes on
  const idle = Boolean(update) && !sent.current.flying && (isDealing || update.version >= sent.current.version);
  const tokens = tokensOn(playback.past);
  const helps = isPlayer ? update?.mine?.helps || [] : [];
  const [helped, setHelped] = useState("");
  const betting = useBetting({
    table: id,
    round: update?.round,
    view,
    me: helps.includes(helped) ? helped : me?.name,
    helping: helps.length > 0 && { names: [me.name, ...helps], set: setHelped },
    house,
    rulebook,
    tokens,
    send,
    idle,
    onLay: () => setNotice(null),
    open: isPlayer && update && !update.closed && view.phase === "wagers" && !view.betting_closed,
  });
  if (problem)
    return html`<div class="page">
      <p class="problem" role="alert">${problem}</p>
      <a class="button" href="#/tables">All tables</a>
    </div>`;
  if (!update) return html`<p class="empty" role="status">Opening the table…</p>`;
  if (left) return html`<${Left} table=${id} name=${title} me=${me.name} chips=${left.chips} />`;
  const forms = (focus) =>
    html`<${SupervisePanel}
      update=${update}
      house=${house}
      rulebook=${rulebook}
      role=${me.role}
      send=${send}
      idle=${idle}
      focus=${focus}
    />`;
  const tabs = [
    SUPERVISES.has(me?.role) && {
      id: "supervise",
      label: "Actions",
      body: forms(),
    },
    {
      id: "history",
      label: "History",
      body: html`${isPlayer && html`<${Dispute} events=${playback.past} me=${me.name} rulebook=${rulebook} send=${send} idle=${idle} onWhy=${setWhy} />`}
        <${History} events=${playback.past} onWhy=${setWhy} />`,
    },
    { id: "rules", label: "Pays", body: html`<${RulesPanel} rulebook=${rulebook} table=${id} view=${view} onWhy=${setWhy} />` },
    isPlayer && {
      id: "more",
      label: "Seat",
      body: html`<${PlayerMore} update=${update} me=${me.name} send=${send} idle=${idle} house=${house} events=${playback.past} onLeave=${leave} />`,
    },
    isPlayer && update.house?.practice && { id: "coach", label: "Coach", body: html`<${CoachPanel} table=${id} update=${update} />` },
    { id: "people", label: "People", body: html`<${People} view=${view} mine=${update.mine} me=${me?.name} />` },
    me?.role === "dealer" && {
      id: "wrong",
      label: "Errors",
      body: forms(wrong),
    },
    { id: "rounds", label: "Rounds", body: html`<${Rounds} table=${id} role=${me?.role} />` },
  ].filter(Boolean);
  const said = html`<${Notice} notice=${notice} onWhy=${setWhy} onClose=${() => setNotice(null)} />`;
  return html`<div
    class=${`table-page role-${me?.role}${me?.role === "dealer" && dealersSide ? " dealers-side" : ""}`}
    data-version=${update.version}
    data-round=${update.round}
    data-phase=${view.phase}
    data-waits=${update.waiting?.what}
    data-place=${isDealing ? update.prompt?.place : undefined}
    data-calm=${playback.calm ? "yes" : "no"}
  >
    <header class="table-head">
      <h1>${title}</h1>
      ${title !== view.name && html`<p>${view.name}</p>`}
      ${update.tournament ? html`<p>Tournament chips</p>` : update.house?.practice ? html`<p>Practice table</p>` : update.house?.counted === false && html`<p>Chips are not counted</p>`}
      <p class="table-state">${update.closed ? "Closed" : stateOf(view)}</p>
      ${isPlayer && html`<button type="button" class="quiet" data-do="how-to-play" onClick=${() => setLearning(true)}>How to play</button>`}
      ${isPlayer && html`<button type="button" class=${`quiet leave${update.mine?.present ? "" : " nowhere"}`} disabled=${!idle} onClick=${leave}>Leave table</button>`}
      ${LOOKS_BACK.has(me?.role) && html`<a class="button" href=${`#/table/${encodeURIComponent(id)}/at/${update.version}`}>Look at the past</a>`}
    </header>
    <div class="table-main">
      <${TournamentStrip} update=${update} table=${id} me=${me} send=${send} idle=${idle} />
      <${Felt}
        view=${view}
        picture=${playback.picture}
        mine=${update.mine}
        me=${me?.name}
        house=${house}
        rulebook=${rulebook}
        betting=${betting?.missed ? null : betting}
        tokens=${tokens}
        linked=${Boolean(update.link)}
      />
      <${WrongCards} view=${view} />
      ${!isPlayer && said}
      ${
        isPlayer &&
        html`<${PlayerDock}
          update=${update}
          playback=${playback}
          betting=${betting}
          me=${me.name}
          notice=${said}
          send=${send}
          pass=${() => {
            setNotice(null);
            live.pass(id);
          }}
          unpass=${() => live.unpass(id)}
          idle=${idle}
        />`
      }
      ${
        me?.role === "dealer" &&
        html`<${DealerDock}
          update=${update}
          playback=${playback}
          send=${send}
          idle=${idle}
          pace=${(what, place) => live.pace(id, what, place)}
          side=${dealersSide}
          onSide=${setDealersSide}
          edition=${rulebook?.digest}
          onWhy=${setWhy}
          onWrong=${() => {
            setTab("wrong");
            setWrong((count) => count + 1);
          }}
        />`
      }
      ${
        !isPlayer &&
        me?.role !== "dealer" &&
        html`<section class="dock" aria-label="What the table waits for">
          <div class="dock-head">
            <p class="dock-state">${waitingWords(update.waiting, "", view)}</p>
            <${Clock} clock=${update.clock} received=${update.received} />
          </div>
          <p class="lately">${lately(playback.past)}</p>
          ${SUPERVISES.has(me?.role) && html`<${SupervisorDock} update=${update} send=${send} idle=${idle} />`}
        </section>`
      }
    </div>
    <aside class="table-side" aria-label="Beside the table">
      <${Tabs} tabs=${tabs} label="Beside the table" chosen=${tab || tabs[0].id} onChoose=${setTab} />
    </aside>
    <p class="speech" aria-live="polite" ref=${speech}></p>
    ${learning && html`<${HowToPlayDialog} id=${view.rulebook} table=${id} name=${view.name} onClose=${() => setLearning(false)} />`}
    ${why && html`<${Why} rulebook=${view.rulebook} edition=${rulebook?.digest} name=${view.name} text=${why.event ? factOf(why) : why.text} clauses=${why.clauses || why.event?.clauses} onClose=${() => setWhy(null)} />`}
  </div>`;
}

const EMPTY_VIEW = { boxes: [], players: {}, phase: "", sign: { minimum_cents: 500, side_bets: [] } };
