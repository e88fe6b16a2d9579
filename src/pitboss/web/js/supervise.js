// The supervisor's panel at a table: every act of the house that the engine knows, as a form.

import { html, useEffect, useMemo, useRef, useState } from "./nodes.js";
import { DEALER_STEPS, offered } from "./acts.js";
import { query } from "./api.js";
import { uncutWords } from "./dealer.js";
import { ActForm } from "./forms.js";
import { useSituations } from "./ruling.js";
import { Problem, useGet } from "./ui.js";
import { ROLE_NAMES, plain } from "./words.js";

export function restrictionsOf(rulebook) {
  return (rulebook?.terms["limits.restrictions"]?.is || []).map((row) => row.name);
}

const STAFF = ["dealer", "gaming-supervisor", "casino-supervisor", "gaming-manager"];

/** What the forms choose from: who is here, where wagers are, whose turn it is, and what the table itself tells. */
export function contextOf(update, house, rulebook, matrix) {
  const { view, waiting } = update;
  const players = Object.keys(view.players);
  const awaited = (waiting?.who || []).find((name) => players.includes(name));
  return {
    players,
    people: [...players, ...STAFF],
    boxes: Array.from({ length: (house && house.boxes) || 7 }, (_, at) => at + 1),
    wagered: view.boxes.map((each) => each.box),
    turn: { player: awaited, box: waiting?.box },
    disputing: Object.values(update.mine?.players || {}).flatMap((each) => (each.dispute ? [each.name] : [])),
    sides: view.sign.side_bets,
    sign: view.sign,
    restrictions: restrictionsOf(rulebook),
    duties: Object.keys(rulebook?.terms["irregularities.conduct"]?.is || {}),
    rulebook: { id: view.rulebook, digest: rulebook?.digest, name: view.name, terms: rulebook?.terms || {} },
    table: update.table,
    version: update.version,
    view,
    facts: { source: house?.source, in_round: view.phase !== "wagers" },
    second: Object.fromEntries((matrix?.two_people || []).map((each) => [each.act, secondWords(each)])),
  };
}

function secondWords({ second, when }) {
  return `A second person (${plain(second)}) approves ${when === "always" ? "this" : when.replace(/^where/, "this where")}.`;
}

/** Which acts a search finds: by label, by what is said of them, and by what can go wrong. */
function finds(schema, wanted, situations) {
  const titles = (schema.situations || []).map((name) => situations?.get(name)?.title || "");
  const text = [schema.label, schema.says, schema.words, ...titles].join(" ").toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

export function SupervisePanel({ update, house, rulebook, role, send, idle, focus }) {
  const { data: matrix, error } = useGet(`/api/matrix${query({ rulebook: update.view.rulebook })}`, { keep: true });
  const situations = useSituations(update.view.rulebook);
  const groups = useMemo(() => offered(matrix, role), [matrix, role]);
  const context = contextOf(update, house, rulebook, matrix);
  const [open, setOpen] = useState("");
  const [wanted, setWanted] = useState("");
  const [title, setTitle] = useState(""); // the group that is shown alone
  const search = useRef(null);
  useEffect(() => focus && search.current?.focus(), [focus]);
  const found = groups
    .filter((group) => !title || group.title === title)
    .map((group) => ({ ...group, acts: group.acts.filter((each) => finds(each, wanted, situations)) }))
    .filter((group) => group.acts.length);
  return html`<div class="supervise">
    <div class="field">
      <label for="find-act">${role === "dealer" ? "What happened?" : "Find an action"}</label>
      <input
        id="find-act"
        type="search"
        ref=${search}
        placeholder=${role === "dealer" ? "exposed, jam, misdeal…" : "limits, reserve, void…"}
        value=${wanted}
        onInput=${(event) => setWanted(event.target.value)}
      />
    </div>
    ${
      groups.length > 1 &&
      html`<div class="field">
        <label for="act-group">What it is about</label>
        <select id="act-group" value=${title} onChange=${(event) => setTitle(event.target.value)}>
          <option value="">Everything</option>
          ${groups.map((group) => html`<option key=${group.title} value=${group.title}>${group.title}</option>`)}
        </select>
      </div>`
    }
    <${Problem} text=${error} />
    ${found.map(
      (group) =>
        html`<section key=${group.title} class="act-group">
          <h3>${group.title}</h3>
          ${group.acts.map(
            (schema) =>
              html`<div class="act" key=${schema.act} data-act=${schema.act}>
                <button
                  type="button"
                  class="act-head"
                  aria-expanded=${open === schema.act ? "true" : "false"}
                  onClick=${() => setOpen(open === schema.act ? "" : schema.act)}
                >
                  <span>${schema.label}</span>${" "}<${Tag} schema=${schema} />
                </button>
                ${open === schema.act && html`<${ActForm} schema=${schema} context=${context} send=${send} idle=${idle} />`}
              </div>`,
          )}
        </section>`,
    )}
    ${matrix && !found.length && html`<p class="empty">No matching actions for your role</p>`}
  </div>`;
}

function Tag({ schema }) {
  if (schema.approval) return html`<span class="tag">two people</span>`;
  if (!schema.mine) return html`<span class="tag">${(ROLE_NAMES[schema.others[0]] || "").replace("Gaming ", "")}</span>`;
  return null;
}

/** What the table waits for from the house, as buttons above the forms. */
export function SupervisorDock({ update, send, idle }) {
  const legal = (update.legal || []).filter((act) => DEALER_STEPS[act.act]?.awaited);
  const seen = new Set();
  const shown = legal.filter((act) => !seen.has(act.act) && seen.add(act.act));
  const words = (act) => {
    if (act.act === "DeclineCut") return uncutWords(act, "supervisor");
    return `${DEALER_STEPS[act.act].label}${act.act === "Cut" ? " for the house" : ""}`;
  };
  const reach = () => {
    document.querySelector(".table-side")?.scrollIntoView({ block: "start" });
    document.getElementById("find-act")?.focus({ preventScroll: true });
  };
  return html`<div class="buttons">
    <button type="button" class="to-actions" onClick=${reach}>Actions</button>
    ${shown.map((act) => html`<button type="button" class=${act.act === "DeclineCut" ? "" : "primary"} key=${act.act} disabled=${!idle} onClick=${() => send(act)}>${words(act)}</button>`)}
  </div>`;
}
