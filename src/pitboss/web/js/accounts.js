// The administrator's pages: accounts, who may do what, and the audit.

import { html, useState } from "./vendor/preact-htm.js";
import { post } from "./api.js";
import { Check, Dialog, Done, Empty, Field, Problem, toggled, useGet, useTitle } from "./ui.js";
import { ROLE_NAMES, capital, citation, plain, spaced } from "./words.js";

const roles = Object.entries(ROLE_NAMES);

export function AccountsPage({ me }) {
  useTitle("Accounts");
  const { data, error, again } = useGet("/api/accounts");
  const [problem, setProblem] = useState("");
  const [done, setDone] = useState("");
  const [making, setMaking] = useState(false);
  const [changing, setChanging] = useState("");
  const [posting, setPosting] = useState(null);
  const changes = me.role === "administrator";
  const posts = ["supervisor", "gaming-manager"].includes(me.role);
  const accounts = data || [];
  const ask = async (path, body, text) => {
    setDone("");
    setProblem("");
    try {
      await post(path, body);
      setDone(text);
      again();
      return true;
    } catch (failed) {
      setProblem(failed.message);
      return false;
    }
  };
  const path = (account, what) => `/api/accounts/${encodeURIComponent(account.name)}/${what}`;
  const change = (account, role) => ask(path(account, "role"), { role }, `${account.name} is now ${plain(role)}.`);
  const disable = (account) => {
    const disabled = !account.disabled;
    return ask(path(account, "disable"), { disabled }, `${account.name} is ${disabled ? "disabled" : "active again"}.`);
  };
  return html`<div class="page">
    <header class="page-head">
      <h1>${changes ? "Accounts" : "People"}</h1>
      ${changes && html`<button type="button" class="primary" onClick=${() => setMaking(true)}>New account</button>`}
    </header>
    <${Problem} text=${error || problem} />
    <${Done} text=${done} />
    ${!accounts.length && !error && html`<${Empty}>There is no account yet.<//>`}
    ${
      accounts.length > 0 &&
      html`<div class="scroll" tabindex="0" role="region" aria-label="Accounts">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Role</th>
              <th scope="col">Tables</th>
              <th scope="col">State</th>
              ${(changes || posts) && html`<th scope="col">Change</th>`}
            </tr>
          </thead>
          <tbody>
            ${accounts.map(
              (account) =>
                html`<tr key=${account.name}>
                  <th scope="row">${account.name}</th>
                  <td>
                    ${
                      account.guest || !changes
                        ? `${ROLE_NAMES[account.role] || plain(account.role)}${account.guest ? ", guest" : ""}`
                        : html`<select
                            aria-label=${`Role of ${account.name}`}
                            value=${account.role}
                            disabled=${account.name === me.name}
                            onChange=${(event) => change(account, event.target.value)}
                          >
                            ${roles.map(([id, label]) => html`<option key=${id} value=${id} selected=${id === account.role}>${label}</option>`)}
                          </select>`
                    }
                  </td>
                  <td>${account.tables.includes("*") ? "every table" : account.tables.join(", ") || "none"}</td>
                  <td>${account.disabled ? html`<span class="warn">disabled</span>` : "active"}</td>
                  ${posts && html`<td>${account.role !== "player" && html`<button type="button" onClick=${() => setPosting(account)} aria-label=${`Post ${account.name} to tables`}>Post</button>`}</td>`}
                  ${
                    changes &&
                    html`<td class="row">
                      ${!account.guest && html`<button type="button" onClick=${() => setChanging(account.name)} aria-label=${`New password for ${account.name}`}>Password</button>`}
                      <button
                        type="button"
                        disabled=${account.name === me.name}
                        onClick=${() => disable(account)}
                        aria-label=${`${account.disabled ? "Enable" : "Disable"} ${account.name}`}
                      >
                        ${account.disabled ? "Enable" : "Disable"}
                      </button>
                    </td>`
                  }
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`
    }
    ${making && html`<${NewAccount} onClose=${() => setMaking(false)} ask=${ask} />`}
    ${posting && html`<${Posting} account=${posting} onClose=${() => setPosting(null)} ask=${ask} />`}
    ${changing && html`<${NewPassword} name=${changing} onClose=${() => setChanging("")} ask=${ask} />`}
  </div>`;
}

function NewAccount({ onClose, ask }) {
  const [values, setValues] = useState({ name: "", role: "dealer", password: "" });
  const bind = (name) => ({
    id: `new-${name}`,
    value: values[name],
    onInput: (event) => setValues({ ...values, [name]: event.target.value }),
  });
  const submit = async (event) => {
    event.preventDefault();
    if (await ask("/api/accounts", { ...values, name: values.name.trim() }, `${values.name.trim()} may log in now.`))
      onClose();
  };
  return html`<${Dialog} title="New account" onClose=${onClose}>
    <form class="form-grid" onSubmit=${submit}>
      <${Field} label="Name" id="new-name"><input ...${bind("name")} autocomplete="off" required /><//>
      <${Field} label="Role" id="new-role"
        ><select ...${bind("role")}>
          ${roles.map(([id, label]) => html`<option key=${id} value=${id}>${label}</option>`)}
        </select><//
      >
      <${Field} label="Password" id="new-password" hint="Ten characters or more."
        ><input ...${bind("password")} type="password" autocomplete="new-password" minlength="10" required
      /><//>
      <button type="submit" class="primary">Create it</button>
    </form>
  <//>`;
}

/** To which tables somebody is posted; all of them where none is chosen. */
function Posting({ account, onClose, ask }) {
  const { data: tables } = useGet("/api/tables");
  const [chosen, setChosen] = useState(account.tables.filter((table) => table !== "*"));
  const submit = async (event) => {
    event.preventDefault();
    if (
      await ask(
        `/api/accounts/${encodeURIComponent(account.name)}/tables`,
        { tables: chosen.length ? chosen : ["*"] },
        `${account.name} is posted to ${chosen.join(", ") || "every table"}.`,
      )
    )
      onClose();
  };
  return html`<${Dialog} title=${`Post ${account.name} to tables`} onClose=${onClose}>
    <form onSubmit=${submit}>
      <p class="hint">None chosen: every table.</p>
      ${(tables || []).map(
        (row) =>
          html`<${Check}
            key=${row.table}
            label=${row.name}
            checked=${chosen.includes(row.table)}
            onChange=${() => setChosen(toggled(chosen, row.table))}
          />`,
      )}
      <button type="submit" class="primary">Post</button>
    </form>
  <//>`;
}

function NewPassword({ name, onClose, ask }) {
  const [password, setPassword] = useState("");
  const submit = async (event) => {
    event.preventDefault();
    if (await ask(`/api/accounts/${encodeURIComponent(name)}/password`, { password }, `${name} has a new password.`))
      onClose();
  };
  return html`<${Dialog} title=${`New password for ${name}`} onClose=${onClose}>
    <form onSubmit=${submit}>
      <${Field} label="Password" id="change-password" hint="Ten characters or more."
        ><input
          id="change-password"
          type="password"
          autocomplete="new-password"
          minlength="10"
          required
          value=${password}
          onInput=${(event) => setPassword(event.target.value)}
      /><//>
      <button type="submit" class="primary">Set it</button>
    </form>
  <//>`;
}

function about(row) {
  const parts = [
    row.table && `table ${row.table}`,
    row.text,
    citation(row.clauses),
    row.address && `from ${row.address}`,
  ];
  return parts.filter(Boolean).join("; ");
}

export function AuditPage() {
  useTitle("Audit");
  const { data, error } = useGet("/api/audit", { every: 4000 });
  const rows = [...(data || [])].reverse();
  return html`<div class="page">
    <h1>Audit</h1>
    <p class="lead">Log-ins, failed log-ins and everything that was denied.</p>
    <${Problem} text=${error} />
    ${!rows.length && !error && html`<${Empty}>Nothing is in the audit yet.<//>`}
    ${
      rows.length > 0 &&
      html`<div class="scroll" tabindex="0" role="region" aria-label="Audit">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Who</th>
              <th scope="col">What</th>
              <th scope="col">About</th>
            </tr>
          </thead>
          <tbody>
            ${rows.slice(0, 300).map(
              (row) =>
                html`<tr key=${row.version}>
                  <td>${row.at_ms ? new Date(row.at_ms).toLocaleString("en-AU") : ""}</td>
                  <td>${row.who || ""}${row.role ? html` <span class="hint">${plain(row.role)}</span>` : ""}</td>
                  <td>${capital(plain(row.kind))}${row.what ? `: ${spaced(row.what)}` : ""}</td>
                  <td>${about(row)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`
    }
  </div>`;
}

const MARKS = { yes: "yes", own: "own", approval: "two", no: "–" };

export function MatrixPage() {
  useTitle("Who may do what");
  const { data, error } = useGet("/api/matrix", { keep: true });
  const matrix = data?.acts || {};
  const names = Object.keys(matrix);
  const acts = [...new Set(names.flatMap((role) => Object.keys(matrix[role] || {})))];
  const cell = (role, act) => {
    const found = matrix[role]?.[act];
    return typeof found === "string" ? found : found?.is || "no";
  };
  return html`<div class="page">
    <h1>Who may do what</h1>
    <p class="lead">What is not listed is denied. “own”: for oneself; “two”: a second person approves.</p>
    <${Problem} text=${error} />
    ${
      names.length > 0 &&
      html`<div class="scroll" tabindex="0" role="region" aria-label="Roles and acts">
        <table class="plain matrix">
          <thead>
            <tr>
              <th scope="col">Act</th>
              ${names.map((role) => html`<th scope="col" key=${role}>${ROLE_NAMES[role] || plain(role)}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${acts.map(
              (act) =>
                html`<tr key=${act}>
                  <th scope="row">${spaced(act)}</th>
                  ${names.map((role) => html`<td key=${role} class=${`cell-${cell(role, act)}`}>${MARKS[cell(role, act)] || cell(role, act)}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`
    }
  </div>`;
}
