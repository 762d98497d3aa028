// Replies of one's own: a press writes one into the field, and sends nothing.

import { store } from "../store.js";
import { h } from "./h.js";
import { inert } from "./text.js";

/** Those of the innermost folder around the project that has settings of its own. */
export function snippetsOf(project = "") {
  const known = store.hub?.snippets ?? {};
  const around = Object.keys(known).filter((folder) => !folder || `${project}/`.startsWith(`${folder}/`));
  return known[around.sort((a, b) => b.length - a.length)[0]] ?? [];
}

/** Buttons that write into the field; nothing where there are no such replies. */
export function snippetChips(project, field) {
  const write = (text) => {
    field.value = text;
    field.dispatchEvent(new Event("input"));
    field.focus();
  };
  return snippetsOf(project).map((text) => h("button.chip.own", { type: "button", title: text, onclick: () => write(text) }, inert(text, { lines: "space", code: false })));
}
