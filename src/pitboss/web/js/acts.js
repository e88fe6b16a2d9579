// What each act asks for, so that a form can be drawn. Whether it is allowed is the engine's affair.

const player = { name: "player", is: "player", label: "Player" };
const anyone = { name: "player", is: "name", label: "Player" };
const box = { name: "box", is: "box", label: "Box" };
const kind = { name: "kind", is: "kind", label: "Wager" };
const sideKind = { name: "kind", is: "side", label: "Optional wager" };
const money = (name, label) => ({ name, is: "money", label });
const count = (name, label, start = 1) => ({ name, is: "count", label, start });
const yes = (name, label, start = false) => ({ name, is: "yes", label, start });
const text = (name, label) => ({ name, is: "text", label });
const oneOf = (name, label, ...options) => ({ name, is: "choice", label, options });
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

export const blank = (act) => (NOBODYS.has(act) ? { act } : { act, by: "" });

/** Each group is a fold of the supervisor's panel. */
export const GROUPS = [
  {
    title: "Limits and signs",
    acts: [
      {
        act: "SetLimits",
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
      { act: "AnnounceFinalRounds", label: "Announce the last rounds", says: "Before the table closes.", fields: [] },
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
        label: "Hold a player to boxes",
        says: "Because others want to play.",
        fields: [player, count("boxes", "Boxes")],
      },
      {
        act: "CapPlayers",
        label: "Cap the players",
        says: "0 lifts the cap.",
        fields: [count("players", "Players", 7)],
      },
      { act: "CapBox", label: "Cap the players on a box", fields: [count("players", "Players on each box")] },
      {
        act: "BarPlayer",
        label: "Bar a player",
        says: "His wagers are void.",
        fields: [player, text("reason", "Reason")],
      },
      { act: "LeaveTable", label: "See a player off the table", fields: [player] },
      { act: "BuyChips", label: "Sell chips to a player", fields: [anyone, money("cents", "Amount")] },
    ],
  },
  {
    title: "Boxes and wagers",
    acts: [
      {
        act: "ReserveBoxes",
        label: "Reserve boxes",
        says: "For the sole use of one player; none chosen frees his boxes.",
        fields: [anyone, { name: "boxes", is: "boxes", label: "Boxes" }],
      },
      {
        act: "RefuseWager",
        label: "Refuse a wager",
        says: "Before the first card; it goes back.",
        fields: [player, box, kind],
      },
      {
        act: "FindWager",
        label: "Find a wager outside the sign",
        says: "Noticed after the first card.",
        fields: [player, box],
      },
      {
        act: "FindInvalidWager",
        label: "Find an invalid wager",
        says: "Without a valid card of one's own, or for another.",
        fields: [player, box],
      },
      { act: "FindLossExcess", label: "Find wagers above a loss limit", fields: [player] },
    ],
  },
  {
    title: "Cards and dealing",
    acts: [
      { act: "OrderShuffle", label: "Order a shuffle", says: "After this round.", fields: [text("reason", "Reason")] },
      { act: "ReplaceCards", label: "Replace the cards", fields: [] },
      {
        act: "CheckSource",
        label: "Check the rest of the source",
        says: "After the round, for more cards face up.",
        fields: [],
      },
      {
        act: "AllowResplit",
        label: "Allow a third hand",
        fields: [yes("allowed", "Allowed", true), yes("advised", "The players were advised before play began")],
      },
      {
        act: "DeferInterim",
        label: "Defer interim payments",
        says: "Naturals and 21s are paid at the final settlement.",
        fields: [yes("deferred", "Deferred", true)],
      },
      {
        act: "DealFaceDown",
        label: "Deal face down",
        says: "The first two cards to each player.",
        fields: [yes("face_down", "Face down", true), yes("approved", "The approval or request is there")],
      },
    ],
  },
  {
    title: "Irregularities",
    acts: [
      { act: "FindFaceUpCard", label: "A card lies face up in the source", fields: [] },
      { act: "DrawInError", label: "A card was drawn in error", fields: [yes("exposed", "It is exposed")] },
      { act: "ExtraDealerCard", label: "One card too many to the dealer", fields: [yes("exposed", "It is exposed")] },
      { act: "BurnInError", label: "A card was burned in error", fields: [] },
      { act: "ForgetBurn", label: "The burn was forgotten", fields: [] },
      { act: "ForgetCut", label: "The cut was forgotten", fields: [] },
      { act: "ForgetShuffle", label: "The shuffle was forgotten", fields: [] },
      { act: "ForgetDiscards", label: "The discards were not put back", fields: [] },
      { act: "ForgetInsurance", label: "Insurance was not offered", fields: [] },
      { act: "DealWithoutWagers", label: "Cards dealt without wagers", fields: [count("cards", "Cards exposed")] },
      {
        act: "Misdeal",
        label: "The initial deal went wrong",
        says: "To which boxes the cards went, in the order in which they left; 0 is the dealer.",
        fields: [
          { name: "places", is: "numbers", label: "Boxes in order, such as 1 2 0 1 2" },
          oneOf("noticed", "Noticed", "initial-deal", "in-turn", "passed", "dealer"),
        ],
      },
      {
        act: "LeaveOut",
        label: "A hand was left out",
        says: "The dealer went past it without the card that was due.",
        fields: [
          box,
          oneOf("noticed", "Noticed", "passed", "dealer"),
          oneOf("meant", "What was called for", "hit", "double", "split"),
        ],
      },
      {
        act: "Misplace",
        label: "A card on the wrong box",
        fields: [player, box, { ...count("wrong", "Box on which it lies") }],
      },
      { act: "PassOver", label: "A player does not decide", fields: [player, box] },
      {
        act: "FindWrongCards",
        label: "Cards missing or foreign",
        fields: [oneOf("what", "What was found", "missing", "foreign")],
      },
      { act: "DropCards", label: "Cards were dropped", says: "A supervisor verifies that all are there.", fields: [] },
      { act: "Reconstruct", label: "Rebuild the round", fields: [] },
      { act: "VoidRound", label: "Declare the round void", fields: [text("reason", "Reason")] },
      { act: "VoidEarlierRound", label: "The round before was in error", fields: [] },
      {
        act: "InvalidateRound",
        label: "Invalidate the round",
        fields: [oneOf("cause", "Cause", "disturbance", "fraud"), people("forfeit", "Whose wagers are forfeited")],
      },
      {
        act: "RecordMispayment",
        label: "Record a mispayment",
        fields: [
          player,
          money("cents", "Amount"),
          yes("over", "Too much was paid", true),
          yes("rectified", "It was put right", true),
          yes("intentional", "Suspected to be intentional"),
        ],
      },
      { act: "ReportJackpotFault", label: "Jackpot equipment failed", fields: [] },
      {
        act: "ReportMalfunction",
        label: "Shuffling device failed",
        fields: [
          cards("damaged", "Damaged cards, such as 6s Kd"),
          yes("disadvantage", "It put somebody at a disadvantage"),
          yes("spare", "Another device is at hand"),
          yes("transferable", "The cards can be moved"),
          oneOf("course", "Course", "shuffle", "cutting-card"),
        ],
      },
      { act: "ClearJam", label: "A jam was cleared", fields: [] },
      { act: "RepairDevice", label: "The device works again", fields: [] },
      { act: "Approve", label: "Approve that the game goes on", fields: [] },
    ],
  },
];

/** Which acts a role is offered; the matrix says "yes", "own" or "approval". Without a matrix all are shown. */
export function offered(matrix, role) {
  const cells = matrix?.acts?.[role];
  const word = (act) => {
    const cell = cells?.[act];
    return typeof cell === "string" ? cell : cell?.is;
  };
  return GROUPS.map((group) => ({
    ...group,
    acts: group.acts
      .filter(({ act }) => !cells || (word(act) && word(act) !== "no"))
      .map((each) => ({ ...each, approval: word(each.act) === "approval" })),
  })).filter((group) => group.acts.length);
}
