// Everything that can be done, by name, with its key: one table for the keyboard, the palette and the help.

import { say } from "./announce.js";
import { undo } from "./answers.js";
import { send } from "./api.js";
import { fetched } from "./grace.js";
import { go, route } from "./router.js";
import { store } from "./store.js";
import { KEYS } from "./wording.js";

const ALSO = { ArrowDown: "list.next", ArrowUp: "list.previous", Escape: "page.back" };

export const byKey = new Map(Object.entries({ ...ALSO, ...KEYS }));

const everywhere = {
  "go.inbox": () => go("/"),
  "go.sessions": () => go("/s"),
  "go.feed": () => go("/f"),
  "go.log": () => go("/log"),
  "go.rules": () => go("/rules"),
  "go.grants": () => go("/grants"),
  "go.settings": () => go("/set"),
  "page.back": () => (route().screen.isArmed?.() ? run("ask.disarm") : go("/")),
  "page.palette": async () => (await fetched(import("./palette.js"))).openPalette(),
  "page.help": async () => (await fetched(import("./palette.js"))).openHelp(),
  "page.quiet": async () => (await fetched(import("./quiet.js"))).openQuiet(),
  "ask.test": () => send("POST", "/api/asks/test", {}).catch((error) => say(error.message, { isUrgent: true })),
  // Also for an answer that was given on the ask before this one.
  "ask.undo": () => store.waiting().some((ask) => undo(ask.id)),
};

const find = (name) => route().screen?.commands?.[name] ?? everywhere[name];

/** Whether it can be done on this screen now. */
export const can = (name) => find(name) || name.startsWith("view.");

/** False if this screen has no such command. */
export function run(name) {
  const command = find(name);
  command?.();
  return Boolean(command);
}
