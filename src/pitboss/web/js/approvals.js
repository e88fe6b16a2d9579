// What waits for a second person.

import { html, useState } from "./vendor/preact-htm.js";
import { ACTS } from "./acts.js";
import { post } from "./api.js";
import { Done, Empty, Problem, useGet, useTick, useTitle } from "./ui.js";
import { capital, dollars, plain, spaced } from "./words.js";
import { Why, WhyButton } from "./why.js";

/** Proposals that still wait. */
export const approvalsOf = (data) => (data || []).filter((item) => item.state === "waiting");

const shown = (key, value) => {
  if (/(^|_)cents$/.test(key)) return dollars(value);
  if (Array.isArray(value)) return value.join(" ") || "none";
  return { true: "yes", false: "no" }[value] ?? plain(value);
};

const labelOf = (act) => ACTS[act]?.label || capital(spaced(act));

/** What an act asks for: each field as the form that proposed it calls it. */
function details(act) {
  const fields = ACTS[act.act]?.fields || [];
  const said = (key) => fields.find((field) => field.name === key)?.label || capital(plain(key.replace(/_cents$/, "")));
  return Object.entries(act)
    .filter(([key, value]) => !["act", "by"].includes(key) && value !== "" && value !== null)
    .map(([key, value]) => [said(key).replace(/ \(.*/, ""), shown(key, value)]);
}

/** How long is left, in words. */
function left(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds >= 90) return `${Math.round(seconds / 60)} minutes left`;
  return `${seconds} second${seconds === 1 ? "" : "s"} left`;
}

const BECAME = { done: "approved and done", rejected: "declined", refused: "approved, but the rules say no", expired: "nobody answered in time", approved: "approved, not carried out yet" };

export function ApprovalsPage({ me }) {
  useTitle("Approvals");
  const { data, error, again, loading } = useGet("/api/approvals", { every: 3000 });
  const { data: tables } = useGet("/api/tables", { every: 30000 });
  const [done, setDone] = useState("");
  const [problem, setProblem] = useState("");
  const [why, setWhy] = useState(null);
  useTick(1000);
  const now = Date.now();
  const tableOf = (id) => (tables || []).find((row) => row.table === id) || { table: id };
  const list = approvalsOf(data);
  const mine = list.filter((item) => item.yours);
  const others = list.filter((item) => !item.yours);
  const past = (data || []).filter((item) => item.state !== "waiting").slice(0, 20);
  const answer = async (item, approve) => {
    setDone("");
    setProblem("");
    try {
      await post(`/api/approvals/${encodeURIComponent(item.id)}`, { approve });
      const what = `${labelOf(item.act.act)} at ${tableOf(item.table).name || item.table}`;
      setDone(approve ? `Approved and done: ${what}.` : item.first === me.name ? `Taken back: ${what}.` : `Declined: ${what}.`);
    } catch (failed) {
      setProblem(failed.message);
    }
    again();
  };
  const card = (item) => html`<${Proposal} key=${item.id} item=${item} me=${me} table=${tableOf(item.table)} now=${now} answer=${answer} onWhy=${setWhy} />`;
  return html`<div class="page">
    <h1>Approvals</h1>
    <p class="lead">Some acts need two persons. Nobody approves what he proposed himself.</p>
    <${Problem} text=${error || problem} />
    <${Done} text=${done} />
    ${!list.length && !loading && html`<${Empty}>Nothing waits for approval.<//>`}
    ${mine.length > 0 && html`<h2>Waiting for you</h2><ul class="cards-list">${mine.map(card)}</ul>`}
    ${others.length > 0 && html`<h2>Waiting for somebody else</h2><ul class="cards-list">${others.map(card)}</ul>`}
    ${
      past.length > 0 &&
      html`<h2>Answered lately</h2>
        <ul class="answered">
          ${past.map(
            (item) =>
              html`<li key=${item.id}>
                <b>${labelOf(item.act.act)}</b> at ${tableOf(item.table).name || item.table}, asked for by ${item.first}:
                ${" "}${BECAME[item.state] || item.state}${item.by ? ` (${item.by})` : ""}${item.text ? html`<span class="hint">${item.text}</span>` : ""}
              </li>`,
          )}
        </ul>`
    }
    ${why && html`<${Why} rulebook=${why.rulebook} text=${why.text} clauses=${why.clauses} onClose=${() => setWhy(null)} />`}
  </div>`;
}

function Proposal({ item, me, table, now, answer, onWhy }) {
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
    </dl>
    <p class="hint">
      ${reason}. ${table.rulebook ? html`<${WhyButton} text=${reason} clauses=${item.clauses} onWhy=${() => onWhy({ rulebook: table.rulebook, text: reason, clauses: item.clauses })} />` : ""}
    </p>
    <p class="hint">${own ? "You proposed this" : item.yours ? "It is yours to answer" : "Not yours to answer"}: it wants a ${plain(item.wants)}${own ? " other than you" : ""}. ${left(item.expires_ms - now)}.</p>
    <div class="buttons">
      ${
        item.yours &&
        html`<button type="button" class="primary" onClick=${() => answer(item, true)}>Approve</button>
          <button type="button" onClick=${() => answer(item, false)}>Decline</button>`
      }
      ${own && html`<button type="button" onClick=${() => answer(item, false)}>Take it back</button>`}
    </div>
  </li>`;
}
