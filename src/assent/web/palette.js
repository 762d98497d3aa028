// The palette (`:`) and the help (`?`): the same table of commands, to run or to read.

import { can, run } from "./commands.js";
import { h } from "./dom.js";
import { ACTIONS } from "./wording_more.js";

const known = () => ACTIONS.filter(([name]) => can(name));

function open(title, body, start) {
  const sheet = h("dialog.sheet.palette", { "aria-labelledby": "palette-title" }, h("h2", { id: "palette-title", tabIndex: -1 }, title), body, h("button.leave", { type: "button", onclick: () => sheet.close() }, "Close"));
  sheet.addEventListener("keydown", (event) => event.stopPropagation());
  sheet.addEventListener("click", (event) => event.target === sheet && sheet.close());
  sheet.addEventListener("close", () => sheet.remove());
  document.body.append(sheet);
  sheet.showModal();
  (start ?? sheet.querySelector("h2")).focus();
  return sheet;
}

export function openHelp() {
  const rows = known().map(([, key, does]) => (key ? [h("dt", ...key.split(" ").flatMap((one, at) => (at ? [" ", h("kbd", one)] : [h("kbd", one)]))), h("dd", does)] : []));
  open("Keys on this screen", h("dl.keys", ...rows.flat()));
}

export function openPalette() {
  const field = h("input", { type: "text", role: "combobox", "aria-expanded": "true", "aria-controls": "palette-list", "aria-label": "Command", autocomplete: "off", spellcheck: false });
  const list = h("div", { id: "palette-list", role: "listbox", "aria-label": "Commands" });
  let at = 0;
  let found = [];
  const draw = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    found = known().filter(([name, , does]) => !name.startsWith("view.") && words.every((word) => `${name} ${does}`.toLowerCase().includes(word)));
    at = Math.max(0, Math.min(at, found.length - 1));
    list.replaceChildren(...found.map(([name, key, does], n) => h("div", { role: "option", id: `command-${n}`, "aria-selected": String(n === at), onclick: () => pick(n) }, h("code", name), h("span", does), key ? h("kbd", key) : "")));
    field.setAttribute("aria-activedescendant", found.length ? `command-${at}` : "");
    list.children[at]?.scrollIntoView({ block: "nearest" });
  };
  const pick = (n) => {
    sheet.close();
    // After the sheet has given the focus back.
    if (found[n]) setTimeout(() => run(found[n][0]));
  };
  field.oninput = draw;
  field.onkeydown = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) at += step;
    if (event.key === "Enter") pick(at);
    else if (step) draw();
    else return;
    event.preventDefault();
  };
  const sheet = open("Commands", h("div", field, list), field);
  draw();
}
