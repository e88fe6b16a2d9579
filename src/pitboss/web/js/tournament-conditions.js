// Conditions of a tournament: every item of the rulebook's list with its clause, and at once what is still missing.

import { html, useEffect, useRef, useState } from "./nodes.js";
import { post } from "./api.js";
import { Check, Empty, Field, Outcome, Problem, useGet, useOnce, useTitle } from "./ui.js";
import { capital, commandId } from "./words.js";

const PAUSE_MS = 400;
const LONG = new Set(["conducted", "approved", "form", "eligibility", "refusal", "criteria", "perfect_pairs", "method", "payment", "reservation"]);
const AMOUNTS = new Set(["money", "number"]);

/** A value as the file of conditions has it; what is left empty is not said. */
function written(field, value) {
  if (field.is === "yes") return Boolean(value);
  const text = String(value ?? "").trim();
  if (!text) return undefined;
  if (field.is === "numbers") return text.split(/[\s,]+/).map(Number);
  if (AMOUNTS.has(field.is)) return Number.isNaN(Number(text.replaceAll(",", ""))) ? text : Number(text.replaceAll(",", ""));
  if (field.is === "moment") return text.length === 16 ? `${text}:00` : text;
  return text;
}

function Entry({ field, id, value, set, lacks }) {
  const words = html`<span>${field.label} ${field.clauses && html`<span class="cup-clause">${field.clauses}</span>`}</span>`;
  const described = lacks ? `${id}-lacks` : undefined;
  const told = lacks && html`<p class="cup-lacks" id=${described}>Missing: ${lacks}</p>`;
  if (field.is === "yes")
    return html`<div class="field"><${Check} label=${words} checked=${Boolean(value)} onChange=${(event) => set(event.target.checked)} />${told}</div>`;
  const shared = { id, value: Array.isArray(value) ? value.join(", ") : (value ?? ""), "aria-describedby": described };
  const typed = (event) => set(event.target.value);
  return html`<div class=${field.is === "text" && LONG.has(field.name) ? "field long" : "field"}>
    <label for=${id}>${words}</label>
    ${
      field.is === "choice"
        ? html`<select ...${shared} onChange=${typed}><option value="">Choose</option>${field.options.map((each) => html`<option key=${each} value=${each}>${capital(each)}</option>`)}</select>`
        : field.is === "moment"
          ? html`<input ...${shared} type="datetime-local" value=${String(value ?? "").slice(0, 16)} onInput=${typed} />`
          : html`<input ...${shared} inputmode=${AMOUNTS.has(field.is) ? "decimal" : undefined} onInput=${typed} />`
    }
    ${told}
  </div>`;
}

function Stage({ stage, at, fields, set, remove, lacks }) {
  return html`<fieldset class="cup-stage">
    <legend>Stage ${at + 1}</legend>
    ${fields.map(
      (field) =>
        html`<${Entry}
          key=${field.name}
          field=${field}
          id=${`stage-${at}-${field.name}`}
          value=${stage[field.name]}
          set=${(value) => set({ ...stage, [field.name]: value })}
          lacks=${stage[field.name] === undefined || stage[field.name] === "" ? lacks[`stages.${field.name}`] : ""}
        />`,
    )}
    <button type="button" onClick=${remove}>Leave stage ${at + 1} out</button>
  </fieldset>`;
}

/** The conditions as they are typed, as tables of a file. */
function tablesOf(form, typed) {
  const found = { title: "", rulebook: form.rulebook };
  for (const { key, fields } of form.sections) {
    const part = key ? (found[key] = { ...typed[key] }) : found; // what a file says and the form does not ask stays
    for (const field of fields) {
      const said = key ? typed[key]?.[field.name] : typed[field.name];
      if (key) delete part[field.name];
      if (field.name === "substitutes" && said === undefined) continue; // left to whoever conducts it
      const value = written(field, said ?? "");
      if (value !== undefined && value !== "") part[field.name] = value;
    }
  }
  if (typed.overrides) found.overrides = typed.overrides;
  found.stages = (typed.stages || []).map((stage) => {
    const told = { ...stage };
    for (const field of form.stage) {
      const value = written(field, stage[field.name]);
      if (value === undefined) delete told[field.name];
      else told[field.name] = value;
    }
    return told;
  });
  return found;
}

function Raises({ typed, set }) {
  const rows = typed.wagers?.raises || [];
  const names = (typed.stages || []).map((each) => each.name).filter(Boolean);
  const change = (at, part) => set(rows.map((row, here) => (here === at ? { ...row, ...part } : row)));
  const number = (row, at, name, label) =>
    html`<div class="field"><label for=${`raise-${at}-${name}`}>${label}</label><input id=${`raise-${at}-${name}`} inputmode="numeric" value=${row[name] ?? ""} onInput=${(event) => change(at, { [name]: Number(event.target.value) || "" })} /></div>`;
  return html`<fieldset>
    <legend>New limits during a stage, announced beforehand</legend>
    ${rows.map(
      (row, at) =>
        html`<div key=${at} class="form-grid">
          <div class="field">
            <label for=${`raise-${at}-stage`}>Stage</label>
            <select id=${`raise-${at}-stage`} value=${row.stage} onChange=${(event) => change(at, { stage: event.target.value })}>
              ${names.map((each) => html`<option key=${each}>${each}</option>`)}
            </select>
          </div>
          ${number(row, at, "round", "From round")} ${number(row, at, "minimum", "Minimum")} ${number(row, at, "maximum", "Maximum")}
          <button type="button" onClick=${() => set(rows.filter((_, here) => here !== at))}>Leave out<span class="speech"> new limits ${at + 1}</span></button>
        </div>`,
    )}
    <button type="button" disabled=${!names.length} onClick=${() => set([...rows, { stage: names[names.length - 1], round: 2, minimum: 50, maximum: 1000 }])}>
      Add new limits
    </button>
  </fieldset>`;
}

function Judged({ judged, problem, labels }) {
  if (problem) return html`<${Problem} text=${problem} />`;
  if (!judged) return html`<${Empty}>Looking at the conditions…<//>`;
  return html`<div aria-live="polite">
    ${judged.may_open && html`<p class="done">Nothing is missing: entries may be opened.</p>`}
    ${judged.refused && html`<${Problem} text=${judged.refused} />`}
    ${
      judged.missing.length > 0 &&
      html`<section class="cup-missing">
        <h2>${judged.missing.length} item${judged.missing.length === 1 ? " is" : "s are"} missing</h2>
        <ul>
          ${judged.missing.map((each) => html`<li key=${each.key + each.what}><span class="cup-clause">${each.clause}</span> ${capital(each.what)}${labels[each.key] && html` <span class="hint">(${labels[each.key]})</span>`}</li>`)}
        </ul>
      </section>`
    }
    ${
      judged.may_open &&
      judged.left_open.length > 0 &&
      html`<section>
        <h2>Left open</h2>
        <ul>
          ${judged.left_open.map((each) => html`<li key=${each.key + each.what}><span class="cup-clause">${each.clause}</span> ${capital(each.what)}</li>`)}
        </ul>
      </section>`
    }
    <details class="cup-paper">
      <summary>Players' copy</summary>
      <pre tabindex="0">${judged.paper}</pre>
    </details>
  </div>`;
}

function Upload({ onRead }) {
  const [problem, setProblem] = useState("");
  const read = async (event) => {
    const file = event.target.files[0];
    if (!file) return;
    try {
      onRead((await post("/api/tournament-conditions", { toml: await file.text() })).conditions);
      setProblem("");
    } catch (error) {
      setProblem(capital(error.message));
    }
  };
  return html`<div class="field"><label for="cup-upload">Begin with a file of conditions (TOML)</label><input id="cup-upload" type="file" accept=".toml,text/plain" onChange=${read} /><${Problem} text=${problem} /></div>`;
}

export function ConditionsPage({ rulebook }) {
  useTitle("New tournament");
  const { data: form, error } = useGet(`/api/tournament-conditions/${encodeURIComponent(rulebook)}`, { keep: true });
  const [typed, setTyped] = useState(null);
  const [judged, setJudged] = useState(null);
  const [problem, setProblem] = useState("");
  const [said, setSaid] = useState({});
  const [open, setOpen] = useState({ tournament: "", dealer: "person" });
  const [busy, once] = useOnce();
  const asked = useRef(0);
  useEffect(() => form && setTyped(form.start), [form]);
  useEffect(() => {
    if (!typed) return undefined;
    const number = ++asked.current;
    const timer = setTimeout(async () => {
      try {
        const found = await post("/api/tournament-conditions", { conditions: tablesOf(form, typed) });
        if (number === asked.current) {
          setJudged(found);
          setProblem("");
        }
      } catch (fault) {
        if (number === asked.current) setProblem(capital(fault.message));
      }
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  if (!form || !typed) return html`<div class="page"><${Problem} text=${error} /></div>`;
  const lacks = Object.fromEntries((judged?.missing || []).map((each) => [each.key, each.what]));
  const labels = Object.fromEntries(form.sections.flatMap(({ key, fields }) => fields.map((field) => [key ? `${key}.${field.name}` : field.name, field.label])));
  const set = (key, name, value) => setTyped(key ? { ...typed, [key]: { ...typed[key], [name]: value } } : { ...typed, [name]: value });
  const stages = typed.stages || [];
  const publish = async () => {
    setSaid({});
    try {
      await post("/api/tournaments", { id: commandId(), ...open, conditions: tablesOf(form, typed) });
      location.hash = `#/tournaments/${open.tournament}`;
    } catch (fault) {
      setSaid({ problem: capital(fault.message) });
    }
  };
  return html`<div class="page wide">
    <h1>Conditions of a tournament</h1>
    <p class="lead">${form.name}. Every item is shown with the clause that requires it; what is still missing is listed as you type.</p>
    <div class="cup-columns">
      <form
        class="cup-main cup-conditions"
        onSubmit=${(event) => {
          event.preventDefault();
          once(publish);
        }}
      >
        <${Upload} onRead=${(found) => setTyped(found)} />
        ${form.sections.map(
          ({ key, label, fields }) =>
            html`<fieldset key=${key}>
              <legend>${label}</legend>
              <div class="form-grid">
                ${fields.map((field) => {
                  const dotted = key ? `${key}.${field.name}` : field.name;
                  return html`<${Entry}
                    key=${field.name}
                    field=${field}
                    id=${`cup-${key || "all"}-${field.name}`}
                    value=${key ? typed[key]?.[field.name] : typed[field.name]}
                    set=${(value) => set(key, field.name, value)}
                    lacks=${lacks[dotted]}
                  />`;
                })}
              </div>
            </fieldset>`,
        )}
        <h2>Stages</h2>
        ${lacks.stages && html`<p class="cup-lacks">Missing: ${lacks.stages}</p>`}
        ${stages.map(
          (stage, at) =>
            html`<${Stage}
              key=${at}
              stage=${stage}
              at=${at}
              fields=${form.stage}
              lacks=${lacks}
              set=${(value) => setTyped({ ...typed, stages: stages.map((each, here) => (here === at ? value : each)) })}
              remove=${() => setTyped({ ...typed, stages: stages.filter((_, here) => here !== at) })}
            />`,
        )}
        <button type="button" onClick=${() => setTyped({ ...typed, stages: [...stages, { name: "", kind: "heat", tables: 1, rounds: 20, advance: 1 }] })}>Add a stage</button>
        <${Raises} typed=${typed} set=${(value) => set("wagers", "raises", value)} />
        <fieldset>
          <legend>Publish</legend>
          <div class="form-grid">
            <${Field} label="Short name, for addresses" id="cup-id" hint="Small letters, digits and hyphens, as in spring-cup."
              ><input id="cup-id" required maxlength="24" pattern="[a-z0-9]([a-z0-9]|-)*" value=${open.tournament} onInput=${(event) => setOpen({ ...open, tournament: event.target.value })} /><//
            >
            <${Field} label="Who deals" id="cup-dealer"
              ><select id="cup-dealer" value=${open.dealer} onChange=${(event) => setOpen({ ...open, dealer: event.target.value })}>
                <option value="person">Dealers</option>
                <option value="house">The tables by themselves</option>
              </select><//
            >
          </div>
          <button type="submit" class="primary big" disabled=${busy || !judged?.may_open}>Open entries</button>
          ${judged && !judged.may_open && html`<p class="hint">Fill in what is missing first.</p>`}
          <${Outcome} ...${said} />
        </fieldset>
      </form>
      <aside class="cup-side cup-judged" aria-label="What is missing"><${Judged} judged=${judged} problem=${problem} labels=${labels} /></aside>
    </div>
  </div>`;
}
