// A finger drawn across an ask goes to the next or the previous one. It never answers.

const FAR = 70;
const PULL = 90;

/** Drawn down from its top: once more, please. */
export function pulls(element, act) {
  let from;
  const begin = (event) => (from = element.scrollTop <= 0 ? event.touches[0].clientY : undefined);
  const end = (event) => from !== undefined && event.changedTouches[0].clientY - from > PULL && act();
  element.addEventListener("touchstart", begin, { passive: true });
  element.addEventListener("touchend", end, { passive: true });
  return () => {
    element.removeEventListener("touchstart", begin);
    element.removeEventListener("touchend", end);
  };
}

export function swipes(element, { next, previous }) {
  let start;
  const begin = (event) => {
    const [touch] = event.touches;
    const isField = event.target.closest("input, textarea, select, button");
    const scrolls = event.target.closest(".code, table, pre");
    start = event.touches.length === 1 && !isField && !(scrolls && scrolls.scrollWidth > scrolls.clientWidth) ? touch : undefined;
  };
  const end = (event) => {
    const [touch] = event.changedTouches;
    if (!start || getSelection()?.toString()) return;
    const across = touch.clientX - start.clientX;
    if (Math.abs(across) < FAR || Math.abs(touch.clientY - start.clientY) > Math.abs(across) / 2) return;
    if (across < 0) next();
    else previous();
  };
  element.addEventListener("touchstart", begin, { passive: true });
  element.addEventListener("touchend", end, { passive: true });
  return () => {
    element.removeEventListener("touchstart", begin);
    element.removeEventListener("touchend", end);
  };
}
