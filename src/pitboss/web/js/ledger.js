// The ledger: every account of the house, of a table or of a person; all accounts together come to nothing.

import { html, useState } from "./nodes.js";
import { query } from "./api.js";
import { Empty, Field, Problem, useGet, useTitle } from "./ui.js";
import { capital, dollars } from "./words.js";

const OF_A_PERSON = { player: "chips at tables", pocket: "chips to carry", tokens: "promotional tokens", cash: "cash", voucher: "vouchers" };

/** What an account is called on a page; `named` says what a table is called. */
function accountWords(account, named) {
  const [place, ...rest] = account.split("/");
  const [kind, whose, ...more] = place.split(":");
  const what = rest.join("/").replace(":", " ").replaceAll("-", " ");
  if (kind === "tournament" && more.length) return `${more.join(":")}: tournament chips, ${named(whose)}`;
  if (kind === "tournament") return `Tournament ${whose}: ${what}`;
  if (rest.length) return `${named(place)}: ${what}`;
  if (kind === "link") return `Linked jackpot ${named(whose)}`;
  if (whose) return `${[whose, ...more].join(":")}: ${OF_A_PERSON[kind] || kind}`;
  return capital(place);
}

function Accounts({ label, rows }) {
  return html`<div class="scroll tall" tabindex="0" role="region" aria-label=${label}>
    <table class="plain">
      <thead>
        <tr>
          <th scope="col">${label}</th>
          <th scope="col" class="number">Amount</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([name, amount]) =>
            html`<tr key=${name}>
              <td>${name}</td>
              <td class="number">${dollars(amount)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

export function LedgerPage() {
  useTitle("The ledger");
  const [table, setTable] = useState("");
  const [person, setPerson] = useState("");
  const { data: tables } = useGet("/api/log/tables");
  const { data, error } = useGet(`/api/ledger${query({ table, person: person.trim() })}`, { every: 10000 });
  const names = Object.fromEntries((tables || []).map((row) => [row.table, row.name]));
  const named = (id) => names[id] || id;
  const accounts = Object.entries(data?.accounts || {}).map(([account, amount]) => [accountWords(account, named), amount]);
  const people = Object.entries(data?.people || {}).flatMap(([name, places]) =>
    Object.entries(places).map(([place, amount]) => [`${name} at ${named(place)}`, amount]),
  );
  return html`<div class="page wide">
    <h1>The ledger</h1>
    <p class="lead">
      Double entry: every amount that leaves one account enters another.
      ${data && ` All accounts together: ${dollars(data.total_cents)}.`}
    </p>
    <${Problem} text=${error} />
    ${(data?.differences || []).map((text) => html`<${Problem} key=${text} text=${`${capital(text)}.`} />`)}
    <div class="people-tools" role="search">
      <${Field} label="Table" id="ledger-table"
        ><select id="ledger-table" value=${table} onChange=${(event) => setTable(event.target.value)}>
          <option value="">every table</option>
          ${(tables || []).map((row) => html`<option key=${row.table} value=${row.table}>${row.name || row.table}</option>`)}
        </select><//
      >
      <${Field} label="Person" id="ledger-person"
        ><input id="ledger-person" type="search" placeholder="alice" value=${person} onInput=${(event) => setPerson(event.target.value)}
      /><//>
    </div>
    ${data && !accounts.length && html`<${Empty}>No entries here<//>`}
    ${accounts.length > 0 && html`<${Accounts} label="Account" rows=${accounts} />`}
    ${people.length > 0 && html`<${Accounts} label="Won or lost" rows=${people} />`}
  </div>`;
}
