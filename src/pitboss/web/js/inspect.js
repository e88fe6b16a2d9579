// A table at any past version, with the acts around it.

import { html, useEffect, useMemo, useRef, useState } from "./nodes.js";
import { get, query } from "./api.js";
import { useTableBook } from "./book.js";
import { Felt } from "./felt.js";
import { History, factOf, lineOf } from "./history.js";
import { when } from "./log.js";
import { follow, pictureOf, settle } from "./picture.js";
import { Rounds } from "./rounds.js";
import { RulesPanel } from "./rules.js";
import { WrongCards } from "./wrongcards.js";
import { Stepper } from "./stepper.js";
import { Problem, Tabs, useGet, useTitle } from "./ui.js";
import { inChips, stateOf } from "./words.js";
import { Why } from "./why.js";

/** The table after an act, with the results of the act in sight: its events told from the table before it. */
function pictured(now, before) {
  let picture = pictureOf(before ? before.view : now.view);
  for (const each of now.events) picture = follow(picture, each.event);
  return settle(picture, now.view);
}

const KEPT = 300;

/** Moments of one table by version; the oldest of many are forgotten. */
function momentsOf(path) {
  const known = new Map();
  return (version) => {
    if (!known.has(version)) {
      const asked = get(`${path}/at/${version}`);
      asked.catch(() => known.delete(version));
      known.set(version, asked);
      if (known.size > KEPT) known.delete(known.keys().next().value);
    }
    return known.get(version);
  };
}

/**
 * The table at a version. While one moment is on its way only the newest wish is remembered, so that a slider which
 * is drawn over thousands of versions asks for a few of them.
 */
function useMoment(path, version) {
  const [state, setState] = useState({ frame: null, problem: "" });
  const kept = useRef(null);
  if (kept.current?.path !== path) kept.current = { path, at: momentsOf(path), wish: 0, busy: false, gone: false };
  const mine = kept.current;
  useEffect(() => {
    mine.gone = false;
    return () => (mine.gone = true);
  }, [path]);
  useEffect(() => {
    mine.wish = version;
    const look = async () => {
      mine.busy = true;
      for (let wish = 0; wish !== mine.wish && !mine.gone; ) {
        wish = mine.wish;
        try {
          const [now, before] = await Promise.all([mine.at(wish), wish > 1 ? mine.at(wish - 1) : null]);
          if (!mine.gone) setState({ frame: { ...now, picture: pictured(now, before) }, problem: "" });
        } catch (error) {
          if (!mine.gone) setState((old) => ({ ...old, problem: error.message }));
        }
      }
      mine.busy = false;
    };
    if (!mine.busy) look();
  }, [path, version]);
  return state;
}

export function PastPage({ id, version: asked }) {
  const [version, setVersion] = useState(asked);
  useEffect(() => {
    const follow = () => setVersion(asked);
    follow();
    addEventListener("hashchange", follow); // a link may lead back to where one came in
    return () => removeEventListener("hashchange", follow);
  }, [asked]);
  const path = `/api/tables/${encodeURIComponent(id)}`;
  const { data: ever } = useGet("/api/log/tables");
  const past = ever?.find((each) => each.table === id);
  const { data: live } = useGet(past && !past.closed_ms ? path : null);
  const info = live || (past && { version: past.version, table_name: past.name });
  const { frame, problem } = useMoment(path, version);
  const [why, setWhy] = useState(null);
  const [tab, setTab] = useState("here");
  const newest = info?.version ?? version;
  useTitle(`${info?.table_name || id} at ${version}`);
  const go = (to) => {
    if (to === version) return;
    setVersion(to);
    history.replaceState(null, "", `#/table/${encodeURIComponent(id)}/at/${to}`);
  };
  useEffect(() => {
    if (info && version > info.version) go(info.version);
  }, [info?.version, version]);
  const view = frame?.view;
  inChips(Boolean(view?.session));
  const thatDay = useMemo(() => frame?.version, [frame?.date]); // the rules change with the date, not with every act
  const { book: rulebook } = useTableBook(view && id, 0, thatDay);
  const told = frame?.events || [];
  const late = frame?.version !== version;
  return html`<div class="table-page past" data-version=${frame?.version} aria-busy=${late && !problem ? "true" : "false"}>
    <header class="table-head">
      <h1>${info?.table_name || id}, version ${version}</h1>
      <p>${view ? view.name : ""}</p>
      <p class="table-state">${view ? stateOf(view) : ""}</p>
      ${past?.closed_ms ? html`<p class="table-state warn">Closed ${when(past.closed_ms)}</p>` : html`<a class="button" href=${`#/table/${encodeURIComponent(id)}`}>Now</a>`}
    </header>
    <div class="table-main">
      <${Problem} text=${problem} />
      ${view && html`<${Felt} view=${view} picture=${frame.picture} house=${info?.house} rulebook=${rulebook} />`}
      ${view && html`<${WrongCards} view=${view} />`}
      <section class="dock" aria-label="Go to another moment">
        <${Stepper}
          at=${version}
          least=${1}
          most=${Math.max(newest, version)}
          onGo=${go}
          label="Version of the table"
        />
        <${GoTo} path=${path} at=${frame?.at_ms} go=${go} />
        ${late && !problem && html`<p class="moment">Looking for version ${version}…</p>`}
        ${frame && !late && html`<p class="moment">Round ${frame.round}, ${when(frame.at_ms)}, ${frame.by ? `done by ${frame.by}` : "done by the house"}${frame.approved_by ? `, approved by ${frame.approved_by}` : ""}</p>`}
        <p class="quiet-line" aria-live="polite">
          ${told.map(lineOf).join(". ") || (past?.closed_ms && version === newest ? "The table is closed." : "Arrow keys step; Home and End go to the ends.")}
        </p>
      </section>
    </div>
    <aside class="table-side" aria-label="Beside the table">
      <${Tabs}
        label="Beside the table"
        chosen=${tab}
        onChoose=${setTab}
        tabs=${[
          { id: "here", label: "This action", body: html`<${History} events=${told} onWhy=${setWhy} />` },
          { id: "around", label: "Around it", body: html`<${Around} path=${path} version=${version} go=${go} />` },
          {
            id: "rules",
            label: "Pays",
            body: html`<${RulesPanel} rulebook=${rulebook} table=${id} view=${view} onWhy=${setWhy} />`,
          },
          { id: "rounds", label: "Rounds", body: html`<${Rounds} table=${id} role="inspector" />` },
        ]}
      />
    </aside>
    ${why && html`<${Why} rulebook=${view.rulebook} edition=${rulebook?.digest} name=${view.name} text=${why.event ? factOf(why) : why.text} clauses=${why.clauses || why.event?.clauses} onClose=${() => setWhy(null)} />`}
  </div>`;
}

/** A moment as a field for date and time has it, by the clock of this browser. */
export const local = (ms) => (ms ? new Date(ms - new Date(ms).getTimezoneOffset() * 60000).toISOString().slice(0, 19) : "");

/** The table as it stood at a date and time. */
function GoTo({ path, at, go }) {
  const [value, setValue] = useState("");
  const [problem, setProblem] = useState("");
  const submit = async (event) => {
    event.preventDefault();
    const moment = new Date(value || local(at)).getTime();
    if (Number.isNaN(moment)) return setProblem("Enter a date and a time.");
    try {
      go((await get(`${path}/when${query({ at_ms: moment })}`)).version);
      setProblem("");
    } catch (error) {
      setProblem(error.message);
    }
    return undefined;
  };
  return html`<form class="row go-to" onSubmit=${submit}>
    <label for="go-to-moment">Date and time</label>
    <input id="go-to-moment" type="datetime-local" step="1" value=${value || local(at)} onInput=${(event) => setValue(event.target.value)} />
    <button type="submit">Go to this moment</button>
    <${Problem} text=${problem} />
  </form>`;
}

const NEAR = 20;

/** What happened before and after, act by act; each leads to its moment. */
function Around({ path, version, go }) {
  const [centre, setCentre] = useState(version);
  useEffect(() => {
    if (Math.abs(version - centre) > NEAR / 2) setCentre(version);
  }, [version]);
  const events = `${path}/events${query({ after: Math.max(0, centre - NEAR - 1), limit: 2 * NEAR })}`;
  const { data, error } = useGet(events, { stays: true });
  const list = useRef(null);
  useEffect(() => list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" }), [data, version]);
  const acts = new Map();
  for (const each of data || []) {
    if (!acts.has(each.version)) acts.set(each.version, []);
    acts.get(each.version).push(lineOf(each));
  }
  return html`<${Problem} text=${error} />
    <ol class="steps around" ref=${list}>
      ${[...acts].map(
        ([at, facts]) =>
          html`<li key=${at}>
            <button type="button" class="step" aria-current=${at === version ? "step" : undefined} onClick=${() => go(at)}>
              <b>${at}</b> ${facts.join(". ")}
            </button>
          </li>`,
      )}
    </ol>`;
}
