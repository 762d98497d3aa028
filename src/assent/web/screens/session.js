// One session: what it is, what it needs, what it is to do next, and what it did.

import { projectGlyph, words } from "../label.js";
import { get } from "../api.js";
import { h, signed } from "../dom.js";
import { drawEvent } from "../feed/row.js";
import { projectOf } from "../names.js";
import { short } from "../places.js";
import { drawRow } from "../rows.js";
import { isWaiting } from "../store.js";
import { drawAgents } from "../view/agents.js";
import { style } from "../style.js";
import { drawQueue } from "../view/queue.js";
import { sessionChips, sessionFacts } from "../view/session_facts.js";
import { drawWay, wayTo } from "../view/terminal.js";
import { drawTodos } from "../view/todos.js";

await style("screens");

export const title = "Session";

const MOST_ROWS = 200;
const READ = 1_000;
let ends = [];
let jump = () => {};

export const commands = { "ask.jump": () => jump() };

export function mount(root, { id: given }, store) {
  const id = decodeURIComponent(given);
  const head = h("div.session-head");
  const tree = h("nav.tree", { "aria-label": "Agents" });
  const todo = h("section", { "aria-label": "To-do list" });
  const needs = h("div.feed", { role: "feed", "aria-label": "Needs you" });
  const feed = h("ol.events.of-one", { "aria-label": "Feed" });
  const nothing = h("p.empty", "Nothing was recorded of it lately.");
  const rows = new Map();
  const waiting = new Map();
  let agent = null;
  const isShown = (row) => agent === null || row.agent === agent;

  function drawHead() {
    const session = store.sessions.get(id);
    if (!session) return head.replaceChildren(h("h1", "This session is not known"), h("p.meta", "It ended long ago, or its id is mistyped. ", h("a", { href: "/s" }, "All sessions")));
    const asks = [...store.asks.values()].filter((ask) => ask.subject.session === id);
    head.replaceChildren(
      h("p.crumb", h("a", { href: "/s" }, ...signed("‹", "Sessions"))),
      h("h1", projectGlyph(session), " ", words(session.title || projectOf(session))),
      h("p.chips", ...sessionChips(session, asks), drawWay(session)),
      h("p.meta", words(sessionFacts({ ...session, branch: asks.at(-1)?.subject.branch }))),
      h("p.meta.folder", words(short(session.cwd || session.project || ""))),
    );
    jump = () => wayTo(session)?.go();
    todo.replaceChildren(...drawTodos(session.todos));
    tree.replaceChildren(...drawAgents(session, agent, pick));
  }

  function pick(which) {
    agent = which;
    drawHead();
    drawFeed();
  }

  function drawNeeds() {
    const open = store.waiting().filter((ask) => ask.subject.session === id);
    for (const [key, row] of waiting) {
      if (isWaiting(store.asks.get(key) ?? {})) continue;
      row.item.remove();
      waiting.delete(key);
    }
    for (const ask of open) {
      if (waiting.has(ask.id)) continue;
      waiting.set(ask.id, drawRow(ask));
      waiting.get(ask.id).link.tabIndex = 0;
      needs.append(waiting.get(ask.id).item);
    }
    for (const row of waiting.values()) row.refresh();
    needsTitle.hidden = needs.hidden = waiting.size === 0;
  }

  function take(found) {
    for (const row of found) {
      const known = rows.get(row.id);
      if (row.session !== id || known?.rev >= row.rev) continue;
      const item = known?.item ?? h("li");
      drawEvent(item, row);
      // Rows are no stops of their own here; what is on record of one is.
      item.querySelector("a.when").tabIndex = 0;
      rows.set(row.id, { rev: row.rev, seq: row.seq, agent: row.agent ?? "", item });
    }
  }

  function drawFeed() {
    const sorted = [...rows].sort(([, a], [, b]) => b.seq - a.seq);
    for (const [key] of sorted.slice(READ)) rows.delete(key);
    const newest = sorted.map(([, row]) => row).filter(isShown).slice(0, MOST_ROWS);
    // What stands where it belongs is not touched: it may be read, or hold the focus.
    let here = feed.firstChild;
    for (const { item } of newest) {
      if (item === here) here = here.nextSibling;
      else feed.insertBefore(item, here);
    }
    while (here) {
      const next = here.nextSibling;
      here.remove();
      here = next;
    }
    nothing.hidden = newest.length > 0;
  }

  async function load() {
    const found = await get(`/api/feed?limit=${READ}&session=${encodeURIComponent(id)}`).catch(() => ({ rows: [] }));
    take(found.rows);
    drawFeed();
  }

  let soon = 0;
  const later = (news) => {
    take(news);
    soon ||= setTimeout(() => {
      soon = 0;
      drawFeed();
    }, 100);
  };
  const needsTitle = h("h2", { hidden: true }, "Needs you");
  root.append(
    h("section.screen.one-session", head, h("div.columns", tree, h("div.middle", needsTitle, needs, todo, store.sessions.has(id) ? drawQueue(id) : "", h("h2", "Feed"), feed, nothing))),
  );
  const ticking = setInterval(() => {
    for (const row of waiting.values()) row.refresh();
  }, 500);
  ends = [
    store.on("sessions", drawHead),
    store.on("asks", drawNeeds),
    store.on("rows", (news) => news.some((row) => row.session === id) && later(news)),
    store.on("reset", load),
    () => clearInterval(ticking),
    () => clearTimeout(soon),
  ];
  drawHead();
  drawNeeds();
  load();
}

export function unmount() {
  for (const end of ends) end();
  jump = () => {};
}
