// Look and sound of this browser. Kept here only.

import { want, wants } from "../attention.js";
import { h } from "../dom.js";

const THEMES = { "": "as the system", light: "light", dark: "dark" };

function theme(name) {
  if (name) localStorage.setItem("assent.theme", name);
  else localStorage.removeItem("assent.theme");
  document.documentElement.dataset.theme = name;
}

export function drawLook() {
  const now = localStorage.getItem("assent.theme") ?? "";
  const picks = Object.entries(THEMES).map(([value, label]) => {
    const pick = h("input", { type: "radio", name: "theme", value, checked: value === now, onchange: () => theme(value) });
    return h("label.option-inline", pick, label);
  });
  const toggle = (what, label) => {
    const box = h("input", { type: "checkbox", checked: wants(what) === "on", onchange: () => want(what, box.checked) });
    return h("label.setting", h("span", label), box);
  };
  return h(
    "section",
    h("h2", "This browser"),
    h("fieldset.setting", h("legend", "Theme"), h("span.times", ...picks)),
    toggle("sound", "A tone for Care, two for Danger, while the page is not in front"),
    "vibrate" in navigator ? toggle("buzz", "Vibrate, too") : "",
  );
}
