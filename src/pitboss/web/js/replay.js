// A .round record, step by step: uploaded, pasted, or a finished round of a table.

import { html, useEffect, useMemo, useRef, useState } from "./nodes.js";
import { get, post } from "./api.js";
import { Felt } from "./felt.js";
import { lineOf } from "./history.js";
import { follow, pictureOf, settle } from "./picture.js";
import { RulesPanel } from "./rules.js";
import { Stepper } from "./stepper.js";
import { readBook } from "./book.js";
import { Problem, useTitle } from "./ui.js";
import { Why, WhyButton } from "./why.js";
import { capital, inWords, withSigns } from "./words.js";

const EXAMPLE = `title = "A doubled 21 is paid even money"
rulebook = "nsw-pontoon"
cards = "6s 9h 5d Kc"
play = [
  "alice bets 25 on 1",
  "dealer deals",
  "alice doubles on 1",
]
`;

export function ReplayPage({ table, round, within = false }) {
  useTitle(within ? "" : "Replay a round");
  const [text, setText] = useState("");
  const [name, setName] = useState("");
  const [frames, setFrames] = useState(null);
  const [book, setBook] = useState(null); // as the record plays it: its own edition, with what amends it
  const [expected, setExpected] = useState({ any: false, failures: [] });
  const [at, setAt] = useState(0);
  const [problem, setProblem] = useState("");
  const [wrongLine, setWrongLine] = useState(0); // where the record cannot be read: the line is marked
  const writing = useRef(null);
  const newest = useRef(0); // only what was asked for last is shown
  const show = async (record, called) => {
    const number = ++newest.current;
    const late = () => number !== newest.current;
    try {
      const answer = await post("/api/replay", { record });
      if (late()) return;
      setFrames(answer.frames);
      setBook(readBook(answer.rulebook));
      setExpected({ any: answer.expects, failures: answer.failures || [] });
      setName(called || "");
      setAt(0);
      setProblem("");
    } catch (error) {
      if (late()) return;
      setProblem(error.message);
      setFrames(null);
      setText(record);
      setWrongLine(Number(/\bline (\d+)/.exec(error.message)?.[1] || 0));
    }
  };
  useEffect(() => {
    if (!wrongLine || !writing.current) return;
    const lines = text.split("\n");
    const start = lines.slice(0, wrongLine - 1).join("\n").length + (wrongLine > 1 ? 1 : 0);
    writing.current.focus();
    writing.current.setSelectionRange(start, start + (lines[wrongLine - 1] || "").length);
    setWrongLine(0);
  }, [wrongLine]);
  useEffect(() => {
    if (!table) return;
    get(`/api/tables/${encodeURIComponent(table)}/rounds/${round}`).then(
      (record) => show(typeof record === "string" ? record : record.text, `${table}, round ${round}`),
      (error) => setProblem(error.message),
    );
  }, [table, round]);
  const upload = async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    if (file.size > 500000) return setProblem("That file is larger than any round.");
    const record = await file.text();
    setText(record);
    show(record, file.name);
    return undefined;
  };
  if (within && !frames)
    return problem ? html`<p class="hint">The round is not over: ${problem}</p>` : html`<p class="empty" role="status">Loading…</p>`;
  return html`<div class=${within ? "replay-page" : "page replay-page"}>
    ${
      !frames &&
      html`<h1>Replay a round</h1>
        <p class="lead">Choose a .round file or write one. It is replayed with the rulebook that it names.</p>
        <${Unread} text=${problem} />
        <div class="panels">
          <div class="panel">
            <h2>A file</h2>
            <label class="button primary file"
              >Choose a .round file<input type="file" accept=".round,text/plain" onChange=${upload}
            /></label>
          </div>
          <form
            class="panel"
            onSubmit=${(event) => {
              event.preventDefault();
              show(text || EXAMPLE);
            }}
          >
            <h2>Text</h2>
            <label for="round-text">Record</label>
            <textarea
              id="round-text"
              ref=${writing}
              rows="10"
              spellcheck="false"
              placeholder=${EXAMPLE}
              value=${text}
              onInput=${(event) => setText(event.target.value)}
            ></textarea>
            <button type="submit" class="primary">Replay</button>
          </form>
        </div>`
    }
    ${frames && frames.length > 0 && html`<${Frames} table=${table} frames=${frames} at=${at} setAt=${setAt} name=${name} rulebook=${book} expected=${expected} onClose=${within ? null : () => setFrames(null)} />`}
    ${frames && !frames.length && html`<p class="empty">The record has no steps.</p>`}
  </div>`;
}

/** Why a record cannot be read; what it could have said instead is folded away where it is much. */
function Unread({ text }) {
  const [what, known] = text.split(/(?<=\.) Known: /);
  if (!known || known.length < 80) return html`<${Problem} text=${capital(text)} />`;
  return html`<div class="problem" role="alert">
    <p>${capital(what)}</p>
    <details>
      <summary>What a record may contain</summary>
      <p>${known}</p>
    </details>
  </div>`;
}

/** The picture at each frame, so that results and cleared cards stay in sight until the round is over. */
function picturesOf(frames) {
  let picture = pictureOf(frames[0].view);
  return frames.map((frame) => {
    picture = settle(frame.event ? follow(picture, frame.event) : picture, frame.view);
    return picture;
  });
}

/** Whether what the record expects came of it. */
function Expected({ any, failures }) {
  if (failures.length)
    return html`<div class="problem expected" role="alert">
      <p>Replay differs from the recorded result:</p>
      <ul>
        ${failures.map((text, n) => html`<li key=${n}>${capital(inWords(withSigns(text)))}</li>`)}
      </ul>
    </div>`;
  return any ? html`<p class="done expected" role="status">Replay matches the recorded result.</p>` : null;
}

function Frames({ frames, at, setAt, table = "", name, rulebook, expected, onClose }) {
  const frame = frames[at];
  const [why, setWhy] = useState(null);
  const pictures = useMemo(() => picturesOf(frames), [frames]);
  const house = { boxes: Math.max(7, ...frame.view.boxes.map((box) => box.box)) };
  return html`<div class="table-page past">
    <header class="table-head">
      <h1>${name || capital(frames[0].text) || "Replay"}</h1>
      <p>${frame.view.name}</p>
      ${onClose && html`<button type="button" onClick=${onClose}>Another record</button>`}
    </header>
    <div class="table-main">
      <${Expected} ...${expected} />
      <${Felt} view=${frame.view} picture=${pictures[at]} house=${house} rulebook=${rulebook} />
      <section class="dock" aria-label="Steps">
        <div class="dock-head">
          <p class="dock-state" aria-live="polite">${lineOf(frame)}</p>
          <${WhyButton} text=${frame.text} clauses=${frame.clauses} onWhy=${() => setWhy(frame)} />
        </div>
        <${Stepper} at=${at} most=${frames.length - 1} onGo=${setAt} label="Step of the record" />
      </section>
    </div>
    <aside class="table-side" aria-label="Steps of the record">
      <ol class="steps">
        ${frames.map(
          (each, n) =>
            html`<li key=${n}>
              <button
                type="button"
                class="step"
                aria-current=${n === at ? "step" : undefined}
                onClick=${() => setAt(n)}
              >
                ${each.text ? lineOf(each) : "The start"}
              </button>
              <${WhyButton} text=${each.text} clauses=${each.clauses} onWhy=${() => setWhy(each)} />
            </li>`,
        )}
      </ol>
      <${RulesPanel} rulebook=${rulebook} table=${table} view=${frame.view} onWhy=${setWhy} />
    </aside>
    ${why && html`<${Why} rulebook=${frame.view.rulebook} edition=${rulebook.digest} name=${frame.view.name} text=${why.text} clauses=${why.clauses} onClose=${() => setWhy(null)} />`}
  </div>`;
}
