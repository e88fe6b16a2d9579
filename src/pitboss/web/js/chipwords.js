// How tournament chips and entrants are said: chips are no money.

/** 125000 is "1,250". */
export const chips = (cents) => (cents / 100).toLocaleString("en-AU", { maximumFractionDigits: 2 });

/** The house's own players without the word for them: `bot-kookaburra-2` is "Kookaburra 2". */
export const called = (name) =>
  name.startsWith("bot-")
    ? name
        .slice(4)
        .replaceAll("-", " ")
        .replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
    : name;

/** 65 seconds are "1:05", and 3700 are "1:01:40". */
export function clockOf(ms) {
  const all = Math.max(0, Math.floor(ms / 1000));
  const parts = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((each, at) => (at ? String(each).padStart(2, "0") : each)).join(":");
}

export const STATUS = {
  entries: "Entries are open",
  closed: "Entries are closed",
  playing: "Being played",
  cancelled: "Cancelled",
  ended: "Over",
};

export const STANDING = {
  applied: "Applied",
  reserve: "Reserved",
  entered: "Entered",
  out: "Out",
  forfeited: "Forfeited",
  disqualified: "Disqualified",
  withdrawn: "Withdrawn",
  refused: "Refused",
};

/** What a stage is doing now, in a few words. */
export function stageWords(wall) {
  if (wall.status !== "playing" || !wall.stage) return STATUS[wall.status] || wall.status;
  const on = wall.tables.filter((each) => each.status !== "returned");
  if (on.every((each) => each.status === "drawn")) return "Seats are drawn";
  if (on.every((each) => each.is_over)) return "Chips are counted";
  return "In play";
}

/** "Round 4 of 12", or as a session is measured otherwise. */
export function roundWords(each) {
  if (each.status === "drawn") return "Not begun";
  if (each.is_over) return "Over";
  const now = each.round + 1;
  if (each.play_off) return `Play-off, round ${now}`;
  return each.rounds ? `Round ${Math.min(now, each.rounds)} of ${each.rounds}` : `Round ${now}`;
}

export const limitsOf = (least, most) => `${chips(least)} to ${chips(most)}`;

/** The best first: as they are ranked; before anybody has chips, by box. */
export const byRank = (seats) => [...seats].sort((one, other) => (one.rank || 99) - (other.rank || 99) || one.box - other.box);
