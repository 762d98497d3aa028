// For a moment after something changed, a press was meant for what stood there before, and is ignored.

export const GRACE = 400;

let until = 0;
let typedUntil = 0;
let ending = 0;
let pressedInGrace = false;
const watchers = new Set();

export const isGrace = (now = performance.now()) => now < until;

/** Something changed: focus, content, visibility. */
export function change() {
  until = performance.now() + GRACE;
  clearTimeout(ending);
  ending = setTimeout(() => watchers.forEach((watcher) => watcher(false)), GRACE + 1);
  for (const watcher of watchers) watcher(true);
}

/** Told when it begins and when it ends. */
export function onGrace(watcher) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

const isKey = (event) => event?.type === "keydown";

/** Whether a press counts: neither it nor the finger going down fell into the moment after a change. */
export const counts = (event) =>
  !isGrace() && !event?.repeat && !(event?.detail > 0 && pressedInGrace) && !(isKey(event) && performance.now() < typedUntil);

export function watchChanges() {
  addEventListener("focus", change);
  document.addEventListener("visibilitychange", change);
  // The press that brings a window to the front may be held longer than the moment lasts.
  addEventListener("pointerdown", () => (pressedInGrace = isGrace() || !document.hasFocus()), true);
  // Letters typed on after a field was left are not commands; the press on a button that left it is one.
  addEventListener("focusout", (event) => {
    if (event.target.matches?.("input, textarea, select")) typedUntil = performance.now() + GRACE;
  });
}
