// Sessions: those that run, then the newest that ended, the rest folded away.

import { projectGlyph, words } from "../label.js";
import { counted, h, signed } from "../dom.js";
import { projectOf } from "../names.js";
import { isLive, isWaiting } from "../store.js";
import { style } from "../style.js";
import { sessionChips, sessionFacts, todoSummary } from "../view/session_facts.js";

await style("screens");

export const title = "Sessions";

const ENDED_SHOWN = 10;
let ends = [];

export function mount(root, _params, store) {
  const list = h("div");
  root.append(h("section.screen", { "aria-labelledby": "sessions-title" }, h("h1", { id: "sessions-title" }, "Sessions"), list));
  let soon = 0;
  const draw = () => {
    soon = 0;
    // Redrawn without losing the focus.
    const at = document.activeElement?.closest?.(".session-card")?.getAttribute("href");
    list.replaceChildren(...drawAll(store));
    if (at) list.querySelector(`[href="${CSS.escape(at)}"]`)?.focus();
  };
  const later = () => (soon ||= setTimeout(draw, 250));
  ends = [store.on("sessions", later), store.on("asks", later), () => clearTimeout(soon)];
  draw();
}

export function unmount() {
  for (const end of ends) end();
}

function drawAll(store) {
  const newest = [...store.sessions.values()].sort((a, b) => b.last - a.last);
  const live = newest.filter(isLive);
  const ended = newest.filter((session) => !isLive(session));
  if (!newest.length) return [h("p.empty", "No sessions seen yet. Start claude anywhere.")];
  const asks = [...store.asks.values()];
  const card = (session) => drawCard(session, asks.filter((ask) => ask.subject.session === session.id));
  const earlier = ended.slice(ENDED_SHOWN);
  return [
    live.length ? h("div.cards", ...live.map(card)) : h("p.empty", "No session is live."),
    ended.length > 0 && h("h2", "Ended"),
    h("div.cards.ended", ...ended.slice(0, ENDED_SHOWN).map(card)),
    earlier.length > 0 && h("details", h("summary", counted(earlier.length, "earlier session")), h("div.cards.ended", ...earlier.map(card))),
  ].filter(Boolean);
}

function drawCard(session, asks) {
  const needs = asks.filter(isWaiting).length;
  const agents = (session.agents ?? []).filter((agent) => agent.state !== "done").length;
  return h(
    "a.session-card",
    { href: `/s/${encodeURIComponent(session.id)}` },
    h("div.first", projectGlyph(session), h("b.name", words(session.title || projectOf(session))), needs > 0 && h("span.chip.needs", needs === 1 ? "1 needs you" : `${needs} need you`), ...sessionChips(session, asks)),
    h("p.meta", words(session.title ? projectOf(session) : session.id.slice(0, 8)), " · ", words(sessionFacts(session)), agents > 0 && h("span", " · ", ...signed("↳", `${counted(agents, "sub-agent")} working`))),
    session.todos?.length > 0 && isLive(session) && h("p.meta", words(todoSummary(session.todos))),
  );
}
