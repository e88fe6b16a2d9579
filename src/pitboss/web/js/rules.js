// The rulebook beside the felt: inscriptions, pay tables, optional wagers, and every term with its clauses.

import { html, useState } from "./nodes.js";
import { useBook, useTableBook } from "./book.js";
import { Glossary } from "./glossary.js";
import { Dialog, Problem, useGet, useTitle } from "./ui.js";
import { citation, dollars, sideName } from "./words.js";
import { Why, WhyButton } from "./why.js";

export function PayTable({ table, onWhy }) {
  if (!table.rows.length) return null;
  return html`<table class="pay-table">
    <caption>
      ${table.title}
    </caption>
    <tbody>
      ${table.rows.map(
        (row) =>
          html`<tr key=${row.name}>
            <th scope="row">${row.name}</th>
            <td>${row.pays}</td>
            <td class="cite">
              ${
                onWhy &&
                html`<${WhyButton}
                  label="why"
                  text=${row.name}
                  clauses=${row.clauses}
                  onWhy=${() => onWhy({ text: `${row.name}: ${row.pays}`, clauses: row.clauses })}
                />`
              }
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

export const payTables = (rulebook, sides) =>
  (rulebook?.pay_tables || []).filter((table) => !sides || !table.kind || sides.includes(table.kind));

/** The limits sign, with the clauses that want it. */
function signOf(sign, rulebook) {
  const clauses = rulebook.terms["limits.sign"]?.clauses;
  const rows = [{ name: "A wager", pays: `${dollars(sign.minimum_cents)} to ${dollars(sign.maximum_cents)}`, clauses }];
  if (sign.multiples) rows.push({ name: "In multiples of", pays: dollars(sign.minimum_cents), clauses });
  if (sign.unit_cents) rows.push({ name: "Above the minimum in steps of", pays: dollars(sign.unit_cents), clauses });
  for (const [kind, [least, most]] of Object.entries(sign.side_limits || {}))
    rows.push({ name: sideName(kind), pays: `${dollars(least)} to ${dollars(most)}`, clauses });
  return { title: "Limits", rows };
}

/** What amends the document at this table: the clauses that allow it, and every term that is another. */
function Amended({ amendment, rulebook, onWhy }) {
  const { title, clauses, approved } = amendment;
  const text = `Amended: ${title}${approved ? `, approved by ${approved}` : ""}`;
  const changed = amendment.terms.filter((key) => rulebook.terms[key]).map((key) => ({ key, text: rulebook.terms[key].says.join(" "), clauses: rulebook.terms[key].clauses }));
  return html`<section class="amended">
    <p><strong>${text}</strong> <${WhyButton} text=${text} clauses=${clauses} onWhy=${() => onWhy({ text, clauses })} /></p>
    <ul>
      ${changed.map((each) => html`<li key=${each.key}>${`${each.text} `}<${WhyButton} text=${each.text} clauses=${each.clauses} onWhy=${() => onWhy(each)} /></li>`)}
    </ul>
  </section>`;
}

export function RulesPanel({ rulebook, table = "", view, onWhy, whole = false }) {
  if (!rulebook) return html`<p class="empty">Loading the rulebook…</p>`;
  return html`<div class="rules-panel">
    ${(rulebook.amendments || []).map((each) => html`<${Amended} key=${each.title} amendment=${each} rulebook=${rulebook} onWhy=${onWhy} />`)}
    <ul class="inscribed">
      ${(rulebook.inscriptions || []).map((each, at) => html`<li key=${at}>${each.text || each}<${WhyButton} label="why" text=${each.text} clauses=${each.clauses} onWhy=${() => onWhy(each)} /></li>`)}
    </ul>
    ${view && html`<${PayTable} table=${signOf(view.sign, rulebook)} onWhy=${onWhy} />`}
    ${payTables(rulebook, view?.sign.side_bets).map((table) => html`<${PayTable} key=${table.title || table.name} table=${table} onWhy=${onWhy} />`)}
    ${
      rulebook.notices?.length > 0 &&
      html`<ul class="table-notices" aria-label="Notice at the table">
        ${rulebook.notices.map((each) => html`<li key=${each.text}>${`${each.text} `}<${WhyButton} label="why" text=${each.text} clauses=${each.clauses} onWhy=${() => onWhy(each)} /></li>`)}
      </ul>`
    }
    ${view && html`<p class="hint">${`${rulebook.document}, ${rulebook.edition}; text ${rulebook.digest.slice(0, 12)}`}</p>`}
    ${!whole && html`<p><a href=${rulesOf(rulebook.id, table)}>How to play, and all the rules with clauses</a></p>`}
  </div>`;
}

const citedAs = (clauses) => citation(clauses, 4);

/** One sentence with the clauses that it comes from. */
function Sentence({ line, onWhy }) {
  return html`<li class="term">
    <span>${line.text}</span>
    <${WhyButton} label=${citedAs(line.clauses)} text=${line.text} clauses=${line.clauses} onWhy=${() => onWhy(line)} />
  </li>`;
}

/** The game on one screen, for somebody who has never played it. */
function HowToPlay({ sections }) {
  return html`<ol class="how-to-play">
    ${sections.map((each) => html`<li key=${each.title}><strong>${each.title}</strong>${". "}${each.lines.map((line) => line.text).join(" ")}</li>`)}
  </ol>`;
}

/** The rules as they are shipped, or as a table plays them. */
const rulesOf = (id, table) => `#/rules/${id}${table && `/${table}`}`;
const useRules = (id, table) =>
  useGet(`/api/${table ? `tables/${encodeURIComponent(table)}` : `rulebooks/${encodeURIComponent(id)}`}/rules`, { keep: !table });

/** The same over the table, so that nobody has to leave it. */
export function HowToPlayDialog({ id, table, name, onClose }) {
  const { data: rules, error } = useRules(id, table);
  return html`<${Dialog} title=${`How to play ${name}`} wide onClose=${onClose}>
    <${Problem} text=${error} />
    ${rules ? html`<${HowToPlay} sections=${rules.how_to_play} />` : !error && html`<p class="empty">Loading the rulebook…</p>`}
    <p><a href=${rulesOf(id, table)}>All the rules, with clauses</a></p>
  <//>`;
}

export function RulesPage({ id, table = "" }) {
  const shipped = useBook(table ? "" : id);
  const played = useTableBook(table);
  const { book: rulebook, error } = table ? played : shipped;
  const { data: rules } = useRules(id, table);
  const [why, setWhy] = useState(null);
  const [wanted, setWanted] = useState("");
  useTitle(rulebook?.name || "Rules");
  if (error) return html`<p class="problem" role="alert">${error}</p>`;
  if (!rulebook) return html`<p class="empty">Loading the rulebook…</p>`;
  const words = wanted.toLowerCase();
  const finds = (line) => !words || `${line.text} ${line.clauses.join(" ")}`.toLowerCase().includes(words);
  const shown = (rules?.sections || []).map((each) => ({ ...each, lines: each.lines.filter(finds) })).filter((each) => each.lines.length);
  return html`<div class="page rules-page">
    <h1>${rulebook.name}</h1>
    <p class="lead">${rulebook.document}, ${rulebook.edition}</p>
    ${table && html`<p><a href=${`#/table/${table}`}>${`As table ${table} plays it; text ${rulebook.digest.slice(0, 12)}`}</a></p>`}
    ${
      rules &&
      html`<section aria-labelledby="how-to-play">
        <h2 id="how-to-play">How to play</h2>
        <${HowToPlay} sections=${rules.how_to_play} />
      </section>`
    }
    <h2>What it pays</h2>
    <${RulesPanel} rulebook=${rulebook} onWhy=${setWhy} whole />
    <h2>All the rules</h2>
    <div class="field">
      <label for="find-term">Find a word or a clause</label
      ><input id="find-term" type="search" value=${wanted} onInput=${(event) => setWanted(event.target.value)} />
    </div>
    ${rules && !shown.length && html`<p class="empty">No matching rules</p>`}
    ${shown.map(
      (each) =>
        html`<section key=${each.title} class="term-section">
          <h3>${each.title}</h3>
          <ul class="rule-sentences">
            ${each.lines.map((line, at) => html`<${Sentence} key=${at} line=${line} onWhy=${setWhy} />`)}
          </ul>
        </section>`,
    )}
    <${Glossary} rulebook=${rulebook.id} edition=${rulebook.digest} wanted=${wanted} />
    ${why && html`<${Why} rulebook=${rulebook.id} edition=${rulebook.digest} name=${rulebook.name} text=${why.text} clauses=${why.clauses} onClose=${() => setWhy(null)} />`}
  </div>`;
}
