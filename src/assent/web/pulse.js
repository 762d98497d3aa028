// The last five minutes as sixty bars: something happens, or nothing does.

import { h } from "./dom.js";
import { store } from "./store.js";

const BARS = 60;
const SECONDS = 5;
const counts = new Map();

const slot = () => Math.floor(Date.now() / 1000 / SECONDS);

export function countEvents() {
  store.on("record", (record) => {
    if (record.kind !== "event") return;
    const now = slot();
    counts.set(now, (counts.get(now) ?? 0) + 1);
    for (const old of counts.keys()) if (old <= now - BARS) counts.delete(old);
  });
}

export function drawPulse() {
  const now = slot();
  const most = Math.max(4, ...counts.values());
  const bars = Array.from({ length: BARS }, (_, at) => {
    const bar = h("i");
    bar.style.height = `${Math.round(((counts.get(now - BARS + 1 + at) ?? 0) / most) * 100)}%`;
    return bar;
  });
  return h("div.pulse", { role: "img", "aria-label": "Events of the last five minutes" }, ...bars);
}
