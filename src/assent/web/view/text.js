// Text that an agent wrote, drawn so that nothing in it can hide or pose as something else.

import { grouped, h } from "./h.js";

// Controls, format and private characters, odd blanks, and what browsers draw as nothing at all.
const HIDDEN = /[\p{C}\p{Z}\p{DI}\u2800]/u;
const PLAIN = /^[\t\n -~]*$/;
const PIECES = /\n+|\t+| +|[!-~]+|(?:(?!\p{DI})[\p{L}\p{N}\p{M}])+|[\s\S]/gu;
// Letters of other scripts, and signs, that are taken for plain ones.
const TWINS =
  /[авеѕіјкмһорстухгԁԛԝѵӏАВЕЅІЈКМНОРСТУХГԌҮӀαορνυικγτωΑΒΕΖΗΙΚΜΝΟΡΤΥΧϲϳɑɡɩıȷǃօոսհցᎪᏴᏟᎬᏀᎻᎥᎫᏦᏞᎷᏢᏒᎢᏙᎳᏃ\u037e\u2010-\u2012\u2024\u2044\u2100-\u214f\u2160-\u217f\u2212\u2215\u29f8\u29f9\ua789\uff01-\uff5e\u{1d400}-\u{1d7ff}]/u;
const OTHER_LETTER = new RegExp(`(?!${TWINS.source})[^\\P{L}\\x00-\\x7f]`, "u");

// Longer than this, in characters or in lines, is folded to its start and its end.
const LONG = { chars: 4_000, lines: 60 };
const START = { chars: 2_400, lines: 36 };
const END = { chars: 1_200, lines: 18 };

const mark = (text, title) => h("span.mark", { title }, text);
export const coded = (character) => `⟨U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`;

/**
 * The text as nodes. `lines`: how newlines are drawn, "mark" with a sign, "plain" without, "space" in one line;
 * `code`: letters that pass for others are told apart.
 */
export function inert(text, { lines = "mark", code = true } = {}) {
  const out = document.createDocumentFragment();
  if (PLAIN.test(text) && !/ {21}|\t{9}|\n/.test(text)) {
    out.append(text);
    return out;
  }
  let plain = "";
  const flush = () => {
    if (plain) out.append(plain);
    plain = "";
  };
  const draw = (node) => {
    flush();
    out.append(node);
  };
  let before = "";
  for (const [piece] of text.matchAll(PIECES)) {
    if (piece[0] === "\n") newlines(piece.length, lines, draw, (more) => (plain += more));
    else if (piece[0] === " " && piece.length > 20) draw(mark(`␣×${piece.length}`, `${piece.length} blanks`));
    else if (piece[0] === "\t" && piece.length > 8) draw(mark(`⇥×${piece.length}`, `${piece.length} tabs`));
    else if (PLAIN.test(piece)) plain += piece;
    else if (isHidden(piece, before)) draw(mark(coded(piece), "a character that is not seen"));
    else if (code && poses(piece, before, text)) {
      for (const letter of piece) {
        if (TWINS.test(letter)) draw(mark(letter + coded(letter), "not the letter it looks like"));
        else plain += letter;
      }
    } else plain += piece;
    before = piece;
  }
  flush();
  return out;
}

// Emoji are joined and coloured by characters that are hidden anywhere else.
const isHidden = (piece, before) =>
  HIDDEN.test(piece) && !(/[\u200d\ufe0f]/.test(piece) && /\p{Extended_Pictographic}|\ufe0f/u.test(before));

// A word that mixes with plain letters poses; one with nothing but such letters does where nothing else is of its script.
const poses = (word, before, text) =>
  TWINS.test(word) && (/[a-z]/i.test(word) || /[a-z]$/i.test(before) || (!OTHER_LETTER.test(word) && !OTHER_LETTER.test(text)));

function newlines(count, lines, draw, write) {
  if (count > 3) {
    draw(mark(`↵×${count}`, `${count} line breaks`));
    write(lines === "space" ? " " : "\n");
  } else if (lines === "mark") {
    for (let left = count; left > 0; left -= 1) {
      draw(h("span.nl", { "aria-hidden": "true" }, "↵"));
      write("\n");
    }
  } else write(lines === "space" ? " " : "\n".repeat(count));
}

/** The same in full or, where it is long, its start and its end with what is between them a press away. */
export function longText(text, draw = inert) {
  const out = document.createDocumentFragment();
  if (text.length <= LONG.chars && linesEnd(text, LONG.lines) === text.length) {
    out.append(draw(text));
    return out;
  }
  const start = linesEnd(text.slice(0, START.chars), START.lines);
  const end = text.length - linesEnd([...text.slice(-END.chars)].reverse().join(""), END.lines);
  const more = h("button.fold", { type: "button" }, `⋯ ${grouped(end - start)} characters ⋯`);
  more.onclick = () => more.replaceWith(draw(text.slice(start, end)));
  out.append(draw(text.slice(0, start)), more, draw(text.slice(end)));
  return out;
}

/** Where so many lines end, or the text. Many line breaks in a row are drawn as one. */
function linesEnd(text, lines) {
  let left = lines;
  for (const found of text.matchAll(/\n{4,}|\n/g)) {
    left -= 1;
    if (!left) return found.index;
  }
  return text.length;
}

/** Calls back once, when the end of the element was in view. Returns what stops watching. */
export function watchEnd(element, callback) {
  const end = h("span.thing-end", { "aria-hidden": "true" });
  element.append(end);
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      callback();
    },
    // What stands under the bar of actions was not seen.
    { rootMargin: "0px 0px -72px 0px" },
  );
  observer.observe(end);
  return () => observer.disconnect();
}
