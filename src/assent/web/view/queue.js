// What a session is to do next: instructions in order, told to the agent with a tool's result or when it would stop.

import { HubError, get, send } from "../api.js";
import { clock } from "../dom.js";
import { store } from "../store.js";
import { h } from "./h.js";
import { snippetChips } from "./snippets.js";
import { inert } from "./text.js";

const GOALS = { stop: "delivered at next stop", tool: "delivered with its next tool result, or at its stop if that comes first", subagent: "delivered when a sub-agent stops", teammate: "delivered when a teammate idles", task: "delivered when a task is called done" };
const LONGEST = 4_000;
// Every end of a turn is counted.
const changesQueue = (record) => record.kind === "hub" || record.rows?.some((row) => row.kind === "turn");

export function drawQueue(session) {
  const path = `/api/sessions/${encodeURIComponent(session)}/queue`;
  const rows = h("ol");
  const used = h("p.hint");
  const fault = h("p.fault", { role: "alert" });
  const field = h("textarea", { rows: 2, maxLength: LONGEST, placeholder: "Then do this…", "aria-label": "Next instruction" });
  const add = h("button", { type: "button", onclick: () => queue("stop") }, "When it stops");
  const soon = h("button", { type: "button", onclick: () => queue("tool") }, "With the next tool result");
  const note = h("p.hint", { hidden: true });
  const chips = h("div.chips", ...snippetChips(store.sessions.get(session)?.project, field));
  const offer = h("div.offer", chips, field, h("div.steps", { role: "group", "aria-label": "Tell it" }, add, soon));
  const box = h("section.queue", { "aria-label": "Queue" }, h("h3", "Queue"), rows, offer, used, note, fault);

  async function change(method, item, body) {
    try {
      show(await send(method, item ? `${path}/${item}` : path, body));
      fault.textContent = "";
      return true;
    } catch (error) {
      fault.textContent = error.sentence ?? String(error);
      return false;
    }
  }

  function show(queue) {
    rows.replaceChildren(...(queue.delivered ?? []).slice(-3).map(told), ...queue.items.map((item, at) => waiting(item, at, queue.items.length)));
    if (!rows.childElementCount) rows.append(h("li.none", "Nothing is queued."));
    note.textContent = queue.note || queue.no_tool;
    note.hidden = !note.textContent;
    // What cannot be told is not offered: the sentence stands in its place.
    offer.hidden = Boolean(queue.note);
    soon.hidden = Boolean(queue.no_tool);
    used.textContent = `${queue.used} of ${queue.most} continuations used`;
  }

  const told = (item) => h("li.told", h("p", inert(item.text, { lines: "plain", code: false })), h("p.hint", item.delivered ? `✓ told at ${clock(item.delivered)}` : "✓ told"));

  function waiting(item, at, count) {
    const button = (label, title, onclick, disabled = false) => h("button", { type: "button", title, "aria-label": title, onclick, disabled }, label);
    const text = h("p", inert(item.text, { lines: "plain", code: false }));
    return h(
      "li",
      text,
      h("p.hint", GOALS[item.to ?? "stop"] ?? item.to),
      h(
        "div.steps",
        button("↑", "Move up", () => change("PATCH", item.id, { place: at }), at === 0),
        button("↓", "Move down", () => change("PATCH", item.id, { place: at + 2 }), at === count - 1),
        button("Edit", "Edit", () => edit(item, text)),
        button("Delete", "Delete", () => change("DELETE", item.id)),
      ),
    );
  }

  function edit(item, text) {
    const words = h("textarea", { rows: 2, maxLength: LONGEST, value: item.text, "aria-label": "Instruction" });
    const save = h("button", { type: "button", onclick: () => change("PATCH", item.id, { text: words.value }) }, "Save");
    const leave = h("button", { type: "button", onclick: load }, "Cancel");
    text.parentElement.replaceChildren(words, h("div.steps", save, leave));
    words.focus();
  }

  async function load() {
    const queue = await get(path).catch((error) => error);
    if (queue instanceof Error) fault.textContent = queue instanceof HubError ? queue.sentence : queue.message;
    else show(queue);
  }

  async function queue(to) {
    if (field.value.trim() && (await change("POST", "", { text: field.value.trim(), to }))) field.value = "";
  }

  let wasShown = false;
  const end = store.on("record", (record) => {
    wasShown ||= box.isConnected;
    if (wasShown && !box.isConnected) end();
    // Words that are being edited here are not replaced.
    else if (record.session === session && changesQueue(record) && !rows.querySelector("textarea")) load();
  });
  load();
  return box;
}
