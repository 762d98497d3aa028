// A box for a filter, with chips for the terms people want most: a chip only writes its term, so that the words are learned.

import { h } from "./dom.js";

const WAIT = 250;

/** `chips`: term to label. `changed(text)`: a moment after the last key, at once for chips and Enter. */
export function filterBox(chips, changed, text = "") {
  const field = h("input", { type: "search", value: text, placeholder: 'session:webshop risk:>=care "npm"', "aria-label": "Filter", autocomplete: "off", spellcheck: false });
  const fault = h("p.fault", { role: "alert" });
  const buttons = Object.entries(chips).map(([term, label]) => h("button.chip", { type: "button", title: term, value: term, onclick: () => toggle(term) }, label));
  let soon = 0;
  let told = text;

  const words = () => field.value.split(/\s+/).filter(Boolean);

  function tell() {
    clearTimeout(soon);
    for (const button of buttons) button.setAttribute("aria-pressed", String(words().includes(button.value)));
    if (field.value.trim() === told) return;
    told = field.value.trim();
    changed(told);
  }

  function toggle(term) {
    const others = words().filter((word) => word !== term);
    field.value = (others.length < words().length ? others : [...others, term]).join(" ");
    tell();
  }

  field.oninput = () => {
    clearTimeout(soon);
    soon = setTimeout(tell, WAIT);
  };
  field.onkeydown = (event) => {
    if (event.key === "Enter") tell();
  };
  field.addEventListener("search", tell);
  tell();
  return {
    element: h("div.filter", { role: "search" }, field, h("div.chips", ...buttons), fault),
    focus: () => field.focus(),
    get text() {
      return told;
    },
    complain: (sentence) => (fault.textContent = sentence),
    close: () => clearTimeout(soon),
  };
}
