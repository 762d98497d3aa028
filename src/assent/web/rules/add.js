// One more rule of yours. What allows from now on is shown once more before it is written.

import { words } from "../label.js";
import { h } from "../dom.js";
import { openSheet } from "../view/sheet.js";
import { short } from "../places.js";

const SAYS = { allow: "allow", ask: "ask a person", deny: "deny" };

/** `add({match, decision, reason})` -> Promise. `file()`: where it will stand. */
export function drawAdd(add, file, { match = "" } = {}) {
  const text = h("input", { type: "text", value: match, placeholder: "Bash(npm test *)", "aria-label": "What it matches", autocomplete: "off", spellcheck: false });
  const says = h("select", { "aria-label": "What it says" }, ...Object.entries(SAYS).map(([value, label]) => h("option", { value, selected: value === (match ? "allow" : "deny") }, label)));
  const reason = h("input", { type: "text", placeholder: "Why: people and agents read it", "aria-label": "Why" });
  const fault = h("p.fault", { role: "alert" });

  async function write() {
    const rule = { match: text.value.trim(), decision: says.value, reason: reason.value.trim() };
    fault.textContent = rule.match ? "" : "Say what it matches: a tool, and in brackets what it is called with.";
    if (!rule.match || (rule.decision === "allow" && !(await agreed(rule)))) return;
    try {
      await add(rule);
      text.value = reason.value = "";
    } catch (error) {
      fault.textContent = error.sentence ?? error.message;
    }
  }

  const agreed = (rule) =>
    openSheet({
      title: "Allow this from now on?",
      body: h("div", h("p", h("code", words(rule.match))), h("p", "In all your projects, without anybody being asked. Refusals of other rules and the floor still hold."), h("p.empty", "Written to ", h("code", words(short(file()))), ". Undo here or in the file.")),
      act: "Write the rule",
      isYes: true,
      read: () => ({}),
    });

  for (const field of [text, reason]) {
    field.onkeydown = (event) => {
      if (event.key === "Enter") write();
    };
  }
  const element = h("section.add-rule", h("h2", "Add a rule of yours"), h("div.fields", says, text, reason, h("button", { type: "button", onclick: write }, "Add")), fault);
  return { element, focus: () => text.focus() };
}
