// What is folded into one row of a feed: its records, each as one line.

import { get } from "../api.js";
import { clock, h } from "../dom.js";
import { words } from "../label.js";

export async function drawParts(box, numbers) {
  const { records, error } = await get(`/api/log/${numbers}`).catch((error) => ({ error }));
  box.replaceChildren(error ? h("p.empty", error.sentence) : h("ol.records", { "aria-label": "On record" }, ...records.map(drawRecord)));
}

function drawRecord(record) {
  return h("li", h("time", clock(record.at)), h("span.line", words(record.line)), h("a.seq", { href: `/log/${record.seq}` }, `#${record.seq}`));
}
