/* The calculator: rules and cards are picked, every answer comes from the solver on this machine. */
import { html, render, useEffect, useMemo, useRef, useState } from "/vendor/preact-htm.js";

const SUITS = [["s", "♠", "spades"], ["h", "♥", "hearts"], ["d", "♦", "diamonds"], ["c", "♣", "clubs"]];
const RANKS = { A: "ace", T: "ten", J: "jack", Q: "queen", K: "king" };
const ranksOf = (text) => [...text];
const shown = (card) => `${card[0] === "T" ? "10" : card[0]}${SUITS.find(([suit]) => suit === card[1])[1]}`;
const spoken = (card) => `${RANKS[card[0]] || card[0]} of ${SUITS.find(([suit]) => suit === card[1])[2]}`;
const isRed = (card) => card[1] === "h" || card[1] === "d";
const percent = (value, digits = 4) => `${(100 * value).toFixed(digits)}%`;
const signed = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(5)}`;

const ask = async (path, signal) => {
  const answer = await fetch(path, { signal });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.error || "The calculator does not answer.");
  return told;
};

/* The newest answer to a question; what was asked before it is dropped. */
const useAnswer = (path) => {
  const [state, set] = useState({ path: "", told: null, problem: "" });
  useEffect(() => {
    if (!path) { set({ path, told: null, problem: "" }); return undefined; }
    const stop = new AbortController();
    ask(path, stop.signal).then(
      (told) => set({ path, told, problem: "" }),
      (error) => error.name === "AbortError" || set({ path, told: null, problem: error.message }),
    );
    return () => stop.abort();
  }, [path]);
  return { ...state, busy: state.path !== path };
};

const Picker = ({ games, game, change }) => {
  const book = games.find((each) => each.id === game.rulebook);
  const set = (key, value) => {
    const sets = { ...game.sets };
    if (value === book.options.find((each) => each.key === key).now) delete sets[key];
    else sets[key] = value;
    change({ sets });
  };
  const changed = Object.keys(game.sets).length;
  return html`<section class="no-print" aria-label="The game">
    <div class="game">
      <label>Rulebook
        <select id="rulebook" value=${game.rulebook} onChange=${(event) => change({ rulebook: event.target.value, decks: "", sets: {}, resplit: false, bonus: "" })}>
          ${games.map((each) => html`<option value=${each.id}>${each.name}${each.id.match(/\d{4}$/) ? ` ${each.id.slice(-4)}` : ""}</option>`)}
        </select>
      </label>
      <label>Decks
        <select id="decks" value=${game.decks || String(book.decks_default)} onChange=${(event) => change({ decks: event.target.value })}>
          ${[...new Set([1, 2, 4, 6, 8, ...book.decks])].sort((a, b) => a - b).map((each) => html`<option value=${String(each)}>${each}${book.decks.includes(each) ? "" : " (study)"}</option>`)}
          <option value="infinite">infinitely many (study)</option>
        </select>
      </label>
      <label>Chart
        <select id="level" value=${game.level} onChange=${(event) => change({ level: event.target.value })}>
          <option value="full">all that matters</option>
          <option value="no-suits">without suits</option>
          <option value="totals">totals and pairs alone</option>
        </select>
      </label>
      ${book.resplit && html`<label class="tick"><input type="checkbox" checked=${game.resplit} onChange=${(event) => change({ resplit: event.target.checked })} />pairs may be split again</label>`}
      ${book.bonus && html`<label>Wager in dollars, for the Super Bonus
        <input type="text" inputmode="decimal" value=${game.bonus} placeholder="left out" onChange=${(event) => change({ bonus: event.target.value.trim() })} />
      </label>`}
    </div>
    <details>
      <summary>Change the rules, for study${changed ? ` (${changed} changed)` : ""}</summary>
      <div class="options">
        ${book.options.map((each) => html`<label class=${each.key in game.sets ? "changed" : ""} key=${each.key}>
          <select aria-label=${each.values.find(([value]) => value === each.now)?.[1] || each.key} data-term=${each.key} value=${game.sets[each.key] ?? each.now} onChange=${(event) => set(each.key, event.target.value)}>
            ${each.values.map(([value, said]) => html`<option value=${value}>${said}</option>`)}
          </select>
        </label>`)}
      </div>
      ${changed > 0 && html`<p><button type="button" onClick=${() => change({ sets: {} })}>All as the document has it</button></p>`}
    </details>
  </section>`;
};

const Cards = ({ book, cards, dealer, doubled, change }) => {
  const [which, setWhich] = useState("mine");
  const pick = (card) => {
    if (which === "dealer") { change({ dealer: card }); setWhich("mine"); return; }
    const mine = [...cards, card];
    change({ cards: mine });
    if (mine.length === 2 && !dealer) setWhich("dealer");
  };
  return html`<section class="no-print" aria-label="The cards">
    <h2>The cards</h2>
    <div class="which" role="group" aria-label="Whose card is picked">
      <button type="button" aria-pressed=${which === "mine"} onClick=${() => setWhich("mine")}>Your cards</button>
      <button type="button" aria-pressed=${which === "dealer"} onClick=${() => setWhich("dealer")}>The dealer's card</button>
    </div>
    <div class=${book.ranks.length === 12 ? "deck twelve" : "deck"}>
      ${SUITS.map(([suit]) => ranksOf(book.ranks).map((rank) => {
        const card = rank + suit;
        return html`<button type="button" key=${card} class=${isRed(card) ? "red" : ""} aria-label=${spoken(card)} onClick=${() => pick(card)}>${shown(card)}</button>`;
      }))}
    </div>
    <div class="picked" id="mine">Your hand:
      ${cards.map((card, place) => html`<button type="button" class=${isRed(card) ? "red" : ""} aria-label=${`Take ${spoken(card)} away`} onClick=${() => change({ cards: cards.filter((_, other) => other !== place) })}>${shown(card)}</button>`)}
    </div>
    <div class="picked" id="dealers">The dealer:
      ${dealer && html`<button type="button" class=${isRed(dealer) ? "red" : ""} aria-label=${`Take ${spoken(dealer)} away`} onClick=${() => change({ dealer: "" })}>${shown(dealer)}</button>`}
    </div>
    <label class="tick"><input type="checkbox" checked=${doubled} onChange=${(event) => change({ doubled: event.target.checked })} />the last card came on a double</label>
    <p><button type="button" disabled=${!cards.length && !dealer} onClick=${() => { change({ cards: [], dealer: "", doubled: false }); setWhich("mine"); }}>New hand</button></p>
  </section>`;
};

const Choices = ({ answer, asked }) => html`<section class="no-print" aria-label="The choices" aria-live="polite">
  <h2>What every choice is worth</h2>
  ${!asked && html`<p>Pick two cards of your own and the dealer's first card.</p>`}
  ${asked && answer.problem && html`<p class="problem" role="alert">${answer.problem}</p>`}
  ${asked && answer.told && html`<div class=${answer.busy ? "busy" : ""}>
    <p>${answer.told.hand} (${answer.told.total}) against ${answer.told.dealer}, for a wager of 1:</p>
    <ol class="choices">
      ${answer.told.choices.map((each, place) => html`<li class=${place ? "" : "best"}>
        <span>${each.act}</span><span class="value">${signed(each.ev)}</span><span class="why">${each.why}</span>
      </li>`)}
    </ol>
    <p class="reason">${answer.told.reason}</p>
    ${answer.told.insurance !== null && html`<p>Insurance: each unit of it brings ${signed(answer.told.insurance)}.</p>`}
  </div>`}
</section>`;

const Chart = ({ answer, query }) => {
  const told = answer.told;
  return html`<section id="chart" aria-label="The chart">
    ${answer.problem && html`<p class="problem" role="alert">${answer.problem}</p>`}
    ${!told && !answer.problem && html`<p role="status">Solving the game…</p>`}
    ${told && html`<div class=${answer.busy ? "busy" : ""} aria-busy=${answer.busy}>
      <h2>${told.rulebook}, ${told.shoe}</h2>
      <p class="no-print" id="worth">The chart brings ${percent(told.ev)} of the original wager, ${percent(told.ev_best - told.ev, 5)} less than best play by
        all cards. The house's edge under best play is proven to be at most ${percent(told.edge_at_most)}. ${told.insurance}</p>
      <div class="charts">
        ${told.sections.map((section) => html`<div key=${section.title}>
          <h3>${section.title}</h3>
          <div class="chart-wrap"><table class="chart">
            <thead><tr><th scope="col">dealer</th>${told.dealer.map((up) => html`<th scope="col">${up}</th>`)}</tr></thead>
            <tbody>${section.rows.map((row) => html`<tr>
              <th scope="row">${row.label}</th>
              ${[...row.letters].map((letter) => html`<td class=${`act-${letter.charCodeAt(0)}`}>${letter}</td>`)}
            </tr>`)}</tbody>
          </table></div>
        </div>`)}
      </div>
      <ul class="legend">${Object.entries(told.letters).map(([letter, words]) => html`<li><span class=${`act-${letter.charCodeAt(0)}`}>${letter}</span>${words}</li>`)}</ul>
      ${told.exceptions.length > 0 && html`<details class="no-print"><summary>Hands that are better played otherwise (${told.exceptions_in_all})</summary>
        <table><thead><tr><th scope="col">hand</th><th scope="col">dealer</th><th scope="col">best</th><th scope="col">chart</th><th scope="col">brings more</th></tr></thead>
        <tbody>${told.exceptions.map((each) => html`<tr><td>${each.cards}</td><td>${each.dealer}</td><td>${each.act}</td><td>${each.instead_of}</td><td class="value">${each.gain.toFixed(4)}</td></tr>`)}</tbody></table>
      </details>`}
      <div class="links no-print">
        <button type="button" class="main" onClick=${() => window.print()}>Print a pocket card</button>
        <span>Every hand's values: ${["csv", "html", "txt"].map((kind) => html` <a href=${`/api/values/${kind}?${query}`} download=${`values.${kind}`}>${kind.toUpperCase()}</a>`)}</span>
      </div>
    </div>`}
  </section>`;
};

const App = () => {
  const games = useAnswer("/api/games");
  const [game, setGame] = useState({ rulebook: "", decks: "", sets: {}, resplit: false, bonus: "", level: "full" });
  const [hand, setHand] = useState({ cards: [], dealer: "", doubled: false });
  const first = useRef(true);
  useEffect(() => {
    if (games.told && first.current) { first.current = false; setGame((old) => ({ ...old, rulebook: games.told[0].id })); }
  }, [games.told]);
  const query = useMemo(() => {
    const asked = new URLSearchParams({ rulebook: game.rulebook });
    if (game.decks) asked.set("decks", game.decks);
    for (const [key, value] of Object.entries(game.sets)) asked.append("set", `${key}=${value}`);
    if (game.resplit) asked.set("resplit", "1");
    if (game.bonus) asked.set("bonus", game.bonus);
    return asked.toString();
  }, [game]);
  const whole = hand.cards.length >= 2 && hand.dealer;
  const cards = new URLSearchParams({ cards: hand.cards.join(" "), dealer: hand.dealer, doubled: hand.doubled ? "1" : "0" });
  const choices = useAnswer(game.rulebook && whole ? `/api/hand?${query}&${cards}` : "");
  const chart = useAnswer(game.rulebook ? `/api/chart?${query}&level=${game.level}` : "");
  if (games.problem) return html`<p class="problem" role="alert">${games.problem}</p>`;
  if (!games.told || !game.rulebook) return html`<p role="status">Getting the games…</p>`;
  const book = games.told.find((each) => each.id === game.rulebook);
  const keep = (card) => book.ranks.includes(card[0]);
  const changeGame = (more) => {
    setGame({ ...game, ...more });
    if (more.rulebook) {
      const next = games.told.find((each) => each.id === more.rulebook);
      setHand((old) => ({ ...old, cards: old.cards.filter((card) => next.ranks.includes(card[0])), dealer: old.dealer && next.ranks.includes(old.dealer[0]) ? old.dealer : "" }));
    }
  };
  return html`<main>
    <h1 class="no-print">What every choice is worth</h1>
    <${Picker} games=${games.told} game=${game} change=${changeGame} />
    <div class="two no-print">
      <${Cards} book=${book} ...${hand} cards=${hand.cards.filter(keep)} change=${(more) => setHand({ ...hand, ...more })} />
      <${Choices} answer=${choices} asked=${whole} />
    </div>
    <${Chart} answer=${chart} query=${query} />
  </main>`;
};

const place = document.getElementById("app");
place.replaceChildren();
render(html`<${App} />`, place);
