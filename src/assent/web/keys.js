// The keyboard. Letters are dead while text is typed and for a moment after; a sheet keeps its keys to itself.

import { byKey, run } from "./commands.js";
import { isTyping } from "./dom.js";
import { counts } from "./grace.js";
import { route } from "./router.js";

const PREFIX_FOR = 1_500;
// These only move or look: they may come at any moment, and again and again while a key is held.
const HARMLESS = /^(list|go|page|view|feed)\.|^ask\.(open|next|end|raw|copy)$/;
let prefix = "";
let forgetting = 0;

/** The name of the command a key means; "" if none, null if it waits for a second key. */
export function meaning(key, before = "") {
  if (before) return byKey.get(`${before} ${key}`) ?? "";
  if (key === "g") return null;
  return byKey.get(key) ?? "";
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.isComposing) return;
  if (isTyping(event.target)) return event.key === "Escape" ? event.target.blur() : undefined;
  if (document.querySelector("dialog[open]")) return;
  const isPress = event.target.closest?.("button, a, summary, [role=button], input");
  // Enter and Space press what has the focus; they confirm only what a key of its own has armed.
  if (isPress && (event.key === "Enter" || event.key === " ")) return;
  // Between options they choose, as everywhere.
  if (event.target.type === "radio" && event.key.startsWith("Arrow")) return;
  const before = prefix;
  prefix = "";
  clearTimeout(forgetting);
  if (!before && route().screen?.key?.(event)) return event.preventDefault();
  const name = meaning(event.key, before);
  if (name === null) {
    prefix = event.key;
    forgetting = setTimeout(() => (prefix = ""), PREFIX_FOR);
    return;
  }
  if (!name) return;
  if (!HARMLESS.test(name) && !counts(event)) return event.preventDefault();
  // An Allow armed with its own key is confirmed by Enter.
  if (event.key === "Enter" && counts(event) && route().screen?.isArmed?.()) run("ask.confirm");
  else if (!run(name)) return;
  event.preventDefault();
}

export const startKeys = () => addEventListener("keydown", onKey);
