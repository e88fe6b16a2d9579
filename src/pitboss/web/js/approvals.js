// What waits for a second person.

import { html, useState } from "./vendor/preact-htm.js";
import { post } from "./api.js";
import { Done, Empty, Problem, useGet, useTitle } from "./ui.js";
import { capital, citation, dollars, plain, spaced } from "./words.js";

/** Proposals that still wait. */
export const approvalsOf = (data) => (data || []).filter((item) => item.state === "waiting");

const shown = (key, value) => {
  if (/(^|_)cents$/.test(key)) return dollars(value);
  if (Array.isArray(value)) return value.join(" ");
  return { true: "yes", false: "no" }[value] ?? value;
};

/** What an act asks for, in a line. */
function details(act) {
  return Object.entries(act)
    .filter(([key, value]) => !["act", "by"].includes(key) && value !== "" && value !== null)
    .map(([key, value]) => `${plain(key.replace(/_cents$/, ""))} ${shown(key, value)}`)
    .join(", ");
}

export function ApprovalsPage({ me }) {
  useTitle("Approvals");
  const { data, error, again, loading } = useGet("/api/approvals", { every: 3000 });
  const [done, setDone] = useState("");
  const [problem, setProblem] = useState("");
  const list = approvalsOf(data);
  const past = (data || []).filter((item) => item.state !== "waiting").slice(0, 20);
  const answer = async (item, approve) => {
    setDone("");
    setProblem("");
    try {
      await post(`/api/approvals/${encodeURIComponent(item.id)}`, { approve });
      setDone(approve ? "Approved and done." : "Declined.");
    } catch (failed) {
      setProblem(failed.message);
    }
    again();
  };
  return html`<div class="page">
    <h1>Approvals</h1>
    <p class="lead">Some acts need two persons. Nobody approves what he proposed himself.</p>
    <${Problem} text=${error || problem} />
    <${Done} text=${done} />
    ${!list.length && !loading && html`<${Empty}>Nothing waits for approval.<//>`}
    <ul class="cards-list">
      ${list.map(
        (item) =>
          html`<li key=${item.id} class="panel">
            <h2>${capital(spaced(item.act.act))}</h2>
            <p>${details(item.act) || "Nothing else is asked."}</p>
            <p class="hint">
              ${`Table ${item.table}, asked for by ${item.first} (${plain(item.role)}). ${capital(item.reason || "")}`}
              ${item.clauses.length ? ` (${citation(item.clauses)})` : ""}
            </p>
            <p class="hint">It wants a ${plain(item.wants)}.</p>
            <div class="buttons">
              <button type="button" class="primary" disabled=${!item.yours} onClick=${() => answer(item, true)}>
                Approve
              </button>
              <button
                type="button"
                disabled=${!item.yours && item.first !== me.name}
                onClick=${() => answer(item, false)}
              >
                Decline
              </button>
            </div>
            ${item.first === me.name && html`<p class="hint">You proposed this; somebody else approves it.</p>`}
          </li>`,
      )}
    </ul>
    ${
      past.length > 0 &&
      html`<h2>Answered lately</h2>
        <ul class="plain-list answered">
          ${past.map((item) => html`<li key=${item.id}>${capital(spaced(item.act.act))} at ${item.table}, asked for by ${item.first}: ${item.state}${item.by ? ` by ${item.by}` : ""}</li>`)}
        </ul>`
    }
  </div>`;
}
