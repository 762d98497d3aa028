// What stands where nothing needs anybody: said in words, because an empty screen could also be a broken one.

import { counted, h } from "./dom.js";
import { drawPulse } from "./pulse.js";
import { store } from "./store.js";

function firstRun() {
  return [
    h("p", "assent shows what your agents want to do, and takes your answer here, in the terminal or on a phone."),
    h("p", `It listens on this machine only, at ${location.host}.`),
    h("p", h("code", "assent uninstall"), " removes it and leaves your settings as they were."),
  ];
}

export function emptyText() {
  if (!store.hub) return [h("p", "Asking the hub…")];
  const working = store.liveSessions().length;
  if (working) return [h("p", `Nothing needs you. ${counted(working, "session")} working.`), drawPulse()];
  if (store.hub.hooks?.written && !store.hub.events) {
    const check = h("button", { type: "button", onclick: () => location.reload() }, "Check");
    return [h("p", "Hooks are written but no event has arrived. A running session loads them when it restarts."), check];
  }
  if (store.sessions.size) return [h("p", "Nothing needs you. No session is live.")];
  return [h("p", "No sessions seen yet. Start claude anywhere, or run ", h("code", "assent demo"), ".")];
}

/** The pane beside the list while no ask is shown. */
export function welcome() {
  if (!store.hub) return [];
  if (store.sessions.size === 0) return [h("div.first-run", ...firstRun())];
  return [h("p.nothing", store.waiting().length ? "Pick an ask to read it." : "Nothing needs you.")];
}
