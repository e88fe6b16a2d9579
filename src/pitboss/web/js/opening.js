// A new table, with what its rulebook lets the house choose; and a jackpot that several tables share.

import { html, useRef, useState } from "./nodes.js";
import { get, post } from "./api.js";
import { useBook } from "./book.js";
import { Check, Field, Problem, cents, toggled, useOnce } from "./ui.js";
import { capital, commandId, dollars, plain, sideName } from "./words.js";

const JACKPOT = "blazing-7s";
const NEW = "+";
const ID_LONGEST = 40;
const NAME_LONGEST = 100;
const TRIES = 5;

function slug(text) {
  return (
    text
      .normalize("NFD")
      .replace(/[\u0300-\u036f]/g, "")
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, ID_LONGEST)
      .replace(/-+$/, "") || "table"
  );
}

/** The id that a name gives, with a number after it where another table has or had it. */
function freeId(name, taken) {
  const id = slug(name);
  for (let n = 2, found = id; ; n += 1) {
    if (!taken.has(found)) return found;
    found = `${id.slice(0, ID_LONGEST - String(n).length - 1)}-${n}`;
  }
}

/** A name for a table that was given none: its rulebook's, numbered where others are called so. */
function freeName(book, names) {
  for (let n = 2, found = book; ; n += 1) {
    if (!names.has(found.toLowerCase())) return found;
    found = `${book} ${n}`;
  }
}

const SEES_CLOSED = ["gaming-supervisor", "supervisor", "gaming-manager"];

/** Every table that there is and, for whoever may know them, that there ever was. */
async function tablesEver(rows, role) {
  if (!SEES_CLOSED.includes(role)) return rows;
  return [...rows, ...(await get("/api/log/tables").catch(() => []))];
}

/** What the rulebook lets the house choose, from its terms. */
function choicesOf(book) {
  if (!book) return { decks: [], sources: [], sides: [], boxes: [], jackpotMinimums: [], jackpotWagers: [] };
  const is = (key) => book.terms[key]?.is;
  const sides = Object.keys(book.terms)
    .map((key) => /^side_bets\.(.+)\.offered$/.exec(key)?.[1])
    .filter((kind) => kind && is(`side_bets.${kind}.offered`));
  if (is("blazing_7s.offered")) sides.push(JACKPOT);
  return {
    decks: is("cards.decks") || [],
    usual: is("cards.decks_default"),
    sources: is("shuffle.sources") || [],
    boxes: is("boxes.number") || [7],
    sides,
    jackpotMinimums: is("blazing_7s.minimums_cents") || [],
    jackpotWagers: is("blazing_7s.amounts_cents") || [],
  };
}

function jackpotOf(values, choices) {
  const isNew = values.link === NEW;
  return {
    isNew,
    link: isNew ? slug(values.pool || "sevens") : values.link || "",
    minimum: Number(values.reset || choices.jackpotMinimums[0]),
    rate: /^\d+$/.test(values.rate ?? "10") ? Number(values.rate ?? "10") : NaN,
  };
}

export function OpenTable({ role, rows, books, links, onDone }) {
  const ids = Object.keys(books);
  const [written, setValues] = useState({
    name: "",
    minimum: "5",
    maximum: "1000",
    dealer: "house",
    bots: "0",
  });
  const values = { ...written, rulebook: written.rulebook ?? ids[0] };
  const [problem, setProblem] = useState("");
  const [busy, once] = useOnce();
  const asked = useRef(null); // whoever asks for the same again, having had no answer, gets what was opened then
  const { book } = useBook(values.rulebook);
  const choices = choicesOf(book);
  const bind = (name, start) => ({
    id: `open-${name}`,
    value: values[name] ?? start ?? "",
    onInput: (event) => setValues({ ...values, [name]: event.target.value }),
  });
  const sides = values.sides || [];
  const mustBeTournament = role === "tournament-manager"; // they open no others
  const tournament = mustBeTournament || Boolean(values.tournament);
  const byItself = values.dealer === "house";
  /** The table under a free id; somebody else may have taken it meanwhile, so the next one is tried. */
  const openUnder = async (wish, opening) => {
    const taken = new Set(wish.table ? [] : (await tablesEver(rows, role)).map((row) => row.table));
    for (let tries = 1; ; tries += 1) {
      if (!wish.table) Object.assign(wish, { table: freeId(wish.name, taken), id: commandId() });
      const { id, table } = wish;
      try {
        await post("/api/tables", { id, table, opening });
        return table;
      } catch (error) {
        if (error.status) wish.table = ""; // it was answered
        if (tries === TRIES || error.status !== 409) throw error;
        taken.add(table);
      }
    }
  };
  const open = async () => {
    const minimum = cents(values.minimum);
    const maximum = cents(values.maximum);
    if (Number.isNaN(minimum) || Number.isNaN(maximum))
      return setProblem("Enter the limits in dollars, such as 5 and 1000.");
    const said = values.name.trim();
    if (said.length > NAME_LONGEST)
      return setProblem(`The name of the table has ${said.length} characters: use at most ${NAME_LONGEST}.`);
    const text = JSON.stringify(values);
    const names = new Set(rows.map((row) => (row.name || row.table).toLowerCase()));
    if (asked.current?.text !== text)
      asked.current = { text, name: said || freeName(books[values.rulebook], names), table: "", link: commandId() };
    const { name } = asked.current;
    const house = {
      decks: Number(values.decks || choices.usual),
      source: values.source || choices.sources[0],
      boxes: Number(values.boxes || Math.max(...choices.boxes)),
      side_bets: sides,
      minimum_cents: minimum,
      maximum_cents: maximum,
      tournament,
      ...(values.date && { date: values.date }),
    };
    const jackpot = sides.includes(JACKPOT) ? jackpotOf(values, choices) : null;
    if (jackpot && Number.isNaN(jackpot.rate)) return setProblem("Enter the jackpot's rate as a whole percentage.");
    if (jackpot) {
      house.jackpot_minimum_cents = jackpot.minimum;
      house.jackpot_rate_percent = jackpot.rate;
      house.jackpot_linked = Boolean(jackpot.link);
      house.jackpot_cents = jackpot.minimum;
    }
    const bots = byItself ? ["bot-bob", "bot-carol", "bot-dave"].slice(0, Number(values.bots)) : [];
    try {
      if (jackpot?.isNew)
        await post("/api/links", {
          id: asked.current.link,
          link: jackpot.link,
          opening: {
            rulebook: values.rulebook,
            pool_cents: jackpot.minimum,
            minimum_cents: jackpot.minimum,
            rate_percent: jackpot.rate,
            wager_cents: Math.max(...choices.jackpotWagers),
          },
        });
      const link = jackpot?.link || "";
      const amend = values.amend?.trim() ? [values.amend] : [];
      const table = await openUnder(asked.current, { rulebook: values.rulebook, name, house, dealer: values.dealer, bots, link, amend });
      onDone(table !== slug(name) ? `${name} is open; the log calls it ${table}, since there was a ${slug(name)} before.` : `${name} is open.`);
    } catch (error) {
      setProblem(capital(error.message));
    }
    return undefined;
  };
  const submit = (event) => {
    event.preventDefault();
    once(open);
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
    <${Field} label="Gaming date" id="open-date" hint="Leave empty for a practice table: no player cards, and chips are not counted."
      ><input type="date" ...${bind("date")} aria-describedby="open-date-hint" /><//
    >
    ${choose("decks", "Decks", choices.decks, choices.usual)}
    ${choose("source", "Cards come from", choices.sources, choices.sources[0], (source) => `a ${plain(source)}`)}
    ${choose("boxes", "Boxes", choices.boxes, Math.max(...choices.boxes, 1))}
    ${choose("dealer", "Dealer", ["house", "person"], "house", (dealer) => (dealer === "house" ? "deals by itself" : "a dealer"))}
    ${
      byItself
        ? choose("bots", "Bots", ["0", "1", "2", "3"], "0")
        : html`<${Field} label="Bots" id="open-bots" hint="Bots play where the table deals by itself."
            ><select id="open-bots" disabled aria-describedby="open-bots-hint"><option>none</option></select><//
          >`
    }
    <div class="field whole">
      <${Check}
        label="A table for tournament play"
        checked=${tournament}
        disabled=${mustBeTournament}
        onChange=${(event) => setValues({ ...values, tournament: event.target.checked })}
      />
      ${mustBeTournament && html`<p class="hint">Tournament managers open tournament tables only.</p>`}
    </div>
    <${Field} label="Amendment" id="open-amend"
      hint=${`The text of an amendment's file: what the house decides where the document is silent${tournament ? ", or approved conditions; or the name of an amendment of the document's own" : ""}. Leave empty for none.`}
      ><textarea rows="3" spellcheck="false" ...${bind("amend")} aria-describedby="open-amend-hint"></textarea><//
    >
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
    ${
      sides.includes(JACKPOT) &&
      html`${choose("link", "Jackpot", ["", ...links, NEW], "", (link) => (link === NEW ? "a new shared one" : link ? `shared: ${link}` : "of this table"))}
      ${values.link === NEW && html`<${Field} label="Name of the shared jackpot" id="open-pool"><input ...${bind("pool", "sevens")} /><//>`}
      ${choose("reset", "Jackpot resets to", choices.jackpotMinimums, choices.jackpotMinimums[0], dollars)}
      <${Field} label="Percent of each wager to the jackpot" id="open-rate"><input ...${bind("rate", "10")} inputmode="numeric" /><//>`
    }
    <${Problem} text=${problem} />
    <button type="submit" class="primary" disabled=${busy || !book}>Open the table</button>
  </form>`;
}

