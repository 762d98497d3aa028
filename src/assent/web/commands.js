// Everything that can be done, by name, with its key: one table for the keyboard, the palette and the help.

import { say } from "./announce.js";
import { undo } from "./answers.js";
import { send } from "./api.js";
import { fetched } from "./grace.js";
import { go, route } from "./router.js";
import { store } from "./store.js";

/** name, key, what it does. A key of two letters is pressed one after the other. */
export const COMMANDS = [
  ["list.next", "j", "next row"],
  ["list.previous", "k", "previous row"],
  ["ask.open", "Enter", "open"],
  ["ask.next", "n", "next that needs me"],
  ["ask.allow", "a", "allow once (Care: then Enter; Danger: type the match word)"],
  ["ask.allow_session", "s", "allow for this session"],
  ["ask.always", "A", "always…"],
  ["ask.deny", "d", "deny"],
  ["ask.deny_tell", "D", "deny and tell…"],
  ["ask.edit", "e", "edit the input…"],
  ["ask.deny_stop", "x", "deny and stop the turn"],
  ["ask.hand_back", "t", "leave for the terminal"],
  ["ask.note", "", "allow with a note…"],
  ["ask.cancel", "", "cancel the form"],
  ["ask.undo", "u", "undo while possible"],
  ["ask.raw", "r", "raw JSON"],
  ["ask.copy", "y", "copy"],
  ["ask.queue", "c", "queue an instruction"],
  ["ask.test", "", "send a test ask"],
  ["ask.end", "End", "to the end of the text"],
  ["view.diff", "v", "diff: unified / split / words"],
  ["view.previous", "[", "previous file or hunk"],
  ["view.next", "]", "next file or hunk"],
  ["view.pick", "1-9", "pick an option (question only)"],
  ["view.other", "o", "other answer (question only)"],
  ["view.peek", "Space", "page down"],
  ["list.filter", "/", "filter"],
  ["page.palette", ":", "command palette"],
  ["page.help", "?", "help for this screen"],
  ["page.quiet", "z", "quiet 15 min / 1 h / until morning"],
  ["page.back", "q", "back; never answers"],
  ["feed.lanes", "L", "lanes"],
  ["go.inbox", "g i", "go to Inbox"],
  ["go.sessions", "g s", "go to Sessions"],
  ["go.feed", "g f", "go to Feed"],
  ["go.log", "g l", "go to Log"],
  ["go.rules", "g r", "go to Rules"],
  ["go.settings", "g ,", "go to Settings"],
];
const ALSO = { ArrowDown: "list.next", ArrowUp: "list.previous", Escape: "page.back" };

export const byKey = new Map([...COMMANDS.filter(([, key]) => key).map(([name, key]) => [key, name]), ...Object.entries(ALSO)]);

const everywhere = {
  "go.inbox": () => go("/"),
  "go.sessions": () => go("/s"),
  "go.feed": () => go("/f"),
  "go.log": () => go("/log"),
  "go.rules": () => go("/rules"),
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

/** What can be done on this screen now. */
export const known = () => COMMANDS.filter(([name]) => find(name) || name.startsWith("view."));

/** False if this screen has no such command. */
export function run(name) {
  const command = find(name);
  command?.();
  return Boolean(command);
}
