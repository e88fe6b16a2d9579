// A table that plays in a tournament: the round, the order of wagering from the marker, and what each may do in it.

import { html, useState } from "./nodes.js";
import { called, chips, limitsOf, roundWords } from "./chipwords.js";
import { cents, useGet, useOnce } from "./ui.js";
import { capital, plain } from "./words.js";

const EXAMINES = ["gaming-supervisor", "supervisor", "gaming-manager"];

/** What somebody has done about their wager on this round. */
function wagerWords(name, session, view) {
  if (session.away.includes(name)) return "no wager";
  if (session.passing.includes(name)) return "pass card";
  const form = session.forms[name];
  if (form) return form.examined ? "undisclosed, indicator placed" : "form to be examined";
  const box = Object.entries(session.seats).find(([, player]) => player === name)?.[0];
  const lies = view.boxes.find((each) => String(each.box ?? each.number) === box);
  const wager = lies?.wagers?.[name] ?? lies?.hands?.[0]?.wagers?.[name];
  const amount = typeof wager === "object" ? wager?.cents : wager;
  if (amount) return chips(amount);
  if (session.turn === name) return "to wager now";
  return session.waiting_for.includes(name) ? "waits" : "";
}

/** Everybody in the order in which they wager, the marker first. */
function Order({ session, view, me }) {
  const boxes = Object.entries(session.seats).map(([box, name]) => [Number(box), name]);
  const from = session.marker || 1;
  const rank = ([box]) => (box >= from ? box : box + 100);
  return html`<ol class="cup-order" aria-label="Order of wagering">
    ${boxes
      .sort((one, other) => rank(one) - rank(other))
      .map(
        ([box, name]) =>
          html`<li key=${box} class=${`${session.turn === name ? "turn" : ""}${name === me ? " me" : ""}`} aria-current=${session.turn === name ? "step" : undefined}>
            ${session.marker === box && html`<span class="cup-marker" title="Marker">M<span class="speech">arker</span></span>`}
            <span class="cup-name">${box} ${called(name)}</span>
            <span class="cup-chips">${chips(session.chips[name] ?? 0)}</span>
            <span class="cup-mark">${wagerWords(name, session, view)}${session.held.includes(name) ? ", held to the minimum" : ""}</span>
          </li>`,
      )}
  </ol>`;
}

/** A player's pass card and the form of an undisclosed wager. */
function PlayersOwn({ session, mine, me, send, idle, sides }) {
  const [amount, setAmount] = useState("");
  const [kind, setKind] = useState("original");
  const [problem, setProblem] = useState("");
  const [busy, once] = useOnce();
  const may = session.waiting_for.includes(me) && (!session.order || session.turn === me);
  const passes = session.pass_cards[me] || 0;
  const left = session.undisclosed_left[me] || 0;
  const own = mine?.forms?.[me];
  const hand = async () => {
    const written = amount.trim() ? cents(amount) : 0;
    if (Number.isNaN(written)) return setProblem("Enter an amount, such as 250.");
    setProblem("");
    await send({ act: "HandInForm", player: me, wager: kind, cents: written });
    return setAmount("");
  };
  if (own)
    return html`<p class="cup-written">Your form: ${capital(plain(own.kind || "no type"))}, ${own.cents ? chips(own.cents) : "no amount"}. Nobody at the table knows before the round is over.</p>`;
  if (!may || (!passes && !left)) return null;
  return html`<div class="cup-own-acts">
    ${passes > 0 && html`<button type="button" disabled=${busy || !idle} onClick=${() => once(() => send({ act: "PlayPassCard", player: me }))}>Play a pass card (${passes} left)</button>`}
    ${
      left > 0 &&
      html`<form
        class="row"
        aria-label="Undisclosed wager"
        onSubmit=${(event) => {
          event.preventDefault();
          once(hand);
        }}
      >
        <label for="form-kind">Undisclosed wager (${left} left)</label>
        <select id="form-kind" value=${kind} onChange=${(event) => setKind(event.target.value)}>
          ${["original", ...sides].map((each) => html`<option key=${each} value=${each}>${capital(plain(each))}</option>`)}
        </select>
        <label for="form-amount">Amount</label>
        <input id="form-amount" inputmode="decimal" autocomplete="off" size="7" value=${amount} onInput=${(event) => setAmount(event.target.value)} />
        <button type="submit" disabled=${busy || !idle}>Hand in the form</button>
        ${problem && html`<span class="problem" role="alert">${problem}</span>`}
      </form>`
    }
  </div>`;
}

/** Forms for whoever examines them; for the dealer, who is late. */
function StaffsOwn({ session, mine, role, send, idle, alone }) {
  const forms = Object.entries(session.forms);
  const late = session.turn || session.waiting_for[0];
  return html`
    ${
      EXAMINES.includes(role) &&
      forms.map(([name, form]) => {
        const written = mine?.forms?.[name];
        return html`<div key=${name} class="cup-form row">
          <span><strong>${called(name)}</strong>: ${written ? `${capital(plain(written.kind || "no type"))}, ${written.cents ? chips(written.cents) : "no amount"}` : "a form"}</span>
          ${
            form.examined
              ? html`<span class="hint">In order, indicator placed</span>`
              : html`<button type="button" class="primary" disabled=${!idle} onClick=${() => send({ act: "ExamineForm", player: name })}>It is in order</button>
                  <button type="button" disabled=${!idle} onClick=${() => send({ act: "ReturnForm", player: name })}>Give it back</button>`
          }
        </div>`;
      })
    }
    ${
      !alone &&
      (role === "dealer" || EXAMINES.includes(role)) &&
      late &&
      html`<p class="row cup-own-acts">
        ${session.turn && !session.asked && html`<button type="button" disabled=${!idle} onClick=${() => send({ act: "AskWager", player: session.turn })}>Ask ${called(session.turn)} to wager</button>`}
        ${session.seconds > 0 && html`<button type="button" disabled=${!idle} onClick=${() => send({ act: "HoldToMinimum", player: late })}>${called(late)} is late: the minimum</button>`}
        <button type="button" disabled=${!idle} onClick=${() => send({ act: "DeductMinimum", player: late })}>${called(late)} is absent: deduct the minimum</button>
      </p>`
    }
  `;
}

/** After a round every player may look at its forms until the next begins. */
function OpenForms({ session, me, send, idle }) {
  const forms = Object.entries(session.open_forms);
  if (!forms.length) return null;
  return html`<p class="cup-open-forms">Undisclosed wagers of the last round: ${forms.map(([name, form]) => `${called(name)} ${form.cents ? chips(form.cents) : "no amount"}${form.kind && form.kind !== "original" ? ` on ${plain(form.kind)}` : ""}`).join(", ")}.
    ${
      Object.values(session.seats).includes(me) &&
      forms
        .filter(([name]) => name !== me)
        .map(([name]) => html` <button type="button" key=${name} disabled=${!idle} onClick=${() => send({ act: "InspectForm", player: me, of: name })}>Look at the form of ${called(name)}</button>`)
    }
  </p>`;
}

function SessionPart({ update, me, send, idle }) {
  const { view, mine } = update;
  const session = view.session;
  return html`<div class="cup-session">
    <${Order} session=${session} view=${view} me=${me.name} />
    ${session.next_limits.length > 0 && html`<p class="hint">From round ${session.next_limits[0][0]}: ${limitsOf(session.next_limits[0][1], session.next_limits[0][2])}.</p>`}
    ${session.over && html`<p class="call">The rounds of this session are played: chips are counted.</p>`}
    <${OpenForms} session=${session} me=${me.role === "player" ? me.name : ""} send=${send} idle=${idle} />
    ${me.role === "player" && html`<${PlayersOwn} session=${session} mine=${mine} me=${me.name} send=${send} idle=${idle} sides=${view.sign?.side_bets || []} />`}
    ${me.role !== "player" && view.phase === "wagers" && !session.over && html`<${StaffsOwn} session=${session} mine=${mine} role=${me.role} send=${send} idle=${idle} alone=${update.dealer === "house"} />`}
  </div>`;
}

export function TournamentStrip({ update, table, me, send, idle }) {
  const { tournament, view } = update;
  const { data: told } = useGet(tournament && me ? `/api/tournaments/${encodeURIComponent(tournament.id)}` : "", { every: 3000, stays: true });
  if (!tournament) return null;
  const each = told?.wall.tables.find((one) => one.floor_table === table);
  const own = told?.mine;
  const seat = each?.seats.find((one) => one.name === me?.name);
  const words = seat && own?.advance > 0 && { yes: "You would go on", tied: "Tied for the last place", no: `${chips(own.behind_cents)} behind` }[own.advances];
  return html`<section class="cup-strip" aria-label="The tournament">
    <p class="cup-strip-head">
      <strong><a href=${`#/tournaments/${tournament.id}`}>${tournament.title}</a></strong>
      ${each && html`<span>${each.table}: ${roundWords(each)}</span><span>${limitsOf(each.minimum_cents, each.maximum_cents)}</span>`}
      ${seat?.rank > 0 && html`<span>You are ${seat.rank} of ${each.seats.length}</span>`}
      ${words && html`<span>${words}</span>`}
      ${each?.disputed && html`<span class="warn">Play is waiting on a dispute</span>`}
    </p>
    ${view.session && me && html`<${SessionPart} update=${update} me=${me} send=${send} idle=${idle} />`}
  </section>`;
}
