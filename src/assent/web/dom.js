// Small helpers. Everything an agent wrote is set as text, never as HTML.

export { counted, grouped, h } from "./view/h.js";

export const byId = (id) => document.getElementById(id);

export const clock = (ms) => new Date(ms).toLocaleTimeString([], { hourCycle: "h23" });

/** 9:58 on the wall. */
export const hourMinute = (ms) => {
  const at = new Date(ms);
  return `${at.getHours()}:${String(at.getMinutes()).padStart(2, "0")}`;
};

/** How long something waits: 0:42, 1:02:07. */
export function stopwatch(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

export function duration(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
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
