// Many asks within seconds are one card, so that they are not allowed one by one unread.

import { bind, give } from "./answers.js";
import { projectGlyph, words } from "./label.js";
import { counted, h } from "./dom.js";
import { counts } from "./grace.js";
import { projectOf } from "./names.js";

const MOST = 5;
const WINDOW = 10_000;

function bySession(asks) {
  const sessions = new Map();
  for (const ask of asks) sessions.set(ask.subject.session, [...(sessions.get(ask.subject.session) ?? []), ask]);
  return sessions;
}

/** Of asks in the order they came, those that are more than five of one session within ten seconds. */
export function bursting(asks) {
  const found = new Set();
  for (const of of bySession(asks).values()) {
    for (const [at, ask] of of.entries()) {
      const isDense = at >= MOST && ask.opened_at - of[at - MOST].opened_at <= WINDOW;
      if (isDense) for (const one of of.slice(at - MOST, at + 1)) found.add(one);
    }
  }
  return [...found];
}

function drawBurst(asks, review) {
  const [first] = asks;
  const seconds = Math.max(1, Math.round((asks.at(-1).opened_at - first.opened_at) / 1000));
  const bounds = asks.map((ask) => [bind(ask), ask.choices?.find((way) => way.choice === "deny_and_stop") ?? { choice: "deny" }]);
  const stop = (event) => {
    if (counts(event)) for (const [bound, way] of bounds) give(bound, { choice: way.choice });
  };
  return h(
    "div.burst",
    { role: "group", "aria-label": "A burst of asks" },
    h("p.verb", `Paused: ${counted(asks.length, "ask")} in ${seconds} s. Review or stop the session?`),
    h("p.second", projectGlyph(first.subject), " ", words(projectOf(first.subject))),
    h("p.buttons", h("button", { type: "button", onclick: stop }, "Stop the session"), h("button", { type: "button", onclick: () => review(first.subject.session) }, "Review")),
  );
}

export function drawBursts(into, asks, review) {
  const sessions = bySession(asks);
  const key = [...sessions].map(([session, of]) => `${session}:${of.map((ask) => ask.id)}`).join();
  if (into.dataset.key === key) return;
  into.dataset.key = key;
  into.replaceChildren(...[...sessions.values()].filter((of) => of.length).map((of) => drawBurst(of, review)));
}
