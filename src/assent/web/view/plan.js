// A plan to read: any line of it can be given a note; a yes names the mode that follows.

import { changed, draftOf } from "./draft.js";
import { counted, h } from "./h.js";
import { markdown } from "./markdown.js";
import { inert } from "./text.js";

const MODES = { default: "ask before edits", accept_edits: "accept edits" };
const LONGEST_QUOTE = 120;

export function drawPlan(ask, box) {
  const source = ask.view.markdown ?? "";
  const draft = draftOf(ask, () => ({ notes: new Map(), message: "", mode: "default" }));
  const text = source.trim() ? markdown(source) : h("p.note", "The plan has no text.");
  const blocks = [...text.querySelectorAll("[data-line]")];
  const list = h("div.notes");
  const editors = new Map();
  const lines = source.split(/\r?\n/);

  function edit(block) {
    if (editors.has(block)) return editors.get(block).focus();
    const field = h("textarea", { rows: 2, value: draft.notes.get(block.dataset.line)?.note ?? "", "aria-label": "Note on this line" });
    const done = () => {
      const note = field.value.trim();
      if (note) draft.notes.set(block.dataset.line, { quote: lines[block.dataset.line - 1].trim().slice(0, LONGEST_QUOTE), note });
      else draft.notes.delete(block.dataset.line);
      editor.remove();
      editors.delete(block);
      show();
      block.focus();
    };
    field.onkeydown = (event) => {
      if (event.key === "Escape" || (event.key === "Enter" && (event.ctrlKey || event.metaKey))) done();
      event.stopPropagation();
    };
    const editor = h("div.noting", field, h("button", { type: "button", onclick: done }, "Keep note"));
    editors.set(block, field);
    (block.closest(".scroll-x") ?? block).after(editor);
    field.focus();
  }

  function show() {
    for (const block of blocks) block.classList.toggle("noted", draft.notes.has(block.dataset.line));
    const rows = [...draft.notes].sort(([a], [b]) => a - b).map(([line, { quote, note }]) => {
      const block = blocks.find((one) => one.dataset.line === line);
      const remove = () => {
        draft.notes.delete(line);
        show();
      };
      return h(
        "li",
        h("p.quote", inert(quote, { lines: "space", code: false })),
        h("p", note),
        h("button", { type: "button", onclick: () => edit(block) }, "Edit"),
        h("button", { type: "button", onclick: remove }, "Remove"),
      );
    });
    list.replaceChildren(...(rows.length ? [h("h4", counted(rows.length, "note")), h("ul", ...rows)] : []));
    changed(box);
  }

  function move(event) {
    const here = blocks.indexOf(event.target);
    if (here < 0) return;
    const to = { ArrowDown: blocks[here + 1], ArrowUp: blocks[here - 1] }[event.key];
    if (event.key === "Enter") edit(blocks[here]);
    else if (!to) return;
    to?.focus();
    event.preventDefault();
    event.stopPropagation();
  }

  // One stop for the tab key; the arrows go from line to line.
  for (const [at, block] of blocks.entries()) block.tabIndex = at ? -1 : 0;
  text.onkeydown = move;
  text.onclick = (event) => {
    const block = event.target.closest("[data-line]");
    if (block && !getSelection()?.toString()) edit(block);
  };
  const message = h("textarea", { rows: 2, value: draft.message, placeholder: "What should change?", "aria-label": "Note on the whole plan" });
  message.oninput = () => {
    draft.message = message.value;
    changed(box);
  };
  const modes = Object.entries(MODES).map(([mode, label]) => {
    const input = h("input", { type: "radio", name: `mode-${ask.id}`, checked: draft.mode === mode, onchange: () => (draft.mode = mode) });
    return h("label.option", input, label);
  });
  const hint = h("p.hint", blocks.length ? "Press a line to comment on it." : "");
  box.append(
    text,
    hint,
    list,
    message,
    h("fieldset.after", h("legend", "After yes"), ...modes),
  );
  show();
  if (ask.round) import("./round.js").then(({ drawRound }) => drawRound(ask.round, box, [text, hint]));

  const notes = () => {
    const said = [...draft.notes].sort(([a], [b]) => a - b).map(([, { quote, note }]) => `> ${quote}\n${note}`);
    return [...said, draft.message.trim()].filter(Boolean).join("\n\n");
  };
  return {
    read(choice) {
      const said = notes();
      if (choice === "revise") return said ? { message: said } : { problem: "Write a note first: press a line, or say below what should change." };
      if (choice !== "approve") return {};
      if (box.classList.contains("is-diff")) return { problem: "Go back to the whole plan first: that is what you approve." };
      if (!source.trim()) return { problem: "There is no plan to approve." };
      if (said) return { problem: "You have notes that were not sent. Send them, or remove them before you approve." };
      return { mode: draft.mode };
    },
  };
}
