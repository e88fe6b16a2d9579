// All tables at a glance, what waits for whom; supervisors open and close them here.

import { html, useState } from "./nodes.js";
import { post } from "./api.js";
import { approvalsOf } from "./approvals.js";
import { when } from "./log.js";
import { OpenTable } from "./opening.js";
import { Overdue } from "./registers.js";
import { useBook } from "./book.js";
import { Dialog, Empty, Field, Outcome, Problem, useGet, useOnce, useTick, useTitle } from "./ui.js";
import { PHASES, capital, commandId, dollars, plain } from "./words.js";

export const mayOpen = (role) => ["gaming-supervisor", "supervisor", "gaming-manager", "tournament-manager"].includes(role);

/** A small picture of the table: who sits or wagers where, and whose turn it is. */
function Sketch({ row }) {
  const total = row.boxes || 7;
  const taken = new Set([...(row.taken || []), ...(row.wagered || [])]);
  const spots = Array.from({ length: total }, (_, at) => {
    const angle = ((17 + (146 * at) / Math.max(1, total - 1)) * Math.PI) / 180;
    const shape = `sketch-spot${taken.has(at + 1) ? " taken" : ""}${row.turn === at + 1 ? " turn" : ""}`;
    return html`<circle
      key=${at}
      class=${shape}
      cx=${60 + 48 * Math.cos(angle)}
      cy=${6 + 46 * Math.sin(angle)}
      r="6"
    />`;
  });
  return html`<svg class="sketch" viewBox="0 0 120 66" aria-hidden="true">
    <path class="sketch-cloth" d="M3 3H117V10C117 44 92 63 60 63S3 44 3 10Z" />
    <rect
      class=${`sketch-dealer${row.phase && row.phase !== "wagers" ? " on" : ""}`}
      x="50"
      y="7"
      width="20"
      height="11"
      rx="2"
    />
    ${spots}
  </svg>`;
}

const SUPERVISES = ["gaming-supervisor", "supervisor", "gaming-manager"];
const CALLS = {
  approval: "approval",
  stopped: "the money does not add up: two people must restart the table",
  reconstruction: "rebuild the round, or void",
  void: "the cards have run out: void",
  confirmation: "confirm that the decks were checked",
  cut: "cut the cards",
};
const DEALS = {
  shuffle: "shuffle",
  "cutting-card": "place the cutting card",
  cut: "cut the cards",
  insurance: "offer insurance, then close it",
  surrender: "offer surrender, then close it",
  reconstruction: "rebuild the round",
};

/** What is to be done before the next round; whether somebody is doing it is not known here. */
const PREPARES = {
  shuffle: "The cards are waiting to be shuffled",
  cut: "The cards are waiting to be cut",
  "cutting-card": "The cutting card is waiting to go in",
};

function stateWords(row) {
  if (row.closed) return "Closed";
  if (row.stopped) return "The table is stopped";
  if (row.halted) return "Play is halted";
  if (row.phase === "wagers" && row.preparation === "ready") return "Wagers are open";
  if (row.preparation && row.preparation !== "ready") return PREPARES[row.preparation] || capital(plain(row.preparation));
  return PHASES[row.phase] || (row.address ? "Run by another process" : "Open");
}

/** Whom the table waits for, in words; "" where nobody in particular is asked. */
function waitsFor(row) {
  const who = row.who || [];
  const [first] = who;
  if (row.waits === "wagers") {
    if (!row.wagered?.length) return "";
    return row.dealer === "person" ? "the dealer: no more bets, then deal" : "";
  }
  if (!first) return "";
  if (/supervisor|manager|inspector/.test(first)) return `the ${plain(first)}: ${CALLS[row.waits] || plain(row.waits)}`;
  if (first === "dealer" || (DEALS[row.waits] && who.includes("dealer")))
    return row.dealer === "person" ? `the dealer: ${DEALS[row.waits] || plain(row.waits)}` : "";
  return row.turn ? `${first}, box ${row.turn}` : first;
}

const STALL_MS = 2 * 60000;

/** A round in play, or a table with wagers on it, at which nothing has happened for a while. */
function stands(row) {
  const playing = row.phase && (row.phase !== "wagers" || row.wagered?.length);
  return Boolean(playing) && !row.closed && Date.now() - row.at_ms > STALL_MS;
}

/** Whether somebody of this role has something to do there: 3 play stands still, 2 at once, 1 now, 0 nothing. */
function urgency(row, role, proposals) {
  const [first] = row.who || [];
  if (SUPERVISES.includes(role) && (stands(row) || row.stopped)) return 3;
  if (SUPERVISES.includes(role)) {
    if (row.halted || /supervisor|manager/.test(first || "")) return 2;
    return proposals ? 2 : 0;
  }
  if (role === "inspector") return proposals || /inspector/.test(first || "") ? 2 : row.halted ? 1 : 0;
  if (role === "dealer") return row.dealer === "person" && waitsFor(row).startsWith("the dealer") ? 1 : 0;
  return 0;
}

/** How long ago something last happened, roughly. */
function since(row, now) {
  if (!row.at_ms) return "";
  const seconds = Math.max(0, Math.round((now - row.at_ms) / 1000));
  if (seconds < 90) return "just now";
  if (seconds < 5400) return `${Math.round(seconds / 60)} min ago`;
  return seconds < 172800 ? `${Math.round(seconds / 3600)} h ago` : `${Math.round(seconds / 86400)} days ago`;
}

/** Who deals, as far as it is known: nobody says whether a dealer stands at the table. */
function dealtBy(row) {
  if (row.dealer === "house") return "deals by itself";
  const between = row.phase === "wagers";
  return between && waitsFor(row).startsWith("the dealer") ? "needs a dealer" : "dealt by a dealer";
}

function Marks({ row, proposals, bare }) {
  const waits = waitsFor(row);
  return html`${proposals ? html`<span class="warn">${proposals === 1 ? "1 request" : `${proposals} requests`} for approval</span>` : ""}
  ${waits ? html`<span class=${/^the .*(supervisor|manager|inspector)/.test(waits) ? "warn" : "waits"}>${bare ? capital(waits) : `Waiting for ${waits}`}</span>` : ""}`;
}

const verbOf = (role) => ({ player: "Play", dealer: "Deal", inspector: "Inspect" })[role] || "Watch";
const pathOf = (row) => `#/table/${encodeURIComponent(row.table)}`;

function TableCard({ row, books, role, onClose, proposals }) {
  const name = row.name || row.table;
  const players = row.players ? row.players.length : null;
  return html`<li class=${`table-card${urgency(row, role, proposals) > 1 ? " urgent" : ""}`}>
    <a
      href=${pathOf(row)}
      aria-label=${`${verbOf(role)} at ${name}, ${books[row.rulebook] || row.rulebook}: ${stateWords(row)}`}
    >
      <${Sketch} row=${row} />
      <span class="table-card-name">${name}</span>
      ${books[row.rulebook] !== name && html`<span class="table-card-book">${books[row.rulebook] || plain(row.rulebook)}</span>`}
      <span class="table-card-facts">
        ${row.minimum_cents !== undefined && html`<b>${dollars(row.minimum_cents)} to ${dollars(row.maximum_cents)}</b>`}
        ${players !== null && html`<span>${players} player${players === 1 ? "" : "s"}</span>`}
        <span>${dealtBy(row)}</span>
        ${row.practice && html`<span>practice</span>`}
      </span>
      <span class=${`table-card-state${row.halted ? " warn" : ""}`}>${stateWords(row)}</span>
      <${Marks} row=${row} proposals=${proposals} />
    </a>
    ${mayOpen(role) && html`<button type="button" class="quiet" onClick=${() => onClose(row)}>Close ${name}</button>`}
  </li>`;
}

function TableList({ rows, books, role, onClose, waiting, now }) {
  return html`<div class="scroll tall" tabindex="0" role="region" aria-label="Tables">
    <table class="plain floor-list">
      <thead>
        <tr>
          <th scope="col">Table</th>
          <th scope="col">Rulebook</th>
          <th scope="col">Limits</th>
          <th scope="col">Players</th>
          <th scope="col">State</th>
          <th scope="col">Waiting for</th>
          <th scope="col">Last action</th>
          ${mayOpen(role) && html`<th scope="col"><span class="hidden">Close</span></th>`}
        </tr>
      </thead>
      <tbody>
        ${rows.map((row) => {
          const name = row.name || row.table;
          const proposals = waiting.get(row.table) || 0;
          return html`<tr key=${row.table} class=${urgency(row, role, proposals) > 1 ? "urgent" : ""}>
            <th scope="row"><a href=${pathOf(row)} aria-label=${`${verbOf(role)} at ${name}`}>${name}</a></th>
            <td>${books[row.rulebook] || plain(row.rulebook)}${row.practice && html`<span class="hint">, practice</span>`}</td>
            <td class="number">${row.minimum_cents !== undefined && `${dollars(row.minimum_cents)} to ${dollars(row.maximum_cents)}`}</td>
            <td class="floor-seats"><${Sketch} row=${row} /> ${row.players?.length ?? ""}</td>
            <td>${stateWords(row)}${row.dealer === "house" ? html`<span class="hint">, by itself</span>` : ""}</td>
            <td class="floor-marks"><${Marks} row=${row} proposals=${proposals} bare /></td>
            <td class="number">${since(row, now)}</td>
            ${mayOpen(role) && html`<td><button type="button" class="quiet" onClick=${() => onClose(row)} aria-label=${`Close ${name}`}>Close</button></td>`}
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;
}

const SHOWN = {
  all: ["All tables", () => true],
  urgent: ["Needs attention", (row, role, proposals) => urgency(row, role, proposals) > 0],
  played: ["With players", (row) => row.players?.length > 0],
  person: ["Dealt by a dealer", (row) => row.dealer === "person"],
  house: ["Dealing by itself", (row) => row.dealer === "house"],
};
const byName = (one, other) => (one.name || one.table).localeCompare(other.name || other.table, "en", { numeric: true });
const SORTED = {
  urgent: ["Needs attention first", null],
  name: ["Name", byName],
  players: ["Most players", (one, other) => (other.players?.length || 0) - (one.players?.length || 0) || byName(one, other)],
  limits: ["Highest limits", (one, other) => (other.maximum_cents || 0) - (one.maximum_cents || 0) || byName(one, other)],
  quiet: ["Longest idle", (one, other) => (one.at_ms || 0) - (other.at_ms || 0)],
};
/** From so many tables on the floor is shown as a list unless cards are asked for. */
const MANY = 12;

/** Which tables are shown, and in which order. */
function arranged(rows, values, books, role, waiting) {
  const words = values.text.toLowerCase().split(/\s+/).filter(Boolean);
  const [, chosen] = SHOWN[values.show];
  const proposals = (row) => waiting.get(row.table) || 0;
  const found = rows.filter((row) => {
    const text = [row.name, row.table, books[row.rulebook], stateWords(row), ...(row.players || [])].join(" ").toLowerCase();
    if (values.book && row.rulebook !== values.book) return false;
    return chosen(row, role, proposals(row)) && words.every((word) => text.includes(word));
  });
  const waited = (row) => (urgency(row, role, proposals(row)) ? row.at_ms : 0); // of those that want something the longest first
  const toDeal = (row) => role === "dealer" && row.dealer === "person";
  const first = (one, other) =>
    urgency(other, role, proposals(other)) - urgency(one, role, proposals(one)) || toDeal(other) - toDeal(one) || waited(one) - waited(other) || byName(one, other);
  return found.sort(SORTED[values.sort][1] || first);
}

/** Tables that are closed, for whoever looks back. */
function ClosedTables({ books, open }) {
  const { data } = useGet("/api/log/tables", { every: 20000, anew: open });
  const closed = (data || []).filter((row) => row.closed_ms);
  if (!closed.length) return null;
  return html`<details class="closed-tables">
    <summary>Closed tables (${closed.length})</summary>
    <ul class="answered">
      ${closed.slice(0, 200).map((row) => html`<li key=${row.table}><a href=${`#/table/${encodeURIComponent(row.table)}/at/${Math.max(1, row.version - 1)}`}>${row.name}</a>, ${books[row.rulebook] || plain(row.rulebook)}, closed ${when(row.closed_ms)}</li>`)}
    </ul>
  </details>`;
}

/** Some rulebooks want the last rounds announced before a table closes. */
function LastRounds({ rulebook }) {
  const { book } = useBook(rulebook);
  const term = book?.terms["shuffle.final_rounds"];
  if (!term?.is) return null;
  return html`<p>
    ${book.name} ${term.clauses[0]} requires the last ${term.is} rounds to be announced: do that at the table first.
  </p>`;
}

export function Lobby({ me }) {
  useTitle("Tables");
  const tables = useGet("/api/tables", { every: 2500 });
  const rulebooks = useGet("/api/rulebooks", { keep: true });
  const seesProposals = [...SUPERVISES, "inspector"].includes(me.role);
  const approvals = useGet(seesProposals ? "/api/approvals" : null, { every: 4000 });
  const alarms = useGet(me.role === "player" ? null : "/api/alarms", { every: 4000 });
  const [asking, setAsking] = useState(null); // which dialog is open: { opens } or { closing: a table }
  const { opens, closing } = asking || {};
  const dismiss = (asked) => setAsking((now) => (now === asked ? null : now)); // not another one that is open by now
  const [busy, once] = useOnce();
  const [said, setSaid] = useState({}); // the last message: what was done, or what went wrong
  const [values, setValues] = useState({ text: "", book: "", show: "all", sort: "urgent", as: "" });
  useTick(15000);
  const books = Object.fromEntries((rulebooks.data || []).map((book) => [book.id, book.name]));
  const rows = tables.data || [];
  const waiting = new Map();
  for (const { table, yours } of approvalsOf(approvals.data)) if (yours) waiting.set(table, (waiting.get(table) || 0) + 1);
  const shown = arranged(rows, values, books, me.role, waiting);
  const urgent = rows.filter((row) => urgency(row, me.role, waiting.get(row.table)) > 0).length;
  const asList = values.as ? values.as === "list" : rows.length > MANY;
  const now = Date.now();
  const bind = (name) => ({
    id: `floor-${name}`,
    value: values[name],
    onInput: (event) => setValues({ ...values, [name]: event.target.value }),
  });
  const open = () => {
    setSaid({});
    setAsking({ opens: true });
  };
  const askToClose = (row) => {
    setSaid({});
    setAsking({ closing: row });
  };
  const close = async () => {
    try {
      await post(`/api/tables/${encodeURIComponent(closing.table)}/close`, { id: commandId() });
      setSaid({ done: `${closing.name || closing.table} is closed.` });
      dismiss(asking);
    } catch (error) {
      setSaid({ problem: capital(error.message) });
    }
    tables.again();
  };
  const heading =
    { player: "Choose a table", dealer: "Tables to deal at", inspector: "Every table" }[me.role] || "The floor";
  const people = rows.reduce((sum, row) => sum + (row.players?.length || 0), 0);
  const options = (all) => Object.entries(all).map(([id, [label]]) => html`<option key=${id} value=${id}>${label}</option>`);
  return html`<div class=${`page lobby${asList ? " wide" : ""}`}>
    <header class="page-head">
      <h1>${heading}</h1>
      ${rows.length > 0 && html`<p class="floor-sum">
        ${rows.length} table${rows.length === 1 ? "" : "s"}, ${people} player${people === 1 ? "" : "s"}${
          urgent > 0
            ? html`,${" "}<button type="button" class="quiet urgent-count" onClick=${() => setValues({ ...values, show: "urgent" })}>
                  ${urgent} ${urgent === 1 ? "needs" : "need"} attention
                </button>`
            : ""
        }
      </p>`}
      ${mayOpen(me.role) && html`<button type="button" class="primary" onClick=${open}>Open a table</button>`}
    </header>
    ${(alarms.data || []).map(({ kind, text, todo }) => html`<${Problem} key=${kind} text=${`${capital(text)} ${todo}`} />`)}
    ${seesProposals && html`<${Overdue} />`}
    <${Outcome} problem=${capital(tables.error) || (closing ? "" : said.problem)} done=${said.done} />
    ${
      rows.length > 5 &&
      html`<div class="floor-tools" role="search">
        <${Field} label="Find" id="floor-text"><input type="search" placeholder="table, player" ...${bind("text")} /><//>
        <${Field} label="Rulebook" id="floor-book"
          ><select ...${bind("book")}>
            <option value="">All rulebooks</option>
            ${Object.entries(books).map(([id, name]) => html`<option key=${id} value=${id}>${name}</option>`)}
          </select><//
        >
        <${Field} label="Show" id="floor-show"><select ...${bind("show")}>${options(SHOWN)}</select><//>
        <${Field} label="Order" id="floor-sort"><select ...${bind("sort")}>${options(SORTED)}</select><//>
        <div class="buttons small" role="group" aria-label="Show the floor as">
          <button type="button" aria-pressed=${asList ? "false" : "true"} onClick=${() => setValues({ ...values, as: "cards" })}>Cards</button>
          <button type="button" aria-pressed=${asList ? "true" : "false"} onClick=${() => setValues({ ...values, as: "list" })}>List</button>
        </div>
      </div>`
    }
    ${!rows.length && !tables.loading && html`<${Empty}>No table is open.<//>`}
    ${
      me.role === "dealer" &&
      rows.length > 0 &&
      !rows.some((row) => row.dealer === "person") &&
      html`<p class="call">
        Every table here deals by itself. A supervisor can open one for you to deal; until then, you can practise in${" "}<a href="#/training">Training</a>.
      </p>`
    }
    ${rows.length > 0 && !shown.length && html`<${Empty}>No matching tables<//>`}
    ${
      asList
        ? shown.length > 0 &&
          html`<${TableList} rows=${shown} books=${books} role=${me.role} onClose=${askToClose} waiting=${waiting} now=${now} />`
        : html`<ul class="table-cards">
            ${shown.map((row) => html`<${TableCard} key=${row.table} row=${row} books=${books} role=${me.role} onClose=${askToClose} proposals=${waiting.get(row.table) || 0} />`)}
          </ul>`
    }
    ${
      opens &&
      html`<${Dialog} title="Open a table" wide onClose=${() => dismiss(asking)}
        ><${OpenTable}
          role=${me.role}
          rows=${rows}
          books=${books}
          links=${[...new Set(rows.map((row) => row.link).filter(Boolean))]}
          onDone=${(text) => {
            dismiss(asking);
            setSaid({ done: text });
            tables.again();
          }}
      /><//>`
    }
    ${
      closing &&
      html`<${Dialog} title=${`Close ${closing.name || closing.table}?`} onClose=${() => dismiss(asking)}>
        <p>A table can close between two rounds, with no wager on it. Its log is kept.</p>
        <${LastRounds} rulebook=${closing.rulebook} />
        <div class="buttons">
          <button type="button" class="primary" disabled=${busy} onClick=${() => once(close)}>Close the table</button
          ><button type="button" onClick=${() => dismiss(asking)}>Cancel</button>
        </div>
        <${Problem} text=${said.problem} />
      <//>`
    }
    ${seesProposals && html`<${ClosedTables} books=${books} open=${rows.length} />`}
    <p class="hint">A table that deals by itself starts as soon as somebody places a wager.</p>
    <ul class="rule-links" aria-label="Rules">
      ${Object.entries(books).map(([id, name]) => html`<li key=${id}><a href=${`#/rules/${id}`}>${me.role === "player" ? "How to play" : "Rules of"} ${name}</a></li>`)}
    </ul>
  </div>`;
}
