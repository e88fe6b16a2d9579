// The acts as the floor declares them: what each is called and what its form asks for. No act is known here by name.

import { declared } from "./declared.js";

const { groups, acts, wagers, ids } = declared;

/** Names with hyphens that stand in the engine's sentences: of optional wagers, and others. */
export const NAMES = { wagers, ids };

const byName = (part) => Object.fromEntries(acts.filter((each) => each[part]).map((each) => [each.act, each[part]]));

/** What a decision is called on its button, and the key that makes it. */
export const DECISIONS = byName("button");

/** What the dealer's next step is called on the big button. */
export const DEALER_STEPS = byName("step");

const BY = new Set(acts.filter((each) => each.by).map((each) => each.act));

/** The act with nothing said yet; who does it is filled in by the floor from the session. */
export const blank = (act) => (BY.has(act) ? { act, by: "" } : { act });

/** Every act of the house's staff that has a form; the label is how pages call it. */
export const ACTS = Object.fromEntries(
  acts.filter((each) => each.form).map(({ act, form }) => [act, { act, fields: [], ...form }]),
);

/** Each group is a fold of the supervisor's panel. */
const GROUPS = groups.map((group) => ({ ...group, acts: Object.values(ACTS).filter((each) => each.group === group.title) }));

const ORDER = ["dealer", "gaming-supervisor", "supervisor", "gaming-manager", "tournament-manager"];

/**
 * The acts that a role is offered under one rulebook, by the matrix: "yes", "approval" (a second person), or "no".
 * What went wrong and is somebody else's to report stays in sight, with whose it is; what these rules have for nobody
 * comes last, so that the clause can be asked for.
 */
export function offered(matrix, role) {
  if (!matrix) return [];
  const cell = (who, act) => matrix.acts[who]?.[act] || "no";
  const nobody = [];
  const groups = GROUPS.map((group) => ({
    ...group,
    acts: group.acts
      .map((each) => ({
        ...each,
        approval: cell(role, each.act) === "approval",
        others: cell(role, each.act) === "no" ? ORDER.filter((who) => cell(who, each.act) !== "no") : [],
        mine: cell(role, each.act) !== "no",
      }))
      .filter((each) => {
        if (!each.mine && !each.others.length) nobody.push(each);
        return each.mine || (group.wrong && each.others.length > 0);
      }),
  })).filter((group) => group.acts.length);
  if (role === "dealer") groups.sort((one, other) => Number(other.wrong || 0) - Number(one.wrong || 0));
  else if (nobody.length) groups.push({ title: "Not under these rules", acts: nobody.map((each) => ({ ...each, mine: true })) });
  return groups;
}
