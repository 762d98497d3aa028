// Which words of a line changed: the longest common run of words, within a bound on the work.

const MOST_WORK = 40_000;
const WORDS = /\w+|\s+|(.)\1*/gsu;

/** Both lines as lists of `[text, isChanged]`; undefined if they have too little in common for that to help. */
export function changedWords(before, after) {
  const old = before.match(WORDS) ?? [];
  const now = after.match(WORDS) ?? [];
  if (old.length * now.length > MOST_WORK) return undefined;
  const width = now.length + 1;
  const best = new Uint16Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const at = i * width + j;
      best[at] = old[i] === now[j] ? best[at + width + 1] + 1 : Math.max(best[at + width], best[at + 1]);
    }
  }
  if (best[0] * 3 < Math.max(old.length, now.length)) return undefined;
  const sides = [[], []];
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      add(sides[0], old[i++], false);
      add(sides[1], now[j++], false);
    } else if (j >= now.length || (i < old.length && best[(i + 1) * width + j] >= best[i * width + j + 1])) add(sides[0], old[i++], true);
    else add(sides[1], now[j++], true);
  }
  return sides;
}

function add(side, text, isChanged) {
  const last = side.at(-1);
  if (last && last[1] === isChanged) last[0] += text;
  else side.push([text, isChanged]);
}
