// What was begun and not sent yet: kept by ask and revision while the page is open, so that looking elsewhere loses nothing.

const MOST = 50;
const drafts = new Map();

export function draftOf(ask, make) {
  const key = `${ask.id}:${ask.rev}`;
  const draft = drafts.get(key) ?? make();
  drafts.delete(key);
  drafts.set(key, draft);
  if (drafts.size > MOST) drafts.delete(drafts.keys().next().value);
  return draft;
}

/** Called when what was filled in changed, for the actions. */
export const changed = (box) => box.dispatchEvent(new CustomEvent("ready", { bubbles: true }));
