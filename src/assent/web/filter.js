// The words by which people narrow rows down: the grammar of `assent log`, for rows that are on the screen already.

import { lastPart } from "./names.js";
import { RISKS as WORDS } from "./wording.js";

const WORD = /(-?)(?:([a-z_]+):)?((?:"(?:\\.|[^"\\])*"|[^\s"])*)/giy;
const VALUES = /(?:"(?:\\.|[^"\\])*"|[^,"])+/g;
const RISKS = Object.keys(WORDS);
const COMPARE = { "<": (a, b) => a < b, "<=": (a, b) => a <= b, "=": (a, b) => a === b, ">=": (a, b) => a >= b, ">": (a, b) => a > b };
const SPAN = { s: 1, m: 60, min: 60, h: 3600, d: 86_400, w: 604_800 };

const low = (text) => (text ?? "").toLowerCase();
const unquoted = (text) => text.replace(/"((?:\\.|[^"\\])*)"/g, (_, inside) => inside.replace(/\\(.)/g, "$1"));
const begins = (found, value) => low(found).startsWith(low(value));
const isOrBelow = (found = "", value = "") => found === value || (found.startsWith(value) && /[:#]/.test(found[value.length]));

function ofRisk(row, value) {
  const [, sign, level] = /^([<>]?=?)(\w+)$/.exec(value) ?? [];
  return row.risk ? (COMPARE[sign || "="] ?? (() => false))(RISKS.indexOf(row.risk), RISKS.indexOf(low(level))) : false;
}

/** Milliseconds since 1970; NaN if it is no moment. */
function moment(value, now, isEnd = false) {
  const span = [...value.matchAll(/(\d+)([a-z]+)/g)];
  if (span.length && span.map((part) => part[0]).join("") === value) {
    return now - 1000 * span.reduce((sum, [, number, unit]) => sum + number * (SPAN[unit] ?? NaN), 0);
  }
  const ago = { today: 0, yesterday: 1 }[value];
  const day = /^\d{4}-\d\d-\d\d$/.test(value) ? new Date(`${value}T00:00`) : ago === undefined ? undefined : new Date(new Date(now).setHours(0, 0, 0, 0) - ago * 86_400_000);
  return day ? day.getTime() + (isEnd ? 86_400_000 : 0) : Date.parse(value);
}

/** What each key means: `(row, value, session)`, session as far as it is known. */
const KEYS = {
  session: (row, value, session) => begins(row.session, value) || (session && [session.title, lastPart(session.project || session.cwd)].some((name) => low(name).includes(low(value)))),
  project: (_row, value, session) => session && [session.project, session.cwd].some((folder) => folder && (lastPart(folder) === lastPart(value) || `${folder}/`.startsWith(`${value}/`))),
  agent: (row, value) => begins(row.agent, value) || begins(row.agent_type, value),
  tool: (row, value) => row.kind === "call" && low(row.name) === low(value),
  risk: ofRisk,
  decision: (row, value) => low(row.said?.decision) === low(value),
  by: (row, value) => isOrBelow(row.said?.by, value) || isOrBelow(row.said?.by?.replace(/^person:/, ""), value),
  rule: (row, value) => isOrBelow(row.said?.by, `rule:${value}`),
  ask: (row, value) => row.ask === low(value),
  call: (row, value) => begins(row.id, value),
  since: (row, value, _session, now) => row.at >= moment(value, now),
  until: (row, value, _session, now) => row.at < moment(value, now, true),
};

const text = (row, value, session) =>
  [row.name, row.label, row.told, row.what, row.note, row.said?.why, row.agent_type, session?.title, lastPart(session?.project)].some((part) => low(part).includes(low(value)));

function problemOf(key, values, now) {
  if (key && !KEYS[key]) return `There is no key ${key}: here; there are ${Object.keys(KEYS).join(" ")}. To look for the text, quote it: "…"`;
  if (!values.length || values.some((value) => !value)) return `${key ?? "-"}: needs a value.`;
  if (key === "risk" && values.some((value) => !RISKS.includes(low(value.replace(/^[<>]?=?/, ""))))) return `${values[0]} is no risk; there are ${RISKS.join(", ")}.`;
  if (/^(since|until)$/.test(key) && Number.isNaN(moment(values[0], now))) return `${values[0]} is no moment: write 90s, 2h, 7d, today or 2026-01-31.`;
  return "";
}

/** `{ matches(row, session), problem }`. Where there is a problem, everything matches. */
export function parseFilter(typed, now = Date.now()) {
  const terms = [];
  for (const word of typed.trim().match(/(?:"(?:\\.|[^"\\])*"|[^\s"])+|"/g) ?? []) {
    if (word === '"') return { problem: "A quotation mark is never closed.", matches: () => true };
    WORD.lastIndex = 0;
    const [, sign, name, rest = ""] = WORD.exec(word) ?? [];
    const key = name?.toLowerCase();
    const values = key ? (rest.match(VALUES) ?? []).map(unquoted) : [unquoted(rest)];
    const problem = problemOf(key, values, now);
    if (problem) return { problem, matches: () => true };
    terms.push({ isNot: sign === "-", meets: key ? KEYS[key] : text, values });
  }
  const matches = (row, session) => terms.every(({ isNot, meets, values }) => values.some((value) => meets(row, value, session, Date.now())) !== isNot);
  return { problem: "", matches, isEmpty: terms.length === 0 };
}
