// A finger drawn across an ask goes to the next or the previous one. It never answers.

const FAR = 70;

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
    if (!start || getSelection().toString()) return;
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
