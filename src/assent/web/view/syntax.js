// Colours of code in a diff, painted over the text that is drawn already: no element and no character of it changes.

// Longer code may be written to keep the highlighter busy; it stays plain.
const LONGEST = 40_000;
const LONGEST_LINE = 2_000;
const ROLES = ["comment", "string", "keyword", "name"];

// Each takes at least one character and ends with the line or the text where its end is missing, so that the work grows with the length.
const DOUBLE = String.raw`"(?:[^"\\\n]|\\.)*"?`;
const SINGLE = String.raw`'(?:[^'\\\n]|\\.)*'?`;
const TRIPLE = String.raw`"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)`;
const BACKTICKS = "\x60(?:[^\x60\\\\]|\\\\[\\s\\S])*\x60?";
const HASH = String.raw`(?<![^\s;&|(])#[^\n]*`;
const SLASHES = String.raw`\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)`;
const DASHES = String.raw`--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)`;
const MARKUP = String.raw`<!--[\s\S]*?(?:-->|$)`;
const NUMBER = String.raw`(?<![\w$])(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)\w*`;
const WORD = String.raw`[A-Za-z_$][\w$]*`;

const CURLY = "abstract as async await break case catch class const constexpr continue default defer delete do else enum export extends extern final finally fn for foreach fun func function go goto guard if impl implements import in inline instanceof interface internal is let loop match mod module mut namespace new of operator override package private protected pub public readonly ref return sealed select sizeof static struct super switch template this throw throws trait try type typedef typeof union unsafe use using val var virtual void volatile when where while with yield self Self int bool float double char long short byte string unsigned";
const PYTHON = "and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield";
const RUBY = "alias and begin break case class def defined do else elsif end ensure for if in module next not or redo require rescue retry return self super then undef unless until when while yield";
const SHELL = "case do done elif else esac export fi for function if in local readonly return select set shift source then unset until while";
const SQL = "add all alter and as asc begin between by case cast column commit constraint create cross default delete desc distinct drop else end exists foreign from full grant group having if in index inner insert into is join key left like limit not of offset on or order outer primary references returning revoke right rollback select set table then to truncate union unique update using values view when where with";
const CONSTANTS = "true false null nil none undefined True False None NULL NaN";
const DEFINES = /^(?:class|def|enum|fn|fun|func|function|impl|interface|module|namespace|struct|trait|type)$/;

/** @type {Record<string, { comment: string, strings: string[], words?: string, anyCase?: boolean }>} */
const LANGUAGES = {
  curly: { comment: SLASHES, strings: [DOUBLE, SINGLE, BACKTICKS], words: CURLY },
  // Quotes that are not closed belong to the language.
  rust: { comment: SLASHES, strings: [DOUBLE], words: CURLY },
  python: { comment: HASH, strings: [TRIPLE, DOUBLE, SINGLE], words: PYTHON },
  ruby: { comment: HASH, strings: [DOUBLE, SINGLE], words: RUBY },
  shell: { comment: HASH, strings: [String.raw`"(?:[^"\\]|\\[\s\S])*"?`, "'[^']*'?"], words: SHELL },
  settings: { comment: HASH, strings: [DOUBLE, SINGLE] },
  sql: { comment: DASHES, strings: [SINGLE, DOUBLE], words: SQL, anyCase: true },
  style: { comment: String.raw`\/\*[\s\S]*?(?:\*\/|$)`, strings: [DOUBLE, SINGLE] },
  markup: { comment: MARKUP, strings: [DOUBLE] },
};
const ENDINGS = {
  curly: "c cc cpp cs cxx dart go h hpp java js json jsonc jsx kt kts mjs cjs php proto scala swift ts tsx groovy gradle",
  rust: "rs",
  python: "py pyi",
  ruby: "rb rake gemspec",
  shell: "sh bash zsh dockerfile makefile mk",
  settings: "yaml yml toml ini cfg conf env tf hcl properties",
  sql: "sql",
  style: "css scss less",
  markup: "html htm xml svg vue svelte",
};
const BY_ENDING = new Map(Object.entries(ENDINGS).flatMap(([name, all]) => all.split(" ").map((ending) => [ending, name])));

/** The name of a language by a file's name; undefined where none is known. */
const languageOf = (path) => BY_ENDING.get(path.split("/").pop().split(".").pop().toLowerCase());

const made = new Map();

function rulesOf(name) {
  if (!made.has(name)) {
    const { comment, strings, words = "", anyCase } = LANGUAGES[name];
    const pattern = new RegExp(`(?<comment>${comment})|(?<string>${strings.join("|")})|(?<number>${NUMBER})|(?<word>${WORD})`, "g");
    made.set(name, { pattern, keywords: new Set(words.split(" ")), constants: new Set(CONSTANTS.split(" ")), said: anyCase ? (word) => word.toLowerCase() : (word) => word });
  }
  return made.get(name);
}

/** `[role, start, end]` of what has a colour in a text. */
export function tokens(text, name) {
  const { pattern, keywords, constants, said } = rulesOf(name);
  const found = [];
  let isDefined = false;
  for (const match of text.matchAll(pattern)) {
    const { comment, string, number, word } = match.groups;
    const isName = number || constants.has(word) || isDefined;
    const role = comment ? "comment" : string ? "string" : keywords.has(said(word ?? "")) ? "keyword" : isName ? "name" : "";
    isDefined = role === "keyword" && DEFINES.test(word);
    if (role) found.push([role, match.index, match.index + match[0].length]);
  }
  return found;
}

/** Every text node of a line that is the file's own: no mark of ours and no button. */
function ownText(line) {
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT, (node) => (node.parentElement?.closest(".mark, .nl, button") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT));
  const nodes = [];
  while (walker.nextNode()) nodes.push(/** @type {Text} */ (walker.currentNode));
  return nodes;
}

/** Text of several lines, and where each text node stands in it. */
function joined(lines) {
  const places = [];
  let text = "";
  for (const { line, isPainted } of lines) {
    const nodes = (line.textContent ?? "").length > LONGEST_LINE ? [] : ownText(line);
    for (const node of nodes) {
      places.push({ node, start: text.length, isPainted });
      text += node.data;
    }
    text += "\n";
  }
  return { text, places };
}

/** Which lines are read together: those of the file as it was, and as it would be. What stays is painted once. */
const SIDES = { del: ".ln:is(.same, .del)", add: ".ln:is(.same, .add)" };

function paint(hunk, name) {
  const isSplit = hunk.classList.contains("split");
  for (const [kind, which] of Object.entries(SIDES)) {
    const rows = [...hunk.querySelectorAll(which)].filter((row) => !isSplit || row.matches(kind === "del" ? ":nth-child(odd)" : ":nth-child(even)"));
    const lines = rows.map((row) => ({ line: row.querySelector(".tx"), isPainted: isSplit || kind === "add" || row.classList.contains("del") }));
    const { text, places } = joined(lines);
    if (text.length > LONGEST) continue;
    let at = 0;
    for (const [role, start, end] of tokens(text, name)) {
      while (at < places.length && places[at].start + places[at].node.length <= start) at += 1;
      for (let next = at; next < places.length && places[next].start < end; next += 1) {
        const { node, start: from, isPainted } = places[next];
        if (isPainted) highlight(role, node, Math.max(0, start - from), Math.min(node.length, end - from));
      }
    }
  }
}

const nameOf = (role) => `code-${role}`;

function highlight(role, node, from, to) {
  const all = CSS.highlights.get(nameOf(role)) ?? new Highlight();
  all.add(new StaticRange({ startContainer: node, startOffset: from, endContainer: node, endOffset: to }));
  CSS.highlights.set(nameOf(role), all);
}

/** What is not on the page any more is forgotten. */
function forget() {
  for (const role of ROLES) {
    const all = CSS.highlights.get(nameOf(role));
    for (const range of all ?? []) if (!range.startContainer.isConnected) all?.delete(range);
  }
}

/** Colours for each file of a drawn diff; a browser that cannot paint them shows plain text. */
export function colour(files, diffs) {
  if (!CSS.highlights) return;
  forget();
  for (const [at, file] of files.entries()) {
    const name = languageOf(diffs[at].path);
    if (name) for (const hunk of file.querySelectorAll(".hunk")) paint(hunk, name);
  }
}
