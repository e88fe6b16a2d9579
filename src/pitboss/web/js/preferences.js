// How the pages look and sound in this browser.

import { html } from "./nodes.js";
import { CHOICES, choose, chosen, motionOn, setMotion } from "./settings.js";
import { sound } from "./sounds.js";
import { Dialog, Field } from "./ui.js";

const LABELS = {
  theme: ["Theme", { dark: "Dark", light: "Light", system: "Same as this device" }],
  cloth: ["Colour of the cloth", { green: "Green", blue: "Blue", red: "Red", plain: "Grey" }],
  deck: ["Deck", { two: "Two colours", four: "Four colours" }],
  sounds: ["Sounds", { off: "Off", on: "On" }],
  chips: ["Chips you lay", { place: "Bet only when I press Place", "at-once": "Bet straight away, until no more bets" }],
};

export function Preferences({ onClose }) {
  const change = (name, value) => {
    choose(name, value);
    if (name === "sounds") sound("chip");
  };
  return html`<${Dialog} title="Settings" onClose=${onClose}>
    <div class="settings">
      ${Object.entries(LABELS).map(
        ([name, [label, words]]) =>
          html`<${Field} key=${name} label=${label} id=${`set-${name}`}
            ><select id=${`set-${name}`} value=${chosen(name)} onChange=${(event) => change(name, event.target.value)}>
              ${CHOICES[name].map((value) => html`<option key=${value} value=${value} selected=${value === chosen(name)}>${words[value]}</option>`)}
            </select><//>`,
      )}
      <${Field} label="Cards" id="set-motion"
        ><select id="set-motion" value=${motionOn() ? "on" : "off"} onChange=${(event) => setMotion(event.target.value === "on")}>
          <option value="on" selected=${motionOn()}>Move as they are dealt</option>
          <option value="off" selected=${!motionOn()}>Do not move</option>
        </select><//>
      <p class="hint">These settings are kept in this browser.</p>
    </div>
  <//>`;
}
