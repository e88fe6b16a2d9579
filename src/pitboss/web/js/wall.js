// The wall: large type for the whole room. Nobody logs in, nothing is pressed, and nothing private is shown.

import { html, render, useEffect, useState } from "./nodes.js";
import { byRank, called, chips, clockOf, limitsOf, roundWords, stageWords } from "./chipwords.js";

const EVERY_MS = 2000;
const LATE_MS = 10000;
const PAGE_MS = 8000;
const ON_A_PAGE = { few: 2, some: 6, many: 30 };
const id = decodeURIComponent(location.search.slice(1).split("&")[0]);
const capital = (text) => (text ? text[0].toUpperCase() + text.slice(1) : "");
const dollars = (cents) => `$${(cents / 100).toLocaleString("en-AU", { minimumFractionDigits: cents % 100 ? 2 : 0 })}`;

/** What hangs on the wall, asked again and again; when it was heard, so that an old one is not taken for a new one. */
function useWall() {
  const [state, setState] = useState({ wall: null, heard: 0, problem: "" });
  useEffect(() => {
    let timer = 0;
    const ask = async () => {
      try {
        const answer = await fetch(`/api/wall/${encodeURIComponent(id)}`, { headers: { Accept: "application/json" } });
        const said = await answer.json();
        setState((old) => (answer.ok ? { wall: said, heard: performance.now(), problem: "" } : { ...old, problem: said.text }));
      } catch {
        setState((old) => ({ ...old, problem: "The floor cannot be reached." }));
      }
      timer = setTimeout(ask, EVERY_MS);
    };
    ask();
    return () => clearTimeout(timer);
  }, []);
  return state;
}

function Clock({ wall, now }) {
  const begun = Math.min(...wall.tables.map((each) => each.began_ms || Infinity));
  const ends = wall.tables.find((each) => each.ends_ms)?.ends_ms;
  let [label, time] = ["", ""];
  if (wall.break_until_ms > now) [label, time] = ["Break", clockOf(wall.break_until_ms - now)];
  else if (ends) [label, time] = ["Time left", clockOf(ends - now)];
  else if (Number.isFinite(begun)) [label, time] = ["In play for", clockOf(now - begun)];
  else if (wall.start && wall.status !== "ended") [label, time] = ["Starts", wall.start];
  if (!label) return null;
  return html`<p class=${`wall-clock${time.length > 8 ? " long" : ""}`}><span>${label}</span> <b role="timer">${time}</b></p>`;
}

/** Rounds of the tables together: how far the stage is. */
function roundOf(tables) {
  const on = tables.filter((each) => each.status !== "returned" && each.status !== "drawn");
  if (!on.length) return "";
  const behind = on.reduce((one, other) => (other.round < one.round ? other : one));
  return roundWords(behind);
}

function nextLimits(tables) {
  return tables.find((each) => each.next_round && !each.is_over);
}

function Table({ each, few }) {
  const seats = byRank(each.seats).filter((seat) => seat.status !== "gone");
  return html`<section class=${`wall-table${each.is_over ? " over" : ""}${few ? " few" : ""}`}>
    <h3>${each.table} <span>${roundWords(each)}</span></h3>
    <ol>
      ${seats.map(
        (seat) =>
          html`<li key=${seat.name} class=${`${seat.status} ${seat.status === "in" ? seat.advances : ""}`}>
            <span class="name">${called(seat.name)}</span>
            <span class="chips">${seat.status === "out" ? "out" : seat.chips_cents ? chips(seat.chips_cents) : `box ${seat.box}`}</span>
          </li>`,
      )}
    </ol>
  </section>`;
}

function Compact({ tables }) {
  return html`<div class="wall-compact">
    ${tables.map((each) => {
      const [first] = byRank(each.seats);
      return html`<p key=${each.key} class=${each.is_over ? "over" : ""}>
        <b>${each.table}</b> <span>${roundWords(each)}</span> <span class="name">${first ? called(first.name) : ""}</span>
        <span class="chips">${first?.chips_cents ? chips(first.chips_cents) : ""}</span>
      </p>`;
    })}
  </div>`;
}

function Leaders({ wall }) {
  if (!wall.leaders.length) return null;
  return html`<section class="wall-leaders">
    <h2>Most chips</h2>
    <ol>
      ${wall.leaders.map(
        (each) =>
          html`<li key=${each.name}><span class="name">${called(each.name)}</span> <span class="at">${each.table}</span> <span class="chips">${chips(each.chips_cents)}</span></li>`,
      )}
    </ol>
  </section>`;
}

function Places({ wall }) {
  const [first, ...others] = wall.placed;
  return html`<section class="wall-places">
    <p class="wall-winner"><span>Winner</span><b>${called(first.name)}</b><span>${dollars(first.prize_cents)}</span></p>
    <ol start="2">
      ${others.slice(0, 9).map(
        (each) =>
          html`<li key=${each.name}><b>${each.place}</b><span class="name">${called(each.name)}</span><span class="chips">${each.prize_cents ? dollars(each.prize_cents) : ""}</span></li>`,
      )}
    </ol>
  </section>`;
}

function Wall() {
  const { wall, heard, problem } = useWall();
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    if (wall) document.title = wall.title;
  }, [wall?.title]);
  if (!wall) return html`<p class="wall-alone" role="status">${problem || "Loading the tournament…"}</p>`;
  const age = performance.now() - heard;
  const now = wall.now_ms + age;
  const tables = wall.tables.toSorted((one, other) => (one.status === "returned") - (other.status === "returned"));
  const next = nextLimits(tables);
  const limits = tables.find((each) => !each.is_over && each.status !== "drawn");
  const size = tables.length > 12 ? "many" : tables.length > ON_A_PAGE.few ? "some" : "few";
  const pages = Math.ceil(tables.length / ON_A_PAGE[size]);
  const page = pages ? Math.floor(now / PAGE_MS) % pages : 0;
  const onPage = tables.slice(page * ON_A_PAGE[size], (page + 1) * ON_A_PAGE[size]);
  const facts = [
    ["Now", wall.status === "playing" ? roundOf(tables) || stageWords(wall) : stageWords(wall)],
    limits && ["Wagers", limitsOf(limits.minimum_cents, limits.maximum_cents)],
    next && [`From round ${next.next_round}`, limitsOf(next.next_minimum_cents, next.next_maximum_cents)],
    wall.status === "playing" && ["Still in", `${wall.left} of ${wall.players}`],
    wall.status === "entries" && ["Entered", wall.players],
    wall.pool_cents > 0 && [wall.status === "ended" ? "Prizes" : "Prize pool", dollars(wall.pool_cents)],
  ].filter(Boolean);
  return html`<div class="wall" data-status=${wall.status} data-stage=${wall.stage}>
    <header>
      <div>
        <h1>${wall.title}</h1>
        <p class="wall-stage">${wall.stage ? capital(wall.stage) : stageWords(wall)}</p>
      </div>
      <${Clock} wall=${wall} now=${now} />
    </header>
    ${wall.said.slice(-1).map((each) => html`<p key=${each.at_ms} class="wall-said" role="status">${each.text}</p>`)}
    <dl class="wall-facts">
      ${facts.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}
    </dl>
    ${
      wall.placed.length > 0
        ? html`<${Places} wall=${wall} />`
        : html`<div class=${`wall-main count-${size}`}>
            ${size === "many" ? html`<${Compact} tables=${onPage} />` : html`<div class="wall-tables">${onPage.map((each) => html`<${Table} key=${each.key} each=${each} few=${size === "few"} />`)}</div>`}
            <div>
              <${Leaders} wall=${wall} />
              ${pages > 1 && html`<p class="wall-page">Page ${page + 1} of ${pages}</p>`}
            </div>
          </div>`
    }
    ${(problem || age > LATE_MS) && html`<p class="wall-late" role="alert">${problem || "The floor does not answer"} What you see here may be out of date.</p>`}
  </div>`;
}

const place = document.getElementById("wall");
place.textContent = "";
render(html`<${Wall} />`, place);
