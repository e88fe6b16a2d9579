// In which language the pages speak. They are written in English; `texts/<language>.json` gives other words for the texts
// of `texts/catalogue.json`, `{0}` standing for a value. Pages know nothing of it: all their nodes are made by `nodes.js`.

const INLINE = /<(\/?(?:b|i|em|strong|kbd|code))>/g;
const PIECES = /(<!--[^]*?-->|<(?:[^<>"]|"[^"]*")*>)/;
const SHOWN = new Set(["alt", "aria-description", "aria-label", "label", "placeholder", "title"]);
const KNOWN_MOST = 5000;
const PLACE = "pitboss.language";

let exact = null; // English -> the other language
let patterns = []; // those with values in them
let said = new Map(); // what was asked before, and what has been said already, which is not translated twice

/** Fetch the language that was asked for with `?lang=`, now or before; English wants nothing. */
export async function speak() {
  let language = new URLSearchParams(location.search).get("lang");
  try {
    if (language !== null) localStorage.setItem(PLACE, language);
    language = localStorage.getItem(PLACE);
  } catch {
    // a browser that keeps nothing asks anew each time
  }
  if (!language || !/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(language) || language.startsWith("en")) return;
  try {
    const answer = await fetch(`texts/${language}.json`);
    if (!answer.ok) return;
    learn(await answer.json());
    document.documentElement.lang = language;
  } catch {
    // without its file the pages stay English
  }
}

function learn(words) {
  exact = new Map(Object.entries(words).filter(([, other]) => other));
  patterns = [...exact]
    .filter(([english]) => /\{\d+\}/.test(english) && /[A-Za-z]{2}/.test(english.replace(/\{\d+\}/g, "")))
    .sort(([one], [other]) => other.replace(/\{\d+\}/g, "").length - one.replace(/\{\d+\}/g, "").length)
    .map(([english, other]) => {
      const numbers = [...english.matchAll(/\{(\d+)\}/g)].map(([, number]) => Number(number));
      const parts = english.split(/\{\d+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
      return { shape: new RegExp(`^${parts.join("([^]*?)")}$`), numbers, other };
    });
}

/** How dates are written: as the language of the pages writes them. */
export const locale = () => (exact ? document.documentElement.lang : "en-AU");

const filled = (text, values) => text.replace(/\{(\d+)\}/g, (_, number) => values.get(Number(number)) ?? "");

/** A text in the language of the pages; what the catalogue does not know (a name, a card) stays. */
export function say(text) {
  if (!exact || typeof text !== "string") return text;
  const before = said.get(text);
  if (before !== undefined) return before;
  const core = text.trim();
  let found = core && exact.get(core);
  for (let at = 0; core && found === undefined && at < patterns.length; at++) {
    const { shape, numbers, other } = patterns[at];
    const values = shape.exec(core);
    if (values) found = filled(other, new Map(numbers.map((number, place) => [number, say(values[place + 1])])));
  }
  const whole = found ? text.replace(core, () => found) : text;
  if (said.size > KNOWN_MOST) said = new Map();
  said.set(text, whole);
  said.set(whole, whole);
  return whole;
}

const made = new WeakMap(); // statics -> the template in the other language

/** A template of nodes in the language of the pages: its words, and its fields in the order that they want. */
export function translated(statics, fields) {
  if (!exact) return [statics, fields];
  let found = made.get(statics);
  if (!found) made.set(statics, (found = translation(statics)));
  return [found.statics, found.order.map((number) => (found.spoken[number] ? say(fields[number]) : fields[number]))];
}

function translation(statics) {
  const spoken = [];
  const whole = statics.map((text, number) => (number < statics.length - 1 ? `${text}\0${number}\0` : text)).join("");
  const other = whole
    .replace(INLINE, "\x01$1\x02")
    .split(PIECES)
    .map((piece) => (piece.startsWith("<") ? tag(piece, spoken) : run(piece, spoken)))
    .join("")
    .replace(/\x01/g, "<")
    .replace(/\x02/g, ">")
    .split(/\0(\d+)\0/);
  return { statics: other.filter((_, at) => at % 2 === 0), order: other.filter((_, at) => at % 2).map(Number), spoken };
}

function tag(piece, spoken) {
  if (piece.startsWith("<\0")) return piece; // a component: what it shows of this it says itself
  for (const [, name, number] of piece.matchAll(/([\w-]+)=\0(\d+)\0/g)) if (SHOWN.has(name)) spoken[number] = true;
  return piece.replace(/([\w-]+)="([^"\0]*)"/g, (all, name, value) => (SHOWN.has(name) ? `${name}="${say(value)}"` : all));
}

function run(piece, spoken) {
  const numbers = [];
  for (const [, number] of piece.matchAll(/\0(\d+)\0/g)) {
    spoken[number] = true;
    if (!numbers.includes(number)) numbers.push(number);
  }
  const [, before, text, after] = /^(\s*)([^]*?)(\s*)$/.exec(piece);
  const key = text
    .replace(/\s*\n\s*/g, " ")
    .replace(/\0(\d+)\0/g, (_, number) => `{${numbers.indexOf(number)}}`)
    .replace(/\x01/g, "<")
    .replace(/\x02/g, ">");
  const other = exact.get(key);
  return other ? before + filled(other, new Map(numbers.map((number, place) => [place, `\0${number}\0`]))) + after : piece;
}
