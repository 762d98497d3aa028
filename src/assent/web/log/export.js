// The log as a file: every decision that the filter lets through, page by page.

import { get } from "../api.js";

const PAGE = 200;
const MOST = 20_000;
const COLUMNS = ["seq", "at", "ask", "risk", "session", "project", "tool", "verb", "what", "decision", "choice", "by", "surface", "device", "waited_ms", "ending", "certainty", "why", "call", "hash"];

/** A table program must not take what an agent wrote for a formula. */
const cell = (value) => {
  const text = String(value ?? "");
  return `"${(/^[=+\-@\t\r]/.test(text) && typeof value !== "number" ? `'${text}` : text).replaceAll('"', '""')}"`;
};
const when = (row) => ({ ...row, at: new Date(row.at).toISOString() });

const FORMS = {
  jsonl: { type: "application/jsonl", write: (rows) => rows.map((row) => `${JSON.stringify(when(row))}\n`) },
  csv: { type: "text/csv", write: (rows) => [COLUMNS, ...rows.map(when).map((row) => COLUMNS.map((name) => row[name]))].map((cells) => `${cells.map(cell).join(",")}\r\n`) },
};

/** `told(count)`: how far it is. Returns how many there were; at most 20,000. */
export async function exportLog(q, form, told) {
  const rows = [];
  let before = 0;
  do {
    const page = await get(`/api/decisions?limit=${PAGE}&before=${before}&q=${encodeURIComponent(q)}`);
    rows.push(...page.rows);
    before = page.before;
    told(rows.length);
  } while (before && rows.length < MOST);
  const { type, write } = FORMS[form];
  const url = URL.createObjectURL(new Blob(write(rows), { type }));
  const link = Object.assign(document.createElement("a"), { href: url, download: `assent-log.${form}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
  return { count: rows.length, isCut: Boolean(before) };
}
