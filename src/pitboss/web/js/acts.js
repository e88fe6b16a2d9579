// What each act asks for, so that a form can be drawn. Whether it is allowed is the engine's affair.

const player = { name: "player", is: "player", label: "Player" };
const anyone = { name: "player", is: "name", label: "Player" };
const box = { name: "box", is: "box", label: "Box" };
const kind = { name: "kind", is: "kind", label: "Wager" };
const sideKind = { name: "kind", is: "side", label: "Optional wager" };
const money = (name, label) => ({ name, is: "money", label });
const count = (name, label, start = 1) => ({ name, is: "count", label, start });
/** `told`: how whoever approves the act reads it: what is said, when it is ticked, when it is not. */
const yes = (name, label, start = false, told = undefined) => ({ name, is: "yes", label, start, told });
const text = (name, label) => ({ name, is: "text", label });
const oneOf = (name, label, ...options) => ({ name, is: "choice", label, options });
/** A choice whose options are said in other words than they are written. */
const said = (name, label, words) => ({ name, is: "choice", label, options: Object.keys(words), words });
const cards = (name, label) => ({ name, is: "cards", label });
const people = (name, label) => ({ name, is: "players", label });

/** These acts name no member of staff; all others say by whom, which the floor fills in from the session. */
const NOBODYS = new Set([
  "TakeSeat",
  "LeaveTable",
  "BuyChips",
  "FindFaceUpCard",
  "DrawInError",
  "ExtraDealerCard",
  "BurnInError",
  "ForgetBurn",
  "ForgetCut",
  "ForgetShuffle",
  "ForgetDiscards",
  "ForgetInsurance",
  "DealWithoutWagers",
  "Misdeal",
  "LeaveOut",
  "Misplace",
  "PassOver",
  "ClearJam",
]);

const NOTICED = {
  "initial-deal": "during the initial deal",
  "in-turn": "before the turn of that hand was over",
  passed: "after its turn, before the dealer's second card",
  dealer: "after the dealer's second card",
  "after-round": "when the round was over",
};

export const blank = (act) => (NOBODYS.has(act) ? { act } : { act, by: "" });

/** Each group is a fold of the supervisor's panel. */
export const GROUPS = [
  {
    title: "Limits and signs",
    acts: [
      {
        act: "SetLimits",
        terms: ["limits.changed_by", "limits.raise_notice_minutes", "limits.raise_keeps_old_minimum"],
        label: "Set the limits",
        says: "New minimum and maximum on the sign, with the notice that a higher minimum needs.",
        fields: [
          money("minimum_cents", "Minimum"),
          money("maximum_cents", "Maximum"),
          kind,
          count("notice_minutes", "Minutes the new sign has been on display", 0),
          yes("keep_old_minimum", "Players already here keep the old minimum", true),
        ],
      },
      {
        act: "GrantMaximum",
        terms: ["limits.personal_maximum_by", "limits.beside_personal_maximum"],
        label: "Grant one player a maximum",
        says: "A sign of his own, above the table's maximum.",
        fields: [
          player,
          money("maximum_cents", "Maximum"),
          { ...money("minimum_cents", "Minimum (may stay empty)"), optional: true },
        ],
      },
      {
        act: "RestrictSideBet",
        label: "Restrict an optional wager",
        says: "For players with an original wager only.",
        fields: [
          sideKind,
          yes("notified", "The notice was given"),
          yes("sign", "A sign is on display"),
          yes("lift", "Lift the restriction"),
        ],
      },
      {
        act: "RequireSideBet",
        label: "Require an optional wager",
        says: "Make it a condition of play, by a notice.",
        fields: [sideKind, yes("required", "Required", true)],
      },
      { act: "AnnounceFinalRounds",
        terms: ["shuffle.final_rounds"], label: "Announce the last rounds", says: "Before the table closes.", fields: [] },
    ],
  },
  {
    title: "Players",
    acts: [
      {
        act: "TakeSeat",
        label: "Seat a player",
        says: "Who is seated at a box calls its decisions.",
        fields: [anyone, box],
      },
      {
        act: "Restrict",
        terms: ["limits.restrictions"],
        label: "Restrict a player",
        says: "By one of the rulebook's restrictions.",
        fields: [
          player,
          { name: "rule", is: "restriction", label: "Restriction" },
          yes("notified", "Those whom the clause names were told first"),
        ],
      },
      { act: "LiftRestriction", label: "Lift a restriction", fields: [player] },
      {
        act: "LimitBoxes",
        terms: ["boxes.several", "boxes.several_limited_by"],
        label: "Hold a player to boxes",
        says: "Because others want to play.",
        fields: [player, count("boxes", "Boxes")],
      },
      {
        act: "CapPlayers",
        terms: ["boxes.players_capped_by"],
        label: "Cap the players",
        says: "0 lifts the cap.",
        fields: [count("players", "Players", 7)],
      },
      { act: "CapBox",
        terms: ["boxes.box_players_capped_by"], label: "Cap the players on a box", fields: [count("players", "Players on each box")] },
      { act: "LeaveTable", label: "See a player off the table", fields: [player] },
      { act: "BuyChips", label: "Sell chips to a player", fields: [anyone, money("cents", "Amount")] },
    ],
  },
  {
    title: "Boxes and wagers",
    acts: [
      {
        act: "ReserveBoxes",
        terms: ["boxes.reserved_by"],
        label: "Reserve boxes",
        says: "For the sole use of one player; none chosen frees his boxes.",
        fields: [anyone, { name: "boxes", is: "boxes", label: "Boxes" }],
      },
      {
        act: "RefuseWager",
        terms: ["wagers.refused_by"],
        label: "Refuse a wager",
        says: "Before the first card; it goes back.",
        fields: [player, box, kind],
      },
      {
        act: "FindWager",
        label: "Find a wager outside the sign",
        says: "Noticed after the first card.",
        words: "below minimum above maximum late",
        rules: ["wager-outside-limits"],
        fields: [player, box],
      },
      {
        act: "FindInvalidWager",
        label: "Find an invalid wager",
        says: "Without a valid card of one's own, or for another.",
        rules: ["invalid-wager"],
        fields: [player, box],
      },
      {
        act: "FindLossExcess",
        label: "Find wagers above a loss limit",
        rules: ["over-loss-limit"],
        fields: [player],
      },
    ],
  },
  {
    title: "Cards and dealing",
    acts: [
      { act: "OrderShuffle",
        terms: ["shuffle.ordered_by", "shuffle.ordered_notice"], label: "Order a shuffle", says: "After this round.", fields: [text("reason", "Reason")] },
      { act: "ReplaceCards",
        terms: ["cards.new_cards_by", "cards.new_cards_shoe", "cards.new_cards_device"], label: "Replace the cards", fields: [] },
      {
        act: "CheckSource",
        terms: ["irregularities.face_up_check_by"],
        label: "Check the rest of the source",
        says: "After the round, for more cards face up.",
        fields: [],
      },
      {
        act: "AllowResplit",
        terms: ["splitting.resplit_by", "splitting.resplit_hands_max"],
        label: "Allow a third hand",
        fields: [yes("allowed", "Allowed", true), yes("advised", "The players were advised before play began")],
      },
      {
        act: "DeferInterim",
        terms: ["interim.deferrable_by"],
        label: "Defer interim payments",
        says: "Naturals and 21s are paid at the final settlement.",
        fields: [yes("deferred", "Deferred", true)],
      },
      {
        act: "DealFaceDown",
        terms: ["cards.face_down"],
        label: "Deal face down",
        says: "The first two cards to each player.",
        fields: [
          yes("face_down", "Face down", true, ["The first two cards", "face down", "face up"]),
          yes("approved", "The approval or request is there", false, ["An approval or request is there", "yes", "not yet: it is asked for now"]),
        ],
      },
    ],
  },
  {
    title: "Cards gone wrong",
    wrong: true,
    acts: [
      {
        act: "DrawInError",
        label: "A card was drawn in error",
        words: "exposed flashed hit not asked for",
        rules: ["card-drawn-in-error", "card-refused"],
        fields: [yes("exposed", "It is exposed")],
      },
      {
        act: "ExtraDealerCard",
        label: "One card too many to the dealer",
        words: "too many extra",
        rules: ["extra-dealer-card"],
        fields: [yes("exposed", "It is exposed")],
      },
      {
        act: "FindFaceUpCard",
        label: "A card lies face up in the source",
        words: "exposed boxed turned",
        rules: ["card-face-up"],
        fields: [],
      },
      {
        act: "BurnInError",
        label: "A card was burned in error",
        rules: ["card-burned-in-error"],
        fields: [],
      },
      {
        act: "FindWrongCards",
        label: "Cards missing or foreign",
        rules: ["wrong-cards"],
        asks: { which: "what" },
        fields: [oneOf("what", "What was found", "missing", "foreign")],
      },
      {
        act: "DropCards",
        label: "Cards were dropped",
        says: "A supervisor verifies that all are there.",
        words: "fell floor mishandled",
        rules: ["cards-dropped"],
        fields: [],
      },
    ],
  },
  {
    title: "Forgotten steps",
    wrong: true,
    acts: [
      { act: "ForgetBurn", label: "The burn was forgotten", rules: ["burn-forgotten"], fields: [] },
      { act: "ForgetCut", label: "The cut was forgotten", rules: ["cut-missed"], fields: [] },
      { act: "ForgetShuffle", label: "The shuffle was forgotten", rules: ["shuffle-missed"], fields: [] },
      { act: "ForgetDiscards", label: "The discards were not put back", rules: ["discards-not-returned"], fields: [] },
      { act: "ForgetInsurance", label: "Insurance was not offered", rules: ["insurance-missed"], fields: [] },
      {
        act: "DealWithoutWagers",
        label: "Cards dealt without wagers",
        rules: ["round-without-wagers"],
        fields: [count("cards", "Cards exposed")],
      },
    ],
  },
  {
    title: "Misdeals and void rounds",
    wrong: true,
    acts: [
      {
        act: "Misdeal",
        label: "The initial deal went wrong",
        says: "Told in place of “Deal the round”: say to whom the cards went, in the order in which they left.",
        now: (view) =>
          view.phase === "wagers"
            ? ""
            : "Not now: the cards of this round lie already. From here on tell what went wrong by itself, such as a hand left out.",
        words: "misdeal out of order wrong box no card",
        rules: ["card-out-of-order", "box-lacks-card", "dealer-lacks-card", "card-without-wager"],
        fields: [
          { name: "places", is: "places", label: "Where the cards went" },
          said("noticed", "Noticed", NOTICED),
        ],
      },
      {
        act: "LeaveOut",
        label: "A hand was left out",
        says: "The dealer went past it without the card that was due.",
        words: "misdeal skipped",
        rules: ["hand-left-out"],
        fields: [
          box,
          said("noticed", "Noticed", { passed: "before the dealer's second card", dealer: NOTICED.dealer }),
          oneOf("meant", "What was called for", "hit", "double", "split"),
        ],
      },
      {
        act: "Misplace",
        label: "A card on the wrong box",
        words: "misdeal",
        rules: ["card-on-the-wrong-box"],
        fields: [player, box, { ...box, name: "wrong", label: "Box on which it lies" }],
      },
      {
        act: "Reconstruct",
        label: "Rebuild the round",
        says: "Lay the cards as they should have gone.",
        rules: ["misdeal-told-after-the-round"],
        fields: [],
      },
      {
        act: "VoidRound",
        label: "Declare the round void",
        rules: ["round-void", "cards-run-out"],
        fields: [text("reason", "Reason")],
      },
      {
        act: "VoidEarlierRound",
        label: "The round before was in error",
        rules: ["misdeal-told-after-the-round", "misdeal-noticed-later"],
        fields: [],
      },
    ],
  },
  {
    title: "People at the table",
    wrong: true,
    acts: [
      {
        act: "PassOver",
        label: "A player does not decide",
        words: "absent away slow left",
        rules: ["player-absent"],
        fields: [player, box],
      },
      {
        act: "VacateSeat",
        label: "A seated player lets rounds pass",
        says: "At a full table he may be asked to give his seat up.",
        rules: ["seat-not-used"],
        fields: [player, count("rounds", "Rounds that he let pass", 3)],
      },
      {
        act: "Remind",
        label: "Remind somebody of a duty",
        says: "Staff who advise or favour, players who break a duty of conduct.",
        rules: ["duty-of-conduct"],
        fields: [
          { name: "person", is: "person", label: "Who" },
          { name: "duty", is: "duty", label: "Duty" },
        ],
      },
      {
        act: "BarPlayer",
        label: "Bar a player",
        says: "His wagers are void.",
        words: "device cheat rules",
        rules: ["prohibited-device"],
        asks: { detain: "detained" },
        fields: [player, text("reason", "Reason"), yes("detained", "He is kept until somebody takes over", false, ["Kept until somebody takes over", "yes", "no"])],
      },
      {
        act: "PausePlayer",
        label: "Have a player pause",
        says: "While the period of his loss limit is reset.",
        rules: ["loss-limit-reset"],
        fields: [player],
      },
      {
        act: "ReadmitPlayer",
        label: "Readmit a player who paused",
        says: "The new period has begun.",
        rules: ["loss-limit-reset"],
        fields: [player, { ...money("loss_limit_cents", "New loss limit (may stay empty)"), optional: true }],
      },
    ],
  },
  {
    title: "Payments and disputes",
    wrong: true,
    acts: [
      {
        act: "RecordMispayment",
        label: "Record a mispayment",
        words: "overpaid underpaid too much too little wrong amount",
        rules: ["overpayment", "underpayment"],
        asks: { dollars: "cents" },
        fields: [
          player,
          money("cents", "Amount"),
          yes("over", "Too much was paid", true, ["Paid", "too much", "too little"]),
          yes("rectified", "It was put right", true, ["Put right", "yes", "no, not yet"]),
          yes("intentional", "Suspected to be intentional", false, ["Intentional", "suspected", "not suspected"]),
        ],
      },
      {
        act: "RuleDispute",
        label: "Rule on a dispute",
        says: "In the first instance, or on review.",
        words: "complaint disagree",
        rules: ["dispute"],
        fields: [player, text("ruling", "Ruling")],
      },
    ],
  },
  {
    title: "Shuffling device and jackpot",
    wrong: true,
    acts: [
      {
        act: "ReportMalfunction",
        label: "The shuffling device failed",
        words: "malfunction broken machine shuffler",
        rules: ["shuffling-device-malfunction"],
        fields: [
          cards("damaged", "Damaged cards, such as 6s Kd"),
          yes("disadvantage", "It put somebody at a disadvantage"),
          yes("spare", "Another device is at hand"),
          yes("transferable", "The cards can be moved"),
          said("course", "Go on with", { shuffle: "a shuffle by hand", "cutting-card": "the cutting card" }),
        ],
      },
      { act: "ClearJam", label: "A jam was cleared", words: "stuck", rules: ["jam"], fields: [] },
      { act: "RepairDevice", label: "The device works again", rules: ["device-repaired"], fields: [] },
      {
        act: "ReportJackpotFault",
        label: "Jackpot equipment failed",
        words: "sensor light",
        rules: ["jackpot-fault"],
        fields: [],
      },
      { act: "RestoreJackpot", label: "The jackpot equipment works again", rules: ["jackpot-fault"], fields: [] },
    ],
  },
  {
    title: "Disturbance and fraud",
    wrong: true,
    acts: [
      {
        act: "InvalidateRound",
        label: "Invalidate the round",
        words: "fire robbery uproar cheat",
        rules: ["disturbance", "fraud"],
        follows: "cause",
        fields: [oneOf("cause", "Cause", "disturbance", "fraud"), people("forfeit", "Whose wagers are forfeited")],
      },
      { act: "Approve", label: "Approve that the game goes on", fields: [] },
    ],
  },
];

const ORDER = ["dealer", "supervisor", "gaming-manager", "tournament-manager"];

/** Every act of the house's staff; the label is how pages call it. */
export const ACTS = Object.fromEntries(GROUPS.flatMap((group) => group.acts).map((each) => [each.act, each]));

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
