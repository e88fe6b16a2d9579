// A player's dispute: raised in their own words, ruled on, reviewed where they ask for it; each step with its clauses.

import { html, useState } from "./nodes.js";
import { clausesOf } from "./history.js";
import { WhyButton } from "./why.js";
import { inWords, plain } from "./words.js";

const LONGEST = 300; // a sentence or two: staff read it at the table

/** How far this player's dispute has come, as far as the page has seen: the event that brought it there, and the advice. */
export function disputeOf(events, me) {
  const found = { stage: "", about: "", ruling: "", last: null, advice: null };
  for (const each of events) {
    const { event } = each;
    if (event.event === "NoticeGiven" && found.last && event.text?.startsWith(`${me} may complain`)) found.advice = each;
    if (event.player !== me) continue;
    if (event.event === "DisputeRaised")
      Object.assign(found, { stage: "raised", about: event.about, ruling: "", last: each, advice: null });
    else if (event.event === "DisputeRuled")
      Object.assign(found, { stage: event.final ? "final" : "ruled", ruling: event.ruling, last: each });
    else if (event.event === "ReviewAsked")
      Object.assign(found, { stage: event.within ? "review" : "outside", last: each });
  }
  return found;
}

const whoOf = (rulebook, term) => `the ${plain(rulebook?.terms[`irregularities.${term}`]?.is || "house")}`;

/** Where it stands, in a sentence. */
function standing({ stage, about, ruling }, rulebook) {
  const first = whoOf(rulebook, "dispute_by");
  const second = whoOf(rulebook, "dispute_review");
  return {
    raised: `You dispute: “${about}”. It is for ${first} to rule on; the game does not wait.`,
    ruled: `The ruling on your dispute: “${ruling}”. If you are not satisfied, ${second} reviews it.`,
    review: `You asked for a review: ${second} rules once more.`,
    outside: `You asked for a review by ${second}; until then the ruling holds.`,
    final: `The ruling after the review: “${ruling}”. It is final in this house.`,
  }[stage];
}

function DisputeForm({ rulebook, me, send, idle, unknown }) {
  const [open, setOpen] = useState(false);
  const [about, setAbout] = useState("");
  const [problem, setProblem] = useState("");
  const submit = async (event) => {
    event.preventDefault();
    if (!about.trim()) return setProblem("Say in a sentence what is wrong.");
    setProblem("");
    const answer = await send({ act: "RaiseDispute", player: me, about: about.trim() });
    if (answer.is !== "accepted") return undefined;
    setAbout("");
    return setOpen(false);
  };
  return html`<details open=${open} onToggle=${(event) => setOpen(event.currentTarget.open)}>
    <summary>Dispute something…</summary>
    <form onSubmit=${submit}>
      <label for="dispute-about">What is wrong?</label>
      <textarea
        id="dispute-about"
        rows="3"
        maxlength=${LONGEST}
        placeholder="a payment, a card, a decision…"
        value=${about}
        aria-invalid=${problem ? "true" : "false"}
        aria-describedby="dispute-goes"
        onInput=${(event) => {
          setAbout(event.target.value.replace(/\s*\n\s*/g, " "));
          setProblem("");
        }}
      ></textarea>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      <p class="hint" id="dispute-goes">
        It goes to ${whoOf(rulebook, "dispute_by")}, who will rule on it. Everybody at the table sees it, and the game
        continues.
      </p>
      <div class="buttons small">
        <button type="submit" disabled=${!idle}>Raise the dispute</button>
        ${
          unknown &&
          html`<button type="button" class="quiet" disabled=${!idle} onClick=${() => send({ act: "AskReview", player: me })}>
            Review an earlier ruling
          </button>`
        }
      </div>
    </form>
  </details>`;
}

export function Dispute({ events, me, rulebook, send, idle, onWhy }) {
  const found = disputeOf(events, me);
  const { stage, last, advice } = found;
  const text = standing(found, rulebook);
  const told = rulebook?.terms["irregularities.dispute_advice"]?.is;
  const asks = stage === "ruled" || (stage === "final" && !advice && told && told !== "nobody");
  return html`<section class="dispute" aria-label="Disputes" data-stage=${stage}>
    ${
      stage &&
      html`<div class="dispute-state" role="status">
        <p>${text} <${WhyButton} text=${text} clauses=${clausesOf(last)} onWhy=${() => onWhy({ text, clauses: clausesOf(last) })} /></p>
        ${advice && html`<p>${inWords(advice.event.text).replace(`${me} may`, "You may")}. <${WhyButton} text=${advice.event.text} clauses=${clausesOf(advice)} onWhy=${() => onWhy(advice)} /></p>`}
      </div>`
    }
    ${
      asks &&
      html`<button type="button" data-act="AskReview" disabled=${!idle} onClick=${() => send({ act: "AskReview", player: me })}>
        ${stage === "ruled" ? "Ask for a review" : "I am not satisfied"}
      </button>`
    }
    ${!["raised", "review"].includes(stage) && html`<${DisputeForm} rulebook=${rulebook} me=${me} send=${send} idle=${idle} unknown=${!stage} />`}
  </section>`;
}
