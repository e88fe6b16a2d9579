// What waits for those who run the floor: one list, the most urgent first, with a badge on every page.

import { html, useEffect, useReducer, useRef, useState } from "./nodes.js";
import { post, query } from "./api.js";
import { clausesOf, lineOf } from "./history.js";
import { when } from "./log.js";
import { ReplayPage } from "./replay.js";
import { Check, Empty, Field, Outcome, Problem, useGet, useOnce, useTitle } from "./ui.js";
import { capital, citation, commandId, plain } from "./words.js";

export const HAS_INBOX = ["gaming-supervisor", "supervisor", "gaming-manager", "inspector"];
const RULES = ["gaming-supervisor", "supervisor", "gaming-manager"];
const EVERY_MS = 4000;
const SOUND = "pitboss.inbox-sound";
const KINDS = {
  alarm: "Alarm",
  stopped: "Table stopped",
  stall: "Stalled",
  cut: "Cut",
  away: "Player away",
  irregularity: "Irregularity",
  dispute: "Dispute",
  approval: "Approval",
  duty: "Duty",
  notice: "Notice",
};
const URGENT = { 3: "Play has stopped", 2: "Waiting for an answer", 1: "Due" };

const soundOn = () => {
  try {
    return localStorage.getItem(SOUND) === "on";
  } catch {
    return false;
  }
};

/** Two short tones, made here: nothing is fetched for them. */
function ring() {
  try {
    const sound = new AudioContext();
    for (const [at, pitch] of [[0, 660], [0.18, 880]]) {
      const tone = sound.createOscillator();
      const loud = sound.createGain();
      tone.frequency.value = pitch;
      loud.gain.setValueAtTime(0.12, sound.currentTime + at);
      loud.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + at + 0.16);
      tone.connect(loud).connect(sound.destination);
      tone.start(sound.currentTime + at);
      tone.stop(sound.currentTime + at + 0.17);
    }
    setTimeout(() => sound.close(), 1000);
  } catch {
    // a browser without sound shows the badge all the same
  }
}

/** The inbox, asked for again and again; it rings when something is there that was not. */
export function useInbox(role) {
  const { data } = useGet(HAS_INBOX.includes(role) ? "/api/inbox" : null, { every: EVERY_MS });
  const known = useRef(null);
  useEffect(() => {
    if (!data) return;
    const now = new Set(data.waits.filter((each) => each.yours && each.urgency > 1).map(nameOf));
    const fresh = known.current && [...now].some((name) => !known.current.has(name));
    known.current = now;
    if (fresh && soundOn()) ring();
  }, [data]);
  return data;
}

const nameOf = ({ kind, table, text }) => `${kind} ${table} ${text}`;

export function InboxBadge({ inbox }) {
  const count = inbox?.yours || 0;
  return count ? html`<span class="badge" aria-label=${`${count} waiting for you`}>${count}</span>` : null;
}

/** How long something has waited, or until when there is time. */
function age(since, now) {
  const minutes = Math.round((now - since) / 60000);
  if (minutes < 0) return `due in ${span(-minutes)}`;
  return minutes < 1 ? "just now" : `for ${span(minutes)}`;
}

const span = (minutes) =>
  minutes < 90 ? `${minutes} min` : minutes < 2880 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} days`;

export function InboxPage({ inbox }) {
  useTitle("Inbox");
  const [, redraw] = useReducer((count) => count + 1, 0);
  const [kind, setKind] = useState("");
  const hear = (event) => {
    try {
      localStorage.setItem(SOUND, event.target.checked ? "on" : "off");
    } catch {
      // then it is asked again next time
    }
    if (event.target.checked) ring();
    redraw();
  };
  if (!inbox) return html`<p class="empty" role="status">Loading…</p>`;
  const kinds = [...new Set(inbox.waits.map((each) => each.kind))];
  const shown = inbox.waits.filter((each) => !kind || each.kind === kind);
  const groups = [3, 2, 1].map((urgency) => [urgency, shown.filter((each) => each.urgency === urgency)]);
  return html`<div class="page inbox-page">
    <header class="page-head">
      <h1>Inbox</h1>
      <${Check} label="Play a sound when something comes in" checked=${soundOn()} onChange=${hear} />
    </header>
    ${
      kinds.length > 1 &&
      html`<div class="buttons small" role="group" aria-label="Show">
        <button type="button" aria-pressed=${kind ? "false" : "true"} onClick=${() => setKind("")}>Everything</button>
        ${kinds.map((each) => html`<button type="button" key=${each} aria-pressed=${kind === each ? "true" : "false"} onClick=${() => setKind(each)}>${KINDS[each]}</button>`)}
      </div>`
    }
    ${!inbox.waits.length && html`<${Empty}>Nothing needs attention<//>`}
    ${groups.map(
      ([urgency, waits]) =>
        waits.length > 0 &&
        html`<section key=${urgency} class=${`inbox-group urgency-${urgency}`}>
          <h2>${URGENT[urgency]}</h2>
          <ul class="inbox">
            ${waits.map(
              (each) =>
                html`<li key=${nameOf(each)} class=${each.yours ? "" : "others"} data-kind=${each.kind} data-table=${each.table}>
                  <a href=${each.link}>
                    <b>${KINDS[each.kind]}</b>
                    ${each.table_name && html`<span class="inbox-table">${each.table_name}</span>`}
                    <span class="inbox-text">${each.text}</span>
                    ${each.clauses.length > 0 && html`<span class="hint inline">${citation(each.clauses)}</span>`}
                    <span class="inbox-age">${age(each.since_ms, inbox.now_ms)}</span>
                  </a>
                </li>`,
            )}
          </ul>
        </section>`,
    )}
  </div>`;
}

const STAGES = {
  raised: "Awaiting a ruling",
  review: "Awaiting review by another person",
  ruled: "Ruled on",
  outside: "Referred outside the casino",
  final: "Final",
};

/** The ruling, given here: whoever disputed is known. */
function Rule({ told, onDone }) {
  const { dispute } = told;
  const [ruling, setRuling] = useState("");
  const [said, setSaid] = useState({});
  const [busy, once] = useOnce();
  const rule = async () => {
    try {
      const act = { act: "RuleDispute", player: dispute.player, ruling: ruling.trim() };
      const answer = await post(`/api/tables/${encodeURIComponent(dispute.table)}/acts`, { id: commandId(), act });
      setRuling("");
      setSaid({ done: answer.is === "proposed" ? capital(answer.text) : "Ruling saved." });
      onDone();
    } catch (problem) {
      setSaid({ problem: capital(problem.message) });
    }
  };
  return html`<form
    class="no-print"
    onSubmit=${(event) => {
      event.preventDefault();
      once(rule);
    }}
  >
    <${Field} label=${`Ruling for ${dispute.player}`} id="dispute-ruling"
      ><textarea id="dispute-ruling" required maxlength="300" rows="3" value=${ruling} onInput=${(event) => setRuling(event.target.value.replace(/\s*\n\s*/g, " "))}></textarea
    ><//>
    <button type="submit" class="primary" disabled=${busy}>${dispute.stage === "review" ? "Rule on review" : "Rule on the dispute"}</button>
    <${Outcome} problem=${said.problem} done=${said.done} />
  </form>`;
}

const SINCE = 300; // acts before the dispute in which its round began

/** The round of a dispute: replayed once it is over, and until then what has happened in it. */
function DisputedRound({ dispute }) {
  const table = encodeURIComponent(dispute.table);
  const range = query({ after: Math.max(0, dispute.version - SINCE), limit: 2 * SINCE });
  const { data, error } = useGet(dispute.in_round ? `/api/tables/${table}/events${range}` : null, { every: EVERY_MS });
  const replayed = html`<h2>Round ${dispute.round}, replayed</h2>
    <${ReplayPage} key=${dispute.stage} table=${dispute.table} round=${dispute.round} within />`;
  if (!dispute.in_round) return replayed;
  if (error) return html`<${Problem} text=${error} />`;
  if (!data) return html`<p class="empty" role="status">Loading…</p>`;
  const began = data.findLastIndex((each) => each.event.event === "RoundBegan" && each.version <= dispute.version);
  const told = data.slice(Math.max(0, began));
  const over = told.findIndex((each) => ["RoundEnded", "RoundVoided"].includes(each.event.event));
  if (began < 0 || over >= 0) return replayed;
  return html`<h2>Round ${dispute.round} so far</h2>
    <ol class="so-far">
      ${told.map(
        (each, n) =>
          html`<li key=${n} class=${each.event.event === "DisputeRaised" ? "mark" : ""}>
            ${lineOf(each)} <span class="hint inline">${citation(clausesOf(each))}</span>
          </li>`,
      )}
    </ol>`;
}

/** One dispute: what it is about, whose it is, its round, and a sheet to print. */
export function DisputePage({ table, player, me }) {
  useTitle(`Dispute of ${player}`);
  const { data, error, again } = useGet(`/api/disputes/${encodeURIComponent(table)}/${encodeURIComponent(player)}`, { every: EVERY_MS });
  const [, redraw] = useReducer((count) => count + 1, 0);
  useEffect(() => again && redraw(), []);
  if (error) return html`<div class="page"><${Problem} text=${error} /></div>`;
  if (!data) return html`<p class="empty" role="status">Loading…</p>`;
  const { dispute } = data;
  const open = Boolean(data.whose);
  const there = `#/table/${encodeURIComponent(table)}`;
  return html`<div class="page wide dispute-page" data-stage=${dispute.stage}>
    <header class="page-head">
      <h1>Dispute of ${dispute.player}</h1>
      <div class="buttons small no-print">
        <a class="button" href=${there}>Go to the table</a>
        <a class="button" href=${`${there}/at/${dispute.version}`}>The table when it was raised</a>
        <button type="button" onClick=${() => print()}>Print a sheet</button>
      </div>
    </header>
    <dl class="facts">
      <div><dt>Complaint</dt><dd class="complaint">“${dispute.about}”</dd></div>
      <div><dt>Table</dt><dd>${data.table_name}, ${dispute.in_round ? "in" : "after"} round ${dispute.round}</dd></div>
      <div><dt>Raised</dt><dd>${when(dispute.raised_ms)}</dd></div>
      <div><dt>Status</dt><dd>${STAGES[dispute.stage]}</dd></div>
      ${open && html`<div><dt>Decided by</dt><dd>The ${plain(data.whose)}${data.clauses.length > 0 ? ` (${citation(data.clauses)})` : ""}</dd></div>`}
      ${dispute.ruling && html`<div><dt>Ruling</dt><dd>“${dispute.ruling}”, ${dispute.ruled_by}, ${when(dispute.ruled_ms)}</dd></div>`}
    </dl>
    ${open && data.another && html`<p class="call no-print" role="status">You ruled on this dispute, so another person reviews it.</p>`}
    ${open && !data.another && RULES.includes(me.role) && html`<${Rule} told=${data} onDone=${again} />`}
    <p class="sheet-lines print-only">Ruling: ____________________________________________ Name and time: ______________________</p>
    <section class="dispute-round" aria-label="The round">
      ${dispute.round > 0 ? html`<${DisputedRound} dispute=${dispute} />` : html`<${Empty}>No round had been played<//>`}
    </section>
  </div>`;
}
