// Going to the terminal of a session. The hub tells where it is only to those who may go there; it answers nothing.

import { say } from "../announce.js";
import { send } from "../api.js";
import { isLive } from "../store.js";
import { h } from "./h.js";

const EDITORS = new Set(["vscode", "vscode-insiders"]);

/** The address of iTerm2's session, or of the editor's window with this folder; "" where there is none. */
function linkOf({ terminal, project = "" }) {
  if (terminal.kind === "iterm2") return `iterm2:reveal?sessionid=${terminal.session}`;
  if (!EDITORS.has(terminal.kind) || !project.startsWith("/")) return "";
  return `${terminal.kind}://file${project.replace(/\/+$/, "").split("/").map(encodeURIComponent).join("/")}/`;
}

/** What goes there, or null where no way is known. */
export function wayTo(session) {
  if (!session?.terminal || !isLive(session)) return null;
  const href = linkOf(session);
  if (href) return { href, go: () => location.assign(href) };
  if (session.terminal.kind !== "tmux") return null;
  const path = `/api/sessions/${encodeURIComponent(session.id)}/jump`;
  const failed = (error) => say(error.sentence ?? String(error), { isUrgent: true });
  return { href, go: () => send("POST", path, {}).then((told) => say(told.words), failed) };
}

/** A link for an editor, a button for tmux, nothing where no way is known. */
export function drawWay(session, label = "Go to terminal") {
  const way = wayTo(session);
  if (!way) return "";
  return way.href ? h("a.way", { href: way.href }, label) : h("button.way", { type: "button", onclick: way.go }, label);
}
