// Sessions: those that run, then the newest that ended, the rest folded away.

import { get } from "../api.js";
import { projectGlyph, words } from "../label.js";
import { counted, h, signed } from "../dom.js";
import { projectOf } from "../names.js";
import { isLive, isWaiting } from "../store.js";
import { style } from "../style.js";
import { sessionChips, sessionFacts, todoSummary } from "../view/session_facts.js";

await style("screens");

export const title = "Sessions";

const ENDED_SHOWN = 10;
// As often as the hub looks for them.
const LOOK = 10_000;
let ends = [];

export function mount(root, _params, store) {
  const list = h("div");
  const elsewhere = h("div");
  root.append(h("section.screen", { "aria-labelledby": "sessions-title" }, h("h1", { id: "sessions-title" }, "Sessions"), list, elsewhere));
  let soon = 0;
  const draw = () => {
    soon = 0;
    // Redrawn without losing the focus.
    const at = document.activeElement?.closest?.(".session-card")?.getAttribute("href");
    list.replaceChildren(...drawAll(store));
    if (at) list.querySelector(`[href="${CSS.escape(at)}"]`)?.focus();
  };
  const later = () => (soon ||= setTimeout(draw, 250));
  ends = [store.on("sessions", later), store.on("asks", later), () => clearTimeout(soon), followOthers(elsewhere)];
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

/** Sessions of other hubs that share the journal: to look at. Nobody looks at a page that is hidden. */
function followOthers(place) {
  let timer = 0;
  let isOver = false;
  const look = async () => {
    clearTimeout(timer);
    const told = document.hidden ? null : await get("/api/sessions/elsewhere").catch(() => null);
    if (isOver) return;
    if (told) place.replaceChildren(...drawOthers(told));
    // Without other hubs there is nothing to follow.
    if (!told || told.hubs) timer = setTimeout(look, LOOK);
  };
  const seen = () => document.hidden || look();
  document.addEventListener("visibilitychange", seen);
  look();
  return () => {
    isOver = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", seen);
  };
}

function drawOthers({ sessions, hubs, trouble }) {
  if (!hubs) return [];
  const live = sessions.filter(isLive);
  const ended = sessions.filter((session) => !isLive(session));
  return [
    h("h2", "On other machines"),
    trouble && h("p.empty", words(trouble)),
    live.length ? h("div.cards", ...live.map(drawOther)) : h("p.empty", "No session is live there."),
    ended.length > 0 && h("details", h("summary", `${counted(ended.length, "session")} ended there`), h("div.cards.ended", ...ended.map(drawOther))),
  ].filter(Boolean);
}

function drawOther(session) {
  const chips = sessionChips(session);
  if (session.state === "waiting") chips[0] = h("span.chip.state-waiting", ...signed("◆", session.needs > 1 ? `${session.needs} wait there` : "waits there"));
  return h(
    "div.session-card.other",
    h("div.first", projectGlyph(session), h("b.name", words(session.title || projectOf(session))), h("span.chip.machine", words(session.machine || session.hub)), ...chips),
    h("p.meta", words(session.title ? projectOf(session) : session.id.slice(0, 8)), " · ", words(sessionFacts(session))),
  );
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
