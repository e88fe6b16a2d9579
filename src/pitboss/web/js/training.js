// Training for dealers: the trainee says each step of a round, and the rules say whether it is right.

import { html, useEffect, useRef, useState } from "./nodes.js";
import { get, post } from "./api.js";
import { useBook } from "./book.js";
import { Felt } from "./felt.js";
import { pictureOf } from "./picture.js";
import { Check, Field, Problem, cents, useGet, useOnce, useTitle } from "./ui.js";
import { Chip } from "./chips.js";
import { when } from "./log.js";
import { capital, citation, dollars, plain, withSigns } from "./words.js";
import { Why, WhyButton } from "./why.js";

const KEPT = "pitboss-training";

export function TrainingPage({ me }) {
  useTitle("Training");
  const [training, setTraining] = useState(null);
  const [problem, setProblem] = useState("");
  const [kept] = useState(() => sessionStorage.getItem(KEPT));
  const [looking, setLooking] = useState(Boolean(kept)); // for the training that was left in the middle
  useEffect(() => {
    const look = async () => {
      try {
        setTraining(await get(`/api/training/${kept}`));
      } catch (error) {
        if (error.status) sessionStorage.removeItem(KEPT);
        else setProblem(error.message);
      }
      setLooking(false);
    };
    if (kept) look();
  }, []);
  const [busy, once] = useOnce();
  const begin = (asked) =>
    once(async () => {
      try {
        const begun = await post("/api/training", asked);
        sessionStorage.setItem(KEPT, begun.id);
        setTraining(begun);
        setProblem("");
      } catch (error) {
        setProblem(error.message);
      }
    });
  const leave = () => {
    sessionStorage.removeItem(KEPT);
    setTraining(null);
  };
  if (looking) return html`<p class="empty" role="status">Loading your training…</p>`;
  if (!training) return html`<${Begin} me=${me} begin=${begin} busy=${busy} problem=${problem} />`;
  return html`<${Round}
    key=${training.id}
    training=${training}
    setTraining=${setTraining}
    leave=${leave}
    me=${me}
    again=${() => begin({ rulebook: training.rulebook, rounds: training.rounds, exam: training.exam })}
  />`;
}

function Begin({ me, begin, busy, problem }) {
  const { data: books } = useGet("/api/rulebooks", { keep: true });
  const [values, setValues] = useState({ rulebook: "", scenario: "", seed: "", rounds: "1" });
  const [exam, setExam] = useState(false);
  const rulebook = values.rulebook || books?.[0].id;
  const { data: scenarios } = useGet(rulebook ? `/api/rulebooks/${rulebook}/scenarios` : null, { keep: true });
  const bind = (name) => ({
    id: `train-${name}`,
    value: values[name],
    onInput: (event) => setValues({ ...values, [name]: event.target.value }),
  });
  const offered = (scenarios || []).map((each) => each.scenario);
  const scenario = offered.includes(values.scenario) ? values.scenario : "";
  const submit = (event) => {
    event.preventDefault();
    begin({ rulebook, scenario, seed: exam ? "" : values.seed.trim(), rounds: Number(values.rounds), exam });
  };
  return html`<div class="page">
    <h1>Training</h1>
    <p class="lead">
      You are the dealer. Take the round step by step: shuffle, offer the cut to the right player, burn, deal, announce, offer,
      collect and pay. Order, person and amount are checked against the rules, and every answer cites its clause.
    </p>
    <form class="panel form-grid begin" onSubmit=${submit}>
      <${Field} label="Rulebook" id="train-rulebook"
        ><select ...${bind("rulebook")} value=${rulebook}>
          ${(books || []).map((book) => html`<option key=${book.id} value=${book.id}>${book.name}</option>`)}
        </select><//
      >
      <${Field} label="A round where" id="train-scenario"
        ><select ...${bind("scenario")}>
          <option value="">anything may happen</option>
          ${(scenarios || []).map((each) => html`<option key=${each.scenario} value=${each.scenario}>${each.words}</option>`)}
        </select><//
      >
      <${Field} label="Rounds" id="train-rounds"
        ><select ...${bind("rounds")}>
          ${[1, 2, 3, 5, 10].map((n) => html`<option key=${n} value=${n}>${n}</option>`)}
        </select><//
      >
      <${Check} label="Exam: no feedback until the end, and one try at each step" checked=${exam} onChange=${(event) => setExam(event.target.checked)} />
      ${!exam && html`<${Field} label="Seed" id="train-seed" hint="The same seed deals the same round. Leave empty for a new one."
        ><input ...${bind("seed")} autocomplete="off" maxlength="100" aria-describedby="train-seed-hint"
      /><//>`}
      <${Problem} text=${problem} />
      <button type="submit" class="primary big" disabled=${busy || !books}>${exam ? "Begin the exam" : "Begin"}</button>
    </form>
    <${Trainees} me=${me} books=${books || []} again=${(each) => begin({ rulebook: each.rulebook, seed: each.seed, rounds: each.rounds })} />
  </div>`;
}

const SEES_ALL = ["gaming-supervisor", "supervisor", "gaming-manager"];

/** Finished trainings: everybody's for those who supervise, one's own for the others. */
function Trainees({ me, books, again }) {
  const { data, error } = useGet("/api/trainees");
  const [who, setWho] = useState("");
  const all = data || [];
  const names = [...new Set(all.map((each) => each.name))].sort();
  const shown = all.filter((each) => !who || each.name === who);
  const everybody = SEES_ALL.includes(me?.role);
  const steps = shown.reduce((sum, each) => sum + each.steps, 0);
  const right = shown.reduce((sum, each) => sum + each.right_at_once, 0);
  if (!all.length) return html`<${Problem} text=${error} />`;
  return html`<section class="trainees" aria-label="Finished trainings">
    <header class="page-head">
      <h2>${everybody ? "Results by trainee" : "How you did"}</h2>
      <p class="floor-sum">${shown.length} training${shown.length === 1 ? "" : "s"}, ${percent(right, steps)} of the steps right first time</p>
      ${
        everybody &&
        names.length > 1 &&
        html`<label class="row">Trainee
          <select value=${who} onChange=${(event) => setWho(event.target.value)}>
            <option value="">everybody</option>
            ${names.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
          </select></label
        >`
      }
    </header>
    ${(who || names.length === 1) && html`<${Progress} trained=${shown} />`}
    <div class="scroll" tabindex="0" role="region" aria-label="Finished trainings">
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Trainee</th>
            <th scope="col">Rulebook</th>
            <th scope="col">Right first time</th>
            <th scope="col">Mistakes</th>
            <th scope="col">Seed</th>
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            (each, at) =>
              html`<tr key=${at}>
                <td>${when(each.at_ms)}</td>
                <th scope="row">${each.name}</th>
                <td>${books.find((book) => book.id === each.rulebook)?.name || plain(each.rulebook)}${each.exam && html` <span class="tag">${each.passed ? "exam passed" : "exam not passed"}</span>`}</td>
                <td>${percent(each.right_at_once, each.steps)} <span class="hint inline">${each.right_at_once} of ${each.steps}</span></td>
                <td>
                  ${
                    each.mistakes.length
                      ? html`<details>
                          <summary>${each.wrong}</summary>
                          <ul class="plain-list">
                            ${each.mistakes.map((text, n) => html`<li key=${n}>${keptWords(text)}</li>`)}
                          </ul>
                        </details>`
                      : "none"
                  }
                </td>
                <td><button type="button" class="quiet" onClick=${() => again(each)} aria-label=${`Deal seed ${each.seed} again`}>${each.seed}</button></td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

const SHOWN_MOST = 24;

/** How somebody came on: each training a bar, the oldest first, and what they got wrong most often. */
function Progress({ trained }) {
  const done = [...trained].reverse().slice(-SHOWN_MOST);
  const share = (each) => (each.steps ? each.right_at_once / each.steps : 0);
  const often = new Map();
  for (const each of trained)
    for (const text of each.mistakes) {
      const right = /; right: ([^;]*?)(?: (?:\$|of|to|from|on|for)\b.*)?$/.exec(text)?.[1];
      if (right) often.set(right, (often.get(right) || 0) + 1);
    }
  const worst = [...often].sort(([, one], [, other]) => other - one).slice(0, 3);
  const first = done.slice(0, Math.ceil(done.length / 2));
  const mean = (list) => Math.round((100 * list.reduce((sum, each) => sum + share(each), 0)) / (list.length || 1));
  const last = done.slice(first.length);
  const words = last.length ? `${mean(first)}% right first time in the first half, ${mean(last)}% in the second` : `${mean(first)}% right first time`;
  return html`<figure class="progress-over-time">
    <svg viewBox=${`0 0 ${done.length * 26 + 10} 118`} role="img" aria-label=${`Progress: ${words}`}>
      ${done.map((each, at) => html`<rect key=${at} class=${each.exam ? "exam" : ""} x=${6 + at * 26} width="20" y=${110 - 100 * share(each)} height=${Math.max(1, 100 * share(each))} />`)}
      <line x1="0" x2=${done.length * 26 + 10} y1="20" y2="20" />
    </svg>
    <figcaption>
      ${capital(words)}; the line is at 90%, exams are lighter.
      ${worst.length > 0 && html` Most often wrong: ${worst.map(([what, count]) => `${what} (${count})`).join(", ")}.`}
    </figcaption>
  </figure>`;
}

const percent = (part, whole) => (whole ? `${Math.round((100 * part) / whole)}%` : "0%");

/** The result of an exam, to be printed and signed. */
function Result({ training, me, book }) {
  const { score, passed, of } = training;
  return html`<section class="exam-result" aria-label="Result of the exam" data-passed=${passed ? "yes" : "no"}>
    <h2>${passed ? "Passed" : "Not passed"}</h2>
    <dl class="facts">
      <div><dt>Trainee</dt><dd>${me.name}</dd></div>
      <div><dt>Rulebook</dt><dd>${book?.name || training.rulebook}</dd></div>
      <div><dt>Date</dt><dd>${when(Date.now())}</dd></div>
      <div><dt>Right</dt><dd>${score.right_at_once} of ${of} steps (${percent(score.right_at_once, of)}; 90% passes)</dd></div>
      <div><dt>Seed</dt><dd>${training.seed}, ${training.rounds} ${training.rounds === 1 ? "round" : "rounds"}</dd></div>
    </dl>
    ${
      score.mistakes.length > 0 &&
      html`<h3>Mistakes</h3>
        <ol>
          ${score.mistakes.map((each, at) => html`<li key=${at}>Step ${each.at + 1}: ${mistakeWords(each)} ${each.clauses.length > 0 ? `(${citation(each.clauses)})` : ""}</li>`)}
        </ol>`
    }
    <p class="print-only">Trainer: ______________________________ Date: ________________</p>
    <button type="button" class="no-print" onClick=${() => print()}>Print the result</button>
  </section>`;
}

function Round({ training, setTraining, leave, again, me }) {
  const { book } = useBook(training.rulebook, training.edition);
  const [verdict, setVerdict] = useState(null);
  const [problem, setProblem] = useState("");
  const [why, setWhy] = useState(null);
  const { view, score } = training;
  const [, once] = useOnce(); // what is said twice would be held against the trainee
  const say = (said) =>
    once(async () => {
      try {
        const answer = await post(`/api/training/${training.id}`, said);
        setVerdict(answer.verdict);
        setTraining((now) => (now?.id === answer.id ? answer : now));
        setProblem("");
      } catch (error) {
        setProblem(error.message);
        if (!error.status) get(`/api/training/${training.id}`).then(setTraining, () => {}); // perhaps it was heard
      }
    });
  return html`<div class="table-page training dealers-side">
    <header class="table-head">
      <h1>${training.exam ? "Exam" : "Training"}</h1>
      <p>${book?.name || ""}</p>
      <p class="table-state">Step ${Math.min(training.at + 1, training.of)} of ${training.of}</p>
      <button type="button" onClick=${leave}>Leave</button>
    </header>
    <div class="table-main">
      <${Felt} view=${view} picture=${pictureOf(view)} rulebook=${book} />
      <section class="dock" aria-label="Your next step">
        <progress max=${training.of} value=${training.at} aria-label="How far the round has come"></progress>
        ${training.heard.length > 0 && html`<p class="dock-state" aria-live="polite">${training.heard.map((text) => capital(withSigns(text))).join(". ")}.</p>`}
        ${
          verdict &&
          training.exam &&
          !training.over &&
          html`<p class="verdict" role="status">Noted.</p>`
        }
        ${
          verdict &&
          !training.exam &&
          html`<p class=${`verdict ${verdict.right ? "right" : "wrong"}`} role="status">
            <b>${verdict.right ? "Right." : "Not right."}</b> ${capital(withSigns(verdict.text))}
            <${WhyButton} text=${verdict.text} clauses=${verdict.clauses} onWhy=${() => setWhy(verdict)} />
          </p>`
        }
        ${
          training.over
            ? html`${training.exam && html`<${Result} training=${training} me=${me} book=${book} />`}
                <p class="dock-state">
                  ${training.exam ? "The exam" : "The training"} is over: ${score.right_at_once} of ${training.of} steps right first time (${percent(score.right_at_once, training.of)}).
                </p>
                <div class="buttons">
                  <button type="button" class="primary" onClick=${again}>Another round</button
                  ><button type="button" onClick=${leave}>Leave</button>
                </div>`
            : html`<${Steps} steps=${training.steps} view=${view} chips=${training.chips_cents} say=${say} at=${training.at} />`
        }
        <${Problem} text=${problem} />
      </section>
    </div>
    <aside class="table-side no-print" aria-label="Score">
      <h2>${training.exam && !training.over ? "Score, when it is over" : "Score"}</h2>
      <dl class="money">
        <div>
          <dt>Right first time</dt>
          <dd class="plus">${score.right_at_once}</dd>
        </div>
        <div>
          <dt>Wrong</dt>
          <dd class="minus">${score.wrong}</dd>
        </div>
        <div>
          <dt>Seed</dt>
          <dd data-fact="seed">${training.exam && !training.over ? "–" : training.seed}</dd>
        </div>
      </dl>
      ${score.mistakes.length > 0 && html`<h3>Mistakes</h3>`}
      <ol class="history">
        ${[...score.mistakes].reverse().map(
          (each, at) =>
            html`<li key=${at}>
              <span class="history-text">${mistakeWords(each)}</span>
              ${each.clauses.length > 0 && html`<${WhyButton} text=${each.text} clauses=${each.clauses} onWhy=${() => setWhy(each)} />`}
            </li>`,
        )}
      </ol>
    </aside>
    ${why && html`<${Why} rulebook=${training.rulebook} edition=${training.edition} name=${book?.name} text=${why.text} clauses=${why.clauses} onClose=${() => setWhy(null)} />`}
  </div>`;
}

/** Why a step was wrong, and what would have been right; the step itself is not said twice. */
function mistakeWords({ text, said, right }) {
  const why = /is not the next step$/.test(text) ? `${said} is not the next step` : `${text}: ${said}`;
  return right ? `${capital(why)}. Right: ${right}.` : `${capital(why)}.`;
}

/** A kept mistake, which is one sentence, taken apart again. */
function keptWords(kept) {
  const [, text, said, right] = /^(not (?:now|yet): .*? is not the next step|[^:]+): (.*); right: (.*)$/.exec(kept) || [];
  return text ? mistakeWords({ text, said, right }) : `${capital(kept)}.`;
}

const NUMBERS = { box: "Box (0 is the dealer)", total: "Total" };

function Steps({ steps, view, chips, say, at }) {
  const [chosen, setChosen] = useState("");
  const [values, setValues] = useState({});
  const step = steps.find((each) => each.step === chosen);
  const sent = useRef(""); // the step whose form was sent last: another that is open by then stays
  useEffect(() => {
    if (chosen !== sent.current) return;
    setChosen("");
    setValues({});
  }, [at]);
  const form = useRef(null);
  useEffect(() => form.current?.querySelector("input, select")?.focus({ preventScroll: true }), [chosen]);
  const pick = (each) => {
    setChosen(each.needs.length ? each.step : "");
    setValues({});
    if (!each.needs.length) say({ step: each.step });
  };
  const people = [...new Set([...Object.keys(view.players), "dealer", "supervisor"])];
  const submit = (event) => {
    event.preventDefault();
    const said = { step: chosen };
    for (const need of step.needs) {
      const raw = values[need] ?? (need === "player" ? people[0] : "");
      if (raw === "") continue;
      said[need] = need === "player" ? raw : need === "cents" ? cents(raw) : Number(raw);
    }
    if (Object.values(said).some((value) => Number.isNaN(value))) return;
    sent.current = chosen;
    say(said);
  };
  const set = (need) => (event) => setValues({ ...values, [need]: event.target.value });
  return html`<div class="train-steps">
    ${
      step &&
      html`<form class="row" onSubmit=${submit} ref=${form} key=${chosen}>
        ${step.needs.map((need) =>
          need === "player"
            ? html`<span key=${need}
                ><label for="say-player">Who</label
                ><select id="say-player" value=${values.player ?? people[0]} onInput=${set("player")}>
                  ${people.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
                </select></span
              >`
            : need === "cents"
              ? html`<span key=${need}
                  ><label for="say-cents">Amount</label
                  ><input
                    id="say-cents"
                    inputmode="decimal"
                    size="8"
                    placeholder=${dollars(2500)}
                    value=${values.cents ?? ""}
                    onInput=${set("cents")}
                  />
                  <span class="train-chips" role="group" aria-label="Add a chip">
                    ${chips.map((chip) => html`<button type="button" key=${chip} class="chip-button" aria-label=${`Add a chip of ${dollars(chip)}`} onClick=${() => setValues({ ...values, cents: String(((cents(values.cents || "0") || 0) + chip) / 100) })}><${Chip} cents=${chip} /></button>`)}
                    <button type="button" class="quiet" onClick=${() => setValues({ ...values, cents: "" })}>Clear</button>
                  </span></span
                >`
              : html`<span key=${need}
                  ><label for=${`say-${need}`}>${NUMBERS[need]}</label
                  ><input
                    id=${`say-${need}`}
                    type="number"
                    min="0"
                    max="99"
                    value=${values[need] ?? ""}
                    onInput=${set(need)}
                /></span>`,
        )}
        <button type="submit" class="primary">${capital(step.words)}</button>
      </form>`
    }
    <div class="buttons small">
      ${steps.map(
        (each) =>
          html`<button
            type="button"
            key=${each.step}
            aria-pressed=${each.step === chosen ? "true" : "false"}
            data-step=${each.step}
            onClick=${() => pick(each)}
          >
            ${capital(each.words)}
          </button>`,
      )}
    </div>
  </div>`;
}
