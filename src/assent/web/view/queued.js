// What is queued for the session of an ask: how much, what is next and when it is told, with the way to the queue.

import { h } from "./h.js";
import { inert } from "./text.js";
import { TOLD_WHEN } from "../wording_more.js";

export function drawQueued(session, items) {
  const [next] = items;
  const words = h("span.next", inert(next.text, { lines: "space", code: false }));
  return [h("span", `Queued: ${items.length}. Next, ${TOLD_WHEN[next.to ?? "stop"]}: `), words, " ", h("a", { href: `/s/${encodeURIComponent(session)}` }, "queue")];
}
