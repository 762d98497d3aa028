// The thing itself, for every kind of ask: what is drawn, what it says when an answer is given, and the keys it takes.

import { diffKey, drawDiffs } from "./diff.js";
import { drawForm } from "./form.js";
import { h } from "./h.js";
import { markdown } from "./markdown.js";
import { drawPlan } from "./plan.js";
import { drawQuestions } from "./question.js";
import { drawSegments } from "./shell.js";
import { drawStop } from "./stop.js";
import { inert, longText } from "./text.js";

export { watchEnd } from "./text.js";

const SHELLS = new Set(["Bash", "PowerShell", "Monitor", ""]);
// A value that stands beside its name.
const SHORT = 120;
const KINDS = { question: drawQuestions, plan: drawPlan, form: drawForm, stop: drawStop };
const drawn = new WeakMap();

/** What is shown of an ask. Its element tells with a bubbling `ready` event whether an answer is complete. */
export function drawThing(ask) {
  const box = h(`div.thing.is-${ask.kind}`);
  drawn.set(box, KINDS[ask.kind]?.(ask, box) ?? drawTool(ask, box));
  return box;
}

/** What the answer takes from what was filled in here: fields of an AnswerRequest, or `{ problem }`, a sentence. */
export const readAnswer = (box, choice) => drawn.get(box)?.read?.(choice) ?? {};

/** Whether the key was meant for the thing: options, steps, hunks. */
export const thingKey = (box, event) => drawn.get(box)?.key?.(event.key, event) ?? false;

function drawTool({ view }, box) {
  if (view.segments?.length) box.append(drawSegments(view.segments, { plain: !SHELLS.has(view.tool ?? "") }));
  const diffs = view.diffs?.length ? drawDiffs(view.diffs) : undefined;
  if (diffs) box.append(diffs);
  if (view.facts?.length) box.append(facts(view.facts, view.prose ?? []));
  if (!box.childElementCount) box.append(rawText(view.raw ?? {}));
  return { key: (key) => (diffs ? diffKey(diffs, view.diffs, key) : false) };
}

/** Short values beside their names, long ones below them; what people are to read as Markdown. */
function facts(pairs, prose) {
  const list = h("dl.facts");
  for (const [name, value] of pairs) {
    const text = String(value);
    const isProse = prose.includes(name);
    const isShort = !isProse && text.length <= SHORT && !text.includes("\n");
    const drawn = isProse ? markdown(text) : isShort ? h("code", inert(text)) : h("pre.code", longText(text));
    list.append(h(isShort ? "div" : "div.long", h("dt", inert(name, { lines: "space" })), h("dd", drawn)));
  }
  return list;
}

/** The input as it came. */
export const rawText = (raw) => h("pre.code.raw", { tabIndex: 0, "aria-label": "Input as it came" }, longText(JSON.stringify(raw, null, 2), (text) => inert(text, { lines: "plain" })));
