// Rules by where they stand: who made them, what they say, whether they are heard, and the way to take them back.

import { words } from "../label.js";
import { get } from "../api.js";
import { h, signed } from "../dom.js";
import { short } from "../places.js";
import { RULES } from "../wording_more.js";

const LEVELS = {
  user: ["Yours", "everywhere"],
  project: ["The project's", "in this project, once you trust it"],
  "agent.managed": ["Claude's, set by your organisation", ""],
  "agent.user": ["Claude's own", "everywhere; its client obeys them itself"],
  "agent.project": ["Claude's, from the repository", "its client obeys them itself"],
  "agent.local": ["Claude's, for you in this project", "its client obeys them itself"],
};

const canRemove = (rule) => rule.level === "user" || (/^agent\.(user|local)$/.test(rule.level) && rule.decision === "allow");

/** `remove(rule)`: after a second press. */
export function drawRules(rules, remove) {
  const groups = Map.groupBy?.(rules, fileOf) ?? grouped(rules);
  return [...groups.values()].map((group) => {
    const [whose, where] = LEVELS[group[0].level] ?? [group[0].level, ""];
    return h("section.rules", h("h2", whose, h("span.where", where && `, ${where}`)), h("p.file", words(short(group[0].file))), h("ul", ...group.map((rule) => drawRule(rule, remove))));
  });
}

/** Calls that need the yes of certain people, whatever is allowed otherwise. */
export function drawApprovals(approvals) {
  return [...grouped(approvals).values()].map((group) => {
    const whose = group[0].level === "user" ? "Your approvals" : "The project's approvals";
    return h("section.rules.approvals", h("h2", whose), h("p.file", words(short(group[0].file))), h("ul", ...group.map(drawApproval)));
  });
}

function drawApproval({ number, match, needs, reason }) {
  return h("li.rule", h("span.chip.ask", "needs"), h("div", h("p.patterns", h("code", words(match))), h("p", "the yes of ", words(needs)), reason && h("p.reason", words(reason))), h("span.number", String(number)), h("span"), h("span"));
}

const fileOf = (rule) => `${rule.level} ${rule.file}`;

function grouped(rules) {
  const groups = new Map();
  for (const rule of rules) groups.set(fileOf(rule), [...(groups.get(fileOf(rule)) ?? []), rule]);
  return groups;
}

function drawRule(rule, remove) {
  const patterns = rule.match.map((text) => h("code", words(text)));
  const name = `rule:${rule.level}#${rule.number}`;
  const about = [rule.when && h("p", words(rule.when)), rule.reason && h("p.reason", words(rule.reason)), rule.unheard && h("p.fault", words(rule.unheard))];
  const hits = rule.level.startsWith("agent.") ? "" : h("a.hits", { href: `/log?q=${encodeURIComponent(`by:${name}`)}` }, "what it decided");
  return h(`li.rule${rule.unheard ? ".unheard" : ""}`, h(`span.chip.${rule.decision}`, ...signed(RULES[rule.decision].sign, RULES[rule.decision].word)), h("div", h("p.patterns", ...patterns), ...about), h("span.number", String(rule.number)), hits, canRemove(rule) ? removal(rule, remove) : h("span"));
}

const MOST_COUNTED = 20;
const MOST_HITS = 200;

/** How often each decided within a week, one after the other: nothing waits for it. */
export async function countHits(list) {
  for (const link of [...list.querySelectorAll(".hits")].slice(0, MOST_COUNTED)) {
    const q = `${new URL(link.href).searchParams.get("q")} since:7d`;
    const found = await get(`/api/log?limit=${MOST_HITS}&q=${encodeURIComponent(q)}`).catch(() => null);
    if (!found || !link.isConnected) return;
    const isMore = found.records.length >= MOST_HITS || found.unseen_before;
    link.textContent = `${found.records.length}${isMore ? "+" : ""} in 7 days`;
  }
}

/** A second press in the same place, so that a slip removes nothing. */
function removal(rule, remove) {
  const button = h("button.link", { type: "button", "aria-label": `Remove ${rule.match.join(", ")}` }, "Remove");
  const ask = () => {
    button.textContent = "Remove: sure?";
    button.onclick = () => remove(rule);
  };
  button.onclick = ask;
  button.onblur = () => {
    button.textContent = "Remove";
    button.onclick = ask;
  };
  return button;
}
