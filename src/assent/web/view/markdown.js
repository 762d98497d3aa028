// Markdown as elements, made by hand: no HTML, no images, and links that are text with their address beside it.

import { h } from "./h.js";
import { inert } from "./text.js";

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const RULE = /^ {0,3}([-*_])\s*(?:\1\s*){2,}$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const QUOTE = /^ {0,3}>\s?/;
const TABLE_LINE = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;
const INLINE =
  /(?<tick>`+)(?<code>[^`]+)\k<tick>|\*\*(?<strong>[^*\n]+)\*\*|(?<![\w*])[*_](?<em>[^*_\s][^*_\n]*)[*_](?!\w)|~~(?<gone>[^~\n]+)~~|(?<image>!?)\[(?<label>[^\]\n]*)\]\((?<address>[^)\s]*)[^)\n]*\)/gu;
const MOST_DEPTH = 12;

const plain = (text) => inert(text, { lines: "space", code: false });

export function inline(text) {
  const out = document.createDocumentFragment();
  let at = 0;
  for (const found of text.matchAll(INLINE)) {
    const { code, strong, em, gone, image, label, address } = found.groups;
    out.append(plain(text.slice(at, found.index)));
    if (code !== undefined) out.append(h("code", inert(code, { lines: "space" })));
    else if (strong !== undefined) out.append(h("strong", plain(strong)));
    else if (em !== undefined) out.append(h("em", plain(em)));
    else if (gone !== undefined) out.append(h("s", plain(gone)));
    else out.append(image ? "image: " : "", plain(label), h("span.address", " (", inert(address, { lines: "space" }), ")"));
    at = found.index + found[0].length;
  }
  out.append(plain(text.slice(at)));
  return out;
}

/** The whole text as one element. Each block that a note can be about has its line in `data-line`. */
export function markdown(source) {
  const lines = source.split(/\r?\n/).map((text, number) => ({ text: text.replaceAll("\t", "    "), number }));
  return h("div.md", ...blocks(lines, 0));
}

const at = (element, line) => {
  element.dataset.line = line.number + 1;
  return element;
};

function* blocks(lines, depth) {
  let i = 0;
  const take = (test) => {
    const start = i;
    while (i < lines.length && test(lines[i].text, i - start)) i += 1;
    return lines.slice(start, i);
  };
  while (i < lines.length) {
    const line = lines[i];
    const { text } = line;
    const fence = FENCE.exec(text)?.[1];
    const heading = HEADING.exec(text);
    if (!text.trim()) i += 1;
    else if (fence) {
      i += 1;
      const inside = take((next) => !(next.trimStart().startsWith(fence) && !next.trim().replaceAll(fence[0], "")));
      i += 1;
      yield at(h("pre.code", { tabIndex: 0 }, inert(inside.map((one) => one.text).join("\n"), { lines: "plain" })), line);
    } else if (heading) {
      i += 1;
      // The screen has its own headings above these.
      const level = heading[1].length;
      yield at(h(`h${Math.min(level + 3, 6)}.h${level}`, inline(heading[2])), line);
    } else if (RULE.test(text)) {
      i += 1;
      yield h("hr");
    } else if (ITEM.test(text)) yield list(take((next, n) => n === 0 || isOfList(next, text)), depth);
    else if (QUOTE.test(text)) {
      const inside = take((next) => QUOTE.test(next)).map((one) => ({ ...one, text: one.text.replace(QUOTE, "") }));
      yield depth < MOST_DEPTH ? h("blockquote", ...blocks(inside, depth + 1)) : at(h("p", inline(inside.map((one) => one.text).join("\n"))), line);
    } else if (text.includes("|") && TABLE_LINE.test(lines[i + 1]?.text ?? "")) yield table(take((next) => next.includes("|")));
    else {
      const taken = take((next, n) => n === 0 || (next.trim() && !startsBlock(next)));
      yield at(h("p", inline(taken.map((one) => one.text.trim()).join("\n"))), line);
    }
  }
}

const startsBlock = (text) => [FENCE, HEADING, RULE, ITEM, QUOTE].some((kind) => kind.test(text));
const indent = (text) => text.length - text.trimStart().length;
const isOfList = (text, first) => !text.trim() || indent(text) > indent(first) || (ITEM.test(text) && indent(text) === indent(first)) || !startsBlock(text) && indent(text) > 0;

function list(lines, depth) {
  const sign = ITEM.exec(lines[0].text)?.[2] ?? "";
  const base = indent(lines[0].text);
  const made = h(/\d/.test(sign) ? "ol" : "ul");
  if (made.tagName === "OL") made.start = Number.parseInt(sign, 10);
  for (let i = 0; i < lines.length; ) {
    const first = lines[i];
    const [, , mark, text] = ITEM.exec(first.text) ?? [null, "", "", first.text.trim()];
    let end = i + 1;
    while (end < lines.length && !(ITEM.test(lines[end].text) && indent(lines[end].text) <= base)) end += 1;
    const width = base + mark.length + 1;
    const inside = lines.slice(i + 1, end).map((one) => ({ ...one, text: one.text.slice(Math.min(indent(one.text), width)) }));
    // Lines that only go on with the sentence belong to it.
    let more = 0;
    while (more < inside.length && inside[more].text.trim() && !startsBlock(inside[more].text)) more += 1;
    const box = /^\[([ xX])\]\s+/.exec(text);
    const words = [text.slice(box?.[0].length ?? 0), ...inside.slice(0, more).map((one) => one.text.trim())].join("\n");
    const item = h("li", at(h("p", box && (box[1] === " " ? "☐ " : "☑ "), inline(words)), first));
    if (depth < MOST_DEPTH) item.append(...blocks(inside.slice(more), depth + 1));
    else item.append(...inside.slice(more).map((one) => at(h("p", inline(one.text)), one)));
    made.append(item);
    i = end;
  }
  return made;
}

function table(lines) {
  const cells = ({ text }) => text.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());
  const row = (line, tag) => at(h("tr", ...cells(line).map((cell) => h(tag, inline(cell)))), line);
  return h("div.scroll-x", h("table", h("thead", row(lines[0], "th")), h("tbody", ...lines.slice(2).map((line) => row(line, "td")))));
}
