// What somebody can do in a tournament now: forms as the server describes them, the next step first.

import { html, useState } from "./nodes.js";
import { post } from "./api.js";
import { called, chips } from "./chipwords.js";
import { Check, Field, Outcome, cents, toggled, useOnce } from "./ui.js";
import { capital, commandId, dollars, plain } from "./words.js";

const path = (id) => `/api/tournaments/${encodeURIComponent(id)}`;

/** The chips that a table says lie in front of everybody there: the form begins with them. */
function chipsAt(told, table) {
  const found = told.wall.tables.find((each) => each.table === table && each.status !== "returned");
  return (found?.seats || []).filter((seat) => seat.status === "in").map((seat) => [seat.name, seat.chips_cents]);
}

function Input({ field, id, value, set, told, values }) {
  if (field.is === "choice")
    return html`<select id=${id} required=${!field.optional} value=${value ?? ""} onChange=${(event) => set(event.target.value)}>
      <option value="">${field.optional ? "–" : "Choose"}</option>
      ${field.options?.map((each) => html`<option key=${each} value=${each}>${capital(called(plain(each) === each ? each : called(each)))}</option>`)}
    </select>`;
  if (field.is === "money")
    return html`<input id=${id} required inputmode="decimal" value=${value ?? ""} onInput=${(event) => set(event.target.value)} />`;
  if (field.is === "number")
    return html`<input id=${id} required type="number" min="0" value=${value ?? ""} onInput=${(event) => set(event.target.value)} />`;
  if (field.is === "moment")
    return html`<input id=${id} required type="datetime-local" value=${value ?? ""} onInput=${(event) => set(event.target.value)} />`;
  if (field.is === "tables")
    return html`<textarea id=${id} required rows="5" value=${value ?? ""} placeholder="Table 1" onInput=${(event) => set(event.target.value)}></textarea>`;
  if (field.is === "seats")
    return html`<textarea id=${id} required rows="8" value=${value ?? ""} placeholder="alice: Table 1, 1" onInput=${(event) => set(event.target.value)}></textarea>`;
  if (field.is === "people" || field.is === "each")
    return html`<div class="many" id=${id}>
      ${
        field.is === "each" &&
        field.options?.length > 1 &&
        html`<${Check} label="All of them" checked=${(value || []).length === field.options.length} onChange=${(event) => set(event.target.checked ? [...field.options] : [])} />`
      }
      ${field.options?.map(
        (each) => html`<${Check} key=${each} label=${called(each)} checked=${(value || []).includes(each)} onChange=${() => set(toggled(value || [], each))} />`,
      )}
    </div>`;
  if (field.is === "chips") {
    const rows = chipsAt(told, values.table);
    return html`<div class="cup-count" id=${id}>
      ${rows.map(
        ([name, counted]) =>
          html`<label key=${name}
            >${called(name)}
            <input inputmode="decimal" value=${value?.[name] ?? chips(counted)} onInput=${(event) => set({ ...value, [name]: event.target.value })}
          /></label>`,
      )}
      ${!rows.length && html`<p class="hint">Choose a table first.</p>`}
    </div>`;
  }
  if (field.is === "missing")
    return html`<input id=${id} value=${value ?? ""} placeholder="none, or as in 25: 2, 100: 1" onInput=${(event) => set(event.target.value)} />`;
  return html`<input id=${id} required maxlength="300" value=${value ?? ""} onInput=${(event) => set(event.target.value)} />`;
}

/** "Table 3, 6 boxes, low limit": a table as it is designated. */
function tableOf(line) {
  const [table, ...more] = line.split(",").map((each) => each.trim());
  const found = { table };
  for (const each of more) {
    const boxes = each.match(/^(\d+) box(es)?$/i);
    if (boxes) found.boxes = Number(boxes[1]);
    else if (/^low.limit$/i.test(each)) found.low_limit = true;
    else throw new Error(`${line}: after the name of a table write its boxes, or that it is a low-limit table.`);
  }
  return found;
}

/** What a field says in an act; throws what is wrong in a sentence. */
function valueOf(field, value, told, values) {
  if (field.is === "yes") return Boolean(value);
  if (field.is === "money") {
    const amount = cents(value ?? "");
    if (Number.isNaN(amount)) throw new Error(`${field.label}: enter an amount, such as 25 or 12.50.`);
    return amount;
  }
  if (field.is === "number") return Number(value);
  if (field.is === "people" || field.is === "each") return value || [];
  if (field.is === "tables")
    return String(value)
      .split("\n")
      .map((each) => each.trim())
      .filter(Boolean)
      .map(tableOf);
  if (field.is === "seats")
    return Object.fromEntries(
      String(value)
        .split("\n")
        .map((each) => each.trim())
        .filter(Boolean)
        .map((line) => {
          const [, name, table, box] = line.match(/^(\S+?)\s*:\s*(.+?)\s*,\s*(?:box\s+)?(\d+)$/i) || [];
          if (!name) throw new Error(`${line}: enter a name, a table and a box, as in alice: Table 1, 3.`);
          return [name, [table, Number(box)]];
        }),
    );
  if (field.is === "chips")
    return Object.fromEntries(
      chipsAt(told, values.table).map(([name, counted]) => {
        const amount = value?.[name] === undefined ? counted : cents(value[name]);
        if (Number.isNaN(amount)) throw new Error(`${called(name)}: enter how many chips they have, such as 1,250.`);
        return [name, amount];
      }),
    );
  if (field.is === "missing")
    return Object.fromEntries(
      String(value || "")
        .split(",")
        .filter((each) => each.trim())
        .map((each) => {
          const [chip, pieces] = each.split(":").map((part) => Number(part.trim()));
          if (!chip || !pieces) throw new Error("Missing chips: enter which and how many, as in 25: 2.");
          return [chip * 100, pieces];
        }),
    );
  return value ?? "";
}

const begins = (field) => (field.is === "money" && field.start ? dollars(field.start).replace("$", "") : field.start);

function ActForm({ id, form, told, again, open }) {
  const [typed, setTyped] = useState({});
  const [said, setSaid] = useState({});
  const [busy, once] = useOnce();
  const values = Object.fromEntries(form.fields.map((field) => [field.name, typed[field.name] ?? begins(field)]));
  const send = async () => {
    setSaid({});
    try {
      const act = { act: form.act };
      for (const field of form.fields) {
        const found = valueOf(field, values[field.name], told, values);
        if (!(field.optional && found === "")) act[field.name] = found;
      }
      const each = form.fields.find((field) => field.is === "each")?.name;
      if (each && !act[each].length) throw new Error("Choose at least one player.");
      let answer = null;
      for (const name of each ? act[each] : [""]) answer = await post(`${path(id)}/acts`, { id: commandId(), act: each ? { ...act, [each]: name } : act });
      setSaid({ done: answer.is === "proposed" ? `Asked: ${answer.text}` : "Done." });
      setTyped({});
    } catch (problem) {
      setSaid({ problem: capital(problem.message) });
    }
    again();
  };
  return html`<details class=${`cup-act${form.main ? " main" : ""}`} open=${open} data-act=${form.act}>
    <summary>${form.label}</summary>
    <form
      onSubmit=${(event) => {
        event.preventDefault();
        once(send);
      }}
    >
      <p class="hint">${form.says} <span class="cup-clause">${form.clauses}</span></p>
      ${form.approval && html`<p class="hint approval">${capital(form.approval)}.</p>`}
      ${form.fields.map((field) => {
        const name = `cup-${form.act}-${field.name}`;
        const set = (value) => setTyped({ ...typed, [field.name]: value });
        if (field.is === "yes")
          return html`<${Check} key=${field.name} label=${field.label} checked=${Boolean(values[field.name])} onChange=${(event) => set(event.target.checked)} />`;
        const grouped = ["people", "each", "chips"].includes(field.is);
        return html`<div class="field" key=${field.name}>
          ${grouped ? html`<span class="label">${field.label}</span>` : html`<label for=${name}>${field.label}</label>`}
          <${Input} field=${field} id=${name} value=${values[field.name]} set=${set} told=${told} values=${values} />
        </div>`;
      })}
      <button type="submit" class=${form.main ? "primary" : ""} disabled=${busy}>${form.label}</button>
      <${Outcome} ...${said} />
    </form>
  </details>`;
}

export function ActForms({ id, told, again }) {
  const next = told.forms.filter((form) => form.main);
  const groups = [...new Set(told.forms.filter((form) => !form.main).map((form) => form.group))];
  return html`<div class="cup-acts">
    ${next.length > 0 && html`<h2>Next</h2>`}
    ${next.map((form) => html`<${ActForm} key=${form.act} id=${id} form=${form} told=${told} again=${again} open=${!form.fields.length} />`)}
    ${groups.map(
      (group) =>
        html`<section key=${group}>
          <h3>${group}</h3>
          ${told.forms
            .filter((form) => !form.main && form.group === group)
            .map((form) => html`<${ActForm} key=${form.act} id=${id} form=${form} told=${told} again=${again} />`)}
        </section>`,
    )}
  </div>`;
}
