// The supervisor's panel at a table: every act of the house that the engine knows, as a form.

import { html, useMemo, useState } from "./vendor/preact-htm.js";
import { offered } from "./acts.js";
import { ActForm } from "./forms.js";
import { useGet } from "./ui.js";

export function restrictionsOf(rulebook) {
  return (rulebook?.terms["limits.restrictions"]?.is || []).map((row) => row.name);
}

export function contextOf(update, house, rulebook) {
  const { view } = update;
  return {
    players: Object.keys(view.players),
    boxes: Array.from({ length: (house && house.boxes) || 7 }, (_, at) => at + 1),
    sides: view.sign.side_bets,
    sign: view.sign,
    restrictions: restrictionsOf(rulebook),
  };
}

export function SupervisePanel({ update, house, rulebook, role, send }) {
  const { data: matrix } = useGet("/api/matrix", { keep: true });
  const groups = useMemo(() => offered(matrix, role), [matrix, role]);
  const context = contextOf(update, house, rulebook);
  const [open, setOpen] = useState("");
  const [wanted, setWanted] = useState("");
  const found = groups
    .map((group) => ({
      ...group,
      acts: group.acts.filter((each) =>
        `${each.label} ${each.says || ""}`.toLowerCase().includes(wanted.toLowerCase()),
      ),
    }))
    .filter((group) => group.acts.length);
  return html`<div class="supervise">
    <div class="field">
      <label for="find-act">Find an act</label>
      <input
        id="find-act"
        type="search"
        placeholder="limits, reserve, void…"
        value=${wanted}
        onInput=${(event) => setWanted(event.target.value)}
      />
    </div>
    ${found.map(
      (group) =>
        html`<section key=${group.title} class="act-group">
          <h3>${group.title}</h3>
          ${group.acts.map(
            (schema) =>
              html`<div class="act" key=${schema.act}>
                <button
                  type="button"
                  class="act-head"
                  aria-expanded=${open === schema.act ? "true" : "false"}
                  onClick=${() => setOpen(open === schema.act ? "" : schema.act)}
                >
                  ${schema.label}${schema.approval ? html` <span class="tag">two persons</span>` : ""}
                </button>
                ${open === schema.act && html`<${ActForm} schema=${schema} context=${context} send=${send} />`}
              </div>`,
          )}
        </section>`,
    )}
    ${!found.length && html`<p class="empty">No act of that name for your role.</p>`}
  </div>`;
}

/** What the table waits for from the house, as buttons above the forms. */
export function SupervisorDock({ update, send }) {
  const legal = (update.legal || []).filter((act) => ["Approve", "Reconstruct", "Cut", "DeclineCut"].includes(act.act));
  const seen = new Set();
  const shown = legal.filter((act) => !seen.has(act.act) && seen.add(act.act));
  const words = {
    Approve: "Approve that the game goes on",
    Reconstruct: "Rebuild the round",
    Cut: "Cut the cards for the house",
    DeclineCut: "Leave the cut",
  };
  if (!shown.length) return null;
  return html`<div class="buttons">
    ${shown.map((act) => html`<button type="button" class="primary" key=${act.act} onClick=${() => send(act)}>${words[act.act]}</button>`)}
  </div>`;
}
