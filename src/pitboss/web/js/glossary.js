// The documents' defined words, underlined where rules are shown and explained at the word itself.

import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./nodes.js";
import { once, query } from "./api.js";
import { plain, spaced } from "./words.js";

const NONE = [];
const glossaryPath = (rulebook, edition) => `/api/rulebooks/${encodeURIComponent(rulebook)}/glossary${query({ edition })}`;

/** The words of a rulebook; none until they are read. */
export function useGlossary(rulebook, edition = "") {
  const [words, setWords] = useState(NONE);
  useEffect(() => {
    if (!rulebook) return undefined;
    let gone = false;
    once(glossaryPath(rulebook, edition)).then(
      (found) => !gone && setWords(found),
      () => !gone && setWords(NONE),
    );
    return () => (gone = true);
  }, [rulebook, edition]);
  return words;
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** What finds the words in a text, the longest form first. */
function finder(words) {
  const byForm = new Map();
  for (const word of words) for (const form of word.forms) if (!byForm.has(form.toLowerCase())) byForm.set(form.toLowerCase(), word);
  const forms = [...byForm.keys()].sort((one, other) => other.length - one.length).map(escaped);
  return { byForm, pattern: forms.length ? new RegExp(`(?<![-\\w])(?:${forms.join("|")})(?![-\\w])`, "gi") : null };
}

/** A text in parts: as it is, or `{ text, word }`; each word once. */
export function partsOf(text, { byForm, pattern }) {
  const parts = [];
  const told = new Set();
  let from = 0;
  for (const found of pattern ? text.matchAll(pattern) : NONE) {
    const word = byForm.get(found[0].toLowerCase());
    if (told.has(word)) continue;
    told.add(word);
    parts.push(text.slice(from, found.index), { text: found[0], word });
    from = found.index + found[0].length;
  }
  return [...parts, text.slice(from)];
}

/** A text of the rules; every defined word can be asked for what it means. */
export function Glossed({ text, rulebook, edition }) {
  const words = useGlossary(rulebook, edition);
  const parts = useMemo(() => partsOf(String(text ?? ""), finder(words)), [text, words]);
  return html`<span class="glossed"
    >${parts.map((part, at) => (typeof part === "string" ? part : html`<${Word} key=${at} text=${part.text} word=${part.word} />`))}</span
  >`;
}

/** The defined words in some texts, listed below them. */
export function WordsIn({ texts, rulebook, edition }) {
  const words = useGlossary(rulebook, edition);
  const parts = useMemo(() => partsOf(texts.join(" "), finder(words)).filter((part) => part.word), [texts.join(" "), words]);
  if (!parts.length) return null;
  return html`<p class="hint words-in">
    ${"Words: "}${parts.map((part, at) => html`${at ? ", " : ""}<${Word} key=${part.word.clause} text=${part.word.word} word=${part.word} />`)}
  </p>`;
}

let count = 0;
const EDGE = 8; // so far from the edges of the window an explanation stays

/** Explained while the mouse is on it or it has the focus; a press or a touch keeps the explanation, the next one or Esc
 *  takes it away. */
function Word({ text, word }) {
  const id = useMemo(() => `gloss-${(count += 1)}`, []);
  const [open, setOpen] = useState("");
  const whole = useRef(null);
  const tip = useRef(null);
  useLayoutEffect(() => {
    if (!open) return;
    const at = whole.current.getBoundingClientRect();
    const { width, height } = tip.current.getBoundingClientRect();
    const above = at.bottom + height + EDGE > innerHeight && at.top > height + EDGE;
    tip.current.style.left = `${Math.max(EDGE, Math.min(at.left, innerWidth - width - EDGE))}px`;
    tip.current.style.top = `${above ? at.top - height : at.bottom}px`;
  }, [open]);
  const keys = (event) => {
    if (event.key !== "Escape" || !open) return;
    event.preventDefault();
    event.stopPropagation();
    setOpen("");
  };
  return html`<span
    class="gloss"
    ref=${whole}
    onMouseEnter=${() => setOpen(open || "near")}
    onMouseLeave=${() => setOpen(open === "near" ? "" : open)}
    ><button
      type="button"
      class="gloss-word"
      aria-expanded=${open ? "true" : "false"}
      aria-describedby=${open ? id : undefined}
      onFocus=${() => setOpen(open || "near")}
      onBlur=${() => setOpen("")}
      onClick=${() => setOpen(open === "kept" ? "" : "kept")}
      onKeyDown=${keys}
      >${text}</button
    >${
      open &&
      html`<span class="gloss-tip" role="tooltip" id=${id} ref=${tip}
        >${word.means} <small>${word.cited}${word.see ? `; see ${word.see}` : ""}</small></span
      >`
    }</span
  >`;
}

/** The whole glossary of a rulebook: each word, what it means, and where the engine uses it. */
export function Glossary({ rulebook, edition, wanted }) {
  const words = useGlossary(rulebook, edition);
  const asked = wanted.toLowerCase();
  const shown = words.filter((each) => each.word && `${each.forms.join(" ")} ${each.means} ${each.clause}`.toLowerCase().includes(asked));
  const scope = words.find((each) => !each.word);
  if (!shown.length) return null;
  return html`<section class="term-section glossary" aria-labelledby="glossary-head">
    <h2 id="glossary-head">Words</h2>
    ${scope && html`<p class="hint">${`${scope.means} (${scope.cited})`}</p>`}
    <dl>
      ${shown.map(
        (each) =>
          html`<div key=${each.clause} class="term">
            <dt>${each.word}</dt>
            <dd>
              ${each.means}
              <small class="hint">${[each.cited, each.see && `see ${each.see}`, usedIn(each)].filter(Boolean).join("; ")}</small>
            </dd>
          </div>`,
      )}
    </dl>
  </section>`;
}

const usedIn = ({ acts, events, terms }) => {
  const names = [...acts.map(spaced), ...events.map(spaced), ...terms.map((term) => plain(term).replace(".", ": "))];
  return names.length ? `in the engine: ${names.join(", ")}` : "";
};
