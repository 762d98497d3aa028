// The feed: what happens, as it happens. Rows change in place as things go on; the scroll position stays.

import { say } from "../announce.js";
import { get } from "../api.js";
import { h } from "../dom.js";
import { drawEvent, open, projectName, sessionOf, titleOf } from "../feed/row.js";
import { makeTracks } from "../feed/tracks.js";
import { parseFilter } from "../filter.js";
import { filterBox } from "../filter_box.js";
import { drawPulse, seedPulse } from "../pulse.js";
import { style } from "../style.js";

await style("screens");

export const title = "Feed";
export const commands = {};

const MOST_ROWS = 1_000;
const TOGETHER = 80;
const CHIPS = { "decision:deny": "denied", "risk:>=care": "Care or more", "tool:Bash": "Bash", "by:person": "by people" };
// Below the pulse.
const AXIS = ["5 min ago", "4 min", "3 min", "2 min", "1 min", "now"];
let ends = [];
// Kept while other screens are shown.
let typed = "";

export function mount(root, _params, store) {
  // By id, oldest first; those that came while scrolled up wait below.
  let rows = new Map();
  let held = new Map();
  let filter = parseFilter(typed);
  let news = new Map();
  let frame = 0;
  const names = new Map([...store.sessions.keys()].map((id) => [id, projectName({ session: id })]));
  const tracks = makeTracks(drawJump);
  const none = h("p.empty", "Events appear here as they happen.");
  const jump = h("button.below", { type: "button", hidden: true, onclick: follow }, "Jump to live");
  const pulse = h("div", drawPulse());
  const axis = h("div.axis", { "aria-hidden": "true" }, ...AXIS.map((words) => h("span", words)));
  const lanes = h("button", { type: "button", "aria-pressed": "false", title: "A lane for each session (L)", onclick: toggleLanes }, "Lanes");
  const box = filterBox(CHIPS, narrow, typed);

  const isShown = (row) => filter.matches(row, sessionOf(row));

  function drawNone() {
    none.hidden = tracks.items.size > 0;
    none.textContent = rows.size ? "No row matches." : "Events appear here as they happen.";
    stopAt();
  }

  function drawJump() {
    jump.hidden = tracks.isFollowing;
    jump.textContent = held.size ? `Jump to live · ${held.size} new` : "Jump to live";
    if (tracks.isFollowing && held.size) soon();
  }

  function narrow(text) {
    typed = text;
    filter = parseFilter(text);
    box.complain(filter.problem);
    redraw();
  }

  function redraw(inLanes) {
    tracks.reset([...rows.values()].filter(isShown), inLanes);
    drawNone();
    follow();
  }

  function toggleLanes() {
    redraw(!tracks.isLanes);
    lanes.setAttribute("aria-pressed", String(tracks.isLanes));
    say(tracks.isLanes ? "A lane for each session." : "One list.");
  }

  function follow() {
    tracks.follow();
    drawJump();
  }

  async function load() {
    const found = await get(`/api/feed?limit=${MOST_ROWS}`).catch(() => ({ rows: [] }));
    seedPulse(found.rows);
    pulse.replaceChildren(drawPulse());
    rows = new Map(found.rows.toReversed().map((row) => [row.id, row]));
    held = new Map();
    redraw();
  }

  /** Drawn together, a dozen times a second: a burst of events does not stall the page. */
  function take(changed) {
    for (const row of changed) news.set(row.id, row);
    soon();
  }

  function soon() {
    frame ||= setTimeout(drawNews, TOGETHER);
  }

  function drawNews() {
    frame = 0;
    if (tracks.isFollowing) {
      news = new Map([...held, ...news]);
      held = new Map();
    }
    for (const row of news.values()) {
      const before = rows.get(row.id);
      if (before && before.rev >= row.rev) continue;
      if (!before && !tracks.isFollowing) {
        held.set(row.id, row);
        continue;
      }
      rows.set(row.id, row);
      if (isShown(row)) tracks.put(row);
      else tracks.remove(row.id);
      // The only thing read out unasked.
      if (row.state === "denied" && before?.state !== "denied" && row.told) say(`${projectName(row)}: ${titleOf(row)} ${row.what ?? ""} ${row.told}`);
    }
    news.clear();
    trim(rows, tracks.remove);
    trim(held);
    drawNone();
    if (tracks.isFollowing) tracks.follow();
    drawJump();
  }

  /** A session was learned: its rows are named after its project. */
  function rename(session) {
    const name = session.id && projectName({ session: session.id });
    if (!name || names.get(session.id) === name) return;
    names.set(session.id, name);
    for (const [id, item] of tracks.items) if (rows.get(id).session === session.id) drawEvent(item, rows.get(id));
  }

  /** One stop on the way of the tab key: the newest row, unless the reader stands in it already. */
  function stopAt(row) {
    for (const list of row ? [row.parentElement] : tracks.element.querySelectorAll("ol")) {
      if (!row && list.contains(document.activeElement)) continue;
      for (const other of list.querySelectorAll(':scope > [tabindex="0"]')) other.tabIndex = -1;
      const at = row ?? list.lastElementChild;
      if (at) at.tabIndex = 0;
    }
  }

  function step(by) {
    const all = tracks.inOrder();
    const at = all.indexOf(document.activeElement);
    const row = at < 0 ? all.at(-1) : all[at + by];
    if (!row) return;
    stopAt(row);
    row.focus();
  }

  Object.assign(commands, {
    "list.filter": box.focus,
    "list.next": () => step(1),
    "list.previous": () => step(-1),
    "ask.open": () => open(document.activeElement),
    "feed.lanes": toggleLanes,
  });
  root.append(h("section.feed-screen", h("header.list-head", h("h1", title), box.element, lanes), h("div.strip", pulse, axis), none, tracks.element, jump));
  const beat = setInterval(() => pulse.replaceChildren(drawPulse()), 1_000);
  ends = [store.on("rows", take), store.on("sessions", rename), store.on("reset", load), box.close, () => clearInterval(beat), () => clearTimeout(frame)];
  load();
}

export function unmount() {
  for (const end of ends) end();
}

function trim(rows, gone = (_id) => {}) {
  for (const id of rows.keys()) {
    if (rows.size <= MOST_ROWS) return;
    rows.delete(id);
    gone(id);
  }
}
