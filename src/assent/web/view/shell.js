// A command line: what needs a person marked, the rest quiet, words told from strings and operators.

import { counted, h } from "./h.js";
import { inert, longText } from "./text.js";

// Every alternative takes at least one character and none looks back, so that long input costs no more than its length.
const TOKENS =
  /(?<note>(?<![^\s;&|(])#[^\n]*)|(?<string>'[^']*'?|"(?:[^"\\]|\\[^])*"?)|(?<variable>\$(?:\w+|\{[^}\n]*\}?|[@*#?$!-]))|(?<operator>[|&;<>()`]+|\$\()|(?<blank>\s+)|(?<word>(?:\\[^]|[^\s'"$|&;<>()`\\])+)|[^]/g;
const STARTS_COMMAND = /[|;(`]$|(?<![<>])&$/;

const HERE = /<<-?[ \t]*(["']?)(\w+)\1[^\n]*\n/g;
const MOST_HERE = 20;

/** What a command is fed line by line is text, whatever it looks like. */
function drawShell(text) {
  const out = document.createDocumentFragment();
  HERE.lastIndex = 0;
  let at = 0;
  for (let left = MOST_HERE; left > 0; left -= 1) {
    const found = HERE.exec(text);
    if (!found) break;
    const end = text.indexOf(`\n${found[2]}`, HERE.lastIndex - 1);
    out.append(drawCommand(text.slice(at, HERE.lastIndex)));
    at = end < 0 ? text.length : end;
    out.append(h("span.sh-string", inert(text.slice(HERE.lastIndex, at))));
    HERE.lastIndex = at;
  }
  out.append(drawCommand(text.slice(at)));
  return out;
}

function drawCommand(text) {
  const out = document.createDocumentFragment();
  let first = true;
  for (const found of text.matchAll(TOKENS)) {
    const kind = Object.keys(found.groups).find((name) => found.groups[name] !== undefined);
    const drawn = inert(found[0]);
    if (kind === "operator" && STARTS_COMMAND.test(found[0])) first = true;
    if (kind === "word") {
      const isSetting = first && /^\w+=/.test(found[0]);
      out.append(first && !isSetting ? h("b", drawn) : drawn);
      first = first && isSetting;
    } else if (kind === "blank" || !kind) {
      out.append(drawn);
      if (found[0].includes("\n")) first = true;
    } else out.append(h(`span.sh-${kind}`, drawn));
  }
  return out;
}

const RISKS = { look: "○ Look", change: "◐ Change", care: "▲ Care", danger: "■ Danger" };

/** Segments that are a command line, or `plain` text. */
export function drawSegments(segments, { plain = false } = {}) {
  const commands = segments.filter((segment) => segment.risk);
  const guilty = commands.filter((segment) => segment.needs_you);
  const isSplit = commands.length > 1 && guilty.length < commands.length;
  const code = h("pre.code", { tabIndex: 0, "aria-label": plain ? "Text" : "Command" });
  for (const segment of segments) {
    const drawn = longText(segment.text, plain ? inert : drawShell);
    const needs = segment.needs_you && isSplit;
    code.append(needs ? h(`mark.need.${segment.risk}`, { title: segment.why ?? "" }, drawn) : h(isSplit ? "span.cleared" : "span", drawn));
  }
  const box = h("div.cmd", code);
  if (commands.length > 1) {
    box.append(h("p.tally", guilty.length === commands.length ? `${guilty.length === 2 ? "both" : `all ${guilty.length}`} need you` : `${guilty.length} of ${commands.length} ${guilty.length === 1 ? "needs" : "need"} you`));
    box.append(parts(guilty.length ? guilty : commands));
  }
  return box;
}

const SHOWN = 6;

function parts(segments) {
  const list = h("ul.parts", ...segments.slice(0, SHOWN).map(part));
  if (segments.length <= SHOWN) return list;
  const rest = h("ul.parts", ...segments.slice(SHOWN).map(part));
  return h("div", list, h("details", h("summary", `${counted(segments.length - SHOWN, "more part")}`), rest));
}

function part(segment) {
  const line = segment.text.trim();
  return h("li", h(`span.lvl.${segment.risk}`, RISKS[segment.risk] ?? segment.risk), h("code", longText(line, (text) => inert(text, { lines: "space" }))), segment.why && h("span.part-why", inert(segment.why, { lines: "space", code: false })));
}
