// The finished rounds of a table, each as a .round file.

import { html } from "./vendor/preact-htm.js";
import { Empty, Problem, useGet } from "./ui.js";
import { signed } from "./words.js";

export function Rounds({ table, role }) {
  const { data, error, again } = useGet(`/api/tables/${encodeURIComponent(table)}/rounds`);
  const rounds = data || [];
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
        const number = round.round;
        const nets = Object.entries(round.net_cents)
          .map(([name, cents]) => `${name} ${signed(cents)}`)
          .join(", ");
        return html`<li key=${number}>
          <span>Round ${number}${nets ? `: ${nets}` : ""}</span>
          <span class="row">
            <a
              href=${`/api/tables/${encodeURIComponent(table)}/rounds/${number}`}
              download=${`${table}-${number}.round`}
              >.round</a
            >
            <a href=${`#/replay/${encodeURIComponent(table)}/${number}`}>replay</a>
            ${["inspector", "supervisor", "gaming-manager"].includes(role) && round.last_version && html`<a href=${`#/table/${encodeURIComponent(table)}/at/${round.first_version}`}>look</a>`}
          </span>
        </li>`;
      })}
    </ul>
  </div>`;
}
