// The finished rounds of a table, each as a .round file.

import { html, useState } from "./nodes.js";
import { query } from "./api.js";
import { lineOf } from "./history.js";
import { when } from "./log.js";
import { Empty, Problem, useGet } from "./ui.js";
import { signed } from "./words.js";

const SEES_PAST = ["gaming-supervisor", "supervisor", "gaming-manager", "inspector"];

/** A round to take away, to replay, or to look at where it happened. */
function Links({ table, round, past }) {
  const name = encodeURIComponent(table);
  return html`<span class="row">
    <a
      href=${`/api/tables/${name}/rounds/${round.round}`}
      download=${`${table}-${round.round}.round`}
      aria-label=${`Round ${round.round} as a .round file`}
      >.round</a
    >
    <a href=${`#/replay/${name}/${round.round}`} aria-label=${`Replay round ${round.round}`}>replay</a>
    ${past && round.last_version && html`<a href=${`#/table/${name}/at/${round.first_version}`} aria-label=${`Look at round ${round.round}`}>view</a>`}
  </span>`;
}

/** What a round came to: the dealer's hand, and what was paid, collected and left. */
const CAME_TO = /Paid|Collected|StoodOff|Settled|DealerFinished|JackpotWon|Voided|Forfeited/;

/** How a round ended, read when somebody wants to know. */
function Ending({ table, round }) {
  const { first_version: first, last_version: last } = round;
  const [open, setOpen] = useState(false);
  const path = `/api/tables/${encodeURIComponent(table)}/events${query({ after: first - 1, limit: last - first + 1 })}`;
  const { data, error } = useGet(open ? path : null);
  const lines = (data || []).filter((each) => each.version <= last && CAME_TO.test(each.event?.event || ""));
  return html`<details class="ending" onToggle=${(event) => setOpen(event.currentTarget.open)}>
    <summary aria-label=${`How round ${round.round} ended`}>how it ended</summary>
    <${Problem} text=${error} />
    <ul class="plain-list">
      ${lines.map((each) => html`<li key=${`${each.version}.${each.n}`}>${lineOf(each)}</li>`)}
      ${data && !lines.length && html`<li>Nothing was paid or collected.</li>`}
    </ul>
  </details>`;
}

const TELLS_ENDING = ["dealer", ...SEES_PAST, "tournament-manager"];

export function Rounds({ table, role }) {
  const { data, error, again } = useGet(`/api/tables/${encodeURIComponent(table)}/rounds`);
  const rounds = data || [];
  const past = SEES_PAST.includes(role);
  const shown = [...rounds].reverse().slice(0, 60);
  return html`<div class="rounds">
    <p class="row">
      <span>${rounds.length ? `Rounds ${rounds[0].round} to ${rounds.at(-1).round}` : "Rounds"}</span>
      <button type="button" class="quiet" onClick=${again}>Refresh</button>
    </p>
    <${Problem} text=${error} />
    ${!rounds.length && !error && html`<${Empty}>No round has been finished here yet.<//>`}
    <ul class="plain-list">
      ${shown.map((round) => {
        const nets = Object.entries(round.net_cents).map(([name, cents]) => `${name} ${signed(cents)}`);
        const own = role === "player" && nets.length > 0; // players get the rounds that they played
        return html`<li key=${round.round}>
          <span>Round ${round.round}${nets.length ? `: ${nets.join(", ")}` : ""}${round.at_ms ? html` <span class="hint inline">${when(round.at_ms)}</span>` : ""}</span>
          ${(past || own) && html`<${Links} table=${table} round=${round} past=${past} />`}
          ${TELLS_ENDING.includes(role) && round.last_version && html`<${Ending} table=${table} round=${round} />`}
        </li>`;
      })}
    </ul>
  </div>`;
}
