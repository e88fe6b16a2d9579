// What waits for a second person.

import { html, useEffect, useRef, useState } from "./nodes.js";
import { ACTS } from "./acts.js";
import { get, post } from "./api.js";
import { Empty, Outcome, useGet, useTick, useTitle } from "./ui.js";
import { PHASES, capital, dollars, plain, sideName, spaced, totalOf, withSigns } from "./words.js";
import { Why, WhyButton } from "./why.js";

/** Proposals that still wait. */
export const approvalsOf = (data) => (data || []).filter((item) => item.state === "waiting");

const shown = (key, value) => {
  if (/(^|_)cents$/.test(key)) return dollars(value);
  if (Array.isArray(value)) return value.join(" ") || "none";
  return { true: "yes", false: "no" }[value] ?? plain(value);
};

const labelOf = (act) => ACTS[act]?.label || capital(spaced(act));

const kindName = (kind) => (kind === "original" ? "original wager" : sideName(kind));

/** What a field is where the act does not say it: the same with which its form begins. */
const START = { kind: "original", players: [], boxes: [], cards: [], places: [], text: "" };
export const startOf = (field) => field.start ?? field.options?.[0] ?? START[field.is] ?? null;

/** One field of an act in words: what it is called, and what it says. */
function fieldWords(field, value) {
  const title = (field.told?.[0] || field.label).replace(/ \(.*/, "").replace(/, such as .*/, "");
  const list = (one, none) => (value.length ? value.map(one).join(", ") : none);
  switch (field.is) {
    case "yes":
      return [title, field.told ? field.told[value ? 1 : 2] : value ? "yes" : "no"];
    case "money":
      return [title, value === null ? "as on the sign" : dollars(value)];
    case "kind":
    case "side":
      return [title, kindName(value)];
    case "choice":
      return [title, field.words?.[value] || plain(value)];
    case "players":
      return [title, list((name) => name, "nobody's")];
    case "places":
      return [title, list((box) => (box ? `box ${box}` : "dealer"), "nowhere")];
    case "boxes":
    case "cards":
      return [title, list((each) => withSigns(each), "none")];
    default:
      return [title, String(value ?? "")];
  }
}

/** What an act asks for: every field as its form calls it, also what it did not have to say. */
function details(act) {
  const fields = ACTS[act.act]?.fields || [];
  const known = new Set(["act", "by", ...fields.map((field) => field.name)]);
  const more = Object.entries(act).filter(([key, value]) => !known.has(key) && !["", null, 0].includes(value));
  return [
    ...fields.map((field) => fieldWords(field, act[field.name] ?? startOf(field))),
    ...more.map(([key, value]) => [capital(plain(key.replace(/_cents$/, ""))), shown(key, value)]),
  ];
}

const limits = (least, most) => `${dollars(least)} to ${dollars(most)}`;

/** What everybody has on a box: on its hands, once there are any. */
function onBox(box) {
  if (!box.hands.length) return Object.entries(box.wagers);
  const sums = new Map();
  for (const { wagers } of box.hands)
    for (const [name, { cents, doubled_cents: doubled = 0, settled }] of Object.entries(wagers))
      if (!settled) sums.set(name, (sums.get(name) || 0) + cents + doubled);
  return [...sums];
}

/** What is wagered now: by everybody, or by one player. */
function wagered(view, player) {
  const wagers = view.boxes.flatMap((box) =>
    onBox(box)
      .filter(([name]) => !player || name === player)
      .map(([name, cents]) => `${player ? "" : `${name} `}${dollars(cents)} on box ${box.box}`),
  );
  return wagers.join(", ") || "none";
}

/** How the table stands now, where that matters to whoever approves. */
function inForce(act, { view, round }) {
  const { sign, turn } = view;
  const phase = capital(view.phase === "wagers" ? "between two rounds" : (PHASES[view.phase] || plain(view.phase)).toLowerCase());
  switch (ACTS[act.act]?.shows) {
    case "limits": {
      const kind = act.kind || "original";
      const own = kind === "original" ? [sign.minimum_cents, sign.maximum_cents] : sign.side_limits?.[kind];
      const players = Object.keys(view.players).join(", ") || "nobody";
      return [["Limits in force now", own ? limits(...own) : "none of its own"], ["Players at the table", players]];
    }
    case "sign":
      return [["On the sign now", limits(sign.minimum_cents, sign.maximum_cents)]];
    case "round":
      return [["The table now", `${phase}, round ${round}`], ["Wagers on it", wagered(view)]];
    case "wagers-of-player":
      return [["Their wagers now", wagered(view, act.player)]];
    case "hand": {
      const hand = turn && view.boxes.find((box) => box.box === turn.box)?.hands[turn.hand];
      return [["The hand to act now", hand ? `box ${turn.box}, ${hand.cards.map(withSigns).join(" ")} (${totalOf(hand)})` : "none"]];
    }
    default:
      return [];
  }
}

const LOOK_MS = 4000;

/** The tables of the proposals as they stand now, by id. */
function useNow(ids) {
  const [now, setNow] = useState({});
  useEffect(() => {
    if (!ids.length) return undefined;
    let gone = false;
    let timer = 0;
    const look = async () => {
      const asked = ids.map((id) => get(`/api/tables/${encodeURIComponent(id)}`).then((update) => [id, update], () => null));
      const found = (await Promise.all(asked)).filter(Boolean);
      if (gone) return;
      setNow(Object.fromEntries(found));
      later();
    };
    const later = () => (timer = setTimeout(() => (document.hidden ? later() : look()), LOOK_MS));
    look();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [ids.join(" ")]);
  return now;
}

/** How long is left, in words. */
function left(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds >= 90) return `${Math.round(seconds / 60)} minutes left`;
  return `${seconds} second${seconds === 1 ? "" : "s"} left`;
}

/** What became of a proposal, for whoever made it. */
function becameWords(item, table) {
  const what = `${labelOf(item.act.act)} at ${table}`;
  const who = item.by || "nobody";
  return {
    done: `${what}: ${who} approved it, and it is done.`,
    refused: `${what}: ${who} approved it, but it was not done: ${item.text || "the rules say no."}`,
    rejected: `${what}: ${who} declined it, and nothing was done.`,
    expired: `${what}: nobody answered in time, and nothing was done.`,
  }[item.state];
}

/** Whoever proposed something hears what became of it, whatever page they are on. */
export function AnswersToOwn({ me, proposals }) {
  const known = useRef(null);
  const [told, setTold] = useState([]);
  useEffect(() => {
    if (!proposals) return;
    const before = known.current;
    known.current = new Map(proposals.map((item) => [item.id, item.state]));
    const own = proposals.filter((item) => item.first === me.name && item.by !== me.name);
    const news = own.filter(
      (item) => before && (before.get(item.id) ?? "waiting") !== item.state && becameWords(item, ""),
    );
    if (!news.length) return;
    get("/api/tables")
      .catch(() => [])
      .then((rows) => {
        const nameOf = (id) => rows.find((row) => row.table === id)?.name || id;
        const texts = news.map((item) => ({ id: item.id, state: item.state, text: becameWords(item, nameOf(item.table)) }));
        setTold((old) => [...old, ...texts].slice(-5));
      });
  }, [proposals]);
  return told.map(
    ({ id, state, text }) =>
      html`<div key=${id} class=${`own-answer was-${state}`} role=${state === "done" ? "status" : "alert"}>
        <p>${text}</p>
        <button type="button" class="quiet" aria-label="Dismiss" onClick=${() => setTold(told.filter((each) => each.id !== id))}>✕</button>
      </div>`,
  );
}

const BECAME = { done: "approved and done", rejected: "declined", refused: "approved, but not done", expired: "nobody answered in time", approved: "approved, not carried out yet" };

const SENDING = "sending";

export function ApprovalsPage({ me }) {
  useTitle("Approvals");
  const { data, error, again, loading } = useGet("/api/approvals", { every: 3000 });
  const { data: tables } = useGet("/api/tables", { every: 30000 });
  const [done, setDone] = useState("");
  const [problem, setProblem] = useState("");
  const [why, setWhy] = useState(null);
  const newest = useRef(null);
  newest.current = data;
  const [said, setSaid] = useState({}); // id -> the list in which it still waits though it is answered, or that it is on its way
  const answered = ({ id }) => said[id] === SENDING || (id in said && said[id] === data);
  useTick(1000);
  const now = Date.now();
  const tableOf = (id) => (tables || []).find((row) => row.table === id) || { table: id };
  const list = approvalsOf(data);
  const asked = list.map((item) => item.table).filter((id) => tableOf(id).here);
  const standing = useNow([...new Set(asked)].sort());
  const mine = list.filter((item) => item.yours);
  const others = list.filter((item) => !item.yours);
  const past = (data || []).filter((item) => item.state !== "waiting").slice(0, 20);
  const answer = async (item, approve) => {
    setDone("");
    setProblem("");
    setSaid((before) => ({ ...before, [item.id]: SENDING }));
    try {
      await post(`/api/approvals/${encodeURIComponent(item.id)}`, { approve });
      const what = `${labelOf(item.act.act)} at ${tableOf(item.table).name || item.table}`;
      setDone(approve ? `Approved and done: ${what}.` : item.first === me.name ? `Withdrawn: ${what}.` : `Declined: ${what}.`);
    } catch (failed) {
      const undone = approve && [403, 409].includes(failed.status);
      setProblem(undone ? `${labelOf(item.act.act)} was not done: ${failed.message}` : failed.message);
    }
    setSaid((before) => ({ ...before, [item.id]: newest.current }));
    again();
  };
  const card = (item) => html`<${Proposal} key=${item.id} item=${item} me=${me} table=${tableOf(item.table)} now=${now} standing=${standing[item.table]} answered=${answered(item)} answer=${answer} onWhy=${setWhy} />`;
  return html`<div class="page">
    <h1>Approvals</h1>
    <p class="lead">Some actions need two people. You can't approve your own request.</p>
    <${Outcome} problem=${error || problem} done=${done} />
    ${!list.length && !loading && html`<${Empty}>Nothing to approve<//>`}
    ${mine.length > 0 && html`<h2>Waiting for you</h2><ul class="cards-list">${mine.map(card)}</ul>`}
    ${others.length > 0 && html`<h2>Waiting for someone else</h2><ul class="cards-list">${others.map(card)}</ul>`}
    ${
      past.length > 0 &&
      html`<h2>Recently answered</h2>
        <ul class="answered">
          ${past.map(
            (item) =>
              html`<li key=${item.id} class=${item.state}>
                <b>${labelOf(item.act.act)}</b> at ${tableOf(item.table).name || item.table}, asked for by ${item.first}:
                ${" "}${BECAME[item.state] || item.state}${item.by ? ` (${item.by})` : ""}${item.text ? html`<span class="hint">${item.text}</span>` : ""}
              </li>`,
          )}
        </ul>`
    }
    ${why && html`<${Why} rulebook=${why.rulebook} edition=${why.edition} text=${why.text} clauses=${why.clauses} onClose=${() => setWhy(null)} />`}
  </div>`;
}

const anOf = (words) => `${/^[aeiou]/.test(words) ? "an" : "a"} ${words}`;

function Proposal({ item, me, table, now, standing, answered, answer, onWhy }) {
  const own = item.first === me.name;
  const reason = capital(item.reason || "");
  return html`<li class=${`panel proposal${item.yours ? " yours" : ""}`}>
    <h3>${labelOf(item.act.act)}</h3>
    <p>
      At <a href=${`#/table/${encodeURIComponent(item.table)}`}>${table.name || item.table}</a>, asked for by
      <b> ${item.first}</b> (${plain(item.role)})
    </p>
    <dl class="asked">
      ${details(item.act).map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}
      ${standing && inForce(item.act, standing).map(([name, value]) => html`<div key=${name} class="in-force"><dt>${name}</dt><dd>${value}</dd></div>`)}
    </dl>
    <p class="hint">
      ${reason}. ${table.rulebook ? html`<${WhyButton} text=${reason} clauses=${item.clauses} onWhy=${() => onWhy({ rulebook: table.rulebook, edition: table.edition, text: reason, clauses: item.clauses })} />` : ""}
    </p>
    <p class="hint">${own ? "Your request" : item.yours ? "You can answer this" : "Not yours to answer"}: needs ${anOf(plain(item.wants))}${own ? " other than you" : ""}. ${left(item.expires_ms - now)}.</p>
    <div class="buttons">
      ${answered && html`<p class="quiet-line">Sending…</p>`}
      ${
        !answered &&
        item.yours &&
        html`<button type="button" class="primary" onClick=${() => answer(item, true)}>Approve</button>
          <button type="button" onClick=${() => answer(item, false)}>Decline</button>`
      }
      ${!answered && own && html`<button type="button" onClick=${() => answer(item, false)}>Withdraw</button>`}
    </div>
  </li>`;
}
