// Promotions: the list, the terms as a form in which what is missing is named, and one promotion with all that is done in it.

import { html, useState } from "./nodes.js";
import { post } from "./api.js";
import { Check, Empty, Field, Outcome, Problem, toggled, useGet, useOnce, useTitle } from "./ui.js";
import { capital, commandId, dollars, plain } from "./words.js";

const STATUS = { offered: "Offered, not begun", running: "Running", postponed: "Postponed", ended: "Over" };
const KEEPS = ["gaming-supervisor", "supervisor", "gaming-manager", "inspector"];
const stamp = (value) => (value && value.length === 16 ? `${value}:00` : value);
const EMPTY_DRAW = { name: "final" };
const EMPTY_PRIZE = { kind: "goods", count: "1" };

/** One input, as its field wants it. */
function Input({ field, id, value, set }) {
  if (field.is === "yes") return html`<${Check} label=${field.label} checked=${value === true} onChange=${() => set(value !== true)} />`;
  const label = `${field.label}${field.clause ? ` (${field.clause})` : ""}`;
  if (field.is === "choices")
    return html`<fieldset class="field">
      <legend>${label}</legend>
      ${field.options.map(
        (each) =>
          html`<${Check} key=${each} label=${capital(plain(each))} checked=${(value || []).includes(each)} onChange=${() => set(toggled(value || [], each))} />`,
      )}
    </fieldset>`;
  if (field.is === "choice")
    return html`<${Field} label=${label} id=${id} hint=${field.note}
      ><select id=${id} value=${value ?? field.options[0]} onChange=${(event) => set(event.target.value)}>
        ${field.options.map((each) => html`<option key=${each} value=${each} selected=${each === (value ?? field.options[0])}>${capital(plain(each))}</option>`)}
      </select><//
    >`;
  const type = field.is === "moment" ? "datetime-local" : field.is === "count" ? "number" : "text";
  return html`<${Field} label=${label} id=${id} hint=${field.note}
    ><input
      id=${id}
      type=${type}
      inputmode=${field.is === "money" ? "decimal" : undefined}
      min=${type === "number" ? 0 : undefined}
      autocomplete="off"
      value=${value ?? ""}
      onInput=${(event) => set(event.target.value)}
  /><//>`;
}

/** What a field goes to the floor as; undefined where nothing is said. */
function valueOf(field, raw) {
  if (field.is === "yes") return raw === true;
  if (field.is === "choices") return raw || [];
  if (field.is === "choice") return raw ?? field.options[0];
  const text = String(raw ?? "").trim();
  if (field.is === "texts") return text ? text.split(",").map((each) => each.trim()).filter(Boolean) : undefined;
  if (!text) return undefined;
  if (field.is === "moment") return stamp(text);
  return field.is === "count" ? Number(text) : text;
}

/** A value of the terms as the form shows it. */
function shownIn(field, value) {
  if (value === null || value === undefined) return undefined;
  if (field.is === "moment") return String(value).slice(0, 16);
  if (field.is === "texts") return value.join(", ");
  return value;
}

const fieldsOf = (form, section, row) => [...section.fields, ...(section.key === "prizes" ? form.by_kind[row?.kind || "goods"] || [] : [])];

function setIn(into, key, value) {
  const [first, second] = key.split(".");
  if (value === undefined) return;
  if (second) into[first] = { ...into[first], [second]: value };
  else into[first] = value;
}

/** The whole form as terms. */
function termsOf(form, values) {
  const said = {};
  for (const section of form.sections) {
    const rows = section.repeated ? values[section.key] || [] : [values[section.key] || {}];
    const found = rows.map((row) => {
      const into = {};
      for (const field of fieldsOf(form, section, row)) setIn(into, field.key, valueOf(field, row[field.key]));
      return into;
    });
    if (section.repeated) said[section.key] = found;
    else if (section.key) said[section.key] = found[0];
    else Object.assign(said, found[0]);
  }
  return said;
}

/** Terms as the form has them, to be amended. */
function valuesOf(form, terms) {
  const values = {};
  for (const section of form.sections) {
    const tables = section.repeated ? terms[section.key] || [] : [section.key ? terms[section.key] || {} : terms];
    const rows = tables.map((table) => {
      const row = {};
      for (const field of fieldsOf(form, section, table)) {
        const [first, second] = field.key.split(".");
        row[field.key] = shownIn(field, second ? table[first]?.[second] : table[field.key]);
      }
      return row;
    });
    values[section.key] = section.repeated ? rows : rows[0];
  }
  return values;
}

/** The terms as a form; `onSend(terms)` offers or amends them. */
function TermsForm({ rulebook, start, label, onSend, children }) {
  const { data: form, error } = useGet(`/api/promotion-form/${encodeURIComponent(rulebook)}`, { keep: true });
  const [kept, setKept] = useState(null);
  const [found, setFound] = useState(null);
  const [said, setSaid] = useState({});
  const [busy, once] = useOnce();
  if (!form) return html`<${Problem} text=${error} />`;
  const values = kept ?? (start ? valuesOf(form, start) : { draws: [EMPTY_DRAW], prizes: [EMPTY_PRIZE] });
  const change = (section, at, key, value) => {
    const row = { ...(section.repeated ? values[section.key][at] : values[section.key]), [key]: value };
    const rows = section.repeated ? values[section.key].map((each, place) => (place === at ? row : each)) : row;
    setKept({ ...values, [section.key]: rows });
  };
  const attempt = (what) =>
    once(async () => {
      try {
        await what(termsOf(form, values));
      } catch (problem) {
        setSaid({ problem: capital(problem.message) });
      }
    });
  const check = () =>
    attempt(async (terms) => {
      setFound(await post("/api/promotion-check", { rulebook, terms }));
      setSaid({});
    });
  const rowsOf = (section) => (section.repeated ? values[section.key] || [] : [values[section.key] || {}]);
  return html`<form
    class="promotion-terms"
    onSubmit=${(event) => {
      event.preventDefault();
      attempt(onSend);
    }}
  >
    ${children}
    ${form.sections.map(
      (section) =>
        html`<section key=${section.key}>
          ${rowsOf(section).map(
            (row, at) =>
              html`<fieldset key=${at} class="form-grid">
                <legend>${section.label}${section.repeated ? ` ${at + 1}` : ""}</legend>
                ${fieldsOf(form, section, row).map(
                  (field) =>
                    html`<${Input}
                      key=${field.key}
                      field=${field}
                      id=${`terms-${section.key || "first"}-${at}-${field.key}`}
                      value=${row[field.key]}
                      set=${(value) => change(section, at, field.key, value)}
                    />`,
                )}
                ${
                  section.repeated &&
                  rowsOf(section).length > 1 &&
                  html`<button type="button" class="quiet" onClick=${() => setKept({ ...values, [section.key]: values[section.key].filter((_, place) => place !== at) })}>
                    Take this ${section.label.toLowerCase()} out
                  </button>`
                }
              </fieldset>`,
          )}
          ${
            section.repeated &&
            html`<button
              type="button"
              onClick=${() => setKept({ ...values, [section.key]: [...rowsOf(section), section.key === "prizes" ? EMPTY_PRIZE : { name: "" }] })}
            >
              Another ${section.label.toLowerCase()}
            </button>`
          }
        </section>`,
    )}
    <${Outcome} problem=${said.problem} done=${said.done} />
    ${found && html`<${Found} found=${found} />`}
    <p class="buttons">
      <button type="button" disabled=${busy} onClick=${check}>What is missing?</button>
      <button type="submit" class="primary" disabled=${busy}>${label}</button>
    </p>
  </form>`;
}

/** What the terms lack, and what the rules do not allow in them. */
function Found({ found }) {
  const { missing, refused, wrong } = found;
  if (wrong) return html`<${Problem} text=${capital(wrong)} />`;
  if (!missing.length && !refused.length) return html`<p class="done" role="status">Nothing is missing: the promotion may be offered.</p>`;
  return html`<div class="promotion-found" role="status">
    <p>${missing.length + refused.length} ${missing.length + refused.length === 1 ? "thing stands" : "things stand"} in the way:</p>
    <ul>
      ${missing.map((each) => html`<li key=${each.key}>${capital(each.what)} is missing (${each.clause})</li>`)}
      ${refused.map((each) => html`<li key=${each.text}>${capital(each.text)} (${each.clauses.join(", ")})</li>`)}
    </ul>
  </div>`;
}

function Offer({ rulebooks, nameOf, onOffered }) {
  const [name, setName] = useState("");
  const [rulebook, setRulebook] = useState(rulebooks[0]);
  const send = async (terms) => {
    await post("/api/promotions", { id: commandId(), promotion: name.trim(), rulebook, terms });
    onOffered(name.trim());
  };
  return html`<details>
    <summary>Offer a promotion</summary>
    <${TermsForm} key=${rulebook} rulebook=${rulebook} label="Offer it" onSend=${send}>
      <${Field} label="Short name, as in autumn-draw" id="promotion-name"
        ><input id="promotion-name" required pattern="[a-z0-9][a-z0-9\\-]*" maxlength="40" value=${name} onInput=${(event) => setName(event.target.value)} /><//
      >
      <${Field} label="By the rules of" id="promotion-rulebook"
        ><select id="promotion-rulebook" value=${rulebook} onChange=${(event) => setRulebook(event.target.value)}>
          ${rulebooks.map((each) => html`<option key=${each} value=${each}>${nameOf(each)}</option>`)}
        </select><//
      >
    <//>
  </details>`;
}

/** The form of one act. */
function ActForm({ form, ask, busy }) {
  const [values, setValues] = useState({});
  const submit = async (event) => {
    event.preventDefault();
    const act = { act: form.act };
    for (const field of form.fields) {
      const value = valueOf(field, values[field.key]);
      if (value !== undefined) act[field.key] = field.key === "number" ? Number(value) : value;
    }
    if (await ask(act, form.label)) setValues({});
  };
  return html`<details class="promotion-act">
    <summary>${form.label}</summary>
    <form class="form-grid" onSubmit=${submit}>
      ${form.fields.map(
        (field) =>
          html`<${Input} key=${field.key} field=${field} id=${`${form.act}-${field.key}`} value=${values[field.key]} set=${(value) => setValues({ ...values, [field.key]: value })} />`,
      )}
      <button type="submit" disabled=${busy}>${form.label}</button>
    </form>
  </details>`;
}

function Rows({ heading, columns, rows }) {
  if (!rows.length) return null;
  return html`<section>
    <h2>${heading}</h2>
    <div class="scroll" tabindex="0" role="region" aria-label=${heading}>
      <table class="plain">
        <thead>
          <tr>${columns.map((name) => html`<th key=${name} scope="col">${name}</th>`)}</tr>
        </thead>
        <tbody>
          ${rows.map((row, at) => html`<tr key=${at}>${row.map((each, place) => html`<td key=${place}>${each}</td>`)}</tr>`)}
        </tbody>
      </table>
    </div>
  </section>`;
}

/** The proof of the draws: the digest, the secret, and that they make the same draw again. */
function Proofs({ name }) {
  const { data, error } = useGet(`/api/promotions/${encodeURIComponent(name)}/draws`, { every: 15_000 });
  if (!data) return html`<${Problem} text=${error} />`;
  return data.map(
    (proof) =>
      html`<section key=${proof.draw} class="promotion-proof">
        <h2>Proof of draw ${proof.draw}</h2>
        <p>
          ${proof.holds ? html`<strong>It checks out:</strong> drawing again from ${proof.entries.length} entries gives the same winners.` : html`<strong class="outside">It does not check out.</strong>`}
        </p>
        <dl>
          <dt>Digest published beforehand</dt>
          <dd><code>${proof.digest}</code></dd>
          <dt>Secret revealed</dt>
          <dd><code>${proof.secret}</code></dd>
          ${proof.word && html`<dt>Word called out at the draw</dt><dd>${proof.word}</dd>`}
          <dt>Drawn</dt>
          <dd>${proof.drawn.join(", ") || "nobody"}</dd>
        </dl>
        <details>
          <summary>${proof.entries.length} entries, in the order in which they came</summary>
          <p>${proof.entries.slice(0, 2000).join(", ")}</p>
        </details>
      </section>`,
  );
}

/** Claims that were denied: whoever opens it is written down. */
function Claims({ name }) {
  const [open, setOpen] = useState(false);
  const { data, error } = useGet(open ? `/api/promotions/${encodeURIComponent(name)}/claims` : null);
  return html`<details onToggle=${(event) => setOpen(event.target.open)}>
    <summary>Refused claims (viewing them is recorded)</summary>
    <${Problem} text=${error} />
    ${data && !data.length && html`<${Empty}>No claim was denied.<//>`}
    ${
      data &&
      html`<${Rows}
        heading="Denied claims"
        columns=${["When", "Who", "Prize", "Value", "Why", "Full name", "Address", "Told why"]}
        rows=${data.map((each) => [each.at, each.name, each.prize, dollars(each.value_cents), each.why, each.full_name, each.address, each.told ? "Yes" : "No"])}
      />`
    }
  </details>`;
}

function Promotion({ name, me }) {
  const path = `/api/promotions/${encodeURIComponent(name)}`;
  const { data, error, again } = useGet(path, { every: 15_000, stays: true });
  const [said, setSaid] = useState({});
  const [busy, once] = useOnce();
  useTitle(data?.title || "Promotions");
  if (!data) return html`<div class="page wide"><${Problem} text=${error} /></div>`;
  const send = async (body, label) => {
    try {
      await post(path, { id: commandId(), ...body });
      setSaid({ done: `Written: ${label}.` });
      again();
      return true;
    } catch (problem) {
      setSaid({ problem: capital(problem.message) });
      return false;
    }
  };
  const ask = (act, label) => once(() => send({ act }, label));
  const keeps = KEEPS.includes(me.role);
  const open = data.duties.filter((each) => ["open", "overdue"].includes(each.state));
  const done = data.duties.filter((each) => !open.includes(each));
  const duty = (each) => [
    each.state === "overdue" ? html`<strong class="outside">Overdue</strong>` : capital(each.state),
    each.due || "as soon as practicable",
    capital(each.what),
    `${capital(each.who)}${each.to ? `, to ${each.to}` : ""}`,
    each.cited,
  ];
  const columns = ["State", "Until", "What", "Who", "Clause"];
  return html`<div class="page wide">
    <p><a href="#/promotions">All promotions</a></p>
    <h1>${data.title}</h1>
    <p class="lead">${STATUS[data.status] || capital(data.status)}${data.compromised.length > 0 && html`, <strong class="outside">compromised: ${data.compromised.join(", ")}</strong>`}</p>
    <${Outcome} problem=${said.problem || error} done=${said.done} />
    <p class="row">
      <a class="button" href=${`${path}/paper`} target="_blank" rel="noopener">Terms to print</a>
      ${keeps && html`<a class="button" href=${`${path}/report`} target="_blank" rel="noopener">Report to print</a> <a class="button" href=${`${path}/rows`} download>CSV</a>`}
    </p>
    <${Rows} heading="Due" columns=${columns} rows=${open.map(duty)} />
    ${
      data.forms.length > 0 &&
      html`<section aria-label="What can be done">
        ${data.forms.map((form) => html`<${ActForm} key=${form.act} form=${form} ask=${ask} busy=${busy} />`)}
        ${
          me.role === "gaming-manager" &&
          html`<details class="promotion-act">
            <summary>Amend the terms</summary>
            <${Amend} data=${data} send=${send} />
          </details>`
        }
      </section>`
    }
    <${Rows}
      heading="Draws"
      columns=${["Draw", "State", "Held", "Entries close", "Entries", "Digest", "Results"]}
      rows=${data.draws.map((each) => [each.name, capital(each.status), each.due, each.closes, each.entries || "", html`<code>${each.digest.slice(0, 16)}</code>`, each.published ? "Published" : ""])}
    />
    <${Rows}
      heading=${keeps ? "Winners" : "What you have won"}
      columns=${["Prize", "Who", "Draw", "Value", "State", "Told"]}
      rows=${data.wins.map((each) => [each.prize, each.name, each.draw, dollars(each.value_cents), capital(each.status), each.told ? "Yes" : "No"])}
    />
    <${Rows}
      heading=${keeps ? `Entries (${data.entries.toLocaleString("en-AU")})` : "Your entries"}
      columns=${["Who", "Entries", "Vouchers not exchanged", "Tokens"]}
      rows=${data.entrants.map((each) => [
        each.name,
        each.struck ? "struck out" : each.entries,
        each.voucher_cents ? dollars(each.voucher_cents) : "",
        each.token_cents ? dollars(each.token_cents) : "",
      ])}
    />
    <${Rows}
      heading="Disputes"
      columns=${["Number", "Who", "About", "Decision", "Accepted"]}
      rows=${data.disputes.map((each) => [each.number, each.name, each.what, each.ruling || "open", each.satisfied ? "" : each.advised ? "No; told of the inspector" : "No"])}
    />
    ${keeps && html`<${Proofs} name=${name} /><${Claims} name=${name} />`}
    <${Rows} heading="Done" columns=${columns} rows=${done.map(duty)} />
    <section>
      <h2>Terms</h2>
      <pre class="promotion-paper" tabindex="0">${data.terms}</pre>
    </section>
    ${
      data.happened.length > 0 &&
      html`<details>
        <summary>Everything that happened</summary>
        <ul>${data.happened.map((each, at) => html`<li key=${at}>${each}</li>`)}</ul>
      </details>`
    }
  </div>`;
}

function Amend({ data, send }) {
  const [approved, setApproved] = useState("");
  const amend = (terms) => send({ act: { act: "amend-terms", ...(approved.trim() ? { approved } : {}) }, terms }, "the terms are amended");
  return html`<${TermsForm} rulebook=${data.rulebook} start=${data.terms_data} label="Amend them" onSend=${amend}>
    <${Field} label="Approved by, and when (required once it has begun)" id="amend-approved"
      ><input id="amend-approved" value=${approved} onInput=${(event) => setApproved(event.target.value)} /><//
    >
  <//>`;
}

export function PromotionsPage({ me, name }) {
  if (name) return html`<${Promotion} key=${name} name=${name} me=${me} />`;
  return html`<${Listed} me=${me} />`;
}

function Listed({ me }) {
  useTitle("Promotions");
  const { data, error } = useGet("/api/promotions", { every: 15_000 });
  const { data: books } = useGet("/api/rulebooks", { keep: true });
  const nameOf = (id) => books?.find((book) => book.id === id)?.name || capital(plain(id));
  const keeps = KEEPS.includes(me.role);
  return html`<div class="page wide">
    <h1>Promotions</h1>
    <${Problem} text=${error} />
    ${data && !data.promotions.length && html`<${Empty}>No promotion is offered.<//>`}
    ${
      data?.promotions.length > 0 &&
      html`<div class="scroll" tabindex="0" role="region" aria-label="Promotions">
        <table class="plain">
          <thead>
            <tr>${["Promotion", "Rules", "State", "Begins", "Ends", ...(keeps ? ["Due"] : [])].map((each) => html`<th key=${each} scope="col">${each}</th>`)}</tr>
          </thead>
          <tbody>
            ${data.promotions.map(
              (each) =>
                html`<tr key=${each.name}>
                  <td><a href=${`#/promotions/${encodeURIComponent(each.name)}`}>${each.title}</a></td>
                  <td>${nameOf(each.rulebook)}</td>
                  <td>${STATUS[each.status] || capital(each.status)}</td>
                  <td>${each.begins}</td>
                  <td>${each.ends}</td>
                  ${keeps && html`<td>${each.due || ""}${each.overdue > 0 && html` <strong class="outside">${each.overdue} overdue</strong>`}</td>`}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`
    }
    ${data?.may_offer && data.rulebooks.length > 0 && html`<${Offer} rulebooks=${data.rulebooks} nameOf=${nameOf} onOffered=${(each) => (location.hash = `#/promotions/${each}`)} />`}
  </div>`;
}
