// Reports, live: drop, win and hold beside what was expected, by table, hour, dealer and wager.

import { html, useState } from "./nodes.js";
import { post, query } from "./api.js";
import { Empty, Field, Outcome, Problem, useGet, useOnce, useTitle } from "./ui.js";
import { capital, commandId, dollars, sideName } from "./words.js";

const PARTS = [
  ["by_table", "By table", "Table"],
  ["by_day", "By gaming day", "Gaming day"],
  ["by_hour", "By hour", "Hour"],
  ["by_dealer", "By dealer", "Dealer"],
  ["by_wager", "By wager", "Wager"],
];
const MONTHS = "January February March April May June July August September October November December".split(" ");

/** A gaming day, an hour of one or a month as people write it: "20 Nov 2026, 09:00"; anything else as it is. */
export function dated(text) {
  const [, year, month, day, rest] = /^(\d{4})-(\d\d)(?:-(\d\d))?(.*)$/.exec(text) || [];
  const name = MONTHS[month - 1];
  if (!name) return text;
  return day ? `${Number(day)} ${name.slice(0, 3)} ${year}${rest ? `, ${rest.trim()}` : ""}` : `${name} ${year}`;
}

/** What a row of figures is of, as people say it: a kind of wager and a day have names; a person's and a table's are left. */
const NAMED = {
  Wager: (name) => (name === "main" ? "Main wagers" : sideName(name)),
  "Gaming day": dated,
  Hour: dated,
};
const known = (value) => value !== null && value !== undefined;
export const money = (cents) => (known(cents) ? dollars(Math.round(cents)) : "–");
const share = (value) => (known(value) ? `${(100 * value).toFixed(1)}%`.replace("-", "−") : "–");
const isOutside = (row) => known(row.low) && (row.compared < row.low || row.compared > row.high);

/** Win of each row as a bar, what was expected as a line, its limits as a field behind it. */
function Chart({ rows, label }) {
  const shown = rows.filter((row) => row.rounds || row.win).slice(0, 48);
  if (!shown.length) return null;
  const values = [0, ...shown.flatMap((row) => [row.win, row.low ?? 0, row.high ?? 0])];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (cents) => (100 * (cents - low)) / (high - low || 1);
  const bar = (from, to, y, height, name) =>
    html`<rect x=${Math.min(x(from), x(to))} y=${y} width=${Math.max(Math.abs(x(to) - x(from)), 0.3)} height=${height} class=${name} />`;
  const line = (cents, name) =>
    html`<line x1=${x(cents)} x2=${x(cents)} y1="0" y2="18" class=${name} vector-effect="non-scaling-stroke" />`;
  return html`<div class="takings-chart" role="img" aria-label=${label}>
    ${shown.map(
      (row) =>
        html`<p key=${row.name}>
          <span>${row.name}</span>
          <svg class="takings" viewBox="0 0 100 18" preserveAspectRatio="none" aria-hidden="true">
            ${known(row.low) && bar(row.low, row.high, 0, 18, "band")}
            ${bar(0, row.win, 4, 10, isOutside(row) ? "bar outside" : row.win < 0 ? "bar loss" : "bar")}
            ${line(0, "axis")}
            ${known(row.expected) && line(row.expected, "mean")}
          </svg>
          <span>${money(row.win)}</span>
        </p>`,
    )}
  </div>`;
}

export function Rows({ rows: told, heading, what }) {
  const rows = told.map((row) => ({ ...row, name: (NAMED[what] || String)(row.name) }));
  return html`<section>
    <h2>${heading}</h2>
    <${Chart} rows=${rows} label=${`Win ${heading.toLowerCase()}: bars; expected: lines; 95% range: grey areas`} />
    <div class="scroll" tabindex="0" role="region" aria-label=${heading}>
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">${what}</th>
            ${["Rounds", "Per hour", "Drop", "Wagered", "Win", "Hold", "Expected", "95% limits"].map(
              (name) => html`<th key=${name} scope="col" class="number">${name}</th>`,
            )}
            <th scope="col">Within limits</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) =>
              html`<tr key=${row.name}>
                <td>${row.name}</td>
                <td class="number">${row.rounds.toLocaleString("en-AU")}</td>
                <td class="number">${row.rounds_per_hour ? Math.round(row.rounds_per_hour) : ""}</td>
                <td class="number">${money(row.drop)}</td>
                <td class="number">${money(row.wagered)}</td>
                <td class="number">${money(row.win)}</td>
                <td class="number">${share(row.hold)}</td>
                <td class="number">${money(row.expected)}</td>
                <td class="number">${known(row.low) ? `${money(row.low)} to ${money(row.high)}` : "–"}</td>
                <td>${known(row.low) ? (isOutside(row) ? html`<strong class="outside">Outside</strong>` : "Yes") : "–"}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

/** Chips that came from the cage and went back to it, where any did. */
function Fills({ rows }) {
  const moved = rows.filter((row) => row.fills || row.credits);
  if (!moved.length) return null;
  return html`<section>
    <h2>Fills and credits</h2>
    <table class="plain">
      <thead>
        <tr>
          <th scope="col">Table</th>
          <th scope="col" class="number">Fills</th>
          <th scope="col" class="number">Credits</th>
        </tr>
      </thead>
      <tbody>
        ${moved.map(
          (row) =>
            html`<tr key=${row.name}>
              <td class="whole">${row.name}</td>
              <td class="number">${money(row.fills)}</td>
              <td class="number">${money(row.credits)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

/** What the registers say was still to be done when the period ended, or is now. */
function Duties({ rows }) {
  const late = rows.filter((row) => row.is_overdue).length;
  return html`<section class="duties">
    <h2>Still to be done${late ? ` (${late} overdue)` : ""}</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Still to be done">
      <table class="plain">
        <thead>
          <tr>${["Due", "Who", "Table", "What", "Clauses"].map((name) => html`<th key=${name} scope="col">${name}</th>`)}</tr>
        </thead>
        <tbody>
          ${rows.map(
            (row, at) =>
              html`<tr key=${at}>
                <td class="whole">${row.is_overdue ? html`<strong class="outside">${row.due}</strong>` : row.due}</td>
                <td>${capital(row.who)}</td>
                <td class="whole">${row.table}</td>
                <td>${row.text}</td>
                <td>${row.clauses}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

/** What happened, one by one: what is open comes first. */
function Happened({ rows }) {
  const open = rows.filter((row) => row.is_open).length;
  return html`<section class="happened">
    <h2>What happened, one by one${open ? ` (${open} open)` : ""}</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="What happened, one by one">
      <table class="plain">
        <thead>
          <tr>${["When", "Table", "What", "Words", "Clauses", "State"].map((name) => html`<th key=${name} scope="col">${name}</th>`)}</tr>
        </thead>
        <tbody>
          ${rows.map(
            (row, at) =>
              html`<tr key=${at}>
                <td class="whole">${dated(row.at)}</td>
                <td>${row.table}</td>
                <td>${capital(row.what)}</td>
                <td>${row.text}</td>
                <td>${row.clauses}</td>
                <td>${row.is_open ? html`<strong>Open</strong>` : "Done"}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

const LEAVES = ["gaming-supervisor", "supervisor", "gaming-manager"];

/** Notes of those who ran a shift, and a field to leave one; a note stays as it is. */
export function Handovers({ rows, me, table, tableName, onLeft }) {
  const [text, setText] = useState("");
  const [said, setSaid] = useState({});
  const [busy, once] = useOnce();
  const leave = async () => {
    try {
      await post("/api/reports/handovers", { id: commandId(), text, table });
      setText("");
      setSaid({ done: "Note saved." });
      onLeft();
    } catch (problem) {
      setSaid({ problem: capital(problem.message) });
    }
  };
  const may = LEAVES.includes(me.role);
  if (!may && !rows.length) return null;
  return html`<section class="handovers">
    <h2>Handover notes</h2>
    ${rows.map(
      (row, at) =>
        html`<p key=${at}>
          ${row.text}<br /><span class="hint">${dated(row.at)}, ${row.by}, ${row.role}${row.table && `, about ${row.table}`}</span>
        </p>`,
    )}
    ${
      may &&
      html`<${Outcome} problem=${said.problem} done=${said.done} />
        <form
          class="row"
          onSubmit=${(event) => {
            event.preventDefault();
            once(leave);
          }}
        >
          <${Field} label=${`A note for the next shift${tableName ? ` about ${tableName}` : ""}`} id="handover-text"
            ><textarea id="handover-text" required maxlength="4000" value=${text} onInput=${(event) => setText(event.target.value)}></textarea><//
          >
          <button type="submit" disabled=${busy}>Save note</button>
        </form>`
    }
  </section>`;
}

export function Tiles({ total }) {
  const tiles = [
    ["Win", money(total.win)],
    ["Expected", money(total.expected)],
    ["Drop", money(total.drop)],
    ["Hold", share(total.hold)],
    ["Rounds", total.rounds.toLocaleString("en-AU")],
    ["Rounds an hour a table", Math.round(total.rounds_per_hour)],
  ];
  return html`<dl class="tiles">
    ${tiles.map(
      ([name, value]) =>
        html`<div key=${name}>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

export function ReportsPage({ me }) {
  useTitle("Reports");
  const [period, setPeriod] = useState(null);
  const [table, setTable] = useState("");
  const { data: there, error: noDays } = useGet("/api/reports", { every: 30000 });
  const days = there?.days || [];
  const months = [...new Set(days.map((day) => day.slice(0, 7)))];
  const chosen = period ?? days[0] ?? "";
  const asked = query({ period: chosen, table });
  const { data, error, again } = useGet(there ? `/api/reports/takings${asked}` : "", { every: 10000, stays: true });
  const counts = Object.entries(data?.counts || {});
  return html`<div class="page wide">
    <h1>Reports</h1>
    <p class="lead">Drop, win and hold from the ledger, beside the exact expectation with best play.</p>
    <${Problem} text=${noDays || error} />
    <div class="people-tools" role="search">
      <${Field} label="Period" id="report-period"
        ><select id="report-period" value=${chosen} onChange=${(event) => setPeriod(event.target.value)}>
          ${days.map((day) => html`<option key=${day} value=${day}>${`Gaming day ${dated(day)}`}</option>`)}
          ${months.map((month) => html`<option key=${month} value=${month}>${dated(month)}</option>`)}
          <option value="">All days</option>
        </select><//
      >
      <${Field} label="Table" id="report-table"
        ><select id="report-table" value=${table} onChange=${(event) => setTable(event.target.value)}>
          <option value="">All tables</option>
          ${Object.entries(there?.tables || {}).map(([id, name]) => html`<option key=${id} value=${id}>${name}</option>`)}
        </select><//
      >
      <p class="row">
        <a class="button" href=${`/api/reports/paper${asked}`} download>Print form</a>
        <a class="button" href=${`/api/reports/rows${asked}`} download>CSV</a>
      </p>
    </div>
    ${data && html`<${Handovers} rows=${data.handovers || []} me=${me} table=${table} tableName=${there?.tables?.[table]} onLeft=${again} />`}
    ${data && !data.ties && html`<${Problem} text="A table's win does not match what its players lost in the ledger." />`}
    ${data?.duties?.length > 0 && html`<${Duties} rows=${data.duties} />`}
    ${data && !data.total.rounds && !data.total.drop && html`<${Empty}>No table has been played for money in this period.<//>`}
    ${data &&
    (data.total.rounds > 0 || data.total.drop !== 0) &&
    html`<${Tiles} total=${data.total} />
      ${PARTS.map(
        ([field, heading, what]) =>
          data[field].length > 0 &&
          html`<${Rows} key=${field} rows=${data[field]} heading=${heading} what=${what} />`,
      )}
      <${Fills} rows=${data.by_table} />
      ${data.happened?.length > 0 && html`<${Happened} rows=${data.happened} />`}
      ${counts.length > 0 &&
      html`<section>
        <h2>What happened</h2>
        <ul class="counts">
          ${counts.map(([name, count]) => html`<li key=${name}>${capital(name)}: ${count.toLocaleString("en-AU")}</li>`)}
        </ul>
      </section>`}
      ${data.notes.map((note) => html`<p key=${note} class="hint">${note}</p>`)}`}
  </div>`;
}
