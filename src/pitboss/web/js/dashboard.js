// The manager's dashboard: today's drop, win and hold beside what was expected, rounds an hour, and how tables stand.

import { html } from "./nodes.js";
import { query } from "./api.js";
import { Handovers, Rows, Tiles, dated, money } from "./reports.js";
import { Empty, Problem, useGet, useTitle } from "./ui.js";
import { PHASES, dollars, plain } from "./words.js";

const EVERY_MS = 10000;

/** How every open table stands now, also those at which nothing is played for money. */
function Now({ tables, rows }) {
  const known = new Map(rows.map((row) => [row.name.toLowerCase(), row]));
  const ordered = tables.toSorted((one, other) => Number(Boolean(one.practice)) - Number(Boolean(other.practice))); // money first
  return html`<section>
    <h2>Tables now</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Tables now">
      <table class="plain tables-now">
        <thead>
          <tr>
            ${["Table", "State", "Round", "Players", "Limits"].map((name) => html`<th key=${name} scope="col">${name}</th>`)}
            ${["Rounds per hour", "Win"].map((name) => html`<th key=${name} scope="col" class="number">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${ordered.map((table) => {
            const row = known.get((table.name || "").toLowerCase());
            const state = table.stopped ? "Stopped" : table.halted ? "Halted" : PHASES[table.phase] || plain(table.phase || "open");
            return html`<tr key=${table.table}>
              <td><a href=${`#/table/${encodeURIComponent(table.table)}`}>${table.name}</a>${table.practice && html`<span class="hint aside">practice</span>`}</td>
              <td>${state}</td>
              <td class="number">${table.round || ""}</td>
              <td class="number">${table.players?.length ?? ""}</td>
              <td>${table.minimum_cents ? `${dollars(table.minimum_cents)} to ${dollars(table.maximum_cents)}` : ""}</td>
              <td class="number">${row?.rounds_per_hour ? Math.round(row.rounds_per_hour) : "–"}</td>
              <td class="number">${row ? money(row.win) : "–"}</td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>
  </section>`;
}

export function DashboardPage({ me }) {
  useTitle("Dashboard");
  const { data: known } = useGet("/api/reports", { every: 60000 });
  const day = known?.days?.[0] || "";
  const { data, error, again } = useGet(known ? `/api/reports/takings${query({ period: day })}` : null, { every: EVERY_MS, stays: true });
  const { data: tables } = useGet("/api/tables", { every: EVERY_MS });
  return html`<div class="page wide dashboard">
    <header class="page-head">
      <h1>Dashboard</h1>
      ${day && html`<p>${`Gaming day ${dated(day)} so far`}</p>`}
      <a class="button" href="#/reports">Shift report and all reports</a>
    </header>
    <${Problem} text=${error} />
    ${data ? html`<${Tiles} total=${data.total} />` : !error && html`<p class="empty" role="status">Loading…</p>`}
    ${data && data.total.rounds === 0 && html`<${Empty}>Nothing has been played for money yet. Practice tables are not counted.<//>`}
    <${Now} tables=${tables || []} rows=${data?.by_table || []} />
    ${data?.by_table.length > 0 && html`<${Rows} rows=${data.by_table} heading="By table" what="Table" />`}
    ${data?.by_hour.length > 0 && html`<${Rows} rows=${data.by_hour} heading="By hour" what="Hour" />`}
    ${data && html`<${Handovers} rows=${data.handovers} me=${me} table="" tableName="" onLeft=${again} />`}
  </div>`;
}
