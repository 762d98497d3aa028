// Small helpers. Everything an agent wrote is set as text, never as HTML.

export { counted, grouped, h, signed } from "./view/h.js";

/**
 * An element that index.html brings.
 * @param {string} id
 */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

export const begun = (text) => text[0].toUpperCase() + text.slice(1);

export const clock = (ms) => new Date(ms).toLocaleTimeString([], { hourCycle: "h23" });

/** 9:58 on the wall. */
export const hourMinute = (ms) => {
  const at = new Date(ms);
  return `${at.getHours()}:${String(at.getMinutes()).padStart(2, "0")}`;
};

/** @type {[number, number, string][]} */
const UNITS = [[172_800_000, 86_400_000, "d"], [3_600_000, 3_600_000, "h"], [60_000, 60_000, "min"], [0, 1_000, "s"]];

const unitOf = (ms) => UNITS.find(([least]) => ms >= least) ?? UNITS[3];

function inUnit(ms, whole) {
  const [, first] = unitOf(ms);
  const rounded = whole(ms / first) * first;
  // There is no sixtieth second, nor minute.
  const [, size, unit] = unitOf(rounded);
  return [whole(rounded / size), unit];
}

/** How long something waits: 42 s, 2 min, 3 h. */
export const age = (ms) => inUnit(Math.max(0, ms), Math.floor).join(" ");

/** `2 min, 8 left`: how long it waits, and how long it will, by one unit where that says enough. */
export function waited(ms, left) {
  const [number, unit] = inUnit(Math.max(0, ms), Math.floor);
  if (left === undefined) return `${number} ${unit}`;
  const [rest, of] = inUnit(Math.max(0, left), Math.ceil);
  return `${number} ${unit}, ${rest}${of === unit ? "" : ` ${of}`} left`;
}

export function duration(ms) {
  if (Math.round(ms) < 1000) return `${Math.round(ms)} ms`;
  // Rounded before it is split, for the same reason.
  if (Math.round(ms / 100) < 600) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** The same, but not more often than every so many milliseconds; what was asked for in between is done once. */
export function seldom(ms, act) {
  let waiting = 0;
  const run = () => {
    waiting = 0;
    act();
  };
  const call = () => (waiting ||= setTimeout(run, ms));
  call.cancel = () => clearTimeout(waiting);
  return call;
}

export const isTyping = (target = document.activeElement) =>
  Boolean(target?.closest?.("textarea, select, input:not([type=checkbox], [type=radio], [type=button]), [contenteditable]"));
