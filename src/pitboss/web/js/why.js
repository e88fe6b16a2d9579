// "Why?": the clauses that caused an event or a refusal, each in a sentence.

import { html, useEffect, useState } from "./nodes.js";
import { once } from "./api.js";
import { Glossed } from "./glossary.js";
import { Dialog } from "./ui.js";
import { citation } from "./words.js";

/** What a clause says: in the edition by which a table is played, or without one in the shipped text. */
export const clausePath = (rulebook, clause, edition) =>
  `/api/rulebooks/${encodeURIComponent(rulebook)}/clauses/${encodeURIComponent(clause)}${edition ? `?edition=${edition}` : ""}`;

export function Clause({ rulebook, clause, edition }) {
  const [gist, setGist] = useState(null);
  useEffect(() => {
    let gone = false;
    once(clausePath(rulebook, clause, edition)).then(
      (found) => !gone && setGist(found),
      (error) => !gone && setGist({ gist: error.message }),
    );
    return () => (gone = true);
  }, [rulebook, clause, edition]);
  return html`<div class="clause">
    <dt>${(gist && gist.number) || clause.replace(/^def:/, "definition: ")}</dt>
    <dd>${gist ? html`<${Glossed} text=${gist.gist || gist.text} rulebook=${rulebook} edition=${edition} />` : "…"}</dd>
  </div>`;
}

/** A small button that cites the clauses and opens `Why`; nothing where there are none. */
export function WhyButton({ text, clauses, onWhy, label }) {
  if (!clauses?.length) return null;
  return html`<button type="button" class="why" onClick=${onWhy} aria-label=${`Why: ${text}`}>
    ${label || citation(clauses, 2)}<span aria-hidden="true">${" ?"}</span>
  </button>`;
}

export function Why({ rulebook, edition, name, text, clauses, onClose }) {
  return html`<${Dialog} title="Why?" onClose=${onClose}>
    <p class="why-text">${text}</p>
    <p class="why-book">${name || rulebook} says, in our words:</p>
    <dl class="clauses">
      ${(clauses || []).map((clause) => html`<${Clause} key=${clause} rulebook=${rulebook} edition=${edition} clause=${clause} />`)}
    </dl>
  <//>`;
}
