// A sheet over the page: it keeps focus and keys to itself, and Esc leaves it without an answer.

import { GRACE } from "../grace.js";
import { h } from "./h.js";

/**
 * Resolves with what `read()` gave when the act was pressed, or null. `read` may give `{ problem }`: it is shown, and
 * the sheet stays. `isYes`: the act permits something, so a press meant for what stood there before does not count.
 * `byEnter`: Enter does it from everywhere but another button.
 */
export function openSheet({ title, body, act, read, isYes = false, byEnter = false, cancel = "Cancel" }) {
  return new Promise((resolve) => {
    const heading = h("h2", { tabIndex: -1, id: "sheet-title" }, title);
    const fault = h("p.fault", { role: "alert" });
    const done = h("button.act", { type: "button", disabled: isYes, ...(byEnter && { "data-key": "Enter" }) }, act);
    if (isYes) setTimeout(() => (done.disabled = false), GRACE);
    const back = h("button", { type: "button", onclick: () => sheet.close() }, cancel);
    const sheet = h("dialog.sheet", { "aria-labelledby": "sheet-title" }, heading, body, fault, h("div.sheet-bar", back, done));
    let result = null;
    done.onclick = () => {
      const given = read();
      fault.textContent = given.problem ?? "";
      if (given.problem) return;
      result = given;
      sheet.close();
    };
    sheet.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (byEnter && event.key === "Enter" && !event.repeat && event.target.localName !== "button") done.click();
    });
    sheet.addEventListener("close", () => {
      sheet.remove();
      resolve(result);
    });
    document.body.append(sheet);
    sheet.showModal();
    (body.querySelector("textarea") ?? heading).focus();
  });
}
