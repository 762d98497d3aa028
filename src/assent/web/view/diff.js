// What an edit would change: unified or side by side, the changed words marked. Signs say it, colours help.

import { h } from "./h.js";
import { inert, longText } from "./text.js";
import { changedWords } from "./words.js";

const MODES = ["unified", "split"];
// A removed line is compared with so many of the added ones that may have taken its place.
const NEAR = 4;
let mode = "unified";

const fits = () => matchMedia("(min-width: 768px)").matches;
const drawn = (text) => longText(text, (part) => inert(part, { lines: "plain" }));

export function drawDiffs(diffs) {
  const box = h("div.diffs");
  fill(box, diffs);
  return box;
}

function fill(box, diffs) {
  const files = diffs.map(drawFile);
  const modes = h("div.modes", { role: "group", "aria-label": "How the change is drawn" });
  for (const name of MODES) {
    const pick = () => {
      mode = name;
      fill(box, diffs);
    };
    modes.append(h("button", { type: "button", "aria-pressed": String(name === mode), onclick: pick }, name));
  }
  const chips = diffs.map((file, index) => chip(file, () => files[index].scrollIntoView({ block: "start" })));
  box.replaceChildren(h("div.diff-tools", h("nav", { "aria-label": "Files" }, ...(chips.length > 1 ? chips : [])), modes), ...files);
  // Colours only help: without them the text stands as it is.
  import("./syntax.js").then(({ colour }) => colour(files, diffs)).catch(() => {});
}

/** `v`, `[` and `]`. True if the key was meant for a diff. */
export function diffKey(box, diffs, key) {
  if (key === "v") {
    mode = mode === "unified" && fits() ? "split" : "unified";
    fill(box, diffs);
    return true;
  }
  if (key !== "[" && key !== "]") return false;
  const hunks = [...box.querySelectorAll(".hunk")];
  const here = hunks.indexOf(document.activeElement);
  const to = hunks[key === "]" ? here + 1 : here < 0 ? hunks.length - 1 : here - 1];
  to?.focus({ preventScroll: true });
  to?.scrollIntoView({ block: "center" });
  return true;
}

const counts = (file) => [h("span.plus", `+${file.added}`), " ", h("span.minus", `−${file.removed}`)];
const fileName = (path) => inert(path.split("/").pop() || path, { lines: "space" });
const chip = (file, onclick) => h("button.chip", { type: "button", onclick, title: file.path }, fileName(file.path), " ", ...counts(file));

function drawFile(file) {
  const head = h("h4", h("span.path", inert(file.path, { lines: "space" })), file.is_new && h("span.chip", "new file"), " ", ...counts(file));
  const section = h("section.file", head);
  if (file.note) section.append(h("p.note", inert(file.note, { lines: "space", code: false })));
  const isSplit = mode === "split" && fits() && !file.is_new;
  (file.hunks ?? []).forEach((hunk, at) => {
    const label = `Change ${at + 1} of ${file.hunks.length}, line ${hunk.new_start}`;
    section.append(h(`div.hunk.code${isSplit ? ".split" : ""}`, { tabIndex: 0, role: "group", "aria-label": label }, ...rows(hunk, isSplit)));
  });
  if (!file.hunks?.length && !file.note) section.append(h("p.note", "Nothing in it would change."));
  return section;
}

function rows(hunk, isSplit) {
  let old = hunk.old_start;
  let now = hunk.new_start;
  const made = [];
  for (const [minus, plus, context] of runs(hunk.lines)) {
    if (context !== undefined) {
      const cells = [cell(old, " ", context), cell(now, " ", context)];
      made.push(...(isSplit ? cells : [line(old, now, " ", context)]));
      old += 1;
      now += 1;
      continue;
    }
    const [removed, added] = marks(minus, plus);
    if (isSplit) {
      for (let at = 0; at < Math.max(minus.length, plus.length); at += 1) {
        made.push(at in minus ? cell(old++, "-", minus[at], removed[at]) : h("div.cell"), at in plus ? cell(now++, "+", plus[at], added[at]) : h("div.cell"));
      }
    } else {
      for (const [at, text] of minus.entries()) made.push(line(old++, "", "-", text, removed[at]));
      for (const [at, text] of plus.entries()) made.push(line("", now++, "+", text, added[at]));
    }
  }
  return made;
}

/** The changed words of each removed and each added line, where the two are one line that changed. */
function marks(minus, plus) {
  const removed = [];
  const added = [];
  let next = 0;
  for (const [at, text] of minus.entries()) {
    for (let other = next; other < Math.min(next + NEAR, plus.length); other += 1) {
      const sides = changedWords(text, plus[other]);
      if (!sides) continue;
      [removed[at], added[other]] = sides;
      next = other + 1;
      break;
    }
  }
  return [removed, added];
}

/** Each run of removed and added lines as `[minus, plus]`, each other line as `[,, text]`. */
function* runs(lines) {
  let minus = [];
  let plus = [];
  for (const text of lines) {
    const sign = text[0];
    if (sign === "-" && !plus.length) minus.push(text.slice(1));
    else if (sign === "+") plus.push(text.slice(1));
    else {
      if (minus.length || plus.length) yield [minus, plus];
      minus = sign === "-" ? [text.slice(1)] : [];
      plus = [];
      if (sign !== "-") yield [[], [], text.slice(1)];
    }
  }
  if (minus.length || plus.length) yield [minus, plus];
}

const KINDS = { "+": "add", "-": "del", " ": "same" };
const SIGNS = { "+": "+", "-": "−", " ": " " };
const SAID = { "+": "added", "-": "removed" };

function content(sign, text, words) {
  const box = h("span.tx");
  if (!words) box.append(drawn(text));
  else for (const [part, isChanged] of words) box.append(isChanged ? h(sign === "+" ? "ins" : "del", drawn(part)) : drawn(part));
  return [h("span.sg", SAID[sign] ? { role: "img", "aria-label": SAID[sign] } : {}, SIGNS[sign]), box];
}

const line = (old, now, sign, text, words) =>
  h(`div.ln.${KINDS[sign]}`, h("span.lno", { "aria-hidden": "true" }, String(old)), h("span.lno", { "aria-hidden": "true" }, String(now)), ...content(sign, text, words));
const cell = (number, sign, text, words) =>
  h(`div.cell.ln.${KINDS[sign]}`, h("span.lno", { "aria-hidden": "true" }, String(number)), ...content(sign, text, words));
