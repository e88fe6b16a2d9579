// What this browser prefers.

const system = matchMedia("(prefers-reduced-motion: reduce)");
const light = matchMedia("(prefers-color-scheme: light)");
const listeners = new Set();

/** Every preference with the values that it may have, the usual one first. */
export const CHOICES = {
  theme: ["dark", "light", "system"],
  cloth: ["green", "blue", "red", "plain"],
  deck: ["two", "four"],
  sounds: ["off", "on"],
  chips: ["place", "at-once"],
  coach: ["off", "on"],
};

const kept = (key) => localStorage.getItem(`pitboss-${key}`);

export function chosen(name) {
  const found = kept(name);
  return CHOICES[name].includes(found) ? found : CHOICES[name][0];
}

export function choose(name, value) {
  localStorage.setItem(`pitboss-${name}`, value);
  show();
}

export function motionOn() {
  const found = kept("motion");
  return found ? found === "on" : !system.matches;
}

export function setMotion(on) {
  localStorage.setItem("pitboss-motion", on ? "on" : "off");
  show();
}

function show() {
  const root = document.documentElement.classList;
  const theme = chosen("theme");
  root.toggle("still", !motionOn());
  root.toggle("light", theme === "light" || (theme === "system" && light.matches));
  root.toggle("four-colours", chosen("deck") === "four");
  for (const cloth of CHOICES.cloth) root.toggle(`cloth-${cloth}`, chosen("cloth") === cloth);
  for (const listener of listeners) listener();
}

/** Hear of every change of a preference. */
export function onMotion(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

system.addEventListener("change", show);
light.addEventListener("change", show);
show();
