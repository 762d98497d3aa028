// Folders and files as their owner calls them.

import { store } from "./store.js";

/** `~` for the home of the hub's user. */
export function short(path = "") {
  const home = store.hub?.home;
  return home && (path === home || path.startsWith(`${home}/`)) ? `~${path.slice(home.length)}` : path;
}
