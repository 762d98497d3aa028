// One ask, drawn in the order in which it is read: how dangerous, who, the thing itself, why, what the agent says, where,
// how long, and only then what can be done about it.

import { drawBar } from "./actions.js";
import { h } from "./dom.js";
import { change } from "./grace.js";
import { projectGlyph, words } from "./label.js";
import { glyphOf, projectOf, riskWord, whichAgent } from "./names.js";
import { short } from "./places.js";
import { isWaiting, store } from "./store.js";
import { doings } from "./doings.js";
import { drawThing, thingKey, watchEnd } from "./view/thing.js";
import { inert } from "./view/text.js";

const FLAGS = {
  hidden_characters: "hidden characters",
  redacted: "secrets shown as marks",
  outside_project: "outside the project",
  unattended: "nobody at the terminal",
  bypass: "bypass: nothing is asked here",
  limited_host: "limited: this host does not report refusals",
  unread: "not read to its end",
  burst: "one of many",
};
export const KINDS = { question: "Question", plan: "Plan", form: "Form", stop: "Turn ended" };

export function identity({ subject, flags = [] }) {
  const parts = [projectOf(subject), subject.title, whichAgent(subject)].filter(Boolean);
  const line = h("p.who", projectGlyph(subject));
  for (const [at, part] of parts.entries()) line.append(at ? " · " : " ", h("span", words(part)));
  const chips = flags.filter((flag) => FLAGS[flag]).map((flag) => h(`span.chip.flag-${flag}`, FLAGS[flag]));
  if (flags.includes("other_machine") && subject.machine) chips.unshift(h("span.chip", "on ", words(subject.machine)));
  if (subject.agent && subject.task) line.append(h("span.task", "its task: ", words(subject.task)));
  return chips.length ? [line, h("p.chips", ...chips)] : [line];
}

export function why(ask, useInstead) {
  const { risk, says } = ask;
  const rows = [];
  if (risk.reason) rows.push(h("dt", "Why"), h("dd", words(risk.reason)));
  if (risk.safer || risk.instead) {
    const use = h("button.link", { type: "button", onclick: useInstead }, "use this instead");
    // Where the advice is the command itself, once is enough.
    const advice = risk.instead?.startsWith(risk.safer ?? " ") ? "" : risk.safer ?? "";
    const instead = risk.instead && ask.choices?.some((way) => way.choice === "allow_edited") ? use : "";
    rows.push(h("dt", "Safer"), h("dd", risk.instead ? h("code", inert(risk.instead)) : "", " ", words(advice), " ", instead));
  }
  if (says) rows.push(h("dt", "Agent says"), h("dd.says", "“", words(says), "”"));
  return rows.length ? h("dl.why", ...rows) : "";
}

export function place({ subject }) {
  const parts = [];
  if (subject.folder) parts.push(h("span.folder", words(short(subject.folder))));
  if (subject.branch) parts.push(h("span", words(subject.branch)));
  if (subject.mode) parts.push(h("span", "mode ", words(subject.mode)));
  return parts.length ? h("p.place", ...parts.flatMap((part, at) => (at ? ["  ", part] : [part]))) : "";
}

/** `{ element, ask, bar, run(name), key(event), refresh(), close() }`. What is drawn here is what an answer is bound to. */
export function drawAsk(ask) {
  const level = ask.risk.level;
  const heading = h("h2", { id: "ask-title", tabIndex: -1 }, h("span.level", h("span.sign", { "aria-hidden": "true" }, glyphOf(ask)), ` ${KINDS[ask.kind] ?? riskWord(ask)} `), h("span.verb", words(ask.view.verb)));
  const thing = drawThing(ask);
  const done = doings(ask, thing, () => bar);
  const element = h(
    `article.ask.${level}.kind-${ask.kind}`,
    { "aria-labelledby": "ask-title" },
    h("div.scroll", { tabIndex: -1 }, h("header.head", heading, ...identity(ask)), thing, matchWord(ask), why(ask, done.useInstead), done.note, place(ask), done.tools),
  );
  element.dataset.ask = ask.id;
  const bar = drawBar(ask, thing, done.buttons, done.extra);
  element.append(bar.element);
  const unwatch = watchEnd(thing, bar.endSeen);
  change();

  function refresh() {
    const now = store.asks.get(ask.id) ?? ask;
    element.classList.toggle("is-over", !isWaiting(now));
    element.classList.toggle("doubtful", now.state === "doubtful");
    bar.refresh();
  }
  refresh();
  return {
    element,
    ask,
    bar,
    heading,
    refresh,
    run: (name) => done.run(name),
    key: (event) => thingKey(thing, event),
    toEnd() {
      const scroll = element.querySelector(".scroll");
      scroll.scrollTo({ top: scroll.scrollHeight });
    },
    close() {
      unwatch();
      bar.close();
    },
  };
}

// Printed after the content: known only to those who read to its end.
const matchWord = ({ risk }) =>
  risk.level === "danger" && risk.match ? h("p.match-word", { id: "match-word" }, "match word ", h("b", risk.match)) : "";
