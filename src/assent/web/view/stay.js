// The sheet of the answer that stays: what passes from now on, what still asks, where that holds and for how long.

import { CHOICES } from "../wording.js";
import { style } from "../style.js";
import { h } from "./h.js";
import { openSheet } from "./sheet.js";
import { inert } from "./text.js";

await style("sheets");

/** @type {[number, string][]} */
const HOURS = [[0, "until I take it back"], [1, "1 hour"], [8, "8 hours"], [24, "24 hours"]];
/** @type {[number, string][]} */
const MINUTES = [[5, "5 min"], [10, "10 min"], [30, "30 min"], [60, "1 h"]];
const USUAL = 10;
// The one sentence that is easily missed, word for word as the hub says it.
const RUN_MEANS = "Code the agent writes and then tests runs as you.";

const TICK = /`/;

/** Words in which commands stand between backticks. */
export function phrase(text) {
  const out = document.createDocumentFragment();
  for (const [at, part] of text.split(TICK).entries()) out.append(at % 2 ? h("code", inert(part, { lines: "space" })) : inert(part, { lines: "space", code: false }));
  return out;
}

/** For whom it holds, and where. */
export function holds({ kind, project, agent }) {
  const where = kind === "reads" ? ["in every project"] : ["in ", h("code", inert(project, { lines: "space" }))];
  return h("span", ["shape", "exact"].includes(kind) ? `for ${agent} ` : "for every agent ", ...where);
}

function covered({ kind, covers = "" }) {
  if (kind !== "run") return [phrase(covers)];
  return [phrase(covers.replace(RUN_MEANS, "").trim()), h("strong.means", RUN_MEANS)];
}

/**
 * `{ grant, hours? }`, or null; `{ grant, minutes }` where it `isTimed`. `stays`: what is offered, as the hub gave it. `project` and `agent`: as people call them.
 * `isGiven`: nothing is answered by it, a permission is given ahead.
 */
export function openStay(stays, { project, agent, isGiven = false, isTimed = false }) {
  let stay = stays[0];
  let long = isTimed ? USUAL : 0;
  const about = h("dl.meaning.stay-means");
  const place = h("p.note");

  function explain() {
    about.replaceChildren(h("dt", "Passes from now on"), h("dd", ...covered(stay)), h("dt", "Still asks"), h("dd", phrase((stay.leaves ?? "").replace(/,? still ask\.$/, "."))));
    place.replaceChildren("Holds ", holds({ ...stay, project, agent }), ". Grants lists it, and takes it back.");
  }

  const option = (name, isFirst, label, pick) => {
    const onchange = () => {
      pick();
      explain();
    };
    return h("label.option", h("input", { type: "radio", name, checked: isFirst, onchange }), h("span", label));
  };
  const what = h("fieldset", h("legend", "What"), ...stays.map((one, at) => option("stay", at === 0, phrase(one.words), () => (stay = one))));
  const lengths = isTimed ? MINUTES : HOURS;
  const howLong = h("fieldset.scopes", h("legend", "How long"), ...lengths.map(([count, label]) => option("long", count === long, label, () => (long = count))));
  explain();
  return openSheet({
    title: isGiven ? "Allow this from now on?" : isTimed ? CHOICES.allow_for.offer.slice(0, -1) : CHOICES.allow_here.offer,
    body: h("div.always.stay", stays.length > 1 ? what : h("p.lone", phrase(stay.words)), about, howLong, place),
    act: isGiven ? "Allow from now on" : isTimed ? "Allow for so long" : "Allow, and stop asking here",
    isYes: true,
    byEnter: true,
    read: () => ({ grant: stay.kind, ...(long && { [isTimed ? "minutes" : "hours"]: long }) }),
  });
}
