// A list of things to do over the page: `⋯`, quiet times. Keys stay in it; Esc leaves it and nothing happens.

import { h } from "./dom.js";

/** `items`: `{ label, key, run }`. */
export function openMenu(title, items) {
  const heading = h("h2", { id: "menu-title", tabIndex: -1 }, title);
  const sheet = h("dialog.sheet.menu", { "aria-labelledby": "menu-title" }, heading);
  const pick = (item) => {
    sheet.close();
    item.run();
  };
  for (const item of items) {
    sheet.append(h("button", { type: "button", onclick: () => pick(item) }, h("span", item.label), item.key ? h("kbd", item.key) : ""));
  }
  sheet.append(h("button.leave", { type: "button", onclick: () => sheet.close() }, "Close"));
  sheet.addEventListener("keydown", (event) => {
    event.stopPropagation();
    const buttons = [...sheet.querySelectorAll("button")];
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    const item = items.find((one) => one.key === event.key);
    if (step) buttons.at((buttons.indexOf(document.activeElement) + step) % buttons.length)?.focus();
    else if (item && !event.repeat && !event.ctrlKey && !event.metaKey) pick(item);
    else return;
    event.preventDefault();
  });
  sheet.addEventListener("click", (event) => event.target === sheet && sheet.close());
  sheet.addEventListener("close", () => sheet.remove());
  document.body.append(sheet);
  sheet.showModal();
  heading.focus();
}
