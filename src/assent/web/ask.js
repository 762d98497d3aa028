// One ask, drawn in the order in which it is read: how dangerous, who, why and what would be safer, what it would do, the
// thing itself, what led to it, where, how long, and only then what can be done about it.

import { drawBar } from "./actions.js";
import { h } from "./dom.js";
import { change } from "./grace.js";
import { agentLabel, projectGlyph, words } from "./label.js";
import { glyphOf, projectOf, riskWord } from "./names.js";
import { short } from "./places.js";
import { isWaiting, store } from "./store.js";
import { doings } from "./doings.js";
import { drawSteps } from "./view/shell.js";
import { drawThing, thingKey, watchEnd } from "./view/thing.js";
import { inert } from "./view/text.js";
import { FLAGS, KINDS } from "./wording.js";

export function identity({ subject, flags = [] }) {
  const line = h("p.who", projectGlyph(subject), " ", h("span", words(projectOf(subject))));
  if (subject.title) line.append(" · ", h("span", words(subject.title)));
  line.append(" · ", agentLabel(subject));
  const chips = flags.filter((flag) => FLAGS[flag]).map((flag) => h(`span.chip.flag-${flag}`, FLAGS[flag]));
  if (flags.includes("other_machine") && subject.machine) chips.unshift(h("span.chip", "on ", words(subject.machine)));
  return chips.length ? [line, h("p.chips", ...chips)] : [line];
}

/** Whose yes it needs, who said it, and why they cannot be asked, where that is so. */
export function approval({ approval: rule, needs, agreed, unreachable }) {
  if (!rule) return [];
  return [h("dt", "Approval"), h("dd", ...[needs, agreed, rule.reason, unreachable].filter(Boolean).map((text) => h("p", words(text))))];
}

/** Why it is at this level, and what would be safer: before the thing itself, which can be long. */
export function why(ask, useInstead) {
  const { risk } = ask;
  const rows = [];
  if (risk.reason) rows.push(h("dt", "Why"), h("dd", words(risk.reason)));
  if (risk.safer || risk.instead) {
    const use = h("button.link", { type: "button", onclick: useInstead }, "use this instead");
    // Where the advice is the command itself, once is enough.
    const advice = risk.instead?.startsWith(risk.safer ?? " ") ? "" : risk.safer ?? "";
    const instead = risk.instead && ask.choices?.some((way) => way.choice === "allow_edited") ? use : "";
    rows.push(h("dt", "Safer"), h("dd", risk.instead ? h("code", inert(risk.instead)) : "", " ", words(advice), " ", instead));
  }
  return rows.length ? h("dl.why", ...rows) : "";
}

/** What led to it: what the person asked for, and what the agent said before the call and about it. */
export function context({ subject, asked, words: said, says }) {
  const rows = [];
  if (asked) rows.push(h("dt", subject.owner ? "They asked" : "You asked"), h("dd", quote(asked, 1)));
  if (subject.agent && subject.task) rows.push(h("dt", "Its task"), h("dd", quote(subject.task, 1)));
  const both = [said && quote(said, 3), says && quote(says, 2)].filter(Boolean);
  if (both.length) rows.push(h("dt", "Agent says"), h("dd", ...both));
  return rows.length ? h("dl.why.context", ...rows) : "";
}

/** So many lines of it; a press shows the rest. */
function quote(text, lines) {
  const box = h(`q.said.lines-${lines}`, words(text));
  const more = h("button.link", { type: "button", hidden: true }, "all of it");
  more.onclick = () => {
    box.classList.add("whole");
    more.remove();
  };
  new ResizeObserver(() => (more.hidden = box.scrollHeight <= box.clientHeight + 1)).observe(box);
  return h("div.quote", box, more);
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
  const heading = h("h2", { id: "ask-title", tabIndex: -1 }, h("span.level", h("span.sign", { "aria-hidden": "true" }, glyphOf(ask)), ` ${KINDS[ask.kind]?.word ?? riskWord(ask)} `), h("span.verb", words(ask.view.verb)));
  const thing = drawThing(ask);
  const done = doings(ask, () => bar);
  const needed = h("dl.why.approval");
  const element = h(
    `article.ask.${level}.kind-${ask.kind}`,
    { "aria-labelledby": "ask-title" },
    h("div.scroll", { tabIndex: -1 }, h("header.head", heading, ...identity(ask)), ask.approval ? needed : "", why(ask, done.useInstead), drawSteps(ask.view, thing), thing, context(ask), done.note, place(ask), matchWord(ask), done.tools),
  );
  element.dataset.ask = ask.id;
  const bar = drawBar(ask, thing, done);
  element.append(bar.element);
  const unwatch = watchEnd(thing, bar.endSeen);
  const { session } = ask.subject;
  const queued = h("p.queued", { hidden: true });
  thing.after(queued);
  const drawQueued = async () => {
    const items = store.queues[session] ?? [];
    queued.hidden = !items.length;
    if (!items.length) return;
    queued.replaceChildren(...(await import("./view/queued.js")).drawQueued(session, items));
    change();
  };
  const unqueue = store.on("queues", drawQueued);
  drawQueued();
  change();

  function refresh() {
    const now = store.asks.get(ask.id) ?? ask;
    element.classList.toggle("is-over", !isWaiting(now));
    element.classList.toggle("doubtful", now.state === "doubtful");
    needed.replaceChildren(...approval(now));
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
      unqueue();
      bar.close();
    },
  };
}

// Printed after the content: known only to those who read to its end.
const matchWord = ({ risk }) =>
  risk.level === "danger" && risk.match ? h("p.match-word", { id: "match-word" }, "match word ", h("b", risk.match)) : "";
