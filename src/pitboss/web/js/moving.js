// To another server of the floor: where it is, as this page calls it, and the acts without an answer that go along.
//
// Another server is another origin, and nothing that a page keeps for itself goes there. A cookie does, just as far as
// the session's own: no further than this host, and for seconds only. Behind TLS nobody else can put one in its place.

const SECURE = location.protocol === "https:";
const NAME = SECURE ? "__Host-pitboss-acts" : "pitboss-acts";
const LONGEST = 3800; // browsers keep no cookie of more than 4096 bytes
const MOST = 8;
const LONGER_MS = 20000; // after an act's time is over its person is still told so

const SAME_MACHINE = /^(localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/;

/** The page of a server that we are told of. A name that every machine has for itself means the machine that we have
 *  called already, by whichever name: the session goes no further than this name, and the port alone is another. */
export function placeOf(address) {
  const there = new URL(address.includes("://") ? address : `${location.protocol}//${address}`);
  if (SAME_MACHINE.test(there.hostname)) {
    const port = there.port || (there.protocol === "https:" ? "443" : "80");
    there.protocol = location.protocol;
    there.hostname = location.hostname;
    there.port = port;
  }
  return there;
}

const isAct = (each) => typeof each?.id === "string" && typeof each?.act?.act === "string" && each.until > 0;

function kept() {
  const found = document.cookie.split("; ").find((each) => each.startsWith(`${NAME}=`));
  if (!found) return [];
  try {
    return JSON.parse(decodeURIComponent(found.slice(NAME.length + 1))).filter(isAct);
  } catch {
    return [];
  }
}

const written = (acts) => encodeURIComponent(JSON.stringify(acts));

/** What is too long for a cookie is known by its name only: it is not said again, and the page says so. */
const nameOnly = ({ act, ...rest }) => ({ ...rest, act: { act: act.act }, cut: true });

/** With nothing to keep the cookie ends. */
function keep(acts) {
  const over = Math.max(0, ...acts.map(({ until }) => Number(until) + LONGER_MS - Date.now()));
  let text = written(acts);
  if (text.length > LONGEST) text = written(acts.slice(0, MOST).map(nameOnly));
  document.cookie = `${NAME}=${text}; Path=/; Max-Age=${Math.ceil(over / 1000)}; SameSite=Strict${SECURE ? "; Secure" : ""}`;
}

/** Before the page goes: each `{ name, table, id, act, until, ... }`, in their order. */
export function takeAlong(acts) {
  if (acts.length) keep([...kept(), ...acts]);
}

/** After it came: what this person asked for at this table. It is taken out, so that no other page says it too. */
export function takenAlong(name, table) {
  const all = kept();
  const own = all.filter((each) => each.name === name && each.table === table);
  if (own.length) keep(all.filter((each) => !own.includes(each)));
  return own;
}
