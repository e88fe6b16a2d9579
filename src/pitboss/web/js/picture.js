// What the cloth looks like while events are told one after another. It follows events and reads no rules; once all are
// told, the floor's own view takes over.

export function pictureOf(view) {
  const boxes = {};
  for (const box of view.boxes) boxes[box.box] = copyBox(box);
  return { boxes, dealer: { ...view.dealer }, turn: view.turn, over: false, closing: {} };
}

function copyBox(box) {
  return {
    ...box,
    wagers: { ...box.wagers },
    side: structuredClone(box.side || {}),
    insurance: { ...box.insurance },
    results: {},
    jackpot: {},
    hands: box.hands.map((hand) => ({
      ...hand,
      cards: [...hand.cards],
      wagers: structuredClone(hand.wagers),
      results: {},
    })),
  };
}

/** A box on which nothing lies. */
export const emptyBox = (number) => ({
  box: number,
  controller: null,
  wagers: {},
  side: {},
  insurance: {},
  hands: [],
  results: {},
  jackpot: {},
});
const emptyHand = (wagers = {}) => ({
  cards: [],
  total: null,
  soft: null,
  doubled: false,
  split: false,
  done: false,
  waits: null,
  asked: [],
  wagers,
  results: {},
});

function boxOf(picture, number) {
  return (picture.boxes[number] ||= emptyBox(number));
}

function handOf(picture, event) {
  const box = boxOf(picture, event.box);
  const at = Math.max(event.hand ?? 0, 0);
  while (box.hands.length <= at) box.hands.push(emptyHand());
  return box.hands[at];
}

function fresh(picture) {
  if (!picture.over) return;
  picture.boxes = {};
  picture.dealer = { cards: [], total: 0, soft: false };
  picture.over = false;
}

/** One more thing that became of a wager: the doubled part may stand off while the original one is lost. */
const more = (before, news) => {
  const sum = { ...before };
  for (const [how, cents] of Object.entries(news)) sum[how] = (sum[how] || 0) + cents;
  return sum;
};

/** Results: what was `paid`, `lost`, `stood` off and given `back`, by player. */
function finish(picture, event, news) {
  const hand = handOf(picture, event);
  hand.results[event.player] = more(hand.results[event.player], news);
  if (hand.wagers[event.player]) hand.wagers[event.player] = { ...hand.wagers[event.player], settled: true };
}

function besides(picture, event, what, news) {
  const results = boxOf(picture, event.box).results;
  const key = `${what} ${event.player}`;
  results[key] = { ...more(results[key], news), what, player: event.player };
}

/** All of a wager went back, or a part of it. */
function lessen(wagers, event) {
  const left = (wagers?.[event.player] || 0) - event.cents;
  if (left > 0) wagers[event.player] = left;
  else delete wagers?.[event.player];
}

const JACKPOT = "blazing-7s";
const INSURANCE = -3; // what stands in the place of a hand where insurance went back,
const MATCHING = -4; // or the wager of a split that is still being answered

const HOW = {
  WagerPlaced(p, e) {
    fresh(p);
    const box = boxOf(p, e.box);
    if ((e.kind || "original") === "original") box.wagers[e.player] = e.cents;
    else (box.side[e.kind] ||= {})[e.player] = e.cents;
  },
  WagerReturned(p, e) {
    const box = boxOf(p, e.box);
    const kind = e.kind || "original";
    const wager = box.hands[e.hand]?.wagers[e.player];
    const doubled = e.doubled_cents || 0;
    const left = (wager?.cents || 0) + doubled - e.cents;
    if (left > 0) box.hands[e.hand].wagers[e.player] = { ...wager, cents: left, doubled_cents: wager.doubled_cents - doubled };
    else if (wager) finish(p, e, { back: e.cents });
    else if (e.hand === INSURANCE) lessen(box.insurance, e);
    else if (e.hand !== MATCHING) lessen(kind === "original" ? box.wagers : box.side[kind], e);
  },
  RoundBegan(p, e) {
    fresh(p);
    p.dealer = { cards: [], total: 0, soft: false };
    for (const number of e.boxes) {
      const box = boxOf(p, number);
      const wagers = {};
      for (const [name, cents] of Object.entries(box.wagers))
        wagers[name] = { cents, doubled_cents: 0, surrendered: false, settled: false };
      box.hands = [emptyHand(wagers)];
    }
  },
  ControlSettled(p, e) {
    boxOf(p, e.box).controller = e.player;
  },
  ControlPassed(p, e) {
    boxOf(p, e.box).controller = e.player;
  },
  CardDealt(p, e) {
    if (!e.box) {
      p.dealer = { ...p.dealer, cards: [...p.dealer.cards, e.card], total: e.total, soft: Boolean(e.soft) };
      return;
    }
    const hand = handOf(p, e);
    hand.cards = [...hand.cards, e.face_down ? e.card || "??" : e.card];
    const hidden = e.card === "??";
    hand.total = hidden ? null : e.total;
    hand.soft = hidden ? null : Boolean(e.soft);
  },
  HandExposed(p, e) {
    handOf(p, { box: e.box, hand: 0 }).cards = [...e.cards];
  },
  HandDivided(p, e) {
    const hands = boxOf(p, e.box).hands;
    const hand = handOf(p, e);
    const [first, second] = hand.cards;
    hands.splice(e.hand + 1, 0, { ...emptyHand({ ...(hand.matching || {}) }), cards: [second], split: true });
    Object.assign(hand, { cards: [first], split: true, matching: undefined });
  },
  WagerSplit(p, e) {
    const hand = handOf(p, e);
    hand.matching = {
      ...hand.matching,
      [e.player]: { cents: e.cents, doubled_cents: 0, surrendered: false, settled: false },
    };
  },
  WagerDoubled(p, e) {
    const hand = handOf(p, e);
    hand.doubled = true;
    if (hand.wagers[e.player]) hand.wagers[e.player] = { ...hand.wagers[e.player], doubled_cents: e.cents };
  },
  TurnCame(p, e) {
    p.turn = { box: e.box, hand: e.hand };
  },
  HandBust(p, e) {
    handOf(p, e).bust = true;
  },
  WagerSurrendered(p, e) {
    const hand = handOf(p, { box: e.box, hand: 0 });
    if (hand.wagers[e.player]) hand.wagers[e.player] = { ...hand.wagers[e.player], surrendered: true };
  },
  InsurancePlaced(p, e) {
    boxOf(p, e.box).insurance[e.player] = e.cents;
  },
  DealerFinished(p, e) {
    p.dealer = { ...p.dealer, result: e.result };
    p.turn = null;
  },
  // where nothing lies but an undisclosed wager, amounts come with its announcement
  WagerPaid: (p, e) => finish(p, e, e.paid_cents ? { paid: e.paid_cents } : { won: 1 }),
  WagerCollected: (p, e) => finish(p, e, { lost: e.cents }),
  WagerStoodOff: (p, e) => finish(p, e, { stood: e.cents || 1 }),
  UndisclosedSettled(p, e) {
    const news = e.cents > 0 ? { paid: e.cents } : e.cents ? { lost: -e.cents } : { stood: 1 };
    if (!e.kind || e.kind === "original") finish(p, { ...e, hand: 0 }, news);
    else besides(p, e, e.kind, news);
  },
  SurrenderSettled: (p, e) => finish(p, e, { lost: e.lost_cents, back: e.returned_cents }),
  WagerForfeited: (p, e) => finish(p, e, { lost: e.lost_cents }),
  InsurancePaid(p, e) {
    besides(p, e, "insurance", { paid: e.paid_cents });
    delete boxOf(p, e.box).insurance[e.player];
  },
  InsuranceCollected(p, e) {
    besides(p, e, "insurance", { lost: e.cents });
    delete boxOf(p, e.box).insurance[e.player];
  },
  SideBetPaid(p, e) {
    besides(p, e, e.kind, { paid: e.paid_cents });
    delete (boxOf(p, e.box).side[e.kind] || {})[e.player];
  },
  SideBetCollected(p, e) {
    besides(p, e, e.kind, { lost: e.cents });
    delete (boxOf(p, e.box).side[e.kind] || {})[e.player];
  },
  SuperBonusPaid: (p, e) => besides(p, e, "Super Bonus", { paid: e.cents }),
  BonusPaid(p, e) {
    const own = Object.values(p.boxes).find((box) => box.hands.some((hand) => e.player in hand.wagers));
    const box = e.box || own?.box;
    if (box) besides(p, { ...e, box }, "bonus", { paid: e.cents });
  },
  JackpotWagerCollected(p, e) {
    const box = boxOf(p, e.box);
    box.jackpot[e.player] = e.cents;
    delete (box.side[JACKPOT] || {})[e.player];
  },
  JackpotPrizePaid: (p, e) => besides(p, e, JACKPOT, { paid: e.cents }),
  JackpotLost: (p, e) => besides(p, e, JACKPOT, { lost: boxOf(p, e.box).jackpot[e.player] || 0 }),
  CardsCleared(p, e) {
    handOf(p, e).cleared = true;
  },
  RoundVoided(p) {
    p.over = true;
    for (const box of Object.values(p.boxes)) {
      box.results = {};
      for (const hand of box.hands) hand.results = {};
    }
  },
  RoundEnded(p) {
    p.over = true;
    p.turn = null;
  },
  CardsShuffled: fresh,
};

/** The picture after one more event; the old one is left as it was. */
export function follow(picture, event) {
  const how = HOW[event.event];
  if (!how) return picture;
  const next = structuredClone(picture);
  how(next, event);
  return next;
}

/** All events are told: the floor's view, with the results and the cleared cards of this round still to be seen. */
export function settle(picture, view) {
  const busy = view.boxes.some(
    (box) => box.hands.length || Object.keys(box.wagers).length || Object.keys(box.side).length,
  );
  if (picture.over && !busy && view.phase === "wagers") {
    return { ...picture, turn: null };
  }
  const next = pictureOf(view);
  if (picture.over) return next;
  for (const box of Object.values(next.boxes)) {
    const before = picture.boxes[box.box];
    if (!before) continue;
    box.results = before.results;
    box.jackpot = before.jackpot;
    box.hands.forEach((hand, at) => {
      const was = before.hands[at];
      if (!was) return;
      Object.assign(hand, { results: was.results, bust: was.bust, cleared: was.cleared });
      if (!hand.cards.length && was.cards.length)
        Object.assign(hand, { cards: was.cards, total: was.total, soft: was.soft, cleared: true });
    });
  }
  if (!next.dealer.result) next.dealer.result = picture.dealer.result;
  return next;
}

/** What the last finished round brought a player, from its events. */
export function roundResult(events, player) {
  let cents = 0;
  for (const { event: e } of events) {
    if (e.player !== player) continue;
    if (e.event === "WagerPaid" || e.event === "SideBetPaid" || e.event === "InsurancePaid") cents += e.paid_cents;
    else if (e.event === "SuperBonusPaid" || e.event === "BonusPaid" || e.event === "JackpotPrizePaid")
      cents += e.cents;
    else if (
      e.event === "WagerCollected" ||
      e.event === "SideBetCollected" ||
      e.event === "InsuranceCollected" ||
      e.event === "JackpotWagerCollected"
    )
      cents -= e.cents;
    else if (e.event === "SurrenderSettled" || e.event === "WagerForfeited") cents -= e.lost_cents;
    else if (e.event === "UndisclosedSettled") cents += e.cents;
  }
  return cents;
}
