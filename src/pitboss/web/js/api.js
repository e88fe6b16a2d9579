// Requests to the floor. Whatever goes wrong becomes one clear sentence.

export class ApiError extends Error {
  constructor(status, text, body) {
    super(text);
    this.status = status;
    this.body = body;
  }
}

const FALLBACK = {
  0: "The floor cannot be reached; check the connection and try again.",
  400: "The floor could not read that request.",
  401: "Log in first.",
  403: "You may not do that.",
  404: "There is nothing at this address.",
  413: "That is too large.",
  421: "Another process runs this table now.",
  429: "Too many tries; wait a moment.",
  503: "The floor is not accepting anything right now; try again shortly.",
};

/** One thing is not several: "in 1 seconds" is "in 1 second". */
const counted = (text) => text.replace(/\b1 (second|minute|player|table)s\b/g, "1 $1");

/** The sentence in an answer of the server, whatever its shape. */
export function sentenceOf(body, status) {
  if (body && typeof body === "object") {
    const refusal = body.refusal || (body.answer && body.answer.refusal);
    if (refusal) return `${refusal.rulebook} ${(refusal.clauses || []).join(", ")}: ${refusal.text}`;
    for (const key of ["text", "detail", "error", "message"]) if (typeof body[key] === "string") return counted(body[key]);
  }
  return FALLBACK[status] || `The floor answered with an error (${status}).`;
}

const outListeners = new Set();
let comings = 0; // what was asked before somebody came in does not say that they are out

/** Hear of it when an answer says that nobody is logged in any more. */
export function onOut(listener) {
  outListeners.add(listener);
  return () => outListeners.delete(listener);
}

/** Whoever gives a wrong password was not logged in before. */
const AT_THE_DOOR = "/api/login";

/** What a body says; one that breaks off is no answer. */
async function read(response) {
  const type = response.headers.get("content-type") || "";
  const text = await response.text();
  if (!type.includes("json")) return text;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const PATIENCE_MS = 60000; // without an answer for so long none will come
const PATIENT = "/api/log/verify"; // a long log takes long
const UNSURE = "No answer came, so it may or may not have been done; check before you do it again.";

async function request(method, path, body) {
  let response;
  let data;
  const before = comings;
  const line = new AbortController();
  const timer = path === PATIENT ? 0 : setTimeout(() => line.abort(), PATIENCE_MS);
  const asked = { method, headers: { Accept: "application/json" }, credentials: "same-origin", signal: line.signal };
  if (body !== undefined) {
    asked.body = JSON.stringify(body);
    asked.headers["Content-Type"] = "application/json";
  }
  try {
    response = await fetch(path, asked);
    data = await read(response);
  } catch {
    throw new ApiError(0, line.signal.aborted && method !== "GET" ? UNSURE : FALLBACK[0]);
  } finally {
    clearTimeout(timer);
  }
  if (response.status === 401 && path !== AT_THE_DOOR && before === comings)
    for (const listener of outListeners) listener();
  if (!response.ok) throw new ApiError(response.status, sentenceOf(data, response.status), data);
  return data;
}

const warmed = new Map();
const WARM_MS = 4000; // what was asked for ahead is no news after so long

function expect(path, asked) {
  asked.catch(() => {});
  warmed.set(path, asked);
  setTimeout(() => warmed.delete(path), WARM_MS);
}

/** Ask already for what will be wanted in a moment: the next `get` of it has this answer. */
export function warm(path) {
  if (!warmed.has(path)) expect(path, request("GET", path));
}

/** What came with the page needs no asking. */
export function takeKnown() {
  const told = document.getElementById("known");
  if (!told) return;
  for (const [path, answer] of Object.entries(JSON.parse(told.textContent))) expect(path, Promise.resolve(answer));
  told.remove();
}

export function get(path) {
  const asked = warmed.get(path);
  warmed.delete(path);
  return asked || request("GET", path);
}
export const post = (path, body = {}) => request("POST", path, body);

/** `query({ clause: "12.1", player: "" })` is "?clause=12.1": empty fields are left out. */
export function query(fields) {
  const used = Object.entries(fields).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  return used.length ? `?${new URLSearchParams(used)}` : "";
}

const kept = new Map();

/** A GET whose answer does not change while the page is open (rulebooks, clauses, the matrix). */
export function once(path) {
  if (!kept.has(path)) {
    const asked = get(path);
    kept.set(path, asked);
    asked.catch(() => kept.delete(path));
  }
  return kept.get(path);
}

/** Somebody has come or gone. */
export function forgetAll() {
  comings += 1;
  kept.clear();
  warmed.clear();
}
