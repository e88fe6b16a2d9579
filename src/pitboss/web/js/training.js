// Training for dealers: the trainee says each step of a round, and the rules say whether it is right.

import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { get, post } from "./api.js";
import { useBook } from "./book.js";
import { Felt } from "./felt.js";
import { pictureOf } from "./picture.js";
import { Field, Problem, cents, useGet, useTitle } from "./ui.js";
import { capital, dollars, withSigns } from "./words.js";
import { Why, WhyButton } from "./why.js";

const KEPT = "pitboss-training";

export function TrainingPage() {
  useTitle("Training");
  const [training, setTraining] = useState(null);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    const kept = sessionStorage.getItem(KEPT);
    if (kept) get(`/api/training/${kept}`).then(setTraining, () => sessionStorage.removeItem(KEPT));
  }, []);
  const begin = async (asked) => {
    try {
      const begun = await post("/api/training", asked);
      sessionStorage.setItem(KEPT, begun.id);
      setTraining(begun);
      setProblem("");
    } catch (error) {
      setProblem(error.message);
    }
  };
  const leave = () => {
    sessionStorage.removeItem(KEPT);
    setTraining(null);
  };
  if (!training) return html`<${Begin} begin=${begin} problem=${problem} />`;
  return html`<${Round}
    key=${training.id}
    training=${training}
    setTraining=${setTraining}
    leave=${leave}
    again=${() => begin({ rulebook: training.rulebook, rounds: training.rounds })}
  />`;
}

function Begin({ begin, problem }) {
  const { data: books } = useGet("/api/rulebooks", { keep: true });
  const [values, setValues] = useState({ rulebook: "", seed: "", rounds: "1" });
  const bind = (name) => ({
    id: `train-${name}`,
    value: values[name],
    onInput: (event) => setValues({ ...values, [name]: event.target.value }),
  });
  const submit = (event) => {
    event.preventDefault();
    begin({ rulebook: values.rulebook || books[0].id, seed: values.seed.trim(), rounds: Number(values.rounds) });
  };
  return html`<div class="page">
    <h1>Training</h1>
    <p class="lead">
      You deal. Say each step of the round: shuffle, offer the cut to the right player, burn, deal, announce, offer,
      collect and pay. Order, person and amount are held against the rules, and every answer comes with its clause.
    </p>
    <form class="panel form-grid" onSubmit=${submit}>
      <${Field} label="Rulebook" id="train-rulebook"
        ><select ...${bind("rulebook")}>
          ${(books || []).map((book) => html`<option key=${book.id} value=${book.id}>${book.name}</option>`)}
        </select><//
      >
      <${Field} label="Rounds" id="train-rounds"
        ><select ...${bind("rounds")}>
          ${[1, 2, 3, 5, 10].map((n) => html`<option key=${n} value=${n}>${n}</option>`)}
        </select><//
      >
      <${Field} label="Seed" id="train-seed" hint="The same seed deals the same round; empty for a new one."
        ><input ...${bind("seed")} autocomplete="off" maxlength="100" aria-describedby="train-seed-hint"
      /><//>
      <${Problem} text=${problem} />
      <button type="submit" class="primary big" disabled=${!books}>Begin</button>
    </form>
  </div>`;
}

function Round({ training, setTraining, leave, again }) {
  const { book } = useBook(training.rulebook);
  const [verdict, setVerdict] = useState(null);
  const [problem, setProblem] = useState("");
  const [why, setWhy] = useState(null);
  const { view, score } = training;
  const say = async (said) => {
    try {
      const answer = await post(`/api/training/${training.id}`, said);
      setVerdict(answer.verdict);
      setTraining(answer);
      setProblem("");
    } catch (error) {
      setProblem(error.message);
    }
  };
  return html`<div class="table-page training">
    <header class="table-head">
      <h1>Training</h1>
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
          html`<p class=${`verdict ${verdict.right ? "right" : "wrong"}`} role="status">
            <b>${verdict.right ? "Right." : "Not right:"}</b> ${withSigns(verdict.text)}
            <${WhyButton} text=${verdict.text} clauses=${verdict.clauses} onWhy=${() => setWhy(verdict)} />
          </p>`
        }
        ${
          training.over
            ? html`<p class="dock-state">
                  The training is over: ${score.right_at_once} of ${training.of} steps right at once.
                </p>
                <div class="buttons">
                  <button type="button" class="primary" onClick=${again}>Another round</button
                  ><button type="button" onClick=${leave}>Leave</button>
                </div>`
            : html`<${Steps} steps=${training.steps} view=${view} say=${say} at=${training.at} />`
        }
        <${Problem} text=${problem} />
      </section>
    </div>
    <aside class="table-side" aria-label="Score">
      <h2>Score</h2>
      <dl class="money">
        <div>
          <dt>Right at once</dt>
          <dd class="plus">${score.right_at_once}</dd>
        </div>
        <div>
          <dt>Wrong</dt>
          <dd class="minus">${score.wrong}</dd>
        </div>
        <div>
          <dt>Seed</dt>
          <dd>${training.seed}</dd>
        </div>
      </dl>
      ${score.mistakes.length > 0 && html`<h3>Mistakes</h3>`}
      <ol class="history">
        ${[...score.mistakes].reverse().map(
          (each, at) =>
            html`<li key=${at}>
              <span class="history-text">${capital(each.text)}: ${each.said}. Right: ${each.right}.</span>
              <${WhyButton} text=${each.text} clauses=${each.clauses} onWhy=${() => setWhy(each)} />
            </li>`,
        )}
      </ol>
    </aside>
    ${why && html`<${Why} rulebook=${training.rulebook} name=${book?.name} text=${why.text} clauses=${why.clauses} onClose=${() => setWhy(null)} />`}
  </div>`;
}

const NUMBERS = { box: "Box (0 is the dealer)", total: "Total" };

function Steps({ steps, view, say, at }) {
  const [chosen, setChosen] = useState("");
  const [values, setValues] = useState({});
  const step = steps.find((each) => each.step === chosen);
  useEffect(() => {
    setChosen("");
    setValues({});
  }, [at]);
  const pick = (each) => (each.needs.length ? setChosen(each.step) : say({ step: each.step }));
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
    say(said);
  };
  const set = (need) => (event) => setValues({ ...values, [need]: event.target.value });
  return html`<div class="train-steps">
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
    ${
      step &&
      html`<form class="row" onSubmit=${submit}>
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
                /></span>`
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
  </div>`;
}
