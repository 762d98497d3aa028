// The agents of a session as a tree: the main one and those it started. Picking one shows only what it did.

import { counted, h } from "./h.js";
import { stateOf } from "../store.js";
import { inert } from "./text.js";

/** `picked`: null for all, "" for the main agent, or a sub-agent's id. */
export function drawAgents(session, picked, pick) {
  const agents = session.agents ?? [];
  if (!agents.length) return [];
  const row = (which, state, name, calls) =>
    h("button", { type: "button", "aria-pressed": String(picked === which), onclick: () => pick(picked === which ? null : which) }, h("span.sign", { role: "img", "aria-label": state.word }, state.sign), " ", name, h("span.meta", ` ${counted(calls, "call")}`));
  const own = (session.calls ?? 0) - agents.reduce((sum, agent) => sum + (agent.calls ?? 0), 0);
  const children = agents.map((agent) => {
    return h("li", row(agent.id, stateOf(agent), inert(agent.type || agent.id.slice(0, 8), { lines: "space" }), agent.calls ?? 0));
  });
  return [h("h2", "Agents"), h("ul", h("li", row("", stateOf(session), "main agent", Math.max(0, own)), h("ul", ...children)))];
}
