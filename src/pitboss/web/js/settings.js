// What this browser prefers.

const KEY = "pitboss-motion";
const system = matchMedia("(prefers-reduced-motion: reduce)");
const listeners = new Set();

export function motionOn() {
  const chosen = localStorage.getItem(KEY);
  return chosen ? chosen === "on" : !system.matches;
}

export function setMotion(on) {
  localStorage.setItem(KEY, on ? "on" : "off");
  show();
}

function show() {
  document.documentElement.classList.toggle("still", !motionOn());
  for (const listener of listeners) listener();
}

export function onMotion(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

system.addEventListener("change", show);
show();
