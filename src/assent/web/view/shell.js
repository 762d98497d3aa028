// A command line: what needs a person marked, the rest quiet, words told from strings and operators.

import { counted, h } from "./h.js";
import { RISKS } from "../wording.js";
import { inert, longText } from "./text.js";

// Every alternative takes at least one character and none looks back, so that long input costs no more than its length.
const TOKENS =
  /(?<note>(?<![^\s;&|(])#[^\n]*)|(?<string>'[^']*'?|"(?:[^"\\]|\\[\s\S])*"?)|(?<variable>\$(?:\w+|\{[^}\n]*\}?|[@*#?$!-]))|(?<operator>[|&;<>()`]+|\$\()|(?<blank>\s+)|(?<word>(?:\\[\s\S]|[^\s'"$|&;<>()`\\])+)|[\s\S]/g;
const RESERVED = /^(?:case|do|done|elif|else|esac|fi|for|function|if|in|select|then|until|while|\{|\})$/;
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
      const isReserved = first && RESERVED.test(found[0]);
      out.append(isReserved ? h("span.sh-keyword", drawn) : first && !isSetting ? h("b", drawn) : drawn);
      first = first && (isSetting || (isReserved && !/^(?:for|case|function|select)$/.test(found[0])));
    } else if (kind === "blank" || !kind) {
      out.append(drawn);
      if (found[0].includes("\n")) first = true;
    } else out.append(h(`span.sh-${kind}`, drawn));
  }
  return out;
}

/** Segments that are a command line, or `plain` text. */
export function drawSegments(segments, { plain = false } = {}) {
  const commands = segments.filter((segment) => segment.risk);
  const isSplit = commands.length > 1 && commands.some((segment) => !segment.needs_you);
  const code = h("pre.code", { tabIndex: 0, "aria-label": plain ? "Text" : "Command" });
  for (const segment of segments) {
    const drawn = longText(segment.text, plain ? inert : drawShell);
    const needs = segment.needs_you && isSplit;
    const part = needs ? h(`mark.need.${segment.risk}`, { title: segment.why ?? "" }, drawn) : h(isSplit ? "span.cleared" : "span", drawn);
    if (segment.risk) part.dataset.command = segment.text.trim();
    code.append(part);
  }
  return h("div.cmd", code);
}

const SHOWN = 5;

/** What a command would do, the worst first. `thing` is where its text stands: a step that is pointed at is marked there. */
export function drawSteps({ steps = [] }, thing) {
  // One step is what the heading says.
  if (steps.length < 2 && !steps[0]?.where?.length) return "";
  const rows = steps.map((step) => drawStep(step, thing));
  const rest = rows.slice(SHOWN);
  const box = h("section.would", { "aria-label": "What it would do" }, h("h3", "Would do ", h("span", tally(steps))), h("ul", ...rows.slice(0, SHOWN)));
  if (rest.length) box.append(h("details", h("summary", `${rest.length} more`), h("ul", ...rest)));
  return box;
}

export function tally(steps) {
  const count = (level) => steps.filter((step) => step.risk === level).length;
  const worst = count("danger") ? `${count("danger")} dangerous` : count("care") ? `${count("care")} with care` : "";
  return [counted(steps.length, "thing"), worst].filter(Boolean).join(", ");
}

function drawStep(step, thing) {
  const { sign = "", word = step.risk } = RISKS[step.risk] ?? {};
  const words = h("span.words", h("span.unseen", `${word}: `), inert(step.words, { lines: "space" }));
  const where = step.where?.length ? h("span.where", inert(step.where.join(" "), { lines: "space" })) : "";
  const row = h(`li.${step.risk}`, { tabIndex: 0, title: step.why ?? "" }, h("span.sign", { "aria-hidden": "true" }, sign), words, where);
  const point = (isOn) => () => {
    for (const part of thing.querySelectorAll("[data-command]")) part.classList.toggle("is-pointed", isOn && isOf(step, part.dataset.command));
  };
  row.onmouseenter = row.onfocus = point(true);
  row.onmouseleave = row.onblur = point(false);
  return row;
}

const isOf = (step, text) => {
  const command = (step.command ?? "").replace(/…$/, "");
  return Boolean(command && text && (text.includes(command) || command.includes(text)));
};
