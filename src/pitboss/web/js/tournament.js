// Tournaments: who runs one sees every table live and does each step; a player sees their seat and what they need.

import { html, useEffect, useState } from "./nodes.js";
import { post } from "./api.js";
import { STANDING, byRank, called, chips, clockOf, limitsOf, roundWords, stageWords } from "./chipwords.js";
import { ActForms } from "./tournament-acts.js";
import { ConditionsPage } from "./tournament-conditions.js";
import { Empty, Field, Outcome, Problem, Tabs, useGet, useOnce, useTick, useTitle } from "./ui.js";
import { capital, commandId, dollars, plain } from "./words.js";

const EVERY_MS = 2000;

const path = (id) => `/api/tournaments/${encodeURIComponent(id)}`;

// --- the list --------------------------------------------------------------------------------------------------------

function Listed({ row }) {
  const now = row.status === "playing" && row.stage ? capital(row.stage) : { entries: "Entries are open", ended: "Over" }[row.status] || capital(row.status);
  return html`<li class="cup-listed">
    <h2><a href=${`#/tournaments/${row.id}`}>${row.title}</a></h2>
    <p>${now}, ${row.players} player${row.players === 1 ? "" : "s"}</p>
    <p class="hint">${plain(row.rulebook)}${row.mine && `. You: ${STANDING[row.mine].toLowerCase()}`}</p>
    <p class="row">
      <a class="button" href=${`#/tournaments/${row.id}`}>Open</a>
      <a class="button" href=${`wall.html?${row.id}`} target="_blank" rel="noopener">Wall display</a>
    </p>
  </li>`;
}

function TournamentList() {
  useTitle("Tournaments");
  const { data, error } = useGet("/api/tournaments", { every: 5000 });
  return html`<div class="page wide">
    <div class="page-head">
      <h1>Tournaments</h1>
      ${data?.may_open &&
      html`<p class="row">
        ${data.rulebooks.map((each) => html`<a key=${each.id} class="button" href=${`#/tournaments/new/${each.id}`}>New: ${each.name}</a>`)}
      </p>`}
    </div>
    <${Problem} text=${error} />
    ${data && !data.tournaments.length && html`<${Empty}>There is no tournament yet.<//>`}
    <ul class="cards-list">
      ${data?.tournaments.map((row) => html`<${Listed} key=${row.id} row=${row} />`)}
    </ul>
  </div>`;
}

// --- the board -------------------------------------------------------------------------------------------------------

/** Time that goes on between two answers. */
export function useNow(wall) {
  const [heard, setHeard] = useState({ at: 0, now: 0 });
  useEffect(() => wall && setHeard({ at: performance.now(), now: wall.now_ms }), [wall?.now_ms]);
  useTick(1000, Boolean(wall));
  return heard.now ? heard.now + performance.now() - heard.at : wall?.now_ms || 0;
}

function Tiles({ wall }) {
  const now = useNow(wall);
  const begun = Math.min(...wall.tables.map((each) => each.began_ms || Infinity));
  const ends = wall.tables.find((each) => each.ends_ms)?.ends_ms;
  const tiles = [
    ["Stage", wall.stage ? capital(wall.stage) : "–"],
    ["Now", stageWords(wall)],
    ["Still in", wall.status === "entries" ? "–" : `${wall.left} of ${wall.players}`],
    [wall.status === "ended" ? "Prizes" : "Prize pool", dollars(wall.pool_cents)],
  ];
  if (wall.break_until_ms > now) tiles.push(["Break", clockOf(wall.break_until_ms - now)]);
  else if (ends) tiles.push(["Time left", clockOf(ends - now)]);
  else if (Number.isFinite(begun) && wall.status === "playing") tiles.push(["In play for", clockOf(now - begun)]);
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

const MARKS = { yes: ["goes-on", "goes on"], tied: ["tied", "tied"], no: ["", ""] };

/** One table: round, limits, everybody by rank with their chips, and who would go on. */
export function TableCard({ each, me = "" }) {
  const most = Math.max(1, ...each.seats.map((seat) => seat.chips_cents));
  const cut = each.advance ? ` · ${each.advance} go${each.advance === 1 ? "es" : ""} on` : "";
  return html`<section class=${`cup-table${each.is_over ? " over" : ""}${each.disputed ? " disputed" : ""}`} aria-label=${each.table}>
    <h3>
      ${each.floor_table ? html`<a href=${`#/table/${each.floor_table}`}>${each.table}</a>` : each.table}
      <span class="cup-round">${roundWords(each)}</span>
    </h3>
    <p class="hint">
      ${limitsOf(each.minimum_cents, each.maximum_cents)}${each.next_round ? `, from round ${each.next_round}: ${limitsOf(each.next_minimum_cents, each.next_maximum_cents)}` : ""}${cut}
    </p>
    ${each.disputed && html`<p class="warn">Play is waiting on a dispute.</p>`}
    <ol class="cup-seats">
      ${byRank(each.seats).map((seat) => {
        const [mark, words] = seat.status === "in" ? MARKS[seat.advances] : ["", ""];
        const state = { out: "out", gone: "gone", waiting: "not here yet", seated: "in their seat" }[seat.status];
        return html`<li key=${seat.name} class=${`${seat.status} ${mark}${seat.name === me ? " me" : ""}`}>
          <span class="cup-rank">${seat.rank || seat.box}</span>
          <span class="cup-name">${called(seat.name)}</span>
          ${state ? html`<span class="cup-state">${state}</span>` : html`<span class="cup-chips">${chips(seat.chips_cents)}</span>`}
          <span class="cup-bar" aria-hidden="true"><span style=${{ width: `${(100 * seat.chips_cents) / most}%` }}></span></span>
          <span class="cup-mark">${words}</span>
        </li>`;
      })}
    </ol>
  </section>`;
}

function Stages({ stages }) {
  return html`<ol class="cup-stages" aria-label="Stages">
    ${stages.map(
      (each) =>
        html`<li key=${each.name} class=${each.state} aria-current=${each.state === "on" ? "step" : undefined}>
          <strong>${capital(each.name)}</strong>
          <span>${each.tables} table${each.tables === 1 ? "" : "s"}${each.rounds ? `, ${each.rounds} rounds` : ""}${each.advance ? `, ${each.advance} on` : ""}</span>
        </li>`,
    )}
  </ol>`;
}

function Places({ placed }) {
  return html`<table class="plain cup-places">
    <thead>
      <tr>
        <th scope="col" class="number">Place</th>
        <th scope="col">Player</th>
        <th scope="col" class="number">Prize</th>
      </tr>
    </thead>
    <tbody>
      ${placed.map(
        (each) =>
          html`<tr key=${each.name}>
            <td class="number">${each.place}</td>
            <td>${called(each.name)}</td>
            <td class="number">${each.prize_cents ? dollars(each.prize_cents) : ""}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function Board({ told, me }) {
  const { wall } = told;
  return html`<div class="cup-board">
    ${wall.said.map((each) => html`<p key=${each.at_ms} class="cup-said">${each.text}</p>`)}
    <${Stages} stages=${wall.stages} />
    ${wall.placed.length > 0 && html`<section><h2>Places</h2><${Places} placed=${wall.placed} /></section>`}
    ${!wall.placed.length && !wall.tables.length && html`<${Empty}>No seats are drawn now.<//>`}
    <div class="cup-tables">
      ${wall.tables.map((each) => html`<${TableCard} key=${each.key} each=${each} me=${me} />`)}
    </div>
  </div>`;
}

// --- people, draws, money, papers ------------------------------------------------------------------------------------

function People({ people }) {
  const [wanted, setWanted] = useState("");
  const found = people.filter((each) => each.name.toLowerCase().includes(wanted.toLowerCase()));
  return html`<div>
    <${Field} label="Find a player" id="cup-find"
      ><input id="cup-find" value=${wanted} onInput=${(event) => setWanted(event.target.value)} /><//
    >
    <div class="scroll" tabindex="0" role="region" aria-label="Entrants">
      <table class="plain">
        <thead>
          <tr>
            ${["No.", "Player", "Now", "Copy given", "Paid", "Seat"].map((name) => html`<th key=${name} scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${found.map(
            (each) =>
              html`<tr key=${each.name}>
                <td class="number">${each.number}</td>
                <td>${called(each.name)}</td>
                <td>${each.place ? `Place ${each.place}` : STANDING[each.status]}${each.out_of && ` (${each.out_of})`}</td>
                <td>${each.has_copy ? "Yes" : "No"}${each.signed ? ", signed" : ""}</td>
                <td class="number">${dollars(each.paid_cents)}</td>
                <td>${each.table ? `${each.table}, box ${each.box}${each.seated ? "" : " (not here yet)"}` : ""}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${!people.length && html`<${Empty}>Nobody has applied yet.<//>`}
  </div>`;
}

function Draws({ draws }) {
  if (!draws.length) return html`<${Empty}>No draws have been committed yet.<//>`;
  return html`<div class="cup-draws">
    <p class="lead">The digest of each draw was published before entries closed. Once a stage is drawn its secret is shown: its SHA-256 is the digest, and the order follows from the secret and the names in the order of their entry.</p>
    ${draws.map(
      (each) =>
        html`<section key=${each.stage} class="panel">
          <h3>${capital(each.stage)}</h3>
          <dl class="cup-proof">
            <dt>Digest</dt>
            <dd><code>${each.digest}</code></dd>
            <dt>Secret</dt>
            <dd>${each.secret ? html`<code>${each.secret}</code>` : "shown when the stage is drawn"}</dd>
          </dl>
          ${
            each.order.length > 0 &&
            html`<details>
              <summary>The order drawn, and how it was drawn</summary>
              <p>${each.order.map(called).join(", ")}</p>
              <p><code class="cup-seed">${each.seed}</code></p>
            </details>`
          }
        </section>`,
    )}
  </div>`;
}

const ACCOUNTS = { pool: "Prize pool", commission: "Commission", "chip-bank": "Chip bank", house: "Added by the house", inventory: "Inventory", missing: "Missing" };

function Accounts({ heading, accounts, show }) {
  const main = Object.entries(accounts).filter(([name]) => !/^(cash|chips|table):/.test(name));
  const people = Object.entries(accounts).filter(([name, cents]) => /^(cash|chips):/.test(name) && cents);
  const tables = Object.entries(accounts).filter(([name, cents]) => name.startsWith("table:") && cents);
  const total = Object.values(accounts).reduce((sum, cents) => sum + cents, 0);
  return html`<section class="panel">
    <h3>${heading}</h3>
    <table class="plain">
      <tbody>
        ${[...main, ...tables].map(
          ([name, cents]) =>
            html`<tr key=${name}>
              <th scope="row">${ACCOUNTS[name] || name.replace("table:", "At ")}</th>
              <td class="number">${show(cents)}</td>
            </tr>`,
        )}
        <tr>
          <th scope="row">${people.length} player${people.length === 1 ? "" : "s"} together</th>
          <td class="number">${show(people.reduce((sum, [, cents]) => sum + cents, 0))}</td>
        </tr>
        <tr>
          <th scope="row">All accounts</th>
          <td class="number">${show(total)}</td>
        </tr>
      </tbody>
    </table>
  </section>`;
}

function Papers({ id, papers }) {
  return html`<ul class="cup-papers">
    ${papers.map(
      (each) =>
        html`<li key=${each.name}>
          <strong>${each.label}</strong>
          <a class="button" href=${`${path(id)}/papers/${each.name}`} target="_blank" rel="noopener">Print<span class="speech"> ${each.label}</span></a>
          <a class="button" href=${`${path(id)}/rows/${each.name}`} download>CSV<span class="speech"> of ${each.label}</span></a>
        </li>`,
    )}
  </ul>`;
}

function Recent({ recent }) {
  const time = (ms) => new Date(ms).toLocaleTimeString("en-AU");
  return html`<ol class="cup-recent">
    ${recent.map(
      (each, at) =>
        html`<li key=${at}>
          <span class="hint">${time(each.at_ms)}</span> ${capital(each.text.replace(/\bbot-[a-z0-9-]+/g, called))} <span class="cup-clause">${each.clauses}</span>
        </li>`,
    )}
  </ol>`;
}

// --- what is to be done ----------------------------------------------------------------------------------------------

function Waiting({ id, waiting, again }) {
  const [said, setSaid] = useState({});
  const [busy, once] = useOnce();
  const answer = async (each, approve) => {
    try {
      await post(`${path(id)}/approvals/${each.number}`, { id: commandId(), approve });
      setSaid({ done: approve ? "Approved." : "Turned down." });
    } catch (problem) {
      setSaid({ problem: capital(problem.message) });
    }
    again();
  };
  if (!waiting.length && !said.problem) return null;
  return html`<section class="cup-waiting" aria-label="Waiting for a second person's approval">
    <h2>Waiting for a second person's approval</h2>
    <${Outcome} problem=${said.problem} done=${said.done} />
    ${waiting.map(
      (each) =>
        html`<div key=${each.number} class="panel">
          <p><strong>${each.what}</strong>, asked by ${each.by}</p>
          <p class="hint">${capital(each.why)}.</p>
          ${
            each.yours
              ? html`<p class="row">
                  <button type="button" class="primary" disabled=${busy} onClick=${() => once(() => answer(each, true))}>Approve</button>
                  <button type="button" disabled=${busy} onClick=${() => once(() => answer(each, false))}>Turn down</button>
                </p>`
              : html`<p>Another manager, supervisor or inspector answers it.</p>`
          }
        </div>`,
    )}
  </section>`;
}

function Say({ id, again }) {
  const [text, setText] = useState("");
  const [said, setSaid] = useState({});
  const [busy, once] = useOnce();
  const tell = async () => {
    try {
      await post(`${path(id)}/announcements`, { id: commandId(), text });
      setText("");
      setSaid({ done: "Announced." });
    } catch (problem) {
      setSaid({ problem: capital(problem.message) });
    }
    again();
  };
  return html`<form
    class="cup-say"
    onSubmit=${(event) => {
      event.preventDefault();
      once(tell);
    }}
  >
    <${Outcome} ...${said} />
    <${Field} label="Announce to everybody, on the wall and on players' pages" id="cup-say"
      ><input id="cup-say" required maxlength="300" value=${text} onInput=${(event) => setText(event.target.value)} /><//
    >
    <button type="submit" disabled=${busy}>Announce</button>
  </form>`;
}

/** How a player stands, and what they need to go on. */
export function OwnStanding({ own }) {
  if (!own) return null;
  if (own.place)
    return html`<section class="cup-own panel"><h2>You are number ${own.place}</h2>
      <p>${own.prize_cents ? `Your prize is ${dollars(own.prize_cents)}.` : "Thank you for playing."}</p></section>`;
  if (!own.table)
    return html`<section class="cup-own panel"><h2>${{ entered: "You have entered", applied: "Your entry form is in", reserve: "You are a reserved player" }[own.status] || STANDING[own.status]}</h2>
      ${own.status === "entered" && html`<p>Your table and box are shown here when the next stage is drawn.</p>`}
      ${own.status === "applied" && html`<p>Pay the entry fee at the gaming desk; then your entry is complete.</p>`}</section>`;
  let needs = `You are ${chips(own.behind_cents)} behind the last who would go on: you need more than that.`;
  if (!own.advance) needs = own.ahead_cents ? `You lead by ${chips(own.ahead_cents)}.` : own.behind_cents ? `You are ${chips(own.behind_cents)} behind the first.` : "You are level with the first.";
  else if (own.advances === "yes") needs = own.ahead_cents ? `You would go on: ${chips(own.ahead_cents)} ahead of the first who would not.` : "You would go on.";
  else if (own.advances === "tied") needs = "You are tied for the last qualifying place: as it stands, there would be a play-off.";
  return html`<section class="cup-own panel" aria-label="Where you stand">
    <h2>${own.table}, box ${own.box}</h2>
    <dl class="tiles">
      <div><dt>Your chips</dt><dd>${chips(own.chips_cents)}</dd></div>
      <div><dt>Rank at the table</dt><dd>${own.rank ? `${own.rank} of ${own.of}` : "–"}</dd></div>
      ${own.advance > 0 && html`<div><dt>Go on</dt><dd>${own.advance}</dd></div>`}
    </dl>
    ${own.rank > 0 && html`<p class="cup-needs">${needs}</p>`}
    ${own.floor_table && html`<a class="button primary" href=${`#/table/${own.floor_table}`}>Go to your table</a>`}
  </section>`;
}

function Tournament({ id, me }) {
  const { data: told, error, again } = useGet(path(id), { every: EVERY_MS });
  const [tab, setTab] = useState("");
  useTitle(told?.wall.title || "Tournament");
  if (!told) return html`<div class="page"><${Problem} text=${error} />${!error && html`<${Empty}>Opening the tournament…<//>`}</div>`;
  const staff = told.may_say || told.papers.some((each) => each.name === "regulator");
  const board = { id: "board", label: "Board", body: html`<${Board} told=${told} me=${me.name} />` };
  const tabs = [
    board,
    staff && { id: "people", label: `Entrants (${told.people.length})`, body: html`<${People} people=${told.people} />` },
    { id: "draws", label: "Draws", body: html`<${Draws} draws=${told.draws} />` },
    staff && {
      id: "money",
      label: "Money and chips",
      body: html`<div class="panels">
        <${Accounts} heading="Money" accounts=${told.accounts} show=${dollars} />
        <${Accounts} heading="Tournament chips" accounts=${told.chips} show=${chips} />
      </div>`,
    },
    { id: "papers", label: "On paper", body: html`<${Papers} id=${id} papers=${told.papers} />` },
    staff && { id: "recent", label: "What happened", body: html`<${Recent} recent=${told.recent} />` },
  ].filter(Boolean);
  return html`<div class="page wide cup-page" data-status=${told.wall.status} data-stage=${told.wall.stage}>
    <div class="page-head">
      <div>
        <h1>${told.wall.title}</h1>
        <p class="hint">${told.wall.rulebook}${told.wall.start && `, starts ${told.wall.start}`}</p>
      </div>
      <p class="row">
        <a class="button" href=${`wall.html?${id}`} target="_blank" rel="noopener">Wall display</a>
        <a class="button" href="#/tournaments">All tournaments</a>
      </p>
    </div>
    <${Problem} text=${error} />
    <${Tiles} wall=${told.wall} />
    <${OwnStanding} own=${told.mine} />
    <div class=${`cup-columns${told.forms.length ? "" : " alone"}`}>
      <div class="cup-main"><${Tabs} tabs=${tabs} label="The tournament" chosen=${tab || "board"} onChoose=${setTab} /></div>
      ${
        (told.forms.length > 0 || told.waiting.length > 0) &&
        html`<aside class="cup-side" aria-label="What you can do">
          <${Waiting} id=${id} waiting=${told.waiting} again=${again} />
          <${ActForms} id=${id} told=${told} again=${again} />
          ${told.may_say && html`<${Say} id=${id} again=${again} />`}
        </aside>`
      }
    </div>
  </div>`;
}

export function TournamentsPage({ me, name, more }) {
  if (name === "new") return html`<${ConditionsPage} rulebook=${more} />`;
  return name ? html`<${Tournament} key=${name} id=${name} me=${me} />` : html`<${TournamentList} />`;
}
