// What people wrote or agents named, as a label: one line, nothing hidden; and the letters of a project.

import { hue, letters, projectOf, whichAgent } from "./names.js";
import { h, signed } from "./view/h.js";
import { inert } from "./view/text.js";

export const words = (text) => inert(text, { lines: "space", code: false });

export const agentLabel = (subject) => h("span", ...signed(subject.agent || subject.agent_type ? "↳" : "", words(whichAgent(subject))));

export function projectGlyph(subject) {
  const name = projectOf(subject);
  return h(`span.glyph.hue-${hue(name)}`, { "aria-hidden": "true" }, letters(name));
}
