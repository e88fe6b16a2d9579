// The patrons' book: a person's file for staff, one's own limits for a player, and the gaming day.

import { html, useState } from "./nodes.js";
import { post, query } from "./api.js";
import { Check, Empty, Field, Outcome, Problem, cents, useGet, useOnce, useTitle } from "./ui.js";
import { when } from "./log.js";
import { capital, commandId, dollars, plain } from "./words.js";

const TROUBLES = {
  "not-identified": "not identified",
  "no-card": "none issued",
  withdrawn: "withdrawn",
  lent: "found with another person",
  expired: "expired",
  "not-yet-issued": "not valid yet",
  "others-card": "not valid while they have the card of another",
};

/** By which rules; where nobody chose, the floor's usual ones. */
const by = (rulebook) => (rulebook ? { rulebook } : {});

/** What a field of a form goes to the floor as; a field that cannot be read is named in one sentence. */
function valueOf(field, raw) {
  const text = typeof raw === "string" ? raw.trim() : raw;
  if (field.is === "yes") return Boolean(raw);
  if (text === "" && field.optional) return field.is === "money" ? null : undefined;
  if (field.is === "money") {
    const value = cents(text);
    if (Number.isNaN(value)) throw new Error(`${field.label}: enter an amount in dollars, such as 25 or 2.50.`);
    return value;
  }
  if (text === "") throw new Error(`${field.label}: fill this in.`);
  return text;
}

const startOf = (field, tables) =>
  field.start ?? (field.is === "yes" ? false : (field.options?.[0] ?? (field.is === "table" ? (tables[0]?.table ?? "") : "")));

function Input({ field, id, value, set, tables }) {
  if (field.is === "yes") return html`<${Check} label=${field.label} checked=${value} onChange=${() => set(!value)} />`;
  const options =
    field.is === "where"
      ? [["*", "every table"], ...tables.map((row) => [row.table, row.name || row.table])]
      : field.is === "table"
        ? tables.map((row) => [row.table, row.name || row.table])
        : (field.options || []).map((each) => [each, capital(plain(each))]);
  return html`<${Field} label=${field.label} id=${id}>
    ${
      options.length
        ? html`<select id=${id} value=${value} onChange=${(event) => set(event.target.value)}>
            ${options.map(([each, label]) => html`<option key=${each} value=${each} selected=${each === value}>${label}</option>`)}
          </select>`
        : html`<input
            id=${id}
            type=${field.is === "date" ? "date" : "text"}
            inputmode=${field.is === "money" ? "decimal" : undefined}
            autocomplete="off"
            value=${value}
            onInput=${(event) => set(event.target.value)}
          />`
    }
  <//>`;
}

/** The form for one act on a file. */
function ActForm({ form, tables, ask, busy }) {
  const [values, setValues] = useState(() => Object.fromEntries(form.fields.map((field) => [field.name, startOf(field, tables)])));
  const [problem, setProblem] = useState("");
  const submit = async (event) => {
    event.preventDefault();
    setProblem("");
    try {
      const said = form.fields.map((field) => [field.name, valueOf(field, values[field.name])]);
      const act = { act: form.act, ...Object.fromEntries(said.filter(([, value]) => value !== undefined)) };
      if (await ask(act, form.label)) setValues(Object.fromEntries(form.fields.map((field) => [field.name, startOf(field, tables)])));
    } catch (failed) {
      setProblem(failed.message);
    }
  };
  return html`<details class="fold patron-form">
    <summary>${form.label}</summary>
    <form onSubmit=${submit}>
      ${form.says && html`<p class="hint">${form.says}</p>`}
      ${form.fields.map(
        (field) =>
          html`<${Input}
            key=${field.name}
            field=${field}
            id=${`patron-${form.act}-${field.name}`}
            value=${values[field.name]}
            set=${(value) => setValues({ ...values, [field.name]: value })}
            tables=${tables}
          />`,
      )}
      <${Problem} text=${problem} />
      <button type="submit" class="primary" disabled=${busy}>${form.label}</button>
    </form>
  </details>`;
}

/** What is kept of a person, row by row. */
function File({ file, tables }) {
  const nameOf = (id) => (id === "*" ? "every table" : tables.find((row) => row.table === id)?.name || id);
  const until = (each) => (each.until ? `, until ${each.until}` : "");
  const why = (each) => (each.why ? `: ${each.why}` : "");
  const over = (each) => (each.holds ? "" : " (over)");
  const limit = file.loss_limit;
  const later = file.loss_later;
  const rows = [
    ["Identified", file.identified || "no"],
    ["Player card", file.card ? `${file.card.number}${file.card_trouble ? `, ${TROUBLES[file.card_trouble]}` : ", valid"}` : TROUBLES[file.card_trouble]],
    ["Loss limit", limit ? `${dollars(limit.cents)} a ${limit.period}; ${dollars(file.loss_left_cents)} left since ${file.period_start}` : "none"],
    limit && file.practice.loss_left_cents !== file.loss_left_cents && ["At practice tables", `${dollars(file.practice.loss_left_cents)} left`],
    later && ["From the next period", later.cents === null ? "no loss limit" : `${dollars(later.cents)} a ${later.period}`],
    ["Deposit limit", file.deposit_limit_cents === null ? "none" : `${dollars(file.deposit_limit_cents)} a day; ${dollars(file.deposit_left_cents)} left today`],
    ...Object.entries(file.open).map(([table, value]) => ["At stake", `${dollars(value)} at ${nameOf(table)}`]),
    ...file.restrictions.map((each) => ["Restricted", `${plain(each.rule)} at ${nameOf(each.where)}${why(each)}${until(each)}${over(each)}`]),
    ...file.exclusions.map((each) => ["Excluded", `from the ${each.scope}${why(each)}${until(each)}${over(each)}`]),
    ...Object.entries(file.maxima)
      .filter(([, [most]]) => most)
      .map(([table, [most]]) => ["Own maximum", `${dollars(most)} at ${nameOf(table)}`]),
    ...Object.entries(file.old_minima).map(([table, value]) => ["Old minimum kept", `${dollars(value)} at ${nameOf(table)}`]),
    ...Object.entries(file.declared).flatMap(([table, said]) =>
      Object.entries(said).map(([what, value]) => [`Chips ${what}`, `${dollars(value)} at ${nameOf(table)}`]),
    ),
    file.recognised && ["Recognised player", file.recognised],
    file.helper && ["Physically assisted by", file.helper],
    file.paused && ["Pauses", "until the new period of the loss limit"],
  ].filter(Boolean);
  return html`<table class="plain patron-file">
    <tbody>
      ${rows.map(([what, said], at) => html`<tr key=${at}><th scope="row">${what}</th><td>${said}</td></tr>`)}
    </tbody>
  </table>`;
}

/** Whoever looks at another's file says why: it is written down, with their name. */
function Why({ name, onSaid }) {
  const [text, setText] = useState("");
  return html`<form
    class="row patron-why"
    onSubmit=${(event) => {
      event.preventDefault();
      onSaid(text);
    }}
  >
    <${Field} label=${`Why you look at the file of ${name}`} id="patron-why"
      ><input id="patron-why" required maxlength="200" value=${text} onInput=${(event) => setText(event.target.value)} /><//
    >
    <button type="submit" class="primary">Look</button>
  </form>`;
}

/** Who has looked at a file. */
function Looks({ name }) {
  const [open, setOpen] = useState(false);
  const { data, error } = useGet(open ? `/api/patrons/${encodeURIComponent(name)}/looks` : null);
  return html`<details onToggle=${(event) => setOpen(event.target.open)}>
    <summary>Who has looked at this file</summary>
    <${Problem} text=${error} />
    ${data && !data.length && html`<${Empty}>Nobody but its owner.<//>`}
    <ul>
      ${(data || []).map(
        (each, at) => html`<li key=${at}>${when(each.at_ms)}: ${each.who} (${plain(each.role)}) ${each.what}</li>`,
      )}
    </ul>
  </details>`;
}

/** Ask for what is kept of somebody to be erased; a second person answers. */
function Erase({ name }) {
  const [why, setWhy] = useState("");
  const [said, setSaid] = useState({});
  const [busy, once] = useOnce();
  const ask = () =>
    once(async () => {
      try {
        await post(`/api/patrons/${encodeURIComponent(name)}/erasure`, { why });
        setSaid({ done: "Requested: a gaming manager or an inspector must approve it." });
      } catch (failed) {
        setSaid({ problem: capital(failed.message) });
      }
    });
  return html`<details>
    <summary>Erase what is kept of them</summary>
    <form
      class="row"
      onSubmit=${(event) => {
        event.preventDefault();
        ask();
      }}
    >
      <${Field} label="Why" id="erase-why"><input id="erase-why" required maxlength="200" value=${why} onInput=${(event) => setWhy(event.target.value)} /><//>
      <button type="submit" disabled=${busy}>Ask for it</button>
    </form>
    <${Outcome} problem=${said.problem} done=${said.done} />
  </details>`;
}

/** What waits to be erased, what is due, and how long things are kept. */
function Retention({ me, onErased }) {
  const { data, again } = useGet("/api/erasures", { every: 30_000 });
  const [days, setDays] = useState(null);
  const [said, setSaid] = useState({});
  const [busy, once] = useOnce();
  if (!data) return null;
  const attempt = (what) =>
    once(async () => {
      try {
        setSaid({ done: await what() });
      } catch (failed) {
        setSaid({ problem: capital(failed.message) });
      }
      again();
      onErased();
    });
  const answer = (name, approve) =>
    attempt(async () => {
      await post(`/api/erasures/${encodeURIComponent(name)}`, { approve });
      return approve ? `What was kept of ${name} has been erased.` : "Turned down.";
    });
  const keep = (event) => {
    event.preventDefault();
    attempt(async () => {
      await post("/api/retention", { file_days: Number(days ?? data.retention.file_days), claim_days: data.retention.claim_days });
      return "Saved: that is how long files are kept.";
    });
  };
  const day = (at) => new Date(at).toLocaleDateString("en-AU");
  return html`<details class="retention" open=${data.waiting.length > 0}>
    <summary>Retention${data.waiting.length > 0 && ` (${data.waiting.length} waiting)`}</summary>
    <${Outcome} problem=${said.problem} done=${said.done} />
    <p>Files are kept for ${data.retention.file_days.toLocaleString("en-AU")} days after the last entry in them. ${data.due.length} ${data.due.length === 1 ? "was" : "were"} kept so long${data.due.length > 0 && `: ${data.due.map((each) => each.name).slice(0, 50).join(", ")}`}.</p>
    ${
      me.role === "gaming-manager" &&
      html`<form class="row" onSubmit=${keep}>
        <${Field} label="Days" id="retention-days"
          ><input id="retention-days" type="number" min="1" max="36525" required value=${days ?? data.retention.file_days} onInput=${(event) => setDays(event.target.value)} /><//
        >
        <button type="submit" disabled=${busy}>Keep files this long</button>
      </form>`
    }
    <ul>
      ${data.waiting.map(
        (each) =>
          html`<li key=${each.name}>
            ${each.by} asks for what is kept of <b>${each.name}</b> to be erased: ${each.why}${" "}
            ${
              ["gaming-manager", "inspector"].includes(me.role) &&
              html`<button type="button" disabled=${busy} onClick=${() => answer(each.name, true)}>Erase for good</button>
                <button type="button" class="quiet" disabled=${busy} onClick=${() => answer(each.name, false)}>Turn down</button>`
            }
          </li>`,
      )}
      ${data.done.slice(0, 50).map((each, at) => html`<li key=${`done-${at}`}>${day(each.at_ms)}: ${each.name} was erased by ${each.by.join(" and ")}: ${each.why}</li>`)}
    </ul>
  </details>`;
}

/** One person's file with what may be written in it. */
function Patron({ name, mine, me = null, rulebook = "", onWritten = () => {} }) {
  const [why, setWhy] = useState("");
  const asked = mine || why;
  const { data, error, again } = useGet(asked ? `/api/patrons/${encodeURIComponent(name)}${query({ ...by(rulebook), why })}` : null);
  const { data: found } = useGet("/api/tables");
  const [problem, setProblem] = useState("");
  const [done, setDone] = useState("");
  const [busy, once] = useOnce();
  const tables = found || [];
  const ask = (act, label) =>
    once(async () => {
      setProblem("");
      setDone("");
      try {
        await post(`/api/patrons/${encodeURIComponent(name)}`, { id: commandId(), act, ...by(rulebook) });
        setDone(`Written: ${label}.`);
        again();
        onWritten();
        return true;
      } catch (failed) {
        setProblem(failed.message);
        return false;
      }
    });
  if (!asked) return html`<${Why} name=${name} onSaid=${setWhy} />`;
  if (!data) return html`<${Problem} text=${error} />`;
  const exported = `/api/patrons/${encodeURIComponent(name)}/export${query({ why: why && `export: ${why}` })}`;
  return html`<section class="patron" aria-label=${mine ? "My limits" : data.name}>
    ${!mine && html`<h2>${data.name}</h2>`}
    <p class="hint">Gaming day ${data.date}</p>
    <${Outcome} problem=${problem || error} done=${done} />
    <${File} file=${data.file} tables=${tables} />
    ${mine && data.file.note && html`<p class="hint">${capital(data.file.note)}</p>`}
    <p class="row"><a class="button" href=${exported} download>All that is kept${mine ? " of me" : ""}</a></p>
    ${(mine || ["gaming-manager", "inspector", "administrator"].includes(me?.role)) && html`<${Looks} name=${name} />`}
    ${["supervisor", "gaming-manager", "inspector"].includes(me?.role) && html`<${Erase} name=${name} />`}
    ${found && data.forms.map((form) => html`<${ActForm} key=${form.act} form=${form} tables=${tables} ask=${ask} busy=${busy} />`)}
  </section>`;
}

/** Which day it is on the floor; a manager opens and closes it. */
function Day({ rulebook }) {
  const { data, again } = useGet(`/api/gaming-day${query(by(rulebook))}`, { every: 30_000 });
  const [problem, setProblem] = useState("");
  const [reason, setReason] = useState("");
  const [busy, once] = useOnce();
  if (!data) return null;
  const doing = data.opened ? "close" : data.closed ? "reopen" : "open";
  const turn = (event) => {
    event.preventDefault();
    return once(async () => {
      setProblem("");
      try {
        const why = doing === "reopen" ? { reason } : {};
        await post("/api/gaming-day", { id: commandId(), do: doing, ...why, ...by(rulebook) });
        setReason("");
        again();
      } catch (failed) {
        setProblem(failed.message);
      }
    });
  };
  return html`<div class="gaming-day" role="group" aria-label="Gaming day">
    <span>Gaming day <b>${data.date}</b>${data.opened ? ", open" : data.closed ? ", closed" : ", by the clock"} (${data.zone.split("/")[1]}, from ${data.begins_hour}:00)</span>
    ${
      data.may_turn &&
      html`<form onSubmit=${turn}>
        ${
          doing === "reopen" &&
          html`<input aria-label="Why the day is reopened" placeholder="Why it goes on" value=${reason} onInput=${(event) => setReason(event.target.value)} />`
        }
        <button type="submit" disabled=${busy}>${capital(doing)} the day</button>
      </form>`
    }
    <${Problem} text=${problem} />
  </div>`;
}

export function PatronsPage({ name, me }) {
  useTitle("Patrons");
  const { data, error, again } = useGet("/api/patrons");
  const { data: rulebooks } = useGet("/api/rulebooks", { keep: true });
  const [rulebook, setRulebook] = useState("");
  const [text, setText] = useState("");
  const shown = (data || []).filter((each) => each.name.toLowerCase().includes(text.toLowerCase()));
  return html`<div class="page">
    <header class="page-head"><h1>Patrons</h1><${Day} rulebook=${rulebook} /></header>
    <${Problem} text=${error} />
    <div class="people-tools" role="search">
      <${Field} label="Find" id="patron-find"
        ><input id="patron-find" type="search" value=${text} onInput=${(event) => setText(event.target.value)} /><//
      >
      <${Field} label="By the rules of" id="patron-rulebook"
        ><select id="patron-rulebook" value=${rulebook} onChange=${(event) => setRulebook(event.target.value)}>
          ${(rulebooks || []).map((each, at) => html`<option key=${each.id} value=${at ? each.id : ""}>${each.name}</option>`)}
        </select><//
      >
    </div>
    ${data && !shown.length && html`<${Empty}>No account or file with that name<//>`}
    <ul class="patron-names">
      ${shown.map(
        (each) =>
          html`<li key=${each.name}>
            <a href=${`#/patrons/${encodeURIComponent(each.name)}`} aria-current=${each.name === name ? "true" : undefined}
              >${each.name}${each.has_file ? "" : " (no file)"}</a
            >
          </li>`,
      )}
    </ul>
    ${["supervisor", "gaming-manager", "inspector"].includes(me.role) && html`<${Retention} me=${me} onErased=${again} />`}
    ${name && html`<${Patron} key=${`${name} ${rulebook}`} me=${me} name=${name} rulebook=${rulebook} onWritten=${again} />`}
  </div>`;
}

export function LimitsPage({ me }) {
  useTitle("My limits");
  return html`<div class="page">
    <header class="page-head"><h1>My limits</h1></header>
    <${Patron} name=${me.name} mine=${true} />
  </div>`;
}
