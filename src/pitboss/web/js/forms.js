// A form for an act, drawn from what the act asks for.

import { html, useState } from "./nodes.js";
import { blank } from "./acts.js";
import { Check, Done, Problem, cents, toggled, useGet } from "./ui.js";
import { Ruling } from "./ruling.js";
import { Why, WhyButton } from "./why.js";
import { ROLE_NAMES, capital, plain, sideName } from "./words.js";

function startOf(field, context) {
  switch (field.is) {
    case "yes":
      return field.start;
    case "count":
    case "card-of-round":
    case "decision-of-round":
      return String(field.start ?? 1);
    case "choice":
      return field.options[0];
    case "player":
      return context[field.start]?.[0] || context.turn.player || context.players[0] || "";
    case "person":
      return context.people[0];
    case "duty":
      return context.duties[0] || "";
    case "box":
      return String(context.turn.box || context.wagered[0] || 1);
    case "places":
      return "";
    case "kind":
      return "original";
    case "side":
      return context.sides[0] || "";
    case "restriction":
      return context.restrictions[0] || "";
    case "boxes":
    case "players":
      return [];
    case "money":
      return field.name === "minimum_cents" && !field.optional
        ? String(context.sign.minimum_cents / 100)
        : field.name === "maximum_cents"
          ? String(context.sign.maximum_cents / 100)
          : "";
    default:
      return "";
  }
}

/** What goes to the floor; a field that cannot be read is named in one sentence. */
function valueOf(field, raw) {
  switch (field.is) {
    case "money": {
      if (raw === "" && field.optional) return undefined;
      const value = cents(raw);
      if (Number.isNaN(value)) throw new Error(`${field.label}: enter an amount in dollars, such as 25 or 2.50.`);
      return value;
    }
    case "count":
    case "card-of-round":
    case "decision-of-round":
    case "box":
      if (!/^\d+$/.test(String(raw))) throw new Error(`${field.label}: enter a whole number.`);
      return Number(raw);
    case "places":
      if (raw === "" && field.optional) return undefined;
      if (!/^\s*\d+([\s,]+\d+)*\s*$/.test(raw))
        throw new Error(`${field.label}: press the boxes in the order in which the cards were dealt.`);
      return raw
        .trim()
        .split(/[\s,]+/)
        .map(Number);
    case "cards":
      return raw.trim() ? raw.trim().split(/\s+/) : [];
    case "boxes":
      return raw.map(Number).sort();
    case "text":
    case "name":
    case "player":
      if (!String(raw).trim() && field.optional) return undefined;
      if (!String(raw).trim()) throw new Error(`${field.label}: fill this in.`);
      return String(raw).trim();
    default:
      return raw;
  }
}

function Options({ value, options, set, id, say = (option) => capital(plain(option)) }) {
  return html`<select id=${id} value=${value} onChange=${(event) => set(event.target.value)}>
    ${options.map((option) => html`<option key=${option} value=${option} selected=${option === value}>${say(option)}</option>`)}
  </select>`;
}

/** What is said in many words would be cut off in a box that drops down. */
const LONGEST = 26;

const isLong = (field) => Object.values(field.words || {}).some((word) => word.length > LONGEST);

/** A choice, each option in full: in a box that drops down where the words are few, else one under the other. */
function Choice({ field, value, set, id }) {
  const say = (option) => capital(field.words?.[option] || plain(option));
  if (!isLong(field)) return html`<${Options} id=${id} value=${value} options=${field.options} set=${set} say=${say} />`;
  return html`<div class="many" id=${id} role="radiogroup" aria-label=${field.label}>
    ${field.options.map(
      (option) =>
        html`<label key=${option} class="check"
          ><input type="radio" name=${id} checked=${option === value} onChange=${() => set(option)} /> ${say(option)}</label
        >`,
    )}
  </div>`;
}

function Many({ value, options, set, id }) {
  return html`<div class="many" id=${id} role="group">
    ${options.map(
      (option) =>
        html`<${Check}
          key=${option}
          label=${option}
          checked=${value.includes(option)}
          onChange=${() => set(toggled(value, option))}
        />`,
    )}
  </div>`;
}

/** Where the cards went: the boxes are pressed in the order in which they got them; 0 is the dealer. */
function Places({ value, set, context, id }) {
  const went = value.split(/[\s,]+/).filter(Boolean);
  const boxes = [...(context.wagered.length ? context.wagered : context.boxes), 0];
  return html`<div class="places">
    <div class="buttons small" role="group" aria-label="The next card went to">
      ${boxes.map((box) => html`<button type="button" key=${box} onClick=${() => set([...went, box].join(" "))}>${box ? `Box ${box}` : "Dealer"}</button>`)}
      <button type="button" class="quiet" disabled=${!went.length} onClick=${() => set(went.slice(0, -1).join(" "))}>
        Undo
      </button>
    </div>
    <input
      id=${id}
      autocomplete="off"
      placeholder="1 2 0 1 2 (0 is the dealer)"
      value=${value}
      onInput=${(event) => set(event.target.value)}
    />
  </div>`;
}

/** A card or a decision of the round, picked from those that the floor lists; where it lists none, by its number. */
function Moment({ of, value, set, context, id }) {
  const { data } = useGet(`/api/tables/${encodeURIComponent(context.table)}/moments`, { anew: context.version, stays: true });
  const found = data?.[of] || [];
  if (!found.length) return html`<${Count} id=${id} value=${value} set=${set} />`;
  return html`<${Options}
    id=${id}
    value=${value}
    options=${["0", ...found.map((_, at) => String(at + 1))]}
    set=${set}
    say=${(number) => (number === "0" ? "None" : `${number}: ${found[number - 1]}`)}
  />`;
}

function Count({ value, set, id }) {
  return html`<input id=${id} type="number" min="0" step="1" value=${value} onInput=${(event) => set(event.target.value)} />`;
}

/** What the form and the table already tell of the facts that a rule asks for; of a list, whether anything is in it. */
function knownFacts(schema, value, context) {
  const known = { ...context.facts };
  for (const field of schema.fields) known[field.name] = LISTS.has(field.is) ? value(field).length > 0 : value(field);
  for (const [fact, field] of Object.entries(schema.facts || {})) known[fact] = known[field];
  return known;
}

const LISTS = new Set(["cards", "players"]);

/** The situations that an act may tell of, narrowed by what the form says. */
function rulesOf(schema, known) {
  if (!schema.situation_by) return schema.situations;
  const [field, situations] = schema.situation_by;
  return [situations[known[field]]];
}

function Input({ field, value, set, context, id }) {
  switch (field.is) {
    case "player":
      return html`<${Options} id=${id} value=${value} options=${context.players} set=${set} say=${(name) => name} />`;
    case "box":
      return html`<${Options}
        id=${id}
        value=${value}
        options=${context.boxes.map(String)}
        set=${set}
        say=${(number) => `Box ${number}`}
      />`;
    case "kind":
      return html`<${Options}
        id=${id}
        value=${value}
        options=${["original", ...context.sides]}
        set=${set}
        say=${(kind) => (kind === "original" ? "Original wager" : sideName(kind))}
      />`;
    case "side":
      return html`<${Options} id=${id} value=${value} options=${context.sides} set=${set} say=${sideName} />`;
    case "restriction":
      return html`<${Options} id=${id} value=${value} options=${context.restrictions} set=${set} />`;
    case "person":
      return html`<${Options} id=${id} value=${value} options=${context.people} set=${set} say=${plain} />`;
    case "duty":
      return html`<${Options} id=${id} value=${value} options=${context.duties} set=${set} />`;
    case "places":
      return html`<${Places} id=${id} value=${value} set=${set} context=${context} />`;
    case "choice":
      return html`<${Choice} field=${field} id=${id} value=${value} set=${set} />`;
    case "boxes":
      return html`<${Many} id=${id} value=${value} options=${context.boxes} set=${set} />`;
    case "players":
      return html`<${Many} id=${id} value=${value} options=${context.players} set=${set} />`;
    case "count":
      return html`<${Count} id=${id} value=${value} set=${set} />`;
    case "card-of-round":
      return html`<${Moment} of="cards" id=${id} value=${value} set=${set} context=${context} />`;
    case "decision-of-round":
      return html`<${Moment} of="decisions" id=${id} value=${value} set=${set} context=${context} />`;
    case "money":
      return html`<input
        id=${id}
        inputmode="decimal"
        autocomplete="off"
        placeholder="25.00"
        value=${value}
        onInput=${(event) => set(event.target.value)}
      />`;
    default:
      return html`<input id=${id} autocomplete="off" value=${value} onInput=${(event) => set(event.target.value)} />`;
  }
}

/** The terms of the rulebook that an act stands on, each with its clauses. */
function Terms({ keys, rulebook }) {
  const [why, setWhy] = useState(null);
  const found = keys.map((key) => rulebook.terms[key]).filter((term) => term?.says.length > 0);
  if (!found.length) return null;
  return html`<section class="ruling" aria-label="What the rules say">
    <h4>What ${rulebook.name} says</h4>
    <ul class="ruling-people">
      ${found.map((term) => {
        const text = term.says.join(" ");
        return html`<li key=${text}>${`${text} `}<${WhyButton} text=${text} clauses=${term.clauses} onWhy=${() => setWhy({ text, clauses: term.clauses })} /></li>`;
      })}
    </ul>
    ${why && html`<${Why} rulebook=${rulebook.id} edition=${rulebook.digest} name=${rulebook.name} text=${why.text} clauses=${why.clauses} onClose=${() => setWhy(null)} />`}
  </section>`;
}

/** Labels that tell what happened, where others say what is to be done. */
const TELLS = /^(A|The|One|Cards|Insurance|Jackpot)\b/;

export function ActForm({ schema, context, send, idle }) {
  const [values, setValues] = useState({});
  const [problem, setProblem] = useState("");
  const [done, setDone] = useState("");
  const [busy, setBusy] = useState(false);
  const valued = (field) => values[field.name] ?? startOf(field, context);
  const submit = async (event) => {
    event.preventDefault();
    setDone("");
    setProblem("");
    const act = blank(schema.act);
    try {
      for (const field of schema.fields) {
        const value = valueOf(field, valued(field));
        if (value !== undefined) act[field.name] = value;
      }
    } catch (error) {
      return setProblem(error.message);
    }
    setBusy(true);
    const answer = await send(act);
    setBusy(false);
    if (answer.is === "accepted") {
      setDone("Done.");
      setValues({});
    } else if (answer.is === "proposed") setDone(capital(answer.text || "Waiting for a second person's approval."));
    else
      setProblem(
        answer.is === "refused"
          ? `${answer.refusal.rulebook} ${answer.refusal.clauses.join(", ")}: ${answer.refusal.text}`
          : answer.text,
      );
  };
  const known = knownFacts(schema, valued, context);
  const rules = schema.terms
    ? html`<${Terms} keys=${schema.terms} rulebook=${context.rulebook} />`
    : schema.situations &&
    html`<${Ruling} rulebook=${context.rulebook.id} edition=${context.rulebook.digest} table=${context.table} name=${context.rulebook.name} names=${rulesOf(schema, known)} known=${known} />`;
  const later = schema.mine && schema.phase && schema.phase[0] !== context.view.phase ? schema.phase[1] : "";
  if (later)
    return html`<div class="act-form">
      <p class="hint">${schema.says}</p>
      ${done ? html`<${Done} text=${done} />` : html`<p class="call">${later}</p>`}
      ${rules}
    </div>`;
  if (!schema.mine)
    return html`<div class="act-form">
      ${schema.says && html`<p class="hint">${schema.says}</p>`}
      <p class="call">Call ${schema.others.map((role) => `the ${ROLE_NAMES[role].toLowerCase()}`).slice(0, 1)}, who reports this.</p>
      ${rules}
    </div>`;
  return html`<form class="act-form" onSubmit=${submit}>
    ${schema.says && html`<p class="hint">${schema.says}</p>`}
    ${schema.approval && html`<p class="hint approval">${context.second[schema.act] || "A second person approves this."}</p>`}
    ${schema.fields.map((field) => {
      const id = `f-${schema.act}-${field.name}`;
      const set = (value) => setValues({ ...values, [field.name]: value });
      if (field.is === "yes")
        return html`<${Check}
          key=${field.name}
          label=${field.label}
          checked=${valued(field)}
          onChange=${(event) => set(event.target.checked)}
        />`;
      return html`<div class="field" key=${field.name}>
        ${field.is === "boxes" || field.is === "players" || isLong(field) ? html`<span class="label">${field.label}</span>` : html`<label for=${id}>${field.label}</label>`}
        <${Input} field=${field} value=${valued(field)} set=${set} context=${context} id=${id} />
      </div>`;
    })}
    <button type="submit" class="primary" disabled=${busy || !idle}>${TELLS.test(schema.label) ? "Report it" : schema.label}</button>
    <${Problem} text=${problem} />
    <${Done} text=${done} />
    ${rules}
  </form>`;
}
