// A plan against the one that was sent back before it: what changed, what was written back, and a switch between the
// two. What is approved is the whole plan, so it is approved where all of it is shown.

import { hourMinute } from "../dom.js";
import { change } from "../grace.js";
import { drawDiffs } from "./diff.js";
import { counted, h } from "./h.js";
import { inert } from "./text.js";

const VIEWS = [["Whole plan", false], ["What changed", true]];

function said({ since, diff }) {
  if (!diff.added && !diff.removed) return `Nothing changed since ${hourMinute(since)}`;
  return `Changed since ${hourMinute(since)}: ${counted(diff.added, "line")} added, ${diff.removed} removed`;
}

/** Above the plan; `whole` are the parts that give way to the difference. */
export function drawRound(round, box, whole) {
  const diff = drawDiffs([round.diff]);
  const views = h("div.views", { role: "group", "aria-label": "What is shown of the plan" });
  const show = (isDiff) => {
    // Its end counts as read only where the whole plan is shown.
    box.classList.toggle("is-diff", isDiff);
    for (const part of whole) part.hidden = isDiff;
    diff.hidden = !isDiff;
    views.replaceChildren(...VIEWS.map(([label, value]) => h("button", { type: "button", "aria-pressed": String(value === isDiff), onclick: () => pick(value) }, label)));
  };
  const pick = (isDiff) => {
    show(isDiff);
    views.querySelector('[aria-pressed="true"]')?.focus();
  };
  show(false);
  const wrote = round.wrote ? h("p", h("b", "You wrote: "), h("q", inert(round.wrote, { lines: "plain", code: false }))) : "";
  box.prepend(h("div.round", h("div", h("p", said(round)), wrote), views), diff);
  // What stood here has moved.
  change();
}
