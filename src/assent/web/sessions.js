// The sessions: those that run, the newest that ended, the rest folded away.

import { byId, clock, element } from "./dom.js";

const ENDED_SHOWN = 5;
const sessions = new Map();

const counted = (number, one) => `${number} ${one}${number === 1 ? "" : "s"}`;

const isLive = (session) => ["working", "idle"].includes(session.state ?? "working");

export function projectName(id) {
  const session = sessions.get(id);
  return session?.project?.split("/").filter(Boolean).pop() || id.slice(0, 8);
}

export function showSessions(all) {
  sessions.clear();
  for (const session of all) sessions.set(session.id, session);
  const newestFirst = all.toSorted((a, b) => b.last - a.last);
  const ended = newestFirst.filter((session) => !isLive(session));
  const shown = [...newestFirst.filter(isLive), ...ended.slice(0, ENDED_SHOWN)];
  const earlier = ended.slice(ENDED_SHOWN);
  byId("sessions").replaceChildren(...shown.map(draw));
  byId("no-sessions").hidden = shown.length > 0;
  byId("earlier").hidden = earlier.length === 0;
  byId("earlier-count").textContent = counted(earlier.length, "earlier session");
  byId("earlier-sessions").replaceChildren(...earlier.map(draw));
}

function draw(session) {
  const state = session.state ?? "working";
  const name = projectName(session.id);
  const item = element("li", `session ${state}`);
  const who = element("div", "who");
  who.append(
    element("span", "glyph", name.slice(0, 2).toUpperCase()),
    element("span", "name", session.title || name),
    element("span", `chip ${state}`, state),
  );
  const facts = [
    session.mode && `mode ${session.mode}`,
    session.model,
    counted(session.calls ?? 0, "call"),
    session.denied && `${session.denied} denied`,
    session.failed && `${session.failed} failed`,
    session.attended === false && "unattended",
    `last ${clock(session.last)}`,
    session.ended_because && `ended: ${session.ended_because}`,
  ];
  item.append(who, element("div", "meta", facts.filter(Boolean).join(" · ")), element("div", "meta", session.cwd || ""));
  if (session.agents?.length) item.append(drawAgents(session.agents));
  return item;
}

function drawAgents(agents) {
  const list = element("ul", "agents");
  for (const agent of agents) {
    const state = agent.state ?? "working";
    list.append(element("li", "", `${agent.type || agent.id.slice(0, 8)} · ${state} · ${counted(agent.calls ?? 0, "call")}`));
  }
  return list;
}
