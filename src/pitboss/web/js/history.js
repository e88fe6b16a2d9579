// What happened at the table, newest first, each with its clauses.

import { Still, html } from "./nodes.js";
import { Empty } from "./ui.js";
import { WhyButton } from "./why.js";
import { capital, dollars, inWords, plain, spaced, withSigns } from "./words.js";

/** The sentence without the citation that follows it in brackets. */
export function factOf(each) {
  return inWords(withSigns(each.text || plainly(typeof each.event === "string" ? each : each.event || {})));
}

/** The same as a line of its own: it begins with a capital, unless with somebody's name, which is left as it is. */
export function lineOf(each) {
  const text = factOf(each);
  const { player, person, players = [] } = typeof each.event === "string" ? each : each.event || {};
  const named = [player, person, ...(Array.isArray(players) ? players : [])].some(
    (name) => typeof name === "string" && name && text.startsWith(name),
  );
  return named ? text : capital(text);
}

const LEFT_OUT = new Set(["event", "clauses", "hand", "settlement"]);

/** An event that came without its sentence: its name and what it holds. */
function plainly(event) {
  const parts = Object.entries(event)
    .filter(([key]) => !LEFT_OUT.has(key))
    .map(([key, value]) => {
      if (key === "box") return value ? `box ${value}` : "dealer";
      if (key === "player") return value;
      if (key.endsWith("cents")) return dollars(value);
      if (value && typeof value === "object")
        return "wins" in value ? `${value.wins} to ${value.on}` : Object.values(value).join(" ");
      return plain(value);
    });
  return `${spaced(event.event || "")}${parts.length ? `: ${parts.join(", ")}` : ""}`;
}

/** Why it happened: on the event itself, or beside it. */
export const clausesOf = (each) => each.clauses || each.event?.clauses || [];

const RULES_OFF = new Set(["RoundBegan", "RoundEnded", "CardsShuffled"]);

/** What has been told does not change, and is not compared again with each card that comes. */
class Row extends Still {
  render({ each, onWhy }) {
    return html`<li class=${RULES_OFF.has(each.event?.event) ? "mark" : ""}>
      <span class="history-text">${lineOf(each)}</span>
      <${WhyButton} text=${factOf(each)} clauses=${clausesOf(each)} onWhy=${() => onWhy(each)} />
    </li>`;
  }
}

export function History({ events, onWhy, limit = 150 }) {
  if (!events.length) return html`<${Empty}>Nothing has happened here yet.<//>`;
  const shown = events.slice(-limit).reverse();
  return html`<ol class="history" aria-label="What happened, newest first">
    ${shown.map((each) => html`<${Row} key=${`${each.version}.${each.n}`} each=${each} onWhy=${onWhy} />`)}
  </ol>`;
}
