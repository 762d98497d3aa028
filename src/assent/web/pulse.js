// The last five minutes as sixty bars, stacked by session: something happens, or nothing does, and what was refused is hatched.

import { counted, h } from "./dom.js";
import { hue, projectOf } from "./names.js";
import { store } from "./store.js";

const BARS = 60;
const SECONDS = 5;
const LEAST = 4;
const DENIALS = new Set(["deny", "block", "halt"]);
// By five seconds, by session: how much happened, how much of it was refused.
const slots = new Map();
const opened = Date.now();

const slotOf = (ms) => Math.floor(ms / 1000 / SECONDS);

function count(at, session = "", isDenied = false) {
  const slot = slotOf(at);
  if (!slots.has(slot)) slots.set(slot, new Map());
  const sessions = slots.get(slot);
  const known = sessions.get(session) ?? { all: 0, denied: 0 };
  known[isDenied ? "denied" : "all"] += 1;
  sessions.set(session, known);
}

export function countEvents() {
  store.on("record", (record) => {
    if (record.kind === "event") count(Date.now(), record.session);
    else if (record.kind === "decision" && DENIALS.has(record.decision)) count(Date.now(), record.session, true);
    else return;
    const oldest = slotOf(Date.now()) - BARS;
    for (const old of slots.keys()) if (old <= oldest) slots.delete(old);
  });
}

let isSeeded = false;

/** What happened before this page was open, from rows of the feed. */
export function seedPulse(rows) {
  if (isSeeded) return;
  isSeeded = true;
  const oldest = slotOf(Date.now()) - BARS;
  for (const row of rows) {
    if (!row.session || row.at >= opened || slotOf(row.at) <= oldest) continue;
    count(row.at, row.session);
    if (row.state === "denied") count(row.at, row.session, true);
  }
}

export function drawPulse() {
  const now = slotOf(Date.now());
  const bars = Array.from({ length: BARS }, (_, at) => [...(slots.get(now - BARS + 1 + at) ?? [])]);
  const sums = bars.map((bar) => bar.reduce((sum, [, { all }]) => sum + all, 0));
  const most = Math.max(LEAST, ...sums);
  const denied = bars.flat().reduce((sum, [, known]) => sum + known.denied, 0);
  const all = sums.reduce((a, b) => a + b, 0);
  const label = `Last five minutes: ${counted(all, "event")}, ${denied} refused`;
  return h("div.pulse", { role: "img", "aria-label": label, title: label }, ...bars.map((bar, at) => drawBar(bar, sums[at] / most)));
}

function drawBar(bar, share) {
  const made = h("i");
  made.style.height = `${Math.round(share * 100)}%`;
  for (const [session, { all, denied }] of bar) {
    const refused = Math.min(denied, all);
    for (const [name, number] of [["b", all - refused], ["b.no", refused]]) {
      if (!number) continue;
      const part = h(`${name}.hue-${hue(projectOf(store.sessions.get(session) ?? { id: session }))}`);
      part.style.flexGrow = number;
      made.append(part);
    }
  }
  return made;
}
