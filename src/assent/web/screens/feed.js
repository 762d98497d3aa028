// The feed: one row for one thing that happened, changed in place as it goes on. Newest first.

import { get } from "../api.js";
import { say } from "../announce.js";
import { words } from "../ask.js";
import { clock, duration, h } from "../dom.js";
import { projectOf } from "../names.js";
import { store } from "../store.js";

export const title = "Feed";

const MOST_ROWS = 300;
const CHIPS = {
  running: "◐ running",
  prompted: "? prompted",
  done: "✓ done",
  failed: "✕ failed",
  denied: "■ denied",
  unfinished: "◌ no result",
};
const VERDICTS = { deny: "denied", prompt: "prompted", allow: "allowed", block: "blocked", halt: "halted" };
const KINDS = {
  all: () => true,
  decisions: (row) => isVerdict(row.said),
  failures: (row) => row.state === "failed",
};

let shown = new Map();
let waiting = new Map();
let drawSoon = 0;
let kind = "all";
let wanted = "";
let list;
let none;
let ends = [];

// A stance allows what is harmless all day long: told to those who look for decisions.
const isQuiet = (said) => said.decision === "allow" && !said.by.startsWith("rule:");
const isVerdict = (said) => Boolean(said) && said.decision !== "no_opinion";
const project = (row) => (row.session ? projectOf(store.sessions.get(row.session) ?? { id: row.session }) : "hub");

function verdictText(said) {
  const word = VERDICTS[said.decision] ?? said.decision.replaceAll("_", " ");
  return `${word} by ${said.by}${said.why ? `: ${said.why}` : ""}`;
}

function draw(item, row) {
  const main = h("div.main");
  if (row.agent) main.append(h("span.agent", "⑂ ", words(row.agent_type || row.agent.slice(0, 8))));
  if (row.name) main.append(h("span.name", words(row.name)));
  main.append(h("span.what", words(row.what ?? "")));
  if (row.partial) main.append(h("span.mark-partial", "beginning not recorded"));
  if (row.ask) main.append(" ", h("a", { href: `/a/${row.ask}` }, "ask ", row.ask));
  item.className = `event is-${row.kind}${row.agent ? " of-agent" : ""}`;
  item.replaceChildren(
    h("time", clock(row.at)),
    h("span.of", words(project(row))),
    main,
    h("span.took", row.took_ms === undefined ? "" : duration(row.took_ms)),
    row.state ? h(`span.chip.${row.state}`, CHIPS[row.state]) : h("span"),
  );
  if (isVerdict(row.said)) item.append(h(`p.verdict.${row.said.decision}${isQuiet(row.said) ? ".quiet" : ""}`, words(verdictText(row.said))));
  if (row.note) item.append(h("p.note", words(row.note)));
}

function judge(entry) {
  entry.item.hidden = !(KINDS[kind](entry.row) && entry.item.textContent.toLowerCase().includes(wanted));
}

function judgeAll() {
  for (const entry of shown.values()) judge(entry);
  const first = [...list.children].find((item) => !item.hidden);
  none.hidden = first !== undefined;
  none.textContent = shown.size ? "No row matches." : "Events appear here as they happen.";
  // The feed is one stop on the way of the tab key: its newest row, unless the reader stands in it already.
  if (!list.contains(document.activeElement)) stopAt(first);
}

function stopAt(row) {
  for (const other of list.querySelectorAll(':scope > [tabindex="0"]')) other.tabIndex = -1;
  if (row) row.tabIndex = 0;
}

function show(row) {
  const known = shown.get(row.id);
  if (known && known.row.rev >= row.rev) return;
  const entry = known ?? { item: h("li", { tabIndex: -1 }) };
  entry.row = row;
  draw(entry.item, row);
  if (known) return;
  entry.item.dataset.seq = row.seq;
  shown.set(row.id, entry);
  let next = list.firstElementChild;
  while (next && Number(next.dataset.seq) > row.seq) next = next.nextElementSibling;
  list.insertBefore(entry.item, next);
}

function trim() {
  while (shown.size > MOST_ROWS) {
    const oldest = [...shown.values()].reduce((a, b) => (a.row.seq < b.row.seq ? a : b));
    oldest.item.remove();
    shown.delete(oldest.row.id);
  }
}

async function load() {
  const { rows } = await get(`/api/feed?limit=${MOST_ROWS}`).catch(() => ({ rows: [] }));
  shown = new Map();
  waiting = new Map();
  list.replaceChildren();
  for (const row of rows.toReversed()) show(row);
  judgeAll();
}

/** Drawn together, so that a burst of events does not stall the page. */
function take(rows) {
  for (const row of rows) waiting.set(row.id, row);
  drawSoon ||= setTimeout(drawWaiting, 40);
}

function drawWaiting() {
  drawSoon = 0;
  for (const row of waiting.values()) {
    const before = shown.get(row.id)?.row.state;
    show(row);
    // The only thing read out unasked.
    if (row.state === "denied" && before !== "denied" && isVerdict(row.said)) say(`${project(row)}: ${row.name ?? ""} ${row.what ?? ""} ${verdictText(row.said)}`);
  }
  waiting.clear();
  trim();
  judgeAll();
}

/** Sessions were learned: their rows are named after their projects. */
function rename() {
  for (const { item, row } of shown.values()) {
    const cell = item.querySelector(".of");
    if (cell.textContent !== project(row)) cell.replaceChildren(words(project(row)));
  }
}

function step(by) {
  const visible = [...list.children].filter((item) => !item.hidden);
  const row = visible[visible.indexOf(document.activeElement) + by];
  if (!row) return;
  stopAt(row);
  row.focus();
}

export function mount(root) {
  const filter = h("input", { type: "search", placeholder: "filter", "aria-label": "Show rows that contain", autocomplete: "off", spellcheck: false });
  filter.oninput = () => {
    wanted = filter.value.trim().toLowerCase();
    judgeAll();
  };
  const pick = (name) => {
    kind = name;
    list.className = `events ${name}`;
    for (const other of kinds.children) other.setAttribute("aria-pressed", String(other.value === name));
    judgeAll();
  };
  const kinds = h("div.kinds", { role: "group", "aria-label": "Which rows" }, ...Object.keys(KINDS).map((name) => h("button", { type: "button", value: name, "aria-pressed": String(name === kind), onclick: () => pick(name) }, name)));
  list = h("ol.events", { id: "feed", "aria-label": "Feed, newest first" });
  none = h("p.empty", { hidden: true });
  root.append(h("section.one", h("header.list-head", h("h1", "Feed"), kinds, filter), list, none));
  commands["list.filter"] = () => filter.focus();
  ends = [store.on("rows", take), store.on("sessions", rename), store.on("reset", load)];
  load();
}

export function unmount() {
  clearTimeout(drawSoon);
  drawSoon = 0;
  for (const end of ends) end();
}

export const commands = { "list.next": () => step(1), "list.previous": () => step(-1) };
