// Steps through frames: a slider, buttons and the arrow keys.

import { html, useEffect, useState } from "./nodes.js";
import { useKeys } from "./ui.js";

export function Stepper({ at, most, least = 0, onGo, label, play = 700 }) {
  const [running, setRunning] = useState(false);
  const go = (to) => onGo(Math.min(most, Math.max(least, to)));
  useKeys((event) => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: least, End: most, PageUp: at - 10, PageDown: at + 10 }[
      event.key
    ];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  }, { held: true });
  useEffect(() => {
    if (!running) return undefined;
    if (at >= most) {
      setRunning(false);
      return undefined;
    }
    const timer = setTimeout(() => go(at + 1), play);
    return () => clearTimeout(timer);
  }, [running, at, most]);
  return html`<div class="stepper" role="group" aria-label=${label}>
    <button type="button" onClick=${() => go(least)} aria-label="First" disabled=${at <= least}>❙◀</button>
    <button type="button" onClick=${() => go(at - 1)} aria-label="One step back" disabled=${at <= least}>−1</button>
    <button type="button" onClick=${() => setRunning(!running)} aria-label=${running ? "Pause" : "Play"}>
      ${running ? "❚❚" : "▶"}
    </button>
    <button type="button" onClick=${() => go(at + 1)} aria-label="One step on" disabled=${at >= most}>+1</button>
    <button type="button" onClick=${() => go(most)} aria-label="Last" disabled=${at >= most}>▶❙</button>
    <input
      type="range"
      min=${least}
      max=${most}
      value=${at}
      onInput=${(event) => go(Number(event.target.value))}
      aria-label=${label}
      aria-valuetext=${`${at} of ${most}`}
    />
    <output>${at} / ${most}</output>
  </div>`;
}
