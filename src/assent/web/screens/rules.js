// Rules: what is in force in a folder and who made it, one more, one less, and what they would make of a command.

import { say } from "../announce.js";
import { get, send } from "../api.js";
import { h } from "../dom.js";
import { words } from "../label.js";
import { lastPart } from "../names.js";
import { drawAdd } from "../rules/add.js";
import { countHits, drawApprovals, drawRules } from "../rules/list.js";
import { drawTrial } from "../rules/trial.js";
import { style } from "../style.js";
import { inert } from "../view/text.js";
import { short } from "../places.js";

await style("screens");

export const title = "Rules";

let ends = [];
let folder = "";

export function mount(root, _params, store) {
  const list = h("div.in-force");
  const told = h("p.told", { role: "status" });
  const picker = h("select", { "aria-label": "Where", onchange: move });
  let file = "";
  let seen = "";

  function move() {
    folder = picker.value;
    load();
  }

  /** Folders of sessions, the newest first. */
  function foldersNow() {
    const newest = [...store.sessions.values()].sort((a, b) => b.last - a.last);
    return [...new Set(newest.map((session) => session.project || session.cwd).filter(Boolean))];
  }

  function drawPicker() {
    const folders = foldersNow();
    const key = folders.join("\n");
    if (key === seen && picker.childElementCount) return;
    seen = key;
    picker.replaceChildren(h("option", { value: "" }, "Everywhere"), ...folders.map((path) => h("option", { value: path, selected: path === folder }, words(`${lastPart(path)}  ${short(path)}`))));
  }

  const where = () => (folder ? `?cwd=${encodeURIComponent(folder)}` : "");

  async function load() {
    const found = await get(`/api/rules${where()}`).catch((error) => ({ error }));
    if (found.error) return list.replaceChildren(h("p.fault", { role: "alert" }, found.error.sentence));
    file = found.file;
    const troubles = found.troubles.map((text) => h("pre.trouble", inert(text, { lines: "plain" })));
    const rules = drawRules(found.rules, remove);
    const approvals = drawApprovals(found.approvals ?? []);
    list.replaceChildren(...troubles, ...approvals, ...(rules.length || approvals.length ? rules : [h("p.empty", "No rules here: the stance decides, and people do.")]));
    countHits(list);
  }

  function tell(sentence, undo) {
    const button = undo ? h("button.link", { type: "button", onclick: () => undo().then(() => tell("Undone."), (error) => tell(error.sentence)).then(load) }, "Undo") : "";
    told.replaceChildren(words(sentence), " ", button);
    say(sentence);
  }

  const taken = ({ file: path, number, match, decision }) => send("DELETE", `/api/rules${where()}`, { file: path, number, match, decision });

  async function add(rule) {
    await send("POST", "/api/rules", rule);
    await load();
    tell(`Written: ${rule.decision} ${rule.match}.`, async () => {
      const { rules } = await get("/api/rules");
      const mine = rules.findLast((one) => one.level === "user" && one.match[0] === rule.match && one.decision === rule.decision);
      if (mine) await taken(mine);
    });
  }

  async function remove(rule) {
    try {
      const { backup } = await taken(rule);
      const isPlain = rule.level === "user" && rule.match.length === 1 && !rule.when;
      const again = () => send("POST", "/api/rules", { match: rule.match[0], decision: rule.decision, reason: rule.reason ?? "" });
      tell(`Removed: ${rule.decision} ${rule.match.join(", ")}.${isPlain || !backup ? "" : ` The file as it was: ${backup}`}`, isPlain ? again : undefined);
    } catch (error) {
      tell(error.sentence ?? error.message);
    }
    await load();
  }

  const wanted = new URLSearchParams(location.search).get("allow") ?? "";
  const adding = drawAdd(add, () => file, { match: wanted });
  drawPicker();
  root.append(h("section.one.rules-screen", h("header.list-head", h("h1", title), h("label.pick", "in ", picker)), told, drawTrial(() => folder || "/"), adding.element, h("p.note", "What was allowed for longer than once stands under ", h("a", { href: "/grants" }, "Grants"), "."), list));
  ends = [store.on("sessions", drawPicker), store.on("record", (record) => record.kind === "rules" && load())];
  load();
  if (wanted) adding.focus();
}

export function unmount() {
  for (const end of ends) end();
}
