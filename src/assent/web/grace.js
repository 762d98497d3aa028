// For a moment after something changed, a press was meant for what stood there before, and is ignored.

export const GRACE = 400;
const UNPAINTED = 2_000;

let changes = 0;
let opening = 0;
let until = 0;
let typedUntil = 0;
let ending = 0;
let pressedInGrace = false;
const watchers = new Set();

const isGrace = (now = performance.now()) => now < until;

/** Something changed: focus, content, visibility. The moment lasts from then on until a while after it was painted. */
export function change() {
  changes += 1;
  const mine = changes;
  const painted = () => mine === changes && end();
  until = Infinity;
  clearTimeout(ending);
  for (const watcher of watchers) watcher(true);
  // On a busy machine the frame that shows it comes much later, and it cannot be read sooner.
  requestAnimationFrame(() => requestAnimationFrame(painted));
  // A window that is not painted at all.
  ending = setTimeout(painted, UNPAINTED);
}

function end() {
  changes += 1;
  until = performance.now() + GRACE;
  clearTimeout(ending);
  ending = setTimeout(() => {
    for (const watcher of watchers) watcher(false);
  }, GRACE + 1);
}

/** Told when it begins and when it ends. */
export function onGrace(watcher) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

const isKey = (event) => event?.type === "keydown";

/** Something that takes keys is being fetched: until it is there, they are for it and not for what stands here. */
export async function fetched(coming) {
  opening += 1;
  try {
    return await coming;
  } finally {
    opening -= 1;
    change();
  }
}

/** Whether a press counts: neither it nor the finger going down fell into the moment after a change. */
export const counts = (event) =>
  !opening && !isGrace() && !event?.repeat && !(event?.detail > 0 && pressedInGrace) && !(isKey(event) && performance.now() < typedUntil);

export function watchChanges() {
  addEventListener("focus", change);
  document.addEventListener("visibilitychange", change);
  // The press that brings a window to the front may be held longer than the moment lasts.
  addEventListener("pointerdown", () => (pressedInGrace = isGrace() || !document.hasFocus()), true);
  // Letters typed on after a field was left are not commands; the press on a button that left it is one.
  addEventListener("focusout", (event) => {
    if (event.target instanceof Element && event.target.matches("input, textarea, select")) typedUntil = performance.now() + GRACE;
  });
}
