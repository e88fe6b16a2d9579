// A player's own: what a visit to a table brought, when they leave it; and their rounds at the tables they have been to.

import { html, useEffect, useState } from "./nodes.js";
import { get, query } from "./api.js";
import { when } from "./log.js";
import { Empty, useTitle } from "./ui.js";
import { dollars, signed } from "./words.js";

const VISITED = "pitboss-visited";
const TABLES_MOST = 12;
const ROUNDS = 50;

function visited(me) {
  try {
    return JSON.parse(localStorage.getItem(VISITED) || "{}")[me] || {};
  } catch {
    return {};
  }
}

/** Remember in this browser where somebody has played. */
export function visit(me, table, name) {
  const known = visited(me);
  if (known[table] === name) return;
  const kept = Object.entries({ ...known, [table]: name }).slice(-TABLES_MOST);
  let all = {};
  try {
    all = JSON.parse(localStorage.getItem(VISITED) || "{}");
  } catch {
    // somebody else's writing: begin anew
  }
  localStorage.setItem(VISITED, JSON.stringify({ ...all, [me]: Object.fromEntries(kept) }));
}

const ownRounds = async (table, me) => {
  const rounds = await get(`/api/tables/${encodeURIComponent(table)}/rounds${query({ limit: ROUNDS })}`);
  return rounds.filter((each) => me in (each.net_cents || {})).map((each) => ({ ...each, table, cents: each.net_cents[me] }));
};

const toneOf = (cents) => (cents < 0 ? "minus" : cents > 0 ? "plus" : "");

/** Rounds in figures: how many, how they went, the best and the worst. */
function Figures({ rounds }) {
  const won = rounds.filter(({ cents }) => cents > 0).length;
  const lost = rounds.filter(({ cents }) => cents < 0).length;
  const amounts = rounds.map(({ cents }) => cents);
  const net = amounts.reduce((sum, cents) => sum + cents, 0);
  return html`<dl>
    <div><dt>Rounds</dt><dd>${rounds.length}</dd></div>
    <div><dt>Won, lost, even</dt><dd>${`${won}, ${lost}, ${rounds.length - won - lost}`}</dd></div>
    <div><dt>Won or lost</dt><dd class=${toneOf(net)}>${signed(net)}</dd></div>
    <div><dt>Best round</dt><dd>${rounds.length ? signed(Math.max(...amounts)) : "–"}</dd></div>
    <div><dt>Worst round</dt><dd>${rounds.length ? signed(Math.min(...amounts)) : "–"}</dd></div>
  </dl>`;
}

/** How the money went, round by round. */
function Course({ rounds }) {
  const sums = rounds.reduce((all, { cents }) => [...all, all.at(-1) + cents], [0]);
  if (sums.length < 3) return null;
  const most = Math.max(...sums.map(Math.abs), 1);
  const points = sums.map((sum, at) => `${((at / (sums.length - 1)) * 300).toFixed(1)} ${(45 - (sum / most) * 40).toFixed(1)}`);
  return html`<svg class="course" viewBox="0 0 300 90" preserveAspectRatio="none" role="img" aria-label=${`After ${rounds.length} rounds: ${signed(sums.at(-1))}`}>
    <line x1="0" y1="45" x2="300" y2="45" />
    <path d=${`M${points.join("L")}`} />
  </svg>`;
}

/** What somebody sees who has left the table. */
export function Left({ table, name, me, chips }) {
  const [rounds, setRounds] = useState(null);
  useEffect(() => {
    ownRounds(table, me).then(setRounds, () => setRounds([]));
  }, [table, me]);
  return html`<section class="page summary" aria-label="You have left the table">
    <h1 tabindex="-1" ref=${(heading) => heading?.focus()}>${`You have left ${name}`}</h1>
    ${chips !== null && chips !== undefined && html`<p class="lead">${`You take ${dollars(chips)} in chips with you.`}</p>`}
    ${rounds ? html`<${Figures} rounds=${rounds} /><${Course} rounds=${rounds} />` : html`<p role="status">Adding up your rounds…</p>`}
    <div class="buttons">
      <a class="button primary" href="#/tables">Choose another table</a>
      <a class="button" href="#/my-play">My play</a>
    </div>
  </section>`;
}

const day = (date) => new Date(`${date}T12:00:00`).toLocaleDateString("en-AU", { dateStyle: "medium" });
const KINDS = [["money", ""], ["tournament", "Tournaments"], ["practice", "Practice"]];

/** What the server knows of somebody's play: sums, and every table on every gaming day. */
function Sittings({ sittings }) {
  return KINDS.map(([kind, title]) => {
    const mine = sittings.filter((each) => each.kind === kind);
    if (mine.length === 0) return null;
    const sum = (key) => mine.reduce((all, each) => all + each[key], 0);
    return html`<section key=${kind} class="sittings">
      ${title && html`<h2>${title}</h2>`}
      <dl>
        <div><dt>Rounds</dt><dd>${sum("rounds")}</dd></div>
        <div><dt>Wagered</dt><dd>${dollars(sum("wagered_cents"))}</dd></div>
        <div><dt>Won or lost</dt><dd class=${toneOf(sum("won_cents"))}>${signed(sum("won_cents"))}</dd></div>
      </dl>
      <div class="scroll"><table class="plain">
        <caption class="hidden">By gaming day and table</caption>
        <thead><tr>${["Gaming day", "Table", "Rounds", "Wagered", "Won or lost"].map((each) => html`<th key=${each} scope="col">${each}</th>`)}</tr></thead>
        <tbody>
          ${mine.map(
            (each) =>
              html`<tr key=${`${each.date} ${each.table}`}>
                <td>${day(each.date)}</td><td>${each.name}</td><td>${each.rounds}</td><td>${dollars(each.wagered_cents)}</td>
                <td class=${toneOf(each.won_cents)}>${signed(each.won_cents)}</td>
              </tr>`,
          )}
        </tbody>
      </table></div>
    </section>`;
  });
}

async function inThisBrowser(me) {
  const tables = visited(me.name);
  const all = await Promise.all(Object.keys(tables).map((table) => ownRounds(table, me.name).catch(() => [])));
  return { rounds: all.flat().map((each) => ({ ...each, name: tables[each.table] })) };
}

export function MyPlayPage({ me }) {
  useTitle("My play");
  const [found, setFound] = useState(null);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    (me.guest ? inThisBrowser(me) : get("/api/my-play")).then(
      (told) => setFound({ ...told, rounds: told.rounds.toSorted((one, other) => one.at_ms - other.at_ms) }),
      (error) => setProblem(error.message),
    );
  }, [me.name]);
  if (problem) return html`<p class="empty" role="alert">${problem}</p>`;
  if (!found) return html`<p class="empty" role="status">Adding up your rounds…</p>`;
  const { rounds, sittings = [] } = found;
  return html`<div class="page my-play">
    <h1>My play</h1>
    <p class="lead">${me.guest ? "Your rounds at the tables you have played in this browser." : "Your rounds at every table, wherever you logged in. Other players cannot see them."}</p>
    ${rounds.length === 0 && sittings.length === 0 && html`<${Empty}>You have not finished a round yet.<//>`}
    <${Sittings} sittings=${sittings} />
    ${
      rounds.length > 0 &&
      html`${!me.guest && html`<h2>Latest rounds</h2>`}
        <${Figures} rounds=${rounds} /><${Course} rounds=${rounds} />
        <div class="scroll"><table class="plain">
          <caption class="hidden">Your rounds, newest first</caption>
          <thead><tr>${["When", "Table", "Round", "Won or lost"].map((each) => html`<th key=${each} scope="col">${each}</th>`)}<th scope="col"><span class="hidden">Replay</span></th></tr></thead>
          <tbody>
            ${[...rounds].reverse().map(
              (each) =>
                html`<tr key=${`${each.table} ${each.round}`}>
                  <td>${when(each.at_ms, "short")}</td>
                  <td>${each.name}</td>
                  <td>${each.round}</td>
                  <td class=${toneOf(each.cents)}>${signed(each.cents)}</td>
                  <td><a href=${`#/replay/${encodeURIComponent(each.table)}/${each.round}`} aria-label=${`Replay round ${each.round} of ${each.name}`}>Replay</a></td>
                </tr>`,
            )}
          </tbody>
        </table></div>`
    }
  </div>`;
}
