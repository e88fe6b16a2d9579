// Registers and notices: what must be kept, done and told; search, print, and write down what no act at a table says.

import { html, useState } from "./nodes.js";
import { post, query } from "./api.js";
import { Empty, Field, Outcome, Problem, useGet, useOnce, useSettled, useTitle } from "./ui.js";
import { capital, commandId, plain } from "./words.js";

const STATES = { due: "Due", overdue: "Overdue", done: "Done", lapsed: "Lapsed" };
const WRITES = ["gaming-supervisor", "supervisor", "gaming-manager"];

/** What can be written by hand: its name, its label, and its fields, each with a label and how it begins. */
const FORMS = [
  ["MoveCards", "Cards in and out", { table: "Table", to: ["in", "out"], decks: 8, seal: "Seal or batch", reason: "Why" }, ["seal", "reason"]],
  [
    "CheckCards",
    "Cards were checked",
    { table: "Table", means: ["staff", "machine"], checker: "Who, or which machine", decks: 8, fault: "What was wrong" },
    ["fault"],
  ],
  ["RecordApproval", "A table was approved in writing", { table: "Table", subject: ["table", "side-bet"], officer: "By whom", reference: "Reference" }, []],
  ["Complain", "A complaint", { person: "Complainant", about: "About", table: "Table" }, ["table"]],
  ["AnswerComplaint", "Outcome of a complaint", { complaint: "Number of its line", answer: "Answer", decided_by: "Who decided", table: "Table" }, ["table"]],
  ["AskForBox", "Somebody asks for a box", { person: "Who", table: "Table", box: 0 }, []],
  ["EndDemand", "A demand for a box is over", { person: "Who", table: "Table", outcome: "Outcome" }, []],
];
const LABELS = { to: "Cards go", means: "Checked by", decks: "Decks", subject: "What", box: "Box (0: any)" };

function Item({ told, named, me, onDone, onSend }) {
  const { item, state, cited, due, done } = told;
  const [evidence, setEvidence] = useState("");
  const [busy, once] = useOnce();
  const waits = state === "due" || state === "overdue";
  const may = WRITES.includes(me.role) || (me.role === "inspector" && item.to === "inspector");
  const mark = () => onDone({ act: "MarkDone", item: item.id, evidence }, item.rulebook);
  const field = `evidence-${item.id}`;
  const promotion = item.register === "promotions" ? item.id.split(":")[1] : ""; // the rules look at it there
  return html`<li class=${`register-item ${state}`}>
    <p>
      <strong class=${state === "overdue" ? "outside" : ""}>${STATES[state]}</strong>${" "}
      ${waits ? html`by ${due || "now"}${item.evidence && ` (${item.evidence})`}` : done && html`${done} by ${item.done_by || "the house"}: ${item.evidence}`}
    </p>
    <p>${item.text}</p>
    <p class="hint">
      ${item.to && item.to !== item.who ? `${capital(plain(item.who))} tells ${plain(item.to)}` : `For the ${plain(item.who)}`}${item.table && `, ${named.table(item.table)}`}${`, ${named.rulebook(item.rulebook)} ${cited}`}
    </p>
    ${waits && promotion && html`<p><a href=${`#/promotions/${promotion}`}>Done on the promotion's page</a></p>`}
    ${
      waits &&
      may &&
      !promotion &&
      html`<form
        class="row"
        onSubmit=${(event) => {
          event.preventDefault();
          once(mark);
        }}
      >
        <${Field} label="Evidence that this was done" id=${field}
          ><input id=${field} required value=${evidence} onInput=${(event) => setEvidence(event.target.value)} /><//
        >
        <button type="submit" disabled=${busy}>Mark as done</button>
        ${onSend && html`<button type="button" disabled=${busy} onClick=${() => once(() => onSend(item))}>Send by e-mail</button>`}
      </form>`
    }
  </li>`;
}

function Items({ items, named, me, onDone, heading, onSend, sendable = [] }) {
  if (!items?.length) return null;
  return html`<section>
    <h2>${heading}</h2>
    <ul class="register-items">
      ${items.map((told) => html`<${Item} key=${told.item.id} told=${told} named=${named} me=${me} onDone=${onDone} onSend=${sendable.includes(told.item.to) && WRITES.includes(me.role) ? onSend : null} />`)}
    </ul>
  </section>`;
}

function Lines({ lines, more, named }) {
  return html`<div class="scroll tall" tabindex="0" role="region" aria-label="Lines">
    <table class="plain">
      <thead>
        <tr>
          ${["Number", "When", "Kind", "Table", "What happened", "By", "Clause"].map((name) => html`<th key=${name} scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${lines.map(
          ({ line, cited, at }) =>
            html`<tr key=${line.id}>
              <td>${line.id}</td>
              <td class="whole">${at}</td>
              <td>${capital(line.kind)}</td>
              <td class="whole">${named.table(line.table)}</td>
              <td>${line.text}</td>
              <td>${line.by}${line.second && html`<span class="hint">, with ${line.second}</span>`}</td>
              <td>${named.rulebook(line.rulebook)} ${cited}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${more > 0 && html`<p class="hint">${more.toLocaleString("en-AU")} more: narrow the search, or download them as CSV.</p>`}
  </div>`;
}

function Write({ onWrite, rulebooks }) {
  const [chosen, setChosen] = useState(FORMS[0][0]);
  const [rulebook, setRulebook] = useState("");
  const [values, setValues] = useState({});
  const [busy, once] = useOnce();
  const [act, , fields, optional] = FORMS.find(([name]) => name === chosen);
  const start = (given) => (Array.isArray(given) ? given[0] : typeof given === "number" ? given : "");
  const valueOf = (name) => values[name] ?? start(fields[name]);
  const said = () =>
    Object.fromEntries(Object.keys(fields).map((name) => [name, typeof fields[name] === "number" ? Number(valueOf(name)) : valueOf(name)]));
  const write = async () => {
    if (await onWrite({ act, ...said() }, rulebook || rulebooks[0]?.id)) setValues({});
  };
  const input = (name) => {
    const [given, id] = [fields[name], `write-${name}`];
    const bind = { id, value: valueOf(name), onInput: (event) => setValues({ ...values, [name]: event.target.value }) };
    if (Array.isArray(given)) return html`<select ...${bind}>${given.map((each) => html`<option key=${each} value=${each}>${plain(each)}</option>`)}</select>`;
    if (typeof given === "number") return html`<input type="number" min="0" max="100" required ...${bind} />`;
    return html`<input required=${!optional.includes(name)} ...${bind} />`;
  };
  return html`<details>
    <summary>Add an entry</summary>
    <form
      onSubmit=${(event) => {
        event.preventDefault();
        once(write);
      }}
    >
      <${Field} label="What" id="write-what"
        ><select
          id="write-what"
          value=${chosen}
          onChange=${(event) => {
            setChosen(event.target.value);
            setValues({});
          }}
        >
          ${FORMS.map(([name, label]) => html`<option key=${name} value=${name}>${label}</option>`)}
        </select><//
      >
      <${Field} label="By the rules of" id="write-rulebook"
        ><select id="write-rulebook" value=${rulebook || rulebooks[0]?.id} onChange=${(event) => setRulebook(event.target.value)}>
          ${rulebooks.map(({ id, name }) => html`<option key=${id} value=${id}>${name}</option>`)}
        </select><//
      >
      ${Object.keys(fields).map(
        (name) =>
          html`<${Field} key=${`${act}-${name}`} label=${LABELS[name] || fields[name]} id=${`write-${name}`}>${input(name)}<//>`,
      )}
      <button type="submit" class="primary" disabled=${busy}>Save</button>
    </form>
  </details>`;
}

export function RegistersPage({ me, name }) {
  const chosen = name || "all";
  const isNotices = chosen === "notices";
  const [search, setSearch] = useState("");
  const [due, setDue] = useState(false);
  const [said, setSaid] = useState({});
  const listed = useGet("/api/registers", { every: 15000 });
  const { data: books } = useGet("/api/rulebooks", { keep: true });
  const { data: tables, loading } = useGet("/api/log/tables");
  const named = { table: (id) => (loading ? "" : tables?.find((each) => each.table === id)?.name || id), rulebook: (id) => books?.find((each) => each.id === id)?.name || plain(id) };
  const [filter, setFilter] = useState({});
  const only = (name, value) => setFilter({ ...filter, [name]: value });
  const narrowed = isNotices
    ? { table: filter.table }
    : { table: filter.table, person: filter.person, kind: filter.kind, since: filter.from, until: filter.to };
  const asked = useSettled(query({ search, due: due ? "true" : "", ...narrowed }));
  const path = isNotices ? `/api/notices${asked}` : `/api/registers/${encodeURIComponent(chosen)}${asked}`;
  const { data, error, again } = useGet(path, { every: 15000, stays: true });
  const title = isNotices ? "Notices" : data?.title || "Registers";
  useTitle(title);
  const write = async (act, rulebook) => {
    try {
      await post("/api/registers", { id: commandId(), act, rulebook });
      setSaid({ done: "Saved." });
      again();
      listed.again();
      return true;
    } catch (problem) {
      setSaid({ problem: capital(problem.message) });
      return false;
    }
  };
  const send = async (item) => {
    try {
      await post(`/api/notices/${encodeURIComponent(item.id)}/send`, { id: commandId() });
      setSaid({ done: "Sent to the mail server." });
    } catch (problem) {
      setSaid({ problem: capital(problem.message) });
    }
    again();
    listed.again();
  };
  const kinds = [...new Set((listed.data?.registers || []).filter((each) => chosen === "all" || each.name === chosen).flatMap((each) => each.kinds))].sort();
  const links = [
    { name: "all", title: "All registers", due: listed.data?.due, overdue: listed.data?.overdue },
    { name: "notices", title: "Notices", due: listed.data?.notices_due, overdue: listed.data?.notices_overdue },
    ...(listed.data?.registers || []),
  ];
  return html`<div class="page wide">
    <h1>${title}</h1>
    <p class="lead">What must be recorded, done and notified, with its clause. Every line comes from the log.</p>
    <${Problem} text=${listed.error || error} />
    <${Outcome} problem=${said.problem} done=${said.done} />
    <nav aria-label="Registers">
      <ul class="register-links">
        ${links.map(
          (each) =>
            html`<li key=${each.name}>
              <a href=${`#/registers/${each.name}`} aria-current=${each.name === chosen ? "page" : undefined}
                >${each.title}${each.due > 0 && html` <span class="badge" aria-label=${`${each.due} due`}>${each.due}</span>`}</a
              >${each.overdue > 0 && html` <strong class="outside">${each.overdue} overdue</strong>`}
            </li>`,
        )}
      </ul>
    </nav>
    <div class="people-tools" role="search">
      <${Field} label="Find" id="register-search"
        ><input id="register-search" type="search" placeholder="name, clause, what happened" value=${search} onInput=${(event) => setSearch(event.target.value)} /><//
      >
      <${Field} label="Table" id="register-table"
        ><select id="register-table" value=${filter.table || ""} onChange=${(event) => only("table", event.target.value)}>
          <option value="">Every table</option>
          ${(tables || []).map(({ table, name }) => html`<option key=${table} value=${table}>${name || table}</option>`)}
        </select><//
      >
      ${
        !isNotices &&
        html`<${Field} label="Person" id="register-person"
            ><input id="register-person" value=${filter.person || ""} onInput=${(event) => only("person", event.target.value.trim())} /><//
          >
          <${Field} label="Kind" id="register-kind"
            ><select id="register-kind" value=${filter.kind || ""} onChange=${(event) => only("kind", event.target.value)}>
              <option value="">Every kind</option>
              ${kinds.map((each) => html`<option key=${each} value=${each}>${capital(each)}</option>`)}
            </select><//
          >
          <${Field} label="From" id="register-from"
            ><input id="register-from" type="date" value=${filter.from || ""} onInput=${(event) => only("from", event.target.value)} /><//
          >
          <${Field} label="To" id="register-to"
            ><input id="register-to" type="date" value=${filter.to || ""} onInput=${(event) => only("to", event.target.value)} /><//
          >`
      }
      <label class="check"
        ><input id="register-due" type="checkbox" checked=${due} onChange=${(event) => setDue(event.target.checked)} /> Only what is due</label
      >
      <p class="row">
        <a class="button" href=${`/api/registers/${chosen}/paper${asked}`} download>Print form</a>
        <a class="button" href=${`/api/registers/${chosen}/rows${asked}`} download>CSV</a>
      </p>
    </div>
    ${WRITES.includes(me.role) && !isNotices && html`<${Write} onWrite=${write} rulebooks=${books || []} />`}
    ${
      isNotices
        ? html`<${Items} named=${named} items=${data?.notices} me=${me} onDone=${write} heading="Who is told what" onSend=${send} sendable=${data?.sendable} />
            ${data && !data.notices?.length && html`<${Empty}>No notices<//>`}`
        : html`<${Items} named=${named} items=${data?.items?.filter(({ state }) => state === "due" || state === "overdue")} me=${me} onDone=${write} heading="Due" />
            ${data?.lines?.length > 0 && html`<${Lines} lines=${data.lines} more=${data.more} named=${named} />`}
            ${data && !data.lines?.length && html`<${Empty}>No matching entries<//>`}
            ${(data?.notes || []).map(
              (note) => html`<p key=${note.rulebook + note.text} class="hint">${note.text} (${named.rulebook(note.rulebook)} ${note.cited})</p>`,
            )}`
    }
  </div>`;
}

/** What is overdue, for the overview of the floor; nothing where nothing is. */
export function Overdue() {
  const { data } = useGet("/api/registers", { every: 15000 });
  if (!data?.overdue) return null;
  return html`<p class="overdue" role="status">
    ${data.overdue} ${data.overdue === 1 ? "thing is" : "things are"} overdue in the <a href="#/registers">registers</a>.
  </p>`;
}
