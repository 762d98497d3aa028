// One row of a feed: one thing that happened, from its beginning to its end, on one line. Opened, it shows its records.

import { words } from "../label.js";
import { clock, duration, h, signed } from "../dom.js";
import { hue, projectOf } from "../names.js";
import { go } from "../router.js";
import { isWaiting, store } from "../store.js";
import { RISKS } from "../wording.js";
import { FEED } from "../wording_more.js";

export const sessionOf = (row) => store.sessions.get(row.session);
export const projectName = (row) => (row.session ? projectOf(sessionOf(row) ?? { id: row.session }) : "hub");
export const titleOf = (row) => row.label || row.name || "";

/** What the log is asked for to tell everything about it. */
const numbers = (row) => [row.seq, ...(row.parts ?? [])].join(",");

const drawn = new WeakMap();

export function drawEvent(item, row) {
  const { sign, word } = RISKS[row.risk] ?? RISKS.care;
  const what = h("span.say");
  if (row.agent) what.append(h("span.agent", ...signed("↳"), words(row.agent_type || row.agent.slice(0, 8))));
  if (row.risk === "care" || row.risk === "danger") what.append(h(`span.sign.${row.risk}`, { title: word }, h("span", { "aria-hidden": "true" }, sign), h("span.unseen", word)), " ");
  if (titleOf(row)) what.append(h("span.name", words(titleOf(row))), " ");
  what.append(h("span.what", words(row.what ?? "")));
  const parts = drawn.get(item)?.parts;
  drawn.set(item, { row, parts });
  item.className = `event is-${row.kind}${row.session ? ` hue-${hue(projectName(row))}` : ""}${row.agent ? " of-agent" : ""}`;
  item.replaceChildren(
    h("a.when", { href: `/log/${numbers(row)}`, tabIndex: -1, title: "What is on record of it" }, h("time", clock(row.at))),
    h("span.of", words(projectName(row))),
    h("div.main", what, ...drawTail(row)),
    h("span.took", row.took_ms === undefined ? "" : duration(row.took_ms)),
    drawState(row),
  );
  item.onclick = (event) => !event.target.closest("a, .parts") && !getSelection()?.toString() && open(item);
  if (parts) fill(item, parts, row);
}

/** What waits for a person leads to its ask. */
function drawState(row) {
  if (!row.state) return h("span");
  const { sign, word } = FEED[row.state] ?? { sign: "", word: row.state };
  const name = `.chip.${row.state}`;
  return row.ask && row.state === "prompted" ? h(`a${name}`, { href: `/a/${row.ask}`, tabIndex: -1, title: `Ask ${row.ask}` }, ...signed(sign, word)) : h(`span${name}`, ...signed(sign, word));
}

/** Who decided what, and what came of it. */
function drawTail(row) {
  const told = row.told && h(`span.verdict.${row.said?.decision ?? "answer"}`, words(row.told));
  const note = row.note && (!row.ask || row.state !== "prompted") && h("span.note", words(row.note));
  const tail = [told, note, row.partial && h("span.note", "beginning not recorded")].filter(Boolean);
  return tail.length ? [h("span.tail", ...tail)] : [];
}

/** Opens the ask while it waits, and otherwise the row. */
export function open(item) {
  const known = drawn.get(item);
  if (!known) return;
  if (isWaiting(store.asks.get(known.row.ask) ?? {})) {
    go(`/a/${known.row.ask}`);
    return;
  }
  known.parts?.remove();
  known.parts = known.parts ? undefined : h("div.parts", { tabIndex: -1 });
  item.classList.toggle("is-open", Boolean(known.parts));
  if (known.parts) fill(item, known.parts, known.row);
}

async function fill(item, parts, row) {
  item.append(parts);
  item.classList.add("is-open");
  const { drawParts } = await import("./parts.js");
  await drawParts(parts, numbers(row));
}
