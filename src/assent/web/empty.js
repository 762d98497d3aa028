// What stands where nothing needs anybody: said in words, because an empty screen could also be a broken one.

import { counted, h } from "./dom.js";
import { drawPulse } from "./pulse.js";
import { say } from "./announce.js";
import { get, send } from "./api.js";
import { store, tell } from "./store.js";

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
  if (store.sessions.size) return [h("p", "Nothing needs you. No session is live.")];
  if (installed === undefined) check();
  if (installed?.length && !store.hub.events) {
    return [h("p", "Hooks are written but no event has arrived. A running session loads them when it restarts."), button("Check", check)];
  }
  const seen = h("p", "No sessions seen yet. Start claude anywhere, or send a test ask.");
  const hint = installed?.length === 0 ? [h("p", "No hooks are written yet: ", h("code", "assent install"), " does that.")] : [];
  // Beside the list there is room for more; a phone has only the list.
  return [seen, button("Send test ask", sendTest), ...hint, h("div.only-narrow", ...firstRun())];
}

// The files that hooks were written to; unknown until somebody needs to know.
let installed;

const button = (label, onclick) => h("button", { type: "button", onclick }, label);
const complain = (error) => say(error.sentence ?? error.message, { isUrgent: true });

async function check() {
  installed = null;
  installed = (await get("/api/setup").catch(() => ({ installed: null }))).installed;
  tell("hub", store.hub);
}

const sendTest = () => send("POST", "/api/asks/test", {}).catch(complain);

/** The pane beside the list while no ask is shown. */
export function welcome() {
  if (!store.hub) return [];
  if (store.sessions.size === 0) return [h("div.first-run", ...firstRun())];
  return [h("p.nothing", store.waiting().length ? "Pick an ask to read it." : "Nothing needs you.")];
}
