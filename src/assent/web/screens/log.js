// The log: what was decided, by whom, after how long, and what came of it. A row opens the card as it was shown.

import { words } from "../label.js";
import { get, send } from "../api.js";
import { clock, counted, duration, h, signed } from "../dom.js";
import { filterBox } from "../filter_box.js";
import { exportLog } from "../log/export.js";
import { drawSummary } from "../log/summary.js";
import { answerOf, deciderOf, isNo, resultOf } from "../log/words.js";
import { lastPart } from "../names.js";
import { RISKS } from "../wording.js";
import { go } from "../router.js";
import { style } from "../style.js";

await style("screens");

export const title = "Log";
export const commands = {};

const PAGE = 60;
// A page may come back short; so often we go on by ourselves.
const MOST_TRIES = 4;
const CHIPS = { "-by:stance,judge": "not by the stance", "by:person,terminal,timeout": "people were asked", "decision:deny": "denied", "risk:>=care": "Care or more", "since:today": "today" };
const COLUMNS = ["Time", "Ask", "Risk", "Session", "Answer", "By", "Surface", "Device", "Wait", "Result"];
let typed = "-by:stance,judge";
let ends = [];
let names;

export async function mount(root, { id }, store) {
  const pane = h("section.one.log");
  root.append(pane);
  ends = [];
  for (const name of Object.keys(commands)) delete commands[name];
  if (!id) return mountList(pane, store);
  commands["page.back"] = () => go("/log");
  // With all that draws cards: fetched by those who look at one.
  const { drawStory } = await import("../log/story.js");
  pane.append(...(await drawStory(decodeURIComponent(id))));
  pane.querySelector("h1").focus();
}

export function unmount() {
  for (const end of ends) end();
}

function mountList(pane, store) {
  typed = new URLSearchParams(location.search).get("q") ?? typed;
  const body = h("tbody");
  const none = h("p.empty", { role: "status" }, "Reading the record…");
  const more = h("button", { type: "button", hidden: true, onclick: () => load(true) }, "Earlier");
  const fresh = h("button.below", { type: "button", hidden: true, onclick: () => load() });
  const narrow = (text) => {
    typed = text;
    load();
  };
  const box = filterBox(CHIPS, narrow, typed);
  const summary = drawSummary();
  let before = 0;
  let asked = 0;
  let unseen = 0;

  async function load(isMore = false) {
    asked += 1;
    const mine = asked;
    if (!isMore) before = 0;
    more.disabled = true;
    const rows = [];
    try {
      for (let tries = 0; tries < MOST_TRIES && rows.length < PAGE / 2 && before !== null; tries += 1) {
        const found = await get(`/api/decisions?limit=${PAGE}&before=${before}&q=${encodeURIComponent(typed)}`);
        if (mine !== asked) return;
        rows.push(...found.rows);
        before = found.before;
      }
      box.complain("");
    } catch (error) {
      return box.complain(error.sentence);
    } finally {
      more.disabled = false;
    }
    if (!isMore) {
      body.replaceChildren();
      fresh.hidden = true;
      unseen = 0;
    }
    body.append(...rows.map((row) => drawRow(row, store)));
    more.hidden = before === null;
    none.textContent = body.childElementCount ? "" : before === null ? "No decision matches." : "Nothing so far. Look further back?";
    table.hidden = !body.childElementCount;
  }

  /** Rows are added on request: nothing moves under the pointer. */
  function notice(record) {
    if (record.kind !== "decision" || /^(stance|judge)/.test(record.by ?? "")) return;
    unseen += 1;
    fresh.hidden = false;
    fresh.textContent = `${counted(unseen, "new decision")}: show`;
  }

  const exported = h("span.empty", { role: "status" });
  const save = (form) => async () => {
    const told = (count) => (exported.textContent = `${count}…`);
    /** @type {{ count: number, isCut: boolean, error?: any }} */
    const done = await exportLog(typed, form, told).catch((error) => ({ count: 0, isCut: false, error }));
    exported.textContent = done.error ? done.error.sentence : `${counted(done.count, "row")}${done.isCut ? ", the newest; assent log has all" : ""}`;
  };

  const table = h("table.decisions", { hidden: true }, h("thead", h("tr", ...COLUMNS.map((name) => h("th", { scope: "col" }, name)))), body);
  pane.append(
    h("header.list-head", h("h1", title), box.element, h("div.exports", h("button", { type: "button", onclick: save("jsonl") }, "JSONL"), h("button", { type: "button", onclick: save("csv") }, "CSV"), exported)),
    summary.element,
    table,
    none,
    more,
    fresh,
  );
  Object.assign(commands, { "list.filter": box.focus, "list.next": () => step(body, 1), "list.previous": () => step(body, -1) });
  ends = [store.on("record", notice), box.close];
  load();
  nameDevices(body);
}

function step(body, by) {
  const links = [...body.querySelectorAll("a.when")];
  links[links.indexOf(document.activeElement) + by]?.focus();
}

function drawRow(row, store) {
  const session = store.sessions.get(row.session);
  const { sign, word } = RISKS[row.risk] ?? { sign: "", word: "" };
  const told = row.verb || row.tool || row.event;
  const cells = [
    h("a.when", { href: `/log/${row.seq}` }, h("time", { title: new Date(row.at).toLocaleString() }, stamp(row.at))),
    h("div.what", h("b", words(told)), row.what && !told.endsWith(row.what) && h("code", words(row.what)), row.why && isNo(row) && h("span.reason", words(row.why))),
    word && h(`span.risk.${row.risk}`, ...signed(sign, word)),
    h("span", words(session?.title || lastPart(row.project) || (row.session ?? "").slice(0, 8))),
    h(isNo(row) ? "b.no" : "span", answerOf(row)),
    h("span", words(deciderOf(row))),
    h("span", words(row.surface ?? "")),
    h("span.device", { title: row.device ?? "" }, words(names?.get(row.device) ?? row.device ?? "")),
    row.waited_ms === undefined ? "" : h("span.wait", duration(row.waited_ms)),
    h(`span.is-${row.ending || "open"}`, ...resultOf(row)),
  ];
  const line = h("tr", ...cells.map((cell, at) => cellOf(cell, COLUMNS[at])));
  line.onclick = (event) => !event.target.closest("a") && !getSelection()?.toString() && go(`/log/${row.seq}`);
  return line;
}

function cellOf(content, column) {
  const cell = h("td", content);
  cell.dataset.column = column;
  return cell;
}

const stamp = (ms) => (new Date(ms).toDateString() === new Date().toDateString() ? clock(ms) : `${new Date(ms).toLocaleDateString()} ${clock(ms).slice(0, 5)}`);

/** Ids of devices become names where this page may know them. */
async function nameDevices(body) {
  names ??= new Map((await send("GET", "/api/devices").catch(() => ({ devices: [] }))).devices.map(({ id, name }) => [id, name]));
  for (const cell of body.querySelectorAll(".device")) if (names.has(cell.title)) cell.textContent = names.get(cell.title);
}
