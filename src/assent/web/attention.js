// Getting a person's attention, and telling the hub that it has it: tones, a buzz, a heartbeat while the page is used.

import { send } from "./api.js";
import { isWaiting, store } from "./store.js";

const TIMES = { care: 1, danger: 2 };
const BEAT = 20_000;
const USED_FOR = 60_000;
const isPhone = matchMedia("(pointer: coarse)").matches;

/** Sound is off until it is wanted; a phone buzzes until that is not wanted. */
export const wants = (what) => localStorage.getItem(`assent.${what}`) ?? (what === "buzz" && isPhone ? "on" : "off");
export const want = (what, isOn) => localStorage.setItem(`assent.${what}`, isOn ? "on" : "off");

function tone(times) {
  const audio = new AudioContext();
  for (let at = 0; at < times; at += 1) {
    const note = audio.createOscillator();
    const volume = audio.createGain();
    const start = audio.currentTime + at * 0.22;
    volume.gain.setValueAtTime(0.08, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.16);
    note.frequency.value = 660;
    note.connect(volume).connect(audio.destination);
    note.start(start);
    note.stop(start + 0.18);
  }
  setTimeout(() => audio.close(), 1_000);
}

function call({ ask, before, isOld }) {
  const times = TIMES[ask?.risk.level];
  if (!times || before || isOld || !isWaiting(ask) || document.hasFocus()) return;
  if (wants("sound") === "on") tone(times);
  if (wants("buzz") === "on") navigator.vibrate?.(times === 1 ? 120 : [120, 100, 120]);
}

let lastUsed = Date.now();

// A failure is not reported: it only means that other screens are asked sooner, or later.
const claim = (focused) => store.isLive && send("PUT", "/api/presence", { focused }).catch(() => {});

const beat = () => document.hasFocus() && Date.now() - lastUsed < USED_FOR && claim(true);

export function startAttention() {
  store.on("asks", call);
  for (const name of ["pointermove", "pointerdown", "keydown", "wheel"]) addEventListener(name, () => (lastUsed = Date.now()), { passive: true });
  addEventListener("focus", beat);
  addEventListener("blur", () => claim(false));
  setInterval(beat, BEAT);
}
