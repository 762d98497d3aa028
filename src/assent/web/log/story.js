// One thing on record: the card as it was shown, and everything that was recorded about it, with its place in the chain.

import { context, identity, place, why } from "../ask.js";
import { get } from "../api.js";
import { clock, h, signed } from "../dom.js";
import { words } from "../label.js";
import { glyphOf, riskWord } from "../names.js";
import { KINDS } from "../wording.js";
import { drawSteps } from "../view/shell.js";
import { drawThing, rawText } from "../view/thing.js";

const day = (ms) => new Date(ms).toLocaleDateString();

export async function drawStory(id) {
  const back = h("p.back", h("a", { href: "/log" }, ...signed("‹", "Log")));
  const { records, error } = await get(`/api/log/${encodeURIComponent(id)}`).catch((error) => ({ error }));
  if (error) return [back, h("h1", { tabIndex: -1 }, "Not on record"), h("p.empty", error.sentence)];
  const ask = records.findLast((record) => record.kind === "ask");
  const first = records[0];
  const shown = ask?.body.card?.view ? drawFrozen(ask) : drawInput(records);
  return [
    back,
    h("h1", { tabIndex: -1 }, ask ? `Ask ${ask.ask}` : `Record ${first.seq}`, h("span.count", ` ${day(first.at)} ${clock(first.at)}`)),
    ...shown,
    h("h2", "On record"),
    h("ol.records", ...records.map(drawRecord)),
    h("details", h("summary", "Raw JSON"), rawText(records)),
  ];
}

/** Drawn as it was, and dead: nothing of it can be answered any more. */
function drawFrozen(record) {
  const { card, shown, rev } = record.body;
  const heading = h("h2", h("span.level", h("span.sign", { "aria-hidden": "true" }, glyphOf(card)), ` ${KINDS[card.kind]?.word ?? riskWord(card)} `), h("span.verb", words(card.view.verb)));
  const thing = drawThing(card);
  const dead = card.kind === "permission" ? thing : h("fieldset", { disabled: true, "aria-label": "As it was shown" }, thing);
  return [
    h(`article.ask.frozen.${card.risk.level}`, { "aria-label": "As it was shown" }, h("header.head", heading, ...identity(card)), why(card), drawSteps(card.view, thing), dead, context(card), place(card)),
    h("p.hash", "What was shown, revision ", String(rev ?? 1), ", SHA-256 ", h("code", shown || "not recorded")),
  ];
}

function drawInput(records) {
  const input = records.find((record) => record.body?.payload?.tool_input)?.body.payload;
  return input ? [h("h2", words(input.tool_name ?? "")), rawText(input.tool_input)] : [];
}

function drawRecord(record) {
  return h("li", h("time", clock(record.at)), h("span.line", words(record.line)), h("span.seq", { title: `record ${record.seq}, ${record.hash}` }, `#${record.seq} `, h("code", record.hash.slice(0, 8))));
}
