// About: which hub this is, where it listens, how far its record goes, who this browser is, and how to be rid of it all.

import { get } from "../api.js";
import { grouped, h } from "../dom.js";
import { store } from "../store.js";

export function drawAbout() {
  const list = h("dl.about");
  const add = (name, ...value) => list.append(h("dt", name), h("dd", ...value));

  async function draw() {
    const hub = store.hub;
    if (!hub) return;
    const me = await get("/api/me").catch(() => null);
    list.replaceChildren();
    add("Hub", `assent ${hub.version}, up since ${new Date(hub.started_at).toLocaleString()}`);
    add("Address", location.origin);
    add("Record", `${grouped(hub.journal.seq)} entries, head `, h("code", `${hub.journal.hub}:${hub.journal.seq}:${hub.journal.hash}`), h("p.empty", "Keep that line elsewhere: ", h("code", "assent log verify --against"), " then proves that nothing before it was changed."));
    if (me) add("This browser", `${me.name || "not named"}, may ${me.scope}. ${me.limit}`);
    add("Remove it", h("code", "assent uninstall"), " takes the hooks out and leaves your settings as they were.");
    add("Programs", h("a", { href: "/openapi.json", target: "_blank", rel: "noopener" }, "the API, described"));
  }
  draw();
  return { element: h("section", h("h2", "About"), list), close: store.on("reset", draw) };
}
