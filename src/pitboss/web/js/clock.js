// How long is left for a decision.

import { html } from "./nodes.js";
import { useTick } from "./ui.js";

export function Clock({ clock, received }) {
  const running = Boolean(clock && clock.deadline_ms);
  useTick(250, running);
  if (!running) return null;
  const left = clock.deadline_ms - clock.now_ms - (performance.now() - received);
  if (left <= 0 || left > 3600000) return null;
  const seconds = Math.ceil(left / 1000);
  const whole = Math.max(clock.whole_ms || 0, clock.deadline_ms - clock.now_ms, 1);
  return html`<div class=${`clock${seconds <= 5 ? " soon" : ""}`} role="timer" aria-label=${`${seconds} seconds left`}>
    <svg viewBox="0 0 36 36" aria-hidden="true">
      <circle class="clock-track" cx="18" cy="18" r="15.9" />
      <circle
        class="clock-left"
        cx="18"
        cy="18"
        r="15.9"
        pathLength="100"
        stroke-dasharray=${`${(left / whole) * 100} 100`}
        transform="rotate(-90 18 18)"
      />
    </svg>
    <span>${seconds}</span>
  </div>`;
}
