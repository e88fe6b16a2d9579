// What the rules say when something went wrong: steps, whose word is needed, who is told, each with its clauses.

import { html, useEffect, useState } from "./nodes.js";
import { once, post, query } from "./api.js";
import { WordsIn } from "./glossary.js";
import { capital, plain } from "./words.js";
import { Why, WhyButton } from "./why.js";

const situationsPath = (rulebook) => `/api/rulebooks/${encodeURIComponent(rulebook)}/situations`;

/** Everything that can go wrong, by name, with what the rule wants to know of it. */
export function useSituations(rulebook) {
  const [found, setFound] = useState(null);
  useEffect(() => {
    if (!rulebook) return;
    once(situationsPath(rulebook)).then(
      (list) => setFound(new Map(list.map((each) => [each.situation, each]))),
      () => setFound(new Map()),
    );
  }, [rulebook]);
  return found;
}

/** A title that does not fit into the box that drops down is said in full below it. */
const TITLE_LONGEST = 28;

const TOLD = ["yes-no", "choice", "amount"];

/** The facts that are known already, from the form or from the table. */
function factsOf(situation, known, answers) {
  const facts = {};
  for (const { name, kind } of situation.facts) {
    const value = answers[name] ?? known[name];
    if (!TOLD.includes(kind) || value === undefined || value === "") continue;
    facts[name] = value === true ? "yes" : value === false ? "no" : String(value);
  }
  return facts;
}

/** `names`: the situations that an act may tell of; `known`: facts that the form or the table gives. */
export function Ruling({ rulebook, edition, table, name, names, known }) {
  const situations = useSituations(rulebook);
  const [chosen, setChosen] = useState(names[0]);
  const [answers, setAnswers] = useState({});
  const [read, setRead] = useState({});
  const [why, setWhy] = useState(null);
  const situation = situations?.get(names.includes(chosen) ? chosen : names[0]);
  const facts = situation ? factsOf(situation, known, answers) : {};
  const asked = JSON.stringify([situation?.situation, facts]);
  const ruling = read.of === situation?.situation ? read.ruling : null; // never what the rules say of something else
  useEffect(() => {
    if (!situation) return undefined;
    let gone = false;
    const timer = setTimeout(() => {
      post(`${situationsPath(rulebook)}/${situation.situation}${query({ table })}`, { facts }).then(
        (found) => !gone && setRead({ asked, of: situation.situation, ruling: found }),
        (error) => !gone && setRead({ asked, of: situation.situation, ruling: { problem: error.message } }),
      );
    }, 60);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [asked]);
  if (!situation) return null;
  const cite = (text, clauses) =>
    html`<${WhyButton} text=${text} clauses=${clauses} onWhy=${() => setWhy({ text, clauses })} />`;
  return html`<section class="ruling" aria-label="What the rules say" data-situation=${ruling?.situation}>
    <h4>What ${name} says</h4>
    ${
      names.length > 1 &&
      html`<select aria-label="What exactly happened" value=${situation.situation} onChange=${(event) => setChosen(event.target.value)}>
          ${names.map((each) => html`<option key=${each} value=${each}>${capital(situations.get(each)?.title || plain(each))}</option>`)}
        </select>
        ${situation.title.length > TITLE_LONGEST && html`<p class="hint">${capital(situation.title)}.</p>`}`
    }
    ${read.asked !== asked && html`<p class="hint">Reading…</p>`}
    ${Object.keys(answers).length > 0 && html`<button type="button" class="quiet again" onClick=${() => setAnswers({})}>Answer again</button>`}
    ${ruling?.problem && html`<p class="problem">${ruling.problem}</p>`}
    ${
      ruling?.questions
        ?.filter((question) => question.kind === "fact")
        .map(
          (question) =>
            html`<${Fact}
              key=${question.about}
              question=${question}
              answer=${(value) => setAnswers({ ...answers, [question.about]: value })}
            />`,
        )
    }
    ${
      ruling?.steps?.length > 0 &&
      html`<ol class="ruling-steps">
        ${ruling.steps.map((step, at) => html`<li key=${at}>${`${step.text} `}${cite(step.text, step.clauses)}${step.note && html`<span class="hint">${capital(step.note)}.</span>`}</li>`)}
      </ol>
      <${WordsIn} texts=${ruling.steps.map((step) => step.text)} rulebook=${rulebook} edition=${edition} />`
    }
    ${ruling?.questions?.filter((question) => question.kind === "house").map((question) => html`<${Open} key=${question.about} question=${question} cite=${cite} />`)}
    ${
      (ruling?.approvals?.length > 0 || ruling?.notices?.length > 0) &&
      html`<ul class="ruling-people">
        ${ruling.approvals.map((each, at) => html`<li key=${`a${at}`}><b>Call the ${plain(each.who)}</b>, who ${each.what}. ${cite(each.what, each.clauses)}</li>`)}
        ${ruling.notices.map((each, at) => html`<li key=${`n${at}`}><b>Tell ${whom(each.who)}</b>: ${each.what}. ${cite(each.what, each.clauses)}</li>`)}
      </ul>`
    }
    ${why && html`<${Why} rulebook=${rulebook} edition=${edition} name=${name} text=${why.text} clauses=${why.clauses} onClose=${() => setWhy(null)} />`}
  </section>`;
}

const whom = (to) => (/^(players|surveillance)$/.test(to) ? plain(to) : `the ${plain(to)}`);

function Fact({ question, answer }) {
  const id = `fact-${question.about}`;
  if (!question.choices.length)
    return html`<div class="field">
      <label for=${id}>${question.text}</label>
      <input id=${id} autocomplete="off" onChange=${(event) => answer(event.target.value)} />
    </div>`;
  return html`<div class="fact" role="group" aria-label=${question.text}>
    <p>${question.text}</p>
    <div class="buttons small">
      ${question.choices.map((choice) => html`<button type="button" key=${choice.value} onClick=${() => answer(choice.value)}>${capital(choice.text)}</button>`)}
    </div>
  </div>`;
}

/** Where the document is silent: who decides, and what the other rulebooks do. */
function Open({ question, cite }) {
  return html`<div class="open-question">
    <p>${question.text} ${cite(question.text, question.decider_clauses)}</p>
    ${
      question.choices.length > 0 &&
      html`<ul class="plain-list">
        ${question.choices.map((choice) => html`<li key=${choice.value}>${capital(choice.text)} <span class="hint">${choice.sources.map((source) => `${source.rulebook} ${source.clauses.join(", ")}`).join("; ")}</span></li>`)}
      </ul>`
    }
  </div>`;
}
