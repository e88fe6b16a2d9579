// The administrator's pages: accounts, who may do what, and the audit.

import { html, useState } from "./nodes.js";
import { post, query } from "./api.js";
import { actName, when } from "./log.js";
import { OwnPassword } from "./password.js";
import { Check, Dialog, Empty, Field, Outcome, Problem, toggled, useGet, useOnce, useTitle } from "./ui.js";
import { ROLE_NAMES, capital, citation, inWords, plain, spaced } from "./words.js";

const aRole = (role) => `${/^[aeio]/.test(role) ? "an" : "a"} ${plain(role)}`;

const roles = Object.entries(ROLE_NAMES);

/** Whom each role posts to tables; the floor has the last word. */
const POSTS = {
  "gaming-supervisor": ["player", "dealer"],
  supervisor: ["player", "dealer", "gaming-supervisor"],
  "gaming-manager": ["player", "dealer", "gaming-supervisor", "supervisor", "tournament-manager"],
  administrator: ["gaming-manager", "inspector"],
};
/** Who may approve what another wants changed of an account. */
const SECONDS = ["administrator", "gaming-manager", "inspector"];
const MANY = 10;

export function AccountsPage({ me }) {
  useTitle("Accounts");
  const { data, error, again } = useGet("/api/accounts");
  const { data: tables, loading } = useGet("/api/tables");
  const [problem, setProblem] = useState("");
  const [done, setDone] = useState("");
  const [asking, setAsking] = useState(null); // [which dialog, account]
  const [wanted, setWanted] = useState({ text: "", role: "" });
  const changes = me.role === "administrator";
  const posts = POSTS[me.role] || [];
  const accounts = data || [];
  const [busy, once] = useOnce();
  const ask = (path, body, text) =>
    once(async () => {
      setDone("");
      setProblem("");
      try {
        const answer = await post(path, body);
        setDone(answer.is === "proposed" ? capital(answer.text) : text);
        again();
        return true;
      } catch (failed) {
        setProblem(failed.message);
        return false;
      }
    });
  const nameOf = (id) => (loading ? "…" : (tables || []).find((row) => row.table === id)?.name || id);
  const shown = accounts.filter(
    (account) => account.name.toLowerCase().includes(wanted.text.toLowerCase()) && (!wanted.role || account.role === wanted.role),
  );
  const close = () => {
    setProblem("");
    setAsking((now) => (now === asking ? null : now)); // not another one that is open by now
  };
  const open = (asked) => {
    setProblem("");
    setAsking(asked);
  };
  const [dialog, account] = asking || [];
  return html`<div class="page">
    <header class="page-head">
      <h1>Accounts</h1>
      ${changes && html`<button type="button" class="primary" onClick=${() => open(["new"])}>New account</button>`}
    </header>
    <${Outcome} problem=${error || (dialog ? "" : problem)} done=${done} />
    ${SECONDS.includes(me.role) && html`<${Proposals} me=${me} anew=${done} onAnswered=${again} />`}
    ${!accounts.length && !error && html`<${Empty}>There is no account yet.<//>`}
    ${
      accounts.length > MANY &&
      html`<div class="people-tools" role="search">
        <${Field} label="Find" id="people-text"><input id="people-text" type="search" value=${wanted.text} onInput=${(event) => setWanted({ ...wanted, text: event.target.value })} /><//>
        <${Field} label="Role" id="people-role"
          ><select id="people-role" value=${wanted.role} onChange=${(event) => setWanted({ ...wanted, role: event.target.value })}>
            <option value="">every role</option>
            ${roles.map(([id, label]) => html`<option key=${id} value=${id}>${label}</option>`)}
          </select><//
        >
      </div>`
    }
    ${
      accounts.length > 0 &&
      html`<div class="scroll tall" tabindex="0" role="region" aria-label="Accounts">
        <table class="plain people-list">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Role</th>
              <th scope="col">Assigned to</th>
              <th scope="col">State</th>
              ${(changes || posts.length > 0) && html`<th scope="col">Change</th>`}
            </tr>
          </thead>
          <tbody>
            ${shown.map(
              (each) =>
                html`<tr key=${each.name}>
                  <th scope="row">${each.name}</th>
                  <td>${ROLE_NAMES[each.role] || plain(each.role)}${each.guest ? ", guest" : ""}</td>
                  <td>${each.tables.includes("*") ? "every table" : each.tables.map(nameOf).join(", ") || "no table"}</td>
                  <td>${each.disabled ? html`<span class="warn">disabled</span>` : each.first_use ? "to change the password" : "active"}</td>
                  ${
                    posts.length > 0 &&
                    html`<td><div class="row">
                      ${
                        posts.includes(each.role) &&
                        each.name !== me.name &&
                        html`<button type="button" onClick=${() => open(["tables", each])} aria-label=${`Assign ${each.name} to tables`}>Tables</button>`
                      }
                      ${changes && !each.guest && each.name !== me.name && html`<button type="button" onClick=${() => open(["role", each])} aria-label=${`Role of ${each.name}`}>Role</button>`}
                      ${changes && !each.guest && html`<button type="button" onClick=${() => open(["password", each])} aria-label=${`New password for ${each.name}`}>Password</button>`}
                      ${changes && each.factor && each.name !== me.name && html`<button type="button" onClick=${() => open(["factors", each])} aria-label=${`${each.name} lost their login`}>Lost key</button>`}
                      ${changes && each.name !== me.name && html`<button type="button" onClick=${() => open(["disable", each])} aria-label=${`${each.disabled ? "Enable" : "Disable"} ${each.name}`}>${each.disabled ? "Enable" : "Disable"}</button>`}
                    </div></td>`
                  }
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`
    }
    ${accounts.length > 0 && !shown.length && html`<${Empty}>No matching people<//>`}
    ${dialog === "new" && html`<${NewAccount} onClose=${close} ask=${ask} busy=${busy} problem=${problem} />`}
    ${dialog === "tables" && html`<${Posting} account=${account} tables=${tables || []} onClose=${close} ask=${ask} busy=${busy} problem=${problem} />`}
    ${dialog === "role" && html`<${NewRole} account=${account} onClose=${close} ask=${ask} busy=${busy} problem=${problem} />`}
    ${dialog === "password" && account.name === me.name && html`<${OwnPassword} name=${me.name} onClose=${close} />`}
    ${dialog === "password" && account.name !== me.name && html`<${NewPassword} name=${account.name} onClose=${close} ask=${ask} busy=${busy} problem=${problem} />`}
    ${dialog === "factors" && html`<${NewPassword} name=${account.name} factors onClose=${close} ask=${ask} busy=${busy} problem=${problem} />`}
    ${dialog === "disable" && html`<${Disabling} account=${account} onClose=${close} ask=${ask} busy=${busy} problem=${problem} />`}
  </div>`;
}

const pathOf = (name, what) => `/api/accounts/${encodeURIComponent(name)}/${what}`;

function NewRole({ account, onClose, ask, busy, problem }) {
  const [role, setRole] = useState(account.role);
  const submit = async (event) => {
    event.preventDefault();
    if (await ask(pathOf(account.name, "role"), { role }, `${account.name} is now ${plain(role)}.`)) onClose();
  };
  return html`<${Dialog} title=${`Role of ${account.name}`} onClose=${onClose}>
    <form onSubmit=${submit}>
      <p class="hint">Sessions of ${account.name} end at once.</p>
      <${Field} label="Role" id="change-role"
        ><select id="change-role" value=${role} onChange=${(event) => setRole(event.target.value)}>
          ${roles.map(([id, label]) => html`<option key=${id} value=${id} selected=${id === role}>${label}</option>`)}
        </select><//
      >
      <button type="submit" class="primary" disabled=${busy || role === account.role}>Change the role</button>
      <${Problem} text=${problem} />
    </form>
  <//>`;
}

function Disabling({ account, onClose, ask, busy, problem }) {
  const disabled = !account.disabled;
  const answer = async () => {
    const text = `${account.name} is ${disabled ? "disabled" : "active again"}.`;
    if (await ask(pathOf(account.name, "disable"), { disabled }, text)) onClose();
  };
  return html`<${Dialog} title=${`${disabled ? "Disable" : "Enable"} ${account.name}?`} onClose=${onClose}>
    <p>${disabled ? "A disabled account cannot log in, and its sessions end at once." : "The account may be logged in with again."}</p>
    <div class="buttons">
      <button type="button" class="primary" disabled=${busy} onClick=${answer}>${disabled ? "Disable it" : "Enable it"}</button>
      <button type="button" onClick=${onClose}>Cancel</button>
    </div>
    <${Problem} text=${problem} />
  <//>`;
}

function NewAccount({ onClose, ask, busy, problem }) {
  const [values, setValues] = useState({ name: "", role: "dealer", password: "" });
  const bind = (name) => ({
    id: `new-${name}`,
    value: values[name],
    onInput: (event) => setValues({ ...values, [name]: event.target.value }),
  });
  const submit = async (event) => {
    event.preventDefault();
    if (await ask("/api/accounts", { ...values, name: values.name.trim() }, `${values.name.trim()} can log in now and must change the password first.`))
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
      <button type="submit" class="primary" disabled=${busy}>Create account</button>
      <${Problem} text=${problem} />
    </form>
  <//>`;
}

/** To which tables somebody is posted: every one, also those opened later, or a choice. */
function Posting({ account, tables, onClose, ask, busy, problem }) {
  const [every, setEvery] = useState(account.tables.includes("*"));
  const [chosen, setChosen] = useState(account.tables.filter((table) => table !== "*"));
  const [text, setText] = useState("");
  const shown = tables.filter((row) => `${row.name} ${row.table}`.toLowerCase().includes(text.toLowerCase()));
  const submit = async (event) => {
    event.preventDefault();
    const names = chosen.map((id) => tables.find((row) => row.table === id)?.name || id);
    const where = every ? "every table" : names.join(", ") || "no table";
    if (await ask(pathOf(account.name, "tables"), { tables: every ? ["*"] : chosen }, `${account.name} is assigned to ${where}.`)) onClose();
  };
  return html`<${Dialog} title=${`Assign ${account.name} to tables`} onClose=${onClose}>
    <form onSubmit=${submit}>
      <label class="check"><input type="radio" name="every" checked=${every} onChange=${() => setEvery(true)} /> Every table, also those opened later</label>
      <label class="check"><input type="radio" name="every" checked=${!every} onChange=${() => setEvery(false)} /> These tables</label>
      ${
        !every &&
        html`<fieldset class="post-tables">
          <legend class="hidden">Tables</legend>
          ${tables.length > MANY && html`<input type="search" aria-label="Find a table" placeholder="find a table" value=${text} onInput=${(event) => setText(event.target.value)} />`}
          ${shown.map(
            (row) =>
              html`<${Check}
                key=${row.table}
                label=${row.name}
                checked=${chosen.includes(row.table)}
                onChange=${() => setChosen(toggled(chosen, row.table))}
              />`,
          )}
        </fieldset>`
      }
      <button type="submit" class="primary" disabled=${busy}>Assign</button>
      <${Problem} text=${problem} />
    </form>
  <//>`;
}

function NewPassword({ name, factors = false, onClose, ask, busy, problem }) {
  const [password, setPassword] = useState("");
  const submit = async (event) => {
    event.preventDefault();
    if (await ask(pathOf(name, factors ? "factors" : "password"), { password }, `${name} has a new password.`))
      onClose();
  };
  return html`<${Dialog} title=${factors ? `${name} lost their login` : `New password for ${name}`} onClose=${onClose}>
    <form onSubmit=${submit}>
      ${factors && html`<p>Their authenticator and passkeys are removed. They log in with this password and a code that the approver receives.</p>`}
      <${Field} label="Password" id="change-password" hint="Ten characters or more; ${name} must change it at the first log-in."
        ><input
          id="change-password"
          type="password"
          autocomplete="new-password"
          minlength="10"
          required
          value=${password}
          onInput=${(event) => setPassword(event.target.value)}
      /><//>
      <button type="submit" class="primary" disabled=${busy}>Save</button>
      <${Problem} text=${problem} />
    </form>
  <//>`;
}

/** What waits for a second person; a code for a new password is shown once, to whoever approved it. */
function Proposals({ me, anew, onAnswered }) {
  const { data, again } = useGet("/api/account-proposals", { every: 5000, anew });
  const [problem, setProblem] = useState("");
  const [told, setTold] = useState(null);
  const [busy, once] = useOnce();
  const waiting = (data || []).filter((each) => each.state === "waiting");
  const answer = (proposal, approve) =>
    once(async () => {
      setProblem("");
      try {
        const said = await post(`/api/account-proposals/${encodeURIComponent(proposal.id)}`, { approve });
        if (said.code) setTold({ name: proposal.name, code: said.code });
      } catch (failed) {
        setProblem(failed.message);
      }
      again();
      onAnswered();
    });
  return html`${
    (waiting.length > 0 || problem) &&
    html`<section aria-labelledby="account-proposals">
      <h2 id="account-proposals">Waiting for a second person</h2>
      <${Problem} text=${problem} />
      <ul class="answered">
        ${waiting.map(
          (each) =>
            html`<li key=${each.id}>
              <b>${each.name}</b>: ${each.what}, requested by ${each.first}
              <span class="row">
                ${each.yours && html`<button type="button" class="primary" disabled=${busy} aria-label=${`Approve: ${each.name}, ${each.what}`} onClick=${() => answer(each, true)}>Approve</button>`}
                ${(each.yours || each.first === me.name) && html`<button type="button" disabled=${busy} aria-label=${`${each.yours ? "Reject" : "Withdraw"}: ${each.name}, ${each.what}`} onClick=${() => answer(each, false)}>${each.yours ? "Reject" : "Withdraw"}</button>`}
              </span>
            </li>`,
        )}
      </ul>
    </section>`
  }
  ${
    told &&
    html`<${Dialog} title=${`A code for ${told.name}`} onClose=${() => setTold(null)}>
      <p>Give it to ${told.name} in person. They need it once, with the password they get from the person who requested this. It is not shown again.</p>
      <p class="secret"><code>${told.code.match(/.{1,4}/g).join(" ")}</code></p>
      <button type="button" class="primary" onClick=${() => setTold(null)}>Done</button>
    <//>`
  }`;
}

function about(row, nameOf = (id) => id) {
  const parts = [
    row.times > 1 && `${row.times} times from ${when(row.first_ms)} to ${when(row.last_ms)}`,
    row.times > 1 && Object.keys(row.subjects || {}).length > 1 && Object.entries(row.subjects).map(([what, times]) => `${what} ${times}`).join(", "),
    row.table && `at ${nameOf(row.table)}`,
    inWords((row.text || "").replace(/\.$/, "")),
    row.clauses?.length && `clause ${citation(row.clauses)}`,
    row.address && `from ${row.address}`,
  ];
  return parts.filter(Boolean).join("; ");
}

const KINDS = {
  denied: "Denied",
  login: "Logged in",
  "login-failed": "Failed to log in",
  logout: "Logged out",
  account: "Account changed",
  approved: "Approved",
};
const AUDITED = 500;

/** What somebody did or wanted, in words: an act as its form calls it, anything else as the audit has it. */
function deedOf(what) {
  const [, act, whose] = /^([A-Z]\w+) of (\S+) approved$/.exec(what) || [];
  if (act) return `${actName(act).toLowerCase()}, requested by ${whose}`;
  return /^[A-Z][A-Za-z]+$/.test(what) ? actName(what).toLowerCase() : plain(spaced(what));
}

function whatOf(row) {
  if (row.kind === "account") return capital(row.what);
  return `${KINDS[row.kind] || capital(plain(row.kind))}${row.what ? `: ${deedOf(row.what)}` : ""}`;
}

export function AuditPage() {
  useTitle("Audit");
  const { data, error } = useGet(`/api/audit${query({ limit: AUDITED, latest: true })}`, { every: 4000 });
  const [wanted, setWanted] = useState({ text: "", kind: "" });
  const { data: tables, loading } = useGet("/api/tables");
  const nameOf = (id) => (loading ? "…" : (tables || []).find((row) => row.table === id)?.name || id);
  const rows = [...(data || [])].reverse();
  const shown = rows.filter((row) => {
    const text = `${row.who} ${row.role} ${row.what} ${whatOf(row)} ${about(row)} ${about(row, nameOf)}`.toLowerCase();
    return (!wanted.kind || row.kind === wanted.kind) && text.includes(wanted.text.toLowerCase());
  });
  return html`<div class="page wide">
    <h1>Audit</h1>
    <p class="lead">Log-ins, failed log-ins, account changes and everything that was denied, newest first.</p>
    <${Problem} text=${error} />
    ${!rows.length && !error && html`<${Empty}>No audit entries yet<//>`}
    ${
      rows.length > 0 &&
      html`<div class="people-tools" role="search">
          <${Field} label="Find" id="audit-text"><input id="audit-text" type="search" placeholder="name, action, table" value=${wanted.text} onInput=${(event) => setWanted({ ...wanted, text: event.target.value })} /><//>
          <${Field} label="What" id="audit-kind"
            ><select id="audit-kind" value=${wanted.kind} onChange=${(event) => setWanted({ ...wanted, kind: event.target.value })}>
              <option value="">everything</option>
              ${Object.entries(KINDS).map(([id, label]) => html`<option key=${id} value=${id}>${label}</option>`)}
            </select><//
          >
        </div>
        <div class="scroll tall" tabindex="0" role="region" aria-label="Audit">
          <table class="plain">
            ${rows.length >= AUDITED && html`<caption>The newest ${AUDITED}; the rest are in the export of the log.</caption>`}
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">Who</th>
                <th scope="col">What</th>
                <th scope="col">About</th>
              </tr>
            </thead>
            <tbody>
              ${shown.map(
                (row) =>
                  html`<tr key=${row.version}>
                    <td class="when">${when(row.at_ms)}</td>
                    <td>${row.who || "nobody"}${row.role ? html` <span class="hint inline">${plain(row.role)}</span>` : ""}</td>
                    <td class=${row.kind === "denied" || row.kind === "login-failed" ? "warn" : ""}>${whatOf(row)}</td>
                    <td>${about(row, nameOf)}</td>
                  </tr>`,
              )}
            </tbody>
          </table>
        </div>`
    }
    ${rows.length > 0 && !shown.length && html`<${Empty}>No matching entries<//>`}
  </div>`;
}

const MARKS = { yes: "yes", own: "own", approval: "two", no: "–" };

export function MatrixPage() {
  useTitle("Permissions");
  const { data: books } = useGet("/api/rulebooks", { keep: true });
  const [wanted, setWanted] = useState({ text: "", rulebook: "" });
  const { data, error } = useGet(`/api/matrix${query({ rulebook: wanted.rulebook })}`, { keep: true });
  const matrix = data?.acts || {};
  const names = Object.keys(matrix).filter((role) => role !== "administrator");
  const acts = Object.keys(matrix.player || {}).filter((act) => `${act} ${actName(act)}`.toLowerCase().includes(wanted.text.toLowerCase()));
  const second = Object.fromEntries((data?.two_people || []).map((each) => [each.act, each]));
  return html`<div class="page wide">
    <h1>Permissions</h1>
    <p class="lead">
      Anything not listed is denied. “Any rulebook” shows the most that any of them allows. “own”: for oneself; “two”: a second person approves. An administrator has no actions at a
      table.
    </p>
    <${Problem} text=${error} />
    <div class="people-tools" role="search">
      <${Field} label="Find an action" id="matrix-text"><input id="matrix-text" type="search" value=${wanted.text} onInput=${(event) => setWanted({ ...wanted, text: event.target.value })} /><//>
      <${Field} label="Under" id="matrix-book"
        ><select id="matrix-book" value=${wanted.rulebook} onChange=${(event) => setWanted({ ...wanted, rulebook: event.target.value })}>
          <option value="">any rulebook</option>
          ${(books || []).map((book) => html`<option key=${book.id} value=${book.id}>${book.name}</option>`)}
        </select><//
      >
    </div>
    ${
      names.length > 0 &&
      html`<div class="scroll" tabindex="0" role="region" aria-label="Roles and actions">
        <table class="plain matrix">
          <thead>
            <tr>
              <th scope="col">Action</th>
              ${names.map((role) => html`<th scope="col" key=${role}>${ROLE_NAMES[role] || plain(role)}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${acts.map(
              (act) =>
                html`<tr key=${act}>
                  <th scope="row">${actName(act)}</th>
                  ${names.map((role) => {
                    const cell = matrix[role][act];
                    const title = cell === "approval" ? `${capital(second[act]?.when || "")}: ${plain(second[act]?.second || "")}` : undefined;
                    return html`<td key=${role} class=${`cell-${cell}`} title=${title}>${MARKS[cell] || cell}</td>`;
                  })}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`
    }
    ${
      data &&
      html`<h2>Two people</h2>
        <ul class="answered">
          ${data.two_people.map((each) => html`<li key=${each.act}><b>${actName(each.act)}</b>, ${each.when}: ${aRole(each.second)} approves; ${each.reason}</li>`)}
        </ul>
        <h2>Besides the tables</h2>
        <ul class="answered">
          ${Object.values(data.operations).map((each) => html`<li key=${each.words}><b>${capital(each.words)}</b>: ${each.roles.length === Object.keys(ROLE_NAMES).length ? "everybody" : each.roles.map((role) => ROLE_NAMES[role] || role).join(", ")}</li>`)}
        </ul>`
    }
  </div>`;
}
