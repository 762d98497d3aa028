// The input of a call, changed before it is allowed. What is sent is judged anew.

import { style } from "../style.js";
import { h } from "./h.js";
import { openSheet } from "./sheet.js";

await style("sheets");

// Where one long text is the whole point, that text is edited; everything else as JSON.
const TEXTS = { Bash: "command", PowerShell: "command", Monitor: "command", WebFetch: "url", WebSearch: "query", Read: "file_path" };

/** Fields of the answer, or null. `instead`: a command offered in place of this one. */
export function openEdit(ask, instead) {
  const raw = ask.view.raw ?? {};
  const name = TEXTS[ask.view.tool];
  const isText = name !== undefined && typeof raw[name] === "string";
  const before = isText ? raw[name] : JSON.stringify(raw, null, 2);
  const field = h("textarea.code", { rows: Math.min(16, before.split("\n").length + 2), value: instead || before, spellcheck: false, "aria-label": isText ? name : "Input as JSON" });
  const body = h("div", h("p.hint", "What you send is judged once more before it runs."), field);
  if (ask.flags?.includes("redacted")) body.prepend(h("p.trouble", "Secrets are shown as marks. A mark that you leave is sent as what it stands for."));
  return openSheet({
    title: isText ? `Edit the ${name.replace("_", " ")}` : "Edit the input",
    body,
    act: "Allow the edited input",
    isYes: true,
    read() {
      const edited = isText ? { ...raw, [name]: field.value } : parsed(field.value);
      if (!edited) return { problem: "This is not a JSON object." };
      if (isText && !field.value.trim()) return { problem: `The ${name.replace("_", " ")} is empty.` };
      if (JSON.stringify(edited) === JSON.stringify(raw)) return { problem: "Nothing was changed." };
      return { choice: "allow_edited", edited };
    },
  });
}

function parsed(text) {
  try {
    const value = JSON.parse(text);
    return value?.constructor === Object ? value : undefined;
  } catch {
    return undefined;
  }
}
