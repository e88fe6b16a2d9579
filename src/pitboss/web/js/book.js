// A rulebook as the floor gives it, made ready for the felt: what is written on the cloth, and what pays what.

import { useMemo } from "./nodes.js";
import { query } from "./api.js";
import { useGet } from "./ui.js";
import { capital, dollars, plain, sideName } from "./words.js";

const ROWS = {
  "5-card-21": "21 with five cards",
  "6-card-21": "21 with six cards",
  "7-plus-card-21": "21 with seven cards or more",
  "678-mixed": "6-7-8 of mixed suits",
  "678-suited": "6-7-8 of one suit",
  "678-spades": "6-7-8 of spades",
  "777-mixed": "7-7-7 of mixed suits",
  "777-suited": "7-7-7 of one suit",
  "777-spades": "7-7-7 of spades",
  "five-card-trick": "Five Card Trick",
  other: "any other 21",
  any: "any pair",
};

export const rowName = (name) => ROWS[name] || capital(plain(name));

export const oddsOf = (odds) => (typeof odds === "string" ? odds : odds ? `${odds.wins} to ${odds.on}` : "");

function prizeOf(row) {
  if (row.share_percent) return row.share_percent === 100 ? "the jackpot" : `${row.share_percent}% of the jackpot`;
  const amounts = Object.entries(row.cents_by_wager || {});
  return amounts.map(([wager, cents]) => `${dollars(cents)} for ${dollars(Number(wager))}`).join(", ");
}

const rowOf = (row) => ({
  name: capital(rowName(row.name)),
  pays: row.odds ? oddsOf(row.odds) : prizeOf(row),
  clauses: row.clauses,
});

function tablesOf(terms) {
  const found = [];
  const add = (title, key, kind, extra = []) => {
    const rows = [...extra, ...(terms[key]?.is || []).map(rowOf)];
    if (rows.length) found.push({ title, kind, rows });
  };
  const natural = terms["game.natural"]?.is;
  const listed = (terms["interim.pay_table"]?.is || []).some((row) => row.name === natural);
  const first =
    natural && !listed
      ? [
          {
            name: capital(natural),
            pays: oddsOf(terms["interim.natural_odds"].is),
            clauses: terms["interim.natural_odds"].clauses,
          },
        ]
      : [];
  add("What 21 pays", "interim.pay_table", "", first);
  if (terms["super_bonus.offered"]?.is) found.push(bonusOf(terms));
  for (const key of Object.keys(terms)) {
    const side = /^side_bets\.(.+)\.pays$/.exec(key);
    if (side) add(sideName(side[1]), key, side[1]);
  }
  add(sideName("blazing-7s"), "blazing_7s.pays", "blazing-7s");
  return found;
}

function bonusOf(terms) {
  const value = (name) => terms[`super_bonus.${name}`]?.is;
  const clauses = (name) => terms[`super_bonus.${name}`]?.clauses;
  const rows = [
    {
      name: `Wagers from ${dollars(value("small_from_cents"))}`,
      pays: dollars(value("small_cents")),
      clauses: clauses("small_cents"),
    },
    {
      name: `Wagers from ${dollars(value("large_from_cents"))}`,
      pays: dollars(value("large_cents")),
      clauses: clauses("large_cents"),
    },
  ];
  if (value("others_cents"))
    rows.push({
      name: "Everybody else in the round",
      pays: dollars(value("others_cents")),
      clauses: clauses("others_cents"),
    });
  return { title: `Super Bonus: 7-7-7 of one suit against a ${value("dealer_rank")}`, kind: "", rows };
}

/** What is on the cloth besides: nobody prescribes it, and everybody asks. */
const besides = (terms) =>
  terms["settlement.ties"]?.is === "lose" ? [{ text: "Equal totals lose", clauses: terms["settlement.ties"].clauses }] : [];

export function readBook(data) {
  const terms = data.terms || {};
  return {
    ...data,
    natural: terms["game.natural"]?.is || "natural",
    document: terms["game.document"]?.is || "",
    edition: terms["game.edition"]?.is || "",
    inscriptions: [...(data.inscriptions || []).filter((each) => each.text !== "Perfect Pairs"), ...besides(terms)],
    pay_tables: data.pay_tables || tablesOf(terms),
    terms,
  };
}

function useBookAt(path, options) {
  const { data, error } = useGet(path, options);
  const book = useMemo(() => data && readBook(data), [data]);
  return { book: path ? book : null, error };
}

/** A rulebook in its shipped edition, or in another that is played here. */
export const useBook = (id, edition = "") =>
  useBookAt(id ? `/api/rulebooks/${encodeURIComponent(id)}${query({ edition })}` : null, { keep: true });

/** The rulebook as a table plays it: its own edition, with what amends it. It is read anew when `days` have turned; with
 *  a version, as the table played it `at` that. */
export const useTableBook = (table, days = 0, at = "") =>
  useBookAt(table ? `/api/tables/${encodeURIComponent(table)}/rulebook${query({ at })}` : null, { anew: days });
