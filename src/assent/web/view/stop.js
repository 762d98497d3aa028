// A finished turn: what the agent said last, and what it should do next.

import { changed, draftOf } from "./draft.js";
import { h } from "./h.js";
import { markdown } from "./markdown.js";
import { inert } from "./text.js";
import { NEXT } from "../wording.js";

export function drawStop(ask, box) {
  const stop = ask.view.stop ?? {};
  const draft = draftOf(ask, () => ({ text: "" }));
  const said = h("div.last", stop.message ? markdown(stop.message) : h("p.note", "It ended without a message."));
  const more = h("button.fold", { type: "button", hidden: true, onclick: () => more.remove(said.classList.add("whole")) }, "Show all of it");
  const field = h("textarea", { rows: 3, value: draft.text, placeholder: "What should it do next?", "aria-label": "What it should do next" });
  const write = (text) => {
    draft.text = text;
    changed(box);
  };
  field.oninput = () => write(field.value);
  const chips = NEXT.map(([label, text]) => {
    const onclick = () => {
      field.value = text;
      write(text);
    };
    return h("button.chip", { type: "button", onclick }, label);
  });
  box.append(said, more);
  if (stop.background?.length) {
    box.append(h("p", "Still running in the background:"), h("ul", ...stop.background.map((one) => h("li", h("code", inert(one, { lines: "space" }))))));
  }
  const replies = h("div.chips", ...chips);
  box.append(replies, field);
  import("./snippets.js").then(({ snippetChips }) => replies.append(...snippetChips(ask.subject.project, field)));
  // What is queued is told at once, so nothing waits here; for later there is the session's own page.
  const queue = ask.subject.session && [" · ", h("a", { href: `/s/${encodeURIComponent(ask.subject.session)}` }, "queue of this session")];
  box.append(h("p.hint", `${stop.used ?? 0} of ${stop.most ?? 8} continuations used`, ...(queue || [])));
  new ResizeObserver(() => (more.hidden = said.scrollHeight <= said.clientHeight)).observe(said);
  return {
    read(choice) {
      if (choice !== "keep_going") return {};
      return draft.text.trim() ? { message: draft.text.trim() } : { problem: "Say what it should do next, or pick one." };
    },
  };
}
