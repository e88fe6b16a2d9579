// The dealer's side: the round step by step in the prescribed order, with what to say and do next.

import { html, useState } from "./nodes.js";
import { DEALER_STEPS } from "./acts.js";
import { Clock } from "./clock.js";
import { Glossed } from "./glossary.js";
import { waitingWords } from "./player.js";
import { useKeys } from "./ui.js";
import { amountsIn, capital, spaced, totalOf } from "./words.js";
import { WhyButton } from "./why.js";

const STRIP = [
  ["shuffle", "Shuffle"],
  ["cut", "Cut"],
  ["cutting-card", "Cutting card"],
  ["wagers", "Wagers"],
  ["no-more-bets", "No more bets"],
  ["burn", "Burn"],
  ["deal", "Deal"],
  ["offers", "Offers"],
  ["decisions", "Decisions"],
  ["settle", "Collect and pay"],
];

const PREPARING = { CardBurned: "burn", CardDealt: "deal", HandDivided: "decisions" };

/** Which step of the strip the table is at. */
export function stepOf({ view, waiting, prompt }) {
  if (waiting?.what === "dealing") {
    const early = view.phase === "wagers" || view.phase === "dealing";
    if (prompt?.event === "CardDealt" && !early) return prompt.box ? "decisions" : "settle";
    return PREPARING[prompt?.event] || "settle";
  }
  if (view.preparation !== "ready") return view.preparation;
  if (view.phase === "wagers") return view.betting_closed ? "no-more-bets" : "wagers";
  if (view.phase === "insurance" || view.phase === "surrender") return "offers";
  if (view.phase === "dealing") return "deal";
  return waiting?.what === "decision" || view.phase === "play" ? "decisions" : "settle";
}

const DECLINES = {
  CutDeclined: "the cut",
  SurrenderDeclined: "surrender",
  DoubleDeclined: "to double",
  SplitDeclined: "to split",
  ControlDeclined: "to decide",
};

const TAKES = ["WagerSurrendered", "InsurancePlaced"];

/** Who declined what is offered now, newest last: a dealer need not ask them again; but not who took it after all. */
export function declined({ passed = [], waiting }, past) {
  const offer = { insurance: "insurance", surrender: "surrender" }[waiting?.what] || "";
  const said = passed.map((name) => `${name} (${offer || "what is offered"})`);
  const taken = new Set();
  for (let at = past.length - 1; at >= 0; at--) {
    const { event } = past[at];
    const who = `${event.player} ${event.box}`;
    if (TAKES.includes(event.event)) taken.add(who);
    else if (event.event in DECLINES && !taken.has(who)) said.unshift(`${event.player} (${DECLINES[event.event]}${event.box ? `, box ${event.box}` : ""})`);
    else if (["CardDealt", "TurnCame", "RoundEnded", "CardsShuffled", "SurrenderOffered"].includes(event.event)) break;
  }
  return [...new Set(said)];
}

/** The cut is declined: by whoever it was offered to, or told for them. */
export function uncutWords({ player }, own) {
  return player === own ? "Decline the cut" : `${player === "supervisor" ? "The supervisor" : player} does not cut`;
}

/** What the dealer may do now, in the prescribed order: the first is the next step. */
function stepsNow(update) {
  const { view } = update;
  const legal = (update.legal || []).filter((act) => DEALER_STEPS[act.act] && !DEALER_STEPS[act.act].for_player);
  const steps = [];
  const add = (act) => steps.some((each) => each.act === act.act) || steps.push(act);
  if (view.preparation === "shuffle") add({ act: "Shuffle" });
  if (legal.some((act) => act.act === "Deal") && !view.betting_closed) add({ act: "CallNoMoreBets" });
  for (const act of legal) add(act);
  return steps;
}

/** The key of a step that is not the next one; Enter is always the next one's. */
const keyOf = ({ act }) => (DEALER_STEPS[act]?.key || "").replace("Enter", "").toUpperCase();

function sayNow(update) {
  const { view, waiting } = update;
  if (waiting?.what === "decision" && view.turn) {
    const hand = view.boxes.find((box) => box.box === view.turn.box)?.hands[view.turn.hand];
    const total = hand ? totalOf(hand) : "";
    return `Say: “Box ${view.turn.box}${total ? `, ${total}` : ""}. ${capital(waiting.who[0])}?”`;
  }
  if (waiting?.what === "wagers") {
    if (!view.boxes.some((box) => Object.keys(box.wagers).length)) return "Invite wagers: no box has one yet.";
    if (!view.betting_closed) return "When everybody has wagered, say “No more bets”.";
    return view.burned ? "Deal, from box 1 on." : "Deal, from box 1 on; after a shuffle the burn comes first.";
  }
  if (waiting?.what === "insurance") return "Offer insurance to every player, then close it.";
  if (waiting?.what === "surrender") return "Offer surrender in turn, then close it.";
  if (waiting?.what === "cut")
    return `Offer the cut to ${["dealer", "supervisor"].includes(waiting.who[0]) ? `the ${waiting.who[0]}` : waiting.who[0]}.`;
  if (waiting?.what === "shuffle") return "Shuffle before another card is dealt.";
  if (waiting?.what === "cutting-card") return "Put the cutting card in, counted from the back.";
  return "";
}

export function DealerDock({ update, playback, send, idle, pace, side, onSide, onWhy, onWrong, edition }) {
  const [back, setBack] = useState(null);
  const { waiting, view, prompt } = update;
  const dealing = waiting?.what === "dealing";
  const open = playback.calm && idle && !dealing; // while an act is on its way nothing is begun: what is offered may be done already
  const steps = open ? stepsNow(update) : [];
  const first = steps[0];
  const at = stepOf(update);
  const said = declined(update, playback.past);
  const pass =
    open && ["decision", "answer", "forfeit", "expose", "short-hand"].includes(waiting?.what)
      ? waiting.who.filter((name) => name !== "dealer")
      : [];
  const uncut = open && (update.legal || []).find((act) => act.act === "DeclineCut");
  const act = (step) => send(step.act === "PlaceCuttingCard" && back ? { ...step, from_back: Number(back) } : step);
  const confirm = (what) => {
    playback.flush();
    pace(what, prompt.place);
  };
  const go = () => (dealing ? confirm("done") : first && act(first));
  useKeys((event) => {
    if (event.key === "Enter" || event.key === " ") {
      if (event.target.closest("button, a, summary")) return;
      event.preventDefault();
      return go();
    }
    if (event.key.toLowerCase() === "b" && steps.some((step) => step.act === "CallNoMoreBets"))
      return send({ act: "CallNoMoreBets" });
    if (event.key.toLowerCase() === "l" && uncut) return send(uncut);
    if (event.key.toLowerCase() === "w") {
      event.preventDefault();
      return onWrong();
    }
    if (event.key.toLowerCase() === "x" && pass.length)
      return send({ act: "PassOver", player: pass[0], box: waiting.box });
    return undefined;
  });
  /** The keys drive the round again at once: Space is the next step, not this box. */
  const choose = (event) => {
    pace(event.target.checked ? "on" : "off");
    event.target.blur();
  };
  return html`<section class="dock dealer-dock" aria-label="Dealer's next step">
    <ol class="strip" aria-label="The round in its prescribed order">
      ${STRIP.map(([id, label]) => html`<li key=${id} aria-current=${id === at ? "step" : undefined}>${label}</li>`)}
    </ol>
    <div class="dock-head">
      <p class="dock-state" aria-live="polite">
        ${dealing ? amountsIn(prompt.text) : sayNow(update) || waitingWords(waiting, "", view)}
      </p>
      <${Clock} clock=${update.clock} received=${update.received} />
    </div>
    ${
      first?.act === "PlaceCuttingCard" &&
      html`<label class="cut">
        Cards from the back
        <input
          type="number"
          min="1"
          value=${back || first.from_back}
          onInput=${(event) => setBack(event.target.value)}
        />
      </label>`
    }
    <div class="buttons">
      ${
        dealing
          ? html`<button type="button" class="primary big" onClick=${() => confirm("done")}>
                Done, next step <kbd>Space</kbd>
              </button>
              <button type="button" onClick=${() => confirm("rest")}>All the rest</button>`
          : steps.map(
              (step, n) =>
                html`<button
                  type="button"
                  key=${step.act}
                  class=${n === 0 ? "primary big" : ""}
                  onClick=${() => act(step)}
                  data-act=${step.act}
                >
                  ${DEALER_STEPS[step.act]?.label || capital(spaced(step.act))}
                  ${n === 0 ? html`<kbd>Space</kbd>` : keyOf(step) && html`<kbd>${keyOf(step)}</kbd>`}
                </button>`,
            )
      }
      ${pass.map((name) => html`<button type="button" key=${name} onClick=${() => send({ act: "PassOver", player: name, box: waiting.box })}>Pass over ${name}</button>`)}
      ${uncut && html`<button type="button" onClick=${() => send(uncut)} data-act="DeclineCut">${uncutWords(uncut, "dealer")} <kbd>L</kbd></button>`}
      ${!dealing && !idle && html`<p class="quiet-line">Sending…</p>`}
      ${!dealing && idle && !steps.length && !pass.length && !uncut && sayNow(update) && html`<p class="quiet-line">${waitingWords(waiting, "", view)}.</p>`}
      <button type="button" class="quiet wrong" onClick=${onWrong}>Something went wrong <kbd>W</kbd></button>
    </div>
    ${dealing && html`<p class="cited"><${WhyButton} text=${prompt.text} clauses=${prompt.clauses} onWhy=${() => onWhy(prompt)} /></p>`}
    ${said.length > 0 && html`<p class="declined" role="status">Declined: ${said.join(", ")}</p>`}
    ${
      !dealing &&
      prompt &&
      html`<p class="prompt">
        ${`${amountsIn(prompt.text)} `}<${WhyButton} text=${prompt.text} clauses=${prompt.clauses} onWhy=${() => onWhy(prompt)} />
        ${update.dealer === "house" ? " This table also deals by itself." : ""}
      </p>`
    }
    ${
      !dealing &&
      prompt?.duties?.length > 0 &&
      html`<details class="duties">
        <summary>By hand and voice (${prompt.duties.length})</summary>
        <ul>
          ${prompt.duties.map(
            (duty) =>
              html`<li key=${duty.text}>
                <${Glossed} text=${duty.text} rulebook=${view.rulebook} edition=${edition} />${" "}<${WhyButton} text=${duty.text} clauses=${duty.clauses} onWhy=${() => onWhy(duty)} />
              </li>`,
          )}
        </ul>
      </details>`
    }
    <div class="dealer-choices">
      <label class="check"><input type="checkbox" checked=${side} onChange=${(event) => onSide(event.target.checked)} /> From the dealer's side</label>
      ${
        update.dealer !== "house" &&
        html`<label class="check stepping"
          ><input type="checkbox" checked=${Boolean(update.paced)} onChange=${choose} /> Confirm every card and payment</label
        >`
      }
    </div>
  </section>`;
}
