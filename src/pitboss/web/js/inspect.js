// The inspector's pages: a table at any past version, and the log searched by clause, player, amount and act.

import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { get, once, query } from "./api.js";
import { Felt } from "./felt.js";
import { History, clausesOf, factOf } from "./history.js";
import { follow, pictureOf, settle } from "./picture.js";
import { Rounds } from "./rounds.js";
import { RulesPanel } from "./rules.js";
import { Stepper } from "./stepper.js";
import { Empty, Field, Problem, Tabs, cents, useGet, useTitle } from "./ui.js";
import { useBook } from "./book.js";
import { capital, plain, spaced, stateOf } from "./words.js";
import { Why, WhyButton } from "./why.js";

/** The table after an act, with the results of the act in sight: its events told from the table before it. */
function pictured(now, before) {
  let picture = pictureOf(before ? before.view : now.view);
  for (const each of now.events) picture = follow(picture, each.event);
  return settle(picture, now.view);
}

export function PastPage({ id, version: asked }) {
  const [version, setVersion] = useState(asked);
  useEffect(() => setVersion(asked), [asked]);
  const path = `/api/tables/${encodeURIComponent(id)}`;
  const { data: info, error } = useGet(path);
  const [frame, setFrame] = useState(null);
  const [problem, setProblem] = useState("");
  const [why, setWhy] = useState(null);
  const [tab, setTab] = useState("here");
  const newest = info?.version ?? version;
  useTitle(`${info?.table_name || id} at ${version}`);
  useEffect(() => {
    let gone = false;
    const at = (number) => once(`${path}/at/${number}`);
    Promise.all([at(version), version > 1 ? at(version - 1) : null]).then(
      ([now, before]) => !gone && (setFrame({ ...now, picture: pictured(now, before) }), setProblem("")),
      (failed) => !gone && setProblem(failed.message),
    );
    return () => (gone = true);
  }, [path, version]);
  const go = (to) => {
    if (to === version) return;
    setVersion(to);
    history.replaceState(null, "", `#/table/${encodeURIComponent(id)}/at/${to}`);
  };
  const view = frame?.view;
  const { book: rulebook } = useBook(view?.rulebook);
  const told = frame?.events || [];
  return html`<div class="table-page past">
    <header class="table-head">
      <h1>${info?.table_name || id}, version ${version}</h1>
      <p>${view ? view.name : ""}</p>
      <p class="table-state">${view ? stateOf(view) : ""}</p>
      <a class="button" href=${`#/table/${encodeURIComponent(id)}`}>Now</a>
    </header>
    <div class="table-main">
      <${Problem} text=${error || problem} />
      ${view && html`<${Felt} view=${view} picture=${frame.picture} house=${info?.house} rulebook=${rulebook} />`}
      <section class="dock" aria-label="Go to another moment">
        <${Stepper}
          at=${version}
          least=${1}
          most=${Math.max(newest, version)}
          onGo=${go}
          label="Version of the table"
        />
        <p class="quiet-line" aria-live="polite">
          ${told.map((each) => capital(factOf(each))).join(". ") || frame?.text || "Arrow keys step; Home and End go to the ends."}
        </p>
      </section>
    </div>
    <aside class="table-side" aria-label="Beside the table">
      <${Tabs}
        label="Beside the table"
        chosen=${tab}
        onChoose=${setTab}
        tabs=${[
          { id: "here", label: "This act", body: html`<${History} events=${told} onWhy=${setWhy} />` },
          {
            id: "rules",
            label: "Pays",
            body: html`<${RulesPanel} rulebook=${rulebook} view=${view} onWhy=${setWhy} />`,
          },
          { id: "rounds", label: "Rounds", body: html`<${Rounds} table=${id} role="inspector" />` },
        ]}
      />
    </aside>
    ${why && html`<${Why} rulebook=${view.rulebook} name=${view.name} text=${why.event ? factOf(why) : why.text} clauses=${why.clauses || why.event?.clauses} onClose=${() => setWhy(null)} />`}
  </div>`;
}

const BLANK = { table: "", clause: "", player: "", act: "", from: "", event: "" };

export function LogPage({ me }) {
  useTitle("The log");
  const { data: tables } = useGet("/api/tables");
  const { data: head } = useGet("/api/log/head");
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
  const search = async (event, more) => {
    event?.preventDefault();
    const from = values.from ? cents(values.from) : "";
    if (Number.isNaN(from)) return setProblem("Write the amount in dollars, such as 50.");
    setBusy(true);
    try {
      const { table, clause, player, act } = values;
      const answer = await get(
        `/api/log/search${query({ table, clause: clause.trim(), player: player.trim(), act: act.trim(), cents_from: from, after: more })}`,
      );
      setFound((before) => ({ rows: more ? [...before.rows, ...answer.found] : answer.found, next: answer.next }));
      setProblem("");
    } catch (error) {
      setProblem(error.message);
    }
    setBusy(false);
    return undefined;
  };
  return html`<div class="page log-page">
    <header class="page-head">
      <h1>The log</h1>
      ${me.role === "inspector" && html`<a class="button" href="/api/log/export" download="pitboss-log.jsonl">Export the log</a>`}
    </header>
    ${
      head &&
      html`<p class="hint head">
        Head of the chain: entry ${head.seq}, <code>${head.hash.slice(0, 24)}…</code>
        ${head.signature ? `, signed with key ${head.key.slice(0, 12)}…` : ""}. Keep it elsewhere, and nobody can cut
        the log shorter unnoticed.
      </p>`
    }
    <form class="search-grid" onSubmit=${search} role="search">
      <${Field} label="Table" id="log-table"
        ><select ...${bind("table")}>
          <option value="">All tables</option>
          ${rows.map((row) => html`<option key=${row.table} value=${row.table}>${row.name || row.table}</option>`)}
        </select><//
      >
      <${Field} label="Clause" id="log-clause"><input ...${bind("clause")} placeholder="12.1" /><//>
      <${Field} label="Player" id="log-player"><input ...${bind("player")} placeholder="alice" /><//>
      <${Field} label="Act" id="log-act"><input ...${bind("act")} placeholder="Double, Insure" /><//>
      <${Field} label="Amount from" id="log-from"><input ...${bind("from")} inputmode="decimal" placeholder="100" /><//>
      <button type="submit" class="primary" disabled=${busy}>Search</button>
    </form>
    <${Problem} text=${problem} />
    ${found && !found.rows.length && html`<${Empty}>Nothing in the log answers that.<//>`}
    ${
      found?.rows.length > 0 &&
      html`<div class="scroll" tabindex="0" role="region" aria-label="What was found">
        <table class="plain log-table">
          <caption>
            ${found.rows.length} found${found.next === null ? "" : " so far"}
          </caption>
          <thead>
            <tr>
              <th scope="col">Table</th>
              <th scope="col">Version</th>
              <th scope="col">Who</th>
              <th scope="col">Act</th>
              <th scope="col">What happened</th>
            </tr>
          </thead>
          <tbody>
            ${found.rows.map((row, at) => html`<${LogRow} key=${at} row=${row} tables=${rows} onWhy=${setWhy} />`)}
          </tbody>
        </table>
      </div>`
    }
    ${found && found.next !== null && html`<p><button type="button" onClick=${() => search(null, found.next)} disabled=${busy}>Search on</button></p>`}
    ${why && html`<${Why} rulebook=${why.rulebook} text=${why.text} clauses=${why.clauses} onClose=${() => setWhy(null)} />`}
  </div>`;
}

function LogRow({ row, tables, onWhy }) {
  const { table, act, events } = row;
  const name = tables.find((each) => each.table === table)?.name || table;
  const rulebook = tables.find((each) => each.table === table)?.rulebook;
  return html`<tr>
    <th scope="row">${name}</th>
    <td><a href=${`#/table/${encodeURIComponent(table)}/at/${row.version}`}>${row.version}</a></td>
    <td>
      ${row.by || "house"}${row.role && row.role !== "house" ? html` <span class="hint">${plain(row.role)}</span>` : ""}
    </td>
    <td>${capital(spaced(act))}</td>
    <td>
      <ul class="plain-list">
        ${events.map((each, at) => {
          const text = factOf(each);
          const clauses = clausesOf(each);
          return html`<li key=${at}>
            ${`${text} `}
            <${WhyButton} text=${text} clauses=${clauses} onWhy=${() => onWhy({ rulebook, text, clauses })} />
          </li>`;
        })}
      </ul>
    </td>
  </tr>`;
}
