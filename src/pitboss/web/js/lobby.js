// All tables at a glance; supervisors open and close them here.

import { html, useState } from "./vendor/preact-htm.js";
import { post } from "./api.js";
import { useBook } from "./book.js";
import { Check, Dialog, Done, Empty, Field, Problem, cents, toggled, useGet, useTitle } from "./ui.js";
import { PHASES, PREPARATIONS, commandId, dollars, plain, sideName } from "./words.js";

export const mayOpen = (role) => role === "supervisor" || role === "gaming-manager" || role === "tournament-manager";

/** A small picture of the table: who sits or wagers where, and whose turn it is. */
function Sketch({ row }) {
  const total = row.boxes || 7;
  const taken = new Set([...(row.taken || []), ...(row.wagered || [])]);
  const spots = Array.from({ length: total }, (_, at) => {
    const angle = ((17 + (146 * at) / Math.max(1, total - 1)) * Math.PI) / 180;
    const shape = `sketch-spot${taken.has(at + 1) ? " taken" : ""}${row.turn === at + 1 ? " turn" : ""}`;
    return html`<circle
      key=${at}
      class=${shape}
      cx=${60 + 48 * Math.cos(angle)}
      cy=${6 + 46 * Math.sin(angle)}
      r="6"
    />`;
  });
  return html`<svg class="sketch" viewBox="0 0 120 66" aria-hidden="true">
    <path class="sketch-cloth" d="M3 3H117V10C117 44 92 63 60 63S3 44 3 10Z" />
    <rect
      class=${`sketch-dealer${row.phase && row.phase !== "wagers" ? " on" : ""}`}
      x="50"
      y="7"
      width="20"
      height="11"
      rx="2"
    />
    ${spots}
  </svg>`;
}

function stateWords(row) {
  if (row.closed) return "Closed";
  if (row.preparation && row.preparation !== "ready") return PREPARATIONS[row.preparation] || plain(row.preparation);
  return PHASES[row.phase] || (row.address ? "Run by another process" : "Open");
}

function TableCard({ row, books, role, onClose }) {
  const name = row.name || row.table;
  const players = row.players ? row.players.length : null;
  const verb = role === "player" ? "Play" : role === "dealer" ? "Deal" : role === "inspector" ? "Inspect" : "Watch";
  return html`<li class="table-card">
    <a
      href=${`#/table/${encodeURIComponent(row.table)}`}
      aria-label=${`${verb} at ${name}, ${books[row.rulebook] || row.rulebook}: ${stateWords(row)}`}
    >
      <${Sketch} row=${row} />
      <span class="table-card-name">${name}</span>
      <span class="table-card-book">${books[row.rulebook] || plain(row.rulebook)}</span>
      <span class="table-card-facts">
        ${row.minimum_cents !== undefined && html`<b>${dollars(row.minimum_cents)} to ${dollars(row.maximum_cents)}</b>`}
        ${players !== null && html`<span>${players} player${players === 1 ? "" : "s"}</span>`}
        <span>${row.dealer === "house" ? "deals by itself" : "dealer at the table"}</span>
      </span>
      <span class="table-card-state">${stateWords(row)}</span>
      ${row.approval_due ? html`<span class="warn">Waits for the ${plain(row.approval_due)}</span>` : row.halted ? html`<span class="warn">Play is halted</span>` : ""}
    </a>
    ${mayOpen(role) && html`<button type="button" class="quiet" onClick=${() => onClose(row)}>Close ${name}</button>`}
  </li>`;
}

function slug(text) {
  return (
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 40) || "table"
  );
}

/** What the rulebook lets the house choose, from its terms. */
function choicesOf(book) {
  if (!book) return { decks: [], sources: [], sides: [], boxes: [] };
  const is = (key) => book.terms[key]?.is;
  const sides = Object.keys(book.terms)
    .map((key) => /^side_bets\.(.+)\.offered$/.exec(key)?.[1])
    .filter((kind) => kind && is(`side_bets.${kind}.offered`));
  if (is("blazing_7s.offered")) sides.push("blazing-7s");
  return {
    decks: is("cards.decks") || [],
    usual: is("cards.decks_default"),
    sources: is("shuffle.sources") || [],
    boxes: is("boxes.number") || [7],
    sides,
  };
}

function OpenTable({ books, onDone }) {
  const ids = Object.keys(books);
  const [values, setValues] = useState({
    rulebook: ids[0],
    name: "",
    minimum: "5",
    maximum: "1000",
    dealer: "house",
    bots: "0",
  });
  const [problem, setProblem] = useState("");
  const { book } = useBook(values.rulebook);
  const choices = choicesOf(book);
  const bind = (name, start) => ({
    id: `open-${name}`,
    value: values[name] ?? start ?? "",
    onInput: (event) => setValues({ ...values, [name]: event.target.value }),
  });
  const sides = values.sides || [];
  const submit = async (event) => {
    event.preventDefault();
    const minimum = cents(values.minimum);
    const maximum = cents(values.maximum);
    if (Number.isNaN(minimum) || Number.isNaN(maximum))
      return setProblem("Write the limits in dollars, such as 5 and 1000.");
    const name = values.name.trim() || books[values.rulebook];
    const house = {
      decks: Number(values.decks || choices.usual),
      source: values.source || choices.sources[0],
      boxes: Number(values.boxes || Math.max(...choices.boxes)),
      side_bets: sides,
      minimum_cents: minimum,
      maximum_cents: maximum,
    };
    const bots = ["bot-bob", "bot-carol", "bot-dave"].slice(0, Number(values.bots));
    try {
      await post("/api/tables", {
        id: commandId(),
        table: slug(name),
        opening: { rulebook: values.rulebook, name, house, dealer: values.dealer, bots },
      });
      onDone(`${name} is open.`);
    } catch (error) {
      setProblem(error.message);
    }
    return undefined;
  };
  const choose = (name, label, options, start, say = (option) => option) =>
    html`<${Field} label=${label} id=${`open-${name}`}
      ><select ...${bind(name, start)}>
        ${options.map((option) => html`<option key=${option} value=${option} selected=${String(option) === String(values[name] ?? start)}>${say(option)}</option>`)}
      </select><//
    >`;
  return html`<form class="form-grid" onSubmit=${submit}>
    <${Field} label="Rulebook" id="open-rulebook"
      ><select
        ...${bind("rulebook")}
        onInput=${(event) => setValues({ ...values, rulebook: event.target.value, decks: undefined, source: undefined, boxes: undefined, sides: [] })}
      >
        ${ids.map((id) => html`<option key=${id} value=${id}>${books[id]}</option>`)}
      </select><//
    >
    <${Field} label="Name of the table" id="open-name"><input ...${bind("name")} placeholder="Pontoon 7" /><//>
    <${Field} label="Minimum" id="open-minimum"><input ...${bind("minimum")} inputmode="decimal" /><//>
    <${Field} label="Maximum" id="open-maximum"><input ...${bind("maximum")} inputmode="decimal" /><//>
    ${choose("decks", "Decks", choices.decks, choices.usual)}
    ${choose("source", "Cards come from", choices.sources, choices.sources[0], (source) => `a ${plain(source)}`)}
    ${choose("boxes", "Boxes", choices.boxes, Math.max(...choices.boxes, 1))}
    ${choose("dealer", "Dealer", ["house", "person"], "house", (dealer) => (dealer === "house" ? "the table deals by itself" : "a dealer"))}
    ${choose("bots", "Bots", ["0", "1", "2", "3"], "0")}
    ${
      choices.sides.length > 0 &&
      html`<fieldset class="field">
        <legend class="label">Optional wagers</legend>
        ${choices.sides.map(
          (kind) =>
            html`<${Check}
              key=${kind}
              label=${sideName(kind)}
              checked=${sides.includes(kind)}
              onChange=${() => setValues({ ...values, sides: toggled(sides, kind) })}
            />`,
        )}
      </fieldset>`
    }
    <${Problem} text=${problem} />
    <button type="submit" class="primary">Open the table</button>
  </form>`;
}

export function Lobby({ me }) {
  useTitle("Tables");
  const tables = useGet("/api/tables", { every: 2500 });
  const rulebooks = useGet("/api/rulebooks", { keep: true });
  const [opening, setOpening] = useState(false);
  const [closing, setClosing] = useState(null);
  const [done, setDone] = useState("");
  const [problem, setProblem] = useState("");
  const [wanted, setWanted] = useState("");
  const books = Object.fromEntries((rulebooks.data || []).map((book) => [book.id, book.name]));
  const rows = tables.data || [];
  const shown = rows.filter((row) =>
    `${row.name} ${row.table} ${books[row.rulebook] || row.rulebook} ${stateWords(row)}`
      .toLowerCase()
      .includes(wanted.toLowerCase()),
  );
  const close = async () => {
    try {
      await post(`/api/tables/${encodeURIComponent(closing.table)}/close`, { id: commandId() });
      setDone(`${closing.name || closing.table} is closed.`);
      setProblem("");
    } catch (error) {
      setProblem(error.message);
    }
    setClosing(null);
    tables.again();
  };
  const heading =
    { player: "Choose a table", dealer: "Tables to deal at", inspector: "Every table" }[me.role] || "The floor";
  return html`<div class="page lobby">
    <header class="page-head">
      <h1>${heading}</h1>
      ${mayOpen(me.role) && html`<button type="button" class="primary" onClick=${() => setOpening(true)}>Open a table</button>`}
    </header>
    <${Problem} text=${tables.error || problem} />
    <${Done} text=${done} />
    ${rows.length > 8 && html`<${Field} label="Find a table" id="find-table"><input id="find-table" type="search" value=${wanted} onInput=${(event) => setWanted(event.target.value)} /><//>`}
    ${!rows.length && !tables.loading && html`<${Empty}>No table is open.<//>`}
    <ul class="table-cards">
      ${shown.map((row) => html`<${TableCard} key=${row.table} row=${row} books=${books} role=${me.role} onClose=${setClosing} />`)}
    </ul>
    ${
      opening &&
      html`<${Dialog} title="Open a table" onClose=${() => setOpening(false)}
        ><${OpenTable}
          books=${books}
          onDone=${(text) => {
            setOpening(false);
            setDone(text);
            tables.again();
          }}
      /><//>`
    }
    ${
      closing &&
      html`<${Dialog} title=${`Close ${closing.name || closing.table}?`} onClose=${() => setClosing(null)}>
        <p>The table takes no more wagers once the round in progress is over. Its log stays.</p>
        <div class="buttons">
          <button type="button" class="primary" onClick=${close}>Close the table</button
          ><button type="button" onClick=${() => setClosing(null)}>Keep it open</button>
        </div>
      <//>`
    }
    <p class="hint">Tables that deal by themselves begin when somebody wagers.</p>
    <ul class="rule-links" aria-label="Rules">
      ${Object.entries(books).map(([id, name]) => html`<li key=${id}><a href=${`#/rules/${id}`}>Rules of ${name}</a></li>`)}
    </ul>
  </div>`;
}
