// Which screen an address means. A screen is a module with `title`, `mount(root, params, store)` and `unmount()`;
// `change(params)` if it can show another address without starting over, `commands` for keys of its own.

import { byId } from "./dom.js";
import { store, tell } from "./store.js";

/** @type {[RegExp, string, () => Promise<any>][]} */
const SCREENS = [
  [/^\/(?:a\/(?<id>[a-z]+))?$/, "inbox", () => import("./screens/inbox.js")],
  [/^\/s$/, "sessions", () => import("./screens/sessions.js")],
  [/^\/s\/(?<id>[^/]+)$/, "session", () => import("./screens/session.js")],
  [/^\/f$/, "feed", () => import("./screens/feed.js")],
  [/^\/log(?:\/(?<id>[^/]+))?$/, "log", () => import("./screens/log.js")],
  [/^\/stats$/, "stats", () => import("./screens/stats.js")],
  [/^\/grants$/, "grants", () => import("./screens/grants.js")],
  [/^\/rules$/, "rules", () => import("./screens/rules.js")],
  [/^\/set$/, "settings", () => import("./screens/settings.js")],
  [/^\/pair$/, "pair", () => import("./screens/pair.js")],
];

let current = { name: "", params: {} };
let asked = 0;

export const route = () => current;

function find(path) {
  for (const [pattern, name, load] of SCREENS) {
    const found = pattern.exec(path);
    if (found) return { name, load, params: { ...found.groups } };
  }
  return { name: "inbox", load: SCREENS[0][2], params: {} };
}

async function show() {
  const wanted = find(location.pathname);
  asked += 1;
  const mine = asked;
  const screen = await wanted.load();
  if (mine !== asked) return;
  if (current.screen === screen && screen.change) screen.change(wanted.params);
  else {
    current.screen?.unmount();
    byId("screen").replaceChildren();
    document.body.dataset.screen = wanted.name;
    screen.mount(byId("screen"), wanted.params, store);
  }
  current = { name: wanted.name, params: wanted.params, screen };
  tell("route", current);
}

/** `quiet`: takes the place of the address before it. */
export function go(path, { quiet = false } = {}) {
  if (path !== location.pathname) history[quiet ? "replaceState" : "pushState"](null, "", path);
  return show();
}

export function startRouter() {
  addEventListener("popstate", show);
  addEventListener("click", (event) => {
    /** @type {HTMLAnchorElement | null} */
    const link = event.target instanceof Element ? event.target.closest("a[href^='/']") : null;
    const address = link?.getAttribute("href");
    if (!link || !address || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || link.target) return;
    if (link.hasAttribute("download") || address.startsWith("/api/")) return;
    event.preventDefault();
    go(address);
  });
  return show();
}
