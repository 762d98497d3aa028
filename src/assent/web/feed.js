// The feed: one row for one thing that happened, changed in place as it goes on.

import { byId, clock, duration, element } from "./dom.js";
import { projectName } from "./sessions.js";

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

const shown = new Map();
const waiting = new Map();
let drawSoon = 0;
let kind = "all";
let wanted = "";

// A stance allows what is harmless all day long: told to those who look for decisions.
const isQuiet = (said) => said.decision === "allow" && !said.by.startsWith("rule:");
const isVerdict = (said) => Boolean(said) && said.decision !== "no_opinion";
const project = (row) => (row.session ? projectName(row.session) : "hub");

function verdictText(said) {
  const word = VERDICTS[said.decision] ?? said.decision.replaceAll("_", " ");
  return `${word} by ${said.by}${said.why ? `: ${said.why}` : ""}`;
}

function draw(item, row) {
  const main = element("div", "main");
  if (row.agent) main.append(element("span", "agent", `⑂ ${row.agent_type || row.agent.slice(0, 8)}`));
  if (row.name) main.append(element("span", "name", row.name));
  main.append(element("span", "what", row.what ?? ""));
  if (row.partial) main.append(element("span", "mark", "beginning not recorded"));
  item.className = `row is-${row.kind}${row.agent ? " of-agent" : ""}`;
  item.replaceChildren(
    element("time", "", clock(row.at)),
    element("span", "of", project(row)),
    main,
    element("span", "took", row.took_ms === undefined ? "" : duration(row.took_ms)),
    row.state ? element("span", `chip ${row.state}`, CHIPS[row.state]) : element("span"),
  );
  if (isVerdict(row.said)) {
    const quiet = isQuiet(row.said) ? " quiet" : "";
    item.append(element("p", `verdict ${row.said.decision}${quiet}`, verdictText(row.said)));
  }
  if (row.note) item.append(element("p", `note ${row.state}`, row.note));
}

function judge(entry) {
  entry.item.hidden = !(KINDS[kind](entry.row) && entry.item.textContent.toLowerCase().includes(wanted));
}

function judgeAll() {
  for (const entry of shown.values()) judge(entry);
  const first = byId("feed").querySelector(".row:not([hidden])");
  byId("no-feed").hidden = shown.size > 0;
  byId("no-match").hidden = shown.size === 0 || first !== null;
  // The feed is one stop on the way of the tab key: its newest row, unless the reader stands in it already.
  if (!byId("feed").contains(document.activeElement)) stopAt(first);
}

function stopAt(row) {
  for (const other of byId("feed").querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
  if (row) row.tabIndex = 0;
}

function place(item, seq) {
  const feed = byId("feed");
  let next = feed.firstElementChild;
  while (next && Number(next.dataset.seq) > seq) next = next.nextElementSibling;
  feed.insertBefore(item, next);
}

function show(row) {
  const known = shown.get(row.id);
  if (known && known.row.rev >= row.rev) return;
  const entry = known ?? { item: element("li") };
  entry.row = row;
  draw(entry.item, row);
  if (!known) {
    entry.item.dataset.seq = row.seq;
    entry.item.tabIndex = -1;
    shown.set(row.id, entry);
    place(entry.item, row.seq);
  }
}

function trim() {
  while (shown.size > MOST_ROWS) {
    const oldest = [...shown.values()].reduce((a, b) => (a.row.seq < b.row.seq ? a : b));
    oldest.item.remove();
    shown.delete(oldest.row.id);
  }
}

/** All rows anew, as after a restart of the hub. */
export function showRows(rows) {
  shown.clear();
  waiting.clear();
  byId("feed").replaceChildren();
  for (const row of rows.toReversed()) show(row);
  trim();
  judgeAll();
}

/** Rows that were added or changed just now; drawn together, so that a burst of events does not stall the page. */
export function changeRows(rows) {
  for (const row of rows) waiting.set(row.id, row);
  if (waiting.size > 0) drawSoon ||= setTimeout(drawWaiting, 40);
}

function drawWaiting() {
  drawSoon = 0;
  for (const row of waiting.values()) {
    const before = shown.get(row.id)?.row.state;
    show(row);
    // The only thing read out unasked.
    if (row.state === "denied" && before !== "denied" && isVerdict(row.said)) {
      byId("denials").textContent = `${project(row)}: ${row.name ?? ""} ${row.what ?? ""} ${verdictText(row.said)}`;
    }
  }
  waiting.clear();
  trim();
  judgeAll();
}

/** Sessions were learned: their rows are named after their projects. */
export function renameRows() {
  for (const { item, row } of shown.values()) {
    const name = project(row);
    const cell = item.querySelector(".of");
    if (cell.textContent !== name) cell.textContent = name;
  }
}

function focusRow(row) {
  if (!row) return;
  stopAt(row);
  row.focus();
}

const MOVES = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

function onKey(event) {
  const step = MOVES[event.key];
  if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const visible = [...byId("feed").children].filter((item) => !item.hidden);
  focusRow(visible[visible.indexOf(document.activeElement) + step]);
}

export function listen() {
  byId("feed").addEventListener("keydown", onKey);
  byId("filter").addEventListener("input", (event) => {
    wanted = event.target.value.trim().toLowerCase();
    judgeAll();
  });
  for (const button of document.querySelectorAll("[data-kind]")) {
    button.addEventListener("click", () => {
      kind = button.dataset.kind;
      byId("feed").className = kind;
      for (const other of document.querySelectorAll("[data-kind]")) {
        other.setAttribute("aria-pressed", String(other === button));
      }
      judgeAll();
    });
  }
}
