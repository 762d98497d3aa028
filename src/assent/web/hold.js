// A button that a finger has to hold, where a tap could be an accident. Mouse and keyboard press it as ever.

const HOLD = 900;

export function hold(button, isNeeded, act) {
  let holding = 0;
  let isTouch = false;
  const end = () => {
    clearTimeout(holding);
    button.classList.remove("holding");
  };
  button.addEventListener("pointerdown", (event) => {
    isTouch = event.pointerType === "touch";
    if (!isTouch || !isNeeded() || button.disabled) return;
    button.classList.add("holding");
    holding = setTimeout(() => {
      end();
      act(event);
    }, HOLD);
  });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) button.addEventListener(name, end);
  button.addEventListener("contextmenu", (event) => isTouch && event.preventDefault());
  button.addEventListener("click", (event) => {
    // A tap: the finger was not held, or the hold has acted already.
    if (!(isTouch && isNeeded() && event.detail > 0)) act(event);
  });
}
