// Short sounds, made here; off unless somebody switches them on.

import { chosen } from "./settings.js";

let context = null;

/** A card is a breath of noise, a chip a click, a win some notes that rise: [start, length, hertz, how loud]. */
const TONES = {
  chip: [[0, 0.05, 1900, 0.12], [0.03, 0.05, 2500, 0.1]],
  turn: [[0, 0.12, 660, 0.12], [0.14, 0.16, 880, 0.12]],
  win: [[0, 0.14, 523, 0.14], [0.12, 0.14, 659, 0.14], [0.24, 0.26, 784, 0.16]],
  lose: [[0, 0.2, 233, 0.1]],
};
const OF_EVENT = { CardDealt: "card", CardBurned: "card", WagerPlaced: "chip", WagerPaid: "chip", SideBetPaid: "chip" };

function ready() {
  if (chosen("sounds") !== "on" || document.hidden) return null;
  try {
    context ||= new AudioContext();
    if (context.state === "suspended") context.resume();
  } catch {
    return null; // a browser without sound
  }
  return context;
}

function card(audio) {
  const length = Math.floor(audio.sampleRate * 0.06);
  const noise = audio.createBuffer(1, length, audio.sampleRate);
  const samples = noise.getChannelData(0);
  for (let at = 0; at < length; at++) samples[at] = (Math.random() * 2 - 1) * (1 - at / length) ** 2;
  const source = audio.createBufferSource();
  const filter = audio.createBiquadFilter();
  const volume = audio.createGain();
  source.buffer = noise;
  filter.type = "highpass";
  filter.frequency.value = 1800;
  volume.gain.value = 0.16;
  source.connect(filter).connect(volume).connect(audio.destination);
  source.start();
}

function note(audio, [start, length, hertz, loud]) {
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  const from = audio.currentTime + start;
  tone.type = "triangle";
  tone.frequency.value = hertz;
  volume.gain.setValueAtTime(loud, from);
  volume.gain.exponentialRampToValueAtTime(0.001, from + length);
  tone.connect(volume).connect(audio.destination);
  tone.start(from);
  tone.stop(from + length);
}

export function sound(name) {
  const audio = ready();
  if (!audio) return;
  if (name === "card") card(audio);
  else for (const each of TONES[name] || []) note(audio, each);
}

/** What is heard of something that happens on the table. */
export function soundOf(event) {
  if (event.event in OF_EVENT) sound(OF_EVENT[event.event]);
}
