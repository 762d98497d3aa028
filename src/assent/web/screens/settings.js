// Settings: where you are, how you are told, what is asked, who is let in, how it looks, and what this is.

import { h } from "../dom.js";
import { pushPanel } from "../push.js";
import { drawAbout } from "../settings/about.js";
import { drawAsks } from "../settings/asks.js";
import { drawLook } from "../settings/look.js";
import { drawPresence } from "../settings/presence.js";
import { drawSurfaces } from "../settings/surfaces.js";
import { style } from "../style.js";

await style("screens");

export const title = "Settings";

let ends = [];

export function mount(root, _params, store) {
  const presence = drawPresence();
  const asks = drawAsks();
  const surfaces = drawSurfaces();
  const about = drawAbout();
  const devices = h("section", h("h2", "Devices"), h("p", "Phones and browsers that were let in, what each may do, and the way out. ", h("a", { href: "/pair" }, "Devices…")));
  root.append(h("section.one.settings", h("header.list-head", h("h1", title)), presence.element, pushPanel(), surfaces.element, asks.element, devices, drawLook(), about.element));
  const reload = ({ kind }) => {
    if (kind === "config") for (const part of [asks, surfaces]) part.load();
  };
  ends = [presence.close, about.close, store.on("record", reload)];
}

export function unmount() {
  for (const end of ends) end();
}
