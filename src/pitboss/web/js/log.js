// The log: searched by clause, player, amount and act; proved; and taken away.

import { html, useState } from "./nodes.js";
import { ACTS } from "./acts.js";
import { locale } from "./catalogue.js";
import { get, post, query } from "./api.js";
import { clausesOf, factOf, lineOf } from "./history.js";
import { Empty, Field, Problem, cents, useGet, useTitle } from "./ui.js";
import { capital, plain, spaced } from "./words.js";
import { Why, WhyButton } from "./why.js";

const BLANK = { table: "", clause: "", player: "", act: "", from: "", to: "", by: "", since: "", until: "", order: "newest" };

/** How the log calls an act, in words. */
export const actName = (act) => ACTS[act]?.label || capital(spaced(act));

export const when = (ms, time = "medium") =>
  ms ? new Date(ms).toLocaleString(locale(), { dateStyle: "medium", timeStyle: time, hour12: false }) : "";

function useActs() {
  const { data } = useGet("/api/matrix", { keep: true });
  const acts = Object.keys(data?.acts?.player || {});
  return acts.sort((one, other) => actName(one).localeCompare(actName(other)));
}

export function LogPage({ me }) {
  useTitle("The log");
  const { data: tables } = useGet("/api/log/tables");
  const acts = useActs();
  const [values, setValues] = useState(BLANK);
  const [found, setFound] = useState(null);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const [why, setWhy] = useState(null);
  const rows = tables || [];
  const bind = (name) => ({
    id: `log-${name}`,
    value: values[name],
    onInput: (event) => setValues({ ...values, [name]: event.target.value }),
  });
  /** What is written in the form, as the floor is asked; or nothing where an amount cannot be read. */
  const asking = () => {
    const from = values.from ? cents(values.from) : "";
    const to = values.to ? cents(values.to) : "";
    if (Number.isNaN(from) || Number.isNaN(to)) return null;
    const { table, clause, player, act, by, order } = values;
    const asked = { table, clause, player, act, by, cents_from: from, cents_to: to };
    asked.since_ms = momentOf(values.since);
    asked.until_ms = momentOf(values.until);
    for (const key of ["table", "clause", "player", "by"]) asked[key] = asked[key].trim();
    return { ...asked, oldest: order === "oldest" ? true : "" };
  };
  /** A new search, or `more` of one: that goes on with what was asked then, whatever the form says by now. */
  const search = async (event, more) => {
    event?.preventDefault();
    const asked = more ? more.asked : asking();
    if (!asked) return setProblem("Enter the amount in dollars, such as 50.");
    setBusy(true);
    try {
      const answer = await get(`/api/log/search${query({ ...asked, after: more?.next })}`);
      setFound({ asked, rows: more ? [...more.rows, ...answer.found] : answer.found, next: answer.next });
      setProblem("");
    } catch (error) {
      setProblem(error.message);
    }
    setBusy(false);
    return undefined;
  };
  return html`<div class="page wide log-page">
    <header class="page-head">
      <h1>The log</h1>
      ${
        me.role === "inspector" &&
        html`<div class="buttons">
          <a class="button" href="/api/log/export" download="pitboss-log.jsonl">Export the log</a>
          ${me.exports?.includes("parquet") && html`<a class="button" href="/api/log/export.parquet" download="pitboss-log.parquet">Parquet</a>`}
        </div>`
      }
    </header>
    <${Proof} />
    <form class="search-grid no-print" onSubmit=${search} role="search">
      <${Field} label="Table" id="log-table"><input ...${bind("table")} list="log-tables" placeholder="name" autocomplete="off" /><//>
      <datalist id="log-tables">
        ${rows.map((row) => html`<option key=${row.table} value=${row.name || row.table}>${row.table}</option>`)}
      </datalist>
      <${Field} label="Clause" id="log-clause"><input ...${bind("clause")} placeholder="17.8" /><//>
      <${Field} label="Player" id="log-player"><input ...${bind("player")} placeholder="alice" /><//>
      <${Field} label="Action" id="log-act"
        ><select ...${bind("act")}>
          <option value="">Any action</option>
          ${acts.map((act) => html`<option key=${act} value=${act}>${actName(act)}</option>`)}
        </select><//
      >
      <${Field} label="Done or approved by" id="log-by"><input ...${bind("by")} placeholder="anybody" /><//>
      <${Field} label="Amount from" id="log-from"><input ...${bind("from")} inputmode="decimal" placeholder="100" /><//>
      <${Field} label="to" id="log-to"><input ...${bind("to")} inputmode="decimal" placeholder="any" /><//>
      <${Field} label="Not before" id="log-since"><input ...${bind("since")} type="datetime-local" step="1" /><//>
      <${Field} label="Before" id="log-until"><input ...${bind("until")} type="datetime-local" step="1" /><//>
      <${Field} label="Order" id="log-order"
        ><select ...${bind("order")}>
          <option value="newest">Newest first</option>
          <option value="oldest">Oldest first</option>
        </select><//
      >
      <button type="submit" class="primary" disabled=${busy}>Search</button>
    </form>
    <${Problem} text=${problem} />
    ${found && !found.rows.length && html`<${Empty}>${found.next === null ? "No matching entries" : "No matches so far; load more to keep searching."}<//>`}
    ${
      found?.rows.length > 0 &&
      html`<div class="buttons small no-print">
          <a class="button" download="pitboss-found.csv" href=${csvOf(found.rows, rows)}>CSV</a>
          <button type="button" onClick=${() => print()}>Print</button>
        </div>
        <div class="scroll tall" tabindex="0" role="region" aria-label="What was found">
        <table class="plain log-table">
          <caption>
            ${found.rows.length} found${found.next === null ? "" : " so far"}, ${found.asked.oldest ? "oldest" : "newest"} first
          </caption>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Table</th>
              <th scope="col">Version</th>
              <th scope="col">Who</th>
              <th scope="col">Action</th>
              <th scope="col">What happened</th>
            </tr>
          </thead>
          <tbody>
            ${found.rows.map((row) => html`<${LogRow} key=${row.seq} row=${row} tables=${rows} onWhy=${setWhy} />`)}
          </tbody>
        </table>
      </div>`
    }
    ${found && found.next !== null && html`<p><button type="button" onClick=${() => search(null, found)} disabled=${busy}>Load more</button></p>`}
    ${why && html`<${Why} rulebook=${why.rulebook} edition=${why.edition} text=${why.text} clauses=${why.clauses} onClose=${() => setWhy(null)} />`}
  </div>`;
}

const momentOf = (value) => (value ? new Date(value).getTime() : "");

/** One field of a CSV file; nothing that a spreadsheet takes for a formula. */
const quoted = (value) => `"${String(value).replace(/^(?=[=+\-@\t])/, "'").replace(/"/g, '""')}"`;

/** What was found, as rows for other programs. */
function csvOf(found, tables) {
  const lines = [["When", "Table", "Version", "Who", "Role", "Approved by", "Action", "What happened", "Clauses"]];
  for (const row of found) {
    const name = tables.find((each) => each.table === row.table)?.name || row.table;
    const told = row.events.map(lineOf).join("; ");
    const clauses = [...new Set(row.events.flatMap((each) => clausesOf(each) || []))].join(" ");
    const at = new Date(row.at_ms).toISOString();
    lines.push([at, name, row.version, row.by || "house", row.role, row.approved_by, actName(row.act), told, clauses]);
  }
  return `data:text/csv;charset=utf-8,${encodeURIComponent(lines.map((line) => line.map(quoted).join(",")).join("\r\n"))}`;
}

function LogRow({ row, tables, onWhy }) {
  const { table, act, events, rulebook, edition } = row;
  const name = tables.find((each) => each.table === table)?.name || table;
  return html`<tr>
    <td class="when">${when(row.at_ms)}</td>
    <th scope="row">${name}</th>
    <td><a href=${`#/table/${encodeURIComponent(table)}/at/${row.version}`} title="View the table at that moment">${row.version}</a></td>
    <td>
      ${row.by || "house"}${row.role && row.role !== "house" ? html` <span class="hint">${plain(row.role)}</span>` : ""}
      ${row.approved_by ? html` <span class="hint">approved by ${row.approved_by}</span>` : ""}
    </td>
    <td>${actName(act)}</td>
    <td>
      <ul class="plain-list">
        ${events.map((each, at) => {
          const text = factOf(each);
          const clauses = clausesOf(each);
          return html`<li key=${at}>
            ${`${lineOf(each)} `}
            <${WhyButton} text=${text} clauses=${clauses} onWhy=${() => onWhy({ rulebook, edition, text, clauses })} />
          </li>`;
        })}
      </ul>
    </td>
  </tr>`;
}

/** The head of the chain: shown, taken away signed, and the whole log checked against heads that were kept. */
function Proof() {
  const { data: head, again } = useGet("/api/log/head");
  const [proof, setProof] = useState(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const verify = async (heads) => {
    setBusy(true);
    setProblem("");
    setProof(null);
    try {
      setProof(await post("/api/log/verify", { heads }));
      again();
    } catch (error) {
      setProblem(error.message);
    }
    setBusy(false);
  };
  const upload = async (event) => {
    const [file] = event.target.files;
    event.target.value = "";
    if (!file) return;
    if (file.size > 100000) return setProblem("That file is larger than any file of checkpoints.");
    await verify(await file.text());
    return undefined;
  };
  if (!head) return null;
  const signed = head.signature ? `${JSON.stringify(head)}\n` : "";
  return html`<section class="panel proof no-print" aria-label="Proof">
    <p>
      The log ends at entry <b>${head.seq.toLocaleString("en-AU")}</b> with the hash
      ${" "}<code title=${head.hash}>${head.hash.slice(0, 16)}…</code>${head.signature ? html`, signed with the key <code title=${head.key}>${head.key.slice(0, 12)}…</code>` : ", not signed: this server has no key"}.
      Keep the signed checkpoint elsewhere, and nobody can shorten or rewrite the log unnoticed.
    </p>
    <div class="buttons">
      <button type="button" disabled=${busy} onClick=${() => verify("")}>Verify the log</button>
      ${signed && html`<a class="button" download=${`pitboss-${head.seq}.heads`} href=${`data:application/jsonl,${encodeURIComponent(signed)}`}>Download signed checkpoint</a>`}
      <label class="button file"
        >Verify against kept checkpoints<input type="file" accept=".heads,.jsonl,.json,text/plain" onChange=${upload} disabled=${busy}
      /></label>
    </div>
    ${busy && html`<p role="status">Every entry is being checked…</p>`}
    <${Problem} text=${problem} />
    ${proof && html`<${Proved} proof=${proof} />`}
  </section>`;
}

function Proved({ proof }) {
  const counted = (count, one, many = `${one}s`) => `${count.toLocaleString("en-AU")} ${count === 1 ? one : many}`;
  const what = `${counted(proof.entries, "entry", "entries")} with ${counted(proof.events, "event")} in ${proof.seconds.toFixed(1)} s; ends at entry ${proof.seq.toLocaleString("en-AU")}, hash ${proof.hash.slice(0, 16)}…`;
  if (proof.sound)
    return html`<p class="done" role="status">
      The log is sound: ${what}. ${proof.heads ? `Checked against ${counted(proof.heads, "signed checkpoint")}.` : "Not checked against a kept checkpoint, so entries missing from the end would not be noticed."}
    </p>`;
  return html`<div class="problem" role="alert">
    <p>The log is damaged in ${counted(proof.faults_total, "place")}: ${what}.</p>
    <ul>
      ${proof.faults.map((fault, at) => html`<li key=${at}>Entry ${fault.seq}, ${fault.kind}: ${fault.text}</li>`)}
    </ul>
  </div>`;
}
