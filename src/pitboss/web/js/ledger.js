// The ledger: every account of the house, of a table or of a person; all accounts together come to nothing.

import { html, useState } from "./nodes.js";
import { query } from "./api.js";
import { Empty, Field, Problem, useGet, useTitle } from "./ui.js";
import { capital, dollars } from "./words.js";

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
  const accounts = Object.entries(data?.accounts || {});
  const people = Object.entries(data?.people || {}).flatMap(([name, places]) =>
    Object.entries(places).map(([place, amount]) => [`${name} at ${place}`, amount]),
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
