// The coach at practice tables: what every choice is worth now, and a review of what was played, decision by decision.

import { html, useEffect, useState } from "./nodes.js";
import { get, query } from "./api.js";
import { choose, chosen } from "./settings.js";
import { Check, Empty, Problem, useKeys, useOnce } from "./ui.js";
import { capital, cardSign, dollars, signed } from "./words.js";

const SESSION = 20; // rounds of a session that are reviewed at once

const path = (table) => `/api/tables/${encodeURIComponent(table)}/coach`;
const worth = ({ ev }, wager) => signed(Math.round(ev * wager));
const percent = (share) => `${Math.round(share * 100)}%`;
const handOf = (decision) => `${decision.cards.map(cardSign).join(" ")} against ${cardSign(decision.dealer)}`;

/** Every choice with what it brings on average: the best one first, and what was chosen. */
function Options({ decision }) {
  const { options, chosen: did, wager_cents: wager } = decision;
  return html`<ul class="options" aria-label="What every choice brings on average">
    ${options.map(
      (each, at) =>
        html`<li key=${each.act} class=${at === 0 ? "best" : each.act === did && decision.cost ? "mistake" : ""}>
          <b>${capital(each.act)}</b>
          <span class="because">${at === 0 ? html`<strong>Best</strong> ` : ""}${each.act === did ? html`<strong>Your choice</strong> ` : ""}${each.why}</span>
          <span class="value">${worth(each, wager)}</span>
        </li>`,
    )}
  </ul>`;
}

function Decision({ decision, rulebook }) {
  const { cost, chosen: did, question } = decision;
  return html`<div class="one-decision">
    <h3>${handOf(decision)}</h3>
    ${did && html`<p class=${cost ? "problem" : "done"}>${decision.verdict}</p>`}
    <${Options} decision=${decision} />
    <p>${decision.reason}</p>
    <details>
      <summary>How this is worked out</summary>
      <p class="hint">${decision.basis}</p>
      ${question && html`<p class="hint">In the terminal: <code>${`pitboss strategy ${rulebook} --explain "${question}"`}</code></p>`}
    </details>
  </div>`;
}

/** The decisions of some rounds one by one, with arrow keys. */
function Review({ review, rulebook }) {
  const [at, setAt] = useState(review.costliest[0] ?? 0);
  const last = review.decisions.length - 1;
  useKeys((event) => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1 }[event.key];
    if (to !== undefined) setAt(Math.max(0, Math.min(last, to)));
  });
  if (last < 0) return html`<${Empty}>You made no decisions there.<//>`;
  const shown = review.decisions[Math.min(at, last)];
  return html`<div class="review">
    <dl class="money">
      <div><dt>Accuracy</dt><dd>${percent(review.accuracy)}</dd></div>
      <div><dt>Best choices</dt><dd>${`${review.right} of ${last + 1}`}</dd></div>
      <div><dt>Mistakes cost</dt><dd>${dollars(review.cost_cents)}</dd></div>
    </dl>
    <div class="moves" role="group" aria-label="Decisions">
      ${review.decisions.map(
        (each, place) =>
          html`<button
            type="button"
            key=${place}
            class=${each.cost ? "wrong-move" : "right-move"}
            aria-pressed=${place === at ? "true" : "false"}
            aria-label=${`Round ${each.round}, ${handOf(each)}: ${each.chosen}${each.cost ? `, costs ${dollars(each.cost_cents)}` : ", best"}`}
            onClick=${() => setAt(place)}
          >
            ${`${each.round}`} <span aria-hidden="true">${each.cost ? "✗" : "✓"}</span>
          </button>`,
      )}
    </div>
    ${
      review.costliest.length > 0 &&
      html`<h3>Costliest mistakes</h3>
        <ol class="costliest">
          ${review.costliest.slice(0, 5).map((place) => {
            const each = review.decisions[place];
            return html`<li key=${place}>
              <button type="button" class="quiet" onClick=${() => setAt(place)}>
                ${`Round ${each.round}: ${handOf(each)}, ${each.chosen} instead of ${each.best}, ${dollars(each.cost_cents)}`}
              </button>
            </li>`;
          })}
        </ol>`
    }
    <${Decision} decision=${shown} rulebook=${rulebook} />
    ${review.unvalued > 0 && html`<p class="hint">${`${review.unvalued} more decisions have no value, as after an error of the dealer.`}</p>`}
  </div>`;
}

export function CoachPanel({ table, update }) {
  const [advice, setAdvice] = useState([]);
  const [review, setReview] = useState(null);
  const [problem, setProblem] = useState("");
  const [busy, once] = useOnce();
  const [thinking, setThinking] = useState(false);
  const [on, setOn] = useState(chosen("coach") === "on");
  const asked = ["decision", "forfeit", "insurance", "surrender"].includes(update.waiting?.what) && update.legal?.length > 0;
  useEffect(() => {
    setAdvice([]);
    if (!on || !asked) return undefined;
    let gone = false;
    const heard = ({ advice: found = [], problem: why }) => {
      if (gone) return;
      setThinking(false);
      setAdvice(found);
      setProblem(why);
    };
    setThinking(true);
    get(path(table)).then(heard, (error) => heard({ problem: error.message }));
    return () => {
      gone = true;
      setThinking(false);
    };
  }, [table, update.version, on, asked]);
  const look = (limit) =>
    once(async () => {
      try {
        const told = await get(`${path(table)}/review${query({ limit })}`);
        setReview(told.review);
        setProblem(told.problem);
      } catch (error) {
        setProblem(error.message);
      }
    });
  const turn = () => {
    choose("coach", on ? "off" : "on");
    setOn(!on);
  };
  return html`<section class="coach" aria-label="Coach">
    <${Check} label="Show what every choice is worth" checked=${on} onChange=${turn} />
    <${Problem} text=${capital(problem)} />
    ${thinking && !problem && html`<p role="status" class="thinking">Working out the values…</p>`}
    ${advice.map((each) => html`<${Decision} key=${`${each.what} ${each.box}`} decision=${each} rulebook=${update.view.rulebook} />`)}
    <div class="buttons">
      <button type="button" disabled=${busy || update.round < 2} onClick=${() => look(1)}>Review the last round</button>
      <button type="button" disabled=${busy || update.round < 2} onClick=${() => look(SESSION)}>Review the session</button>
    </div>
    ${busy && html`<p role="status">Working out the values…</p>`}
    ${review && html`<${Review} key=${JSON.stringify(review.decisions.map((each) => each.round))} review=${review} rulebook=${update.view.rulebook} />`}
    <p class="hint">The coach is for practice tables only. Where people play for money, nobody advises them and no device does.</p>
  </section>`;
}
