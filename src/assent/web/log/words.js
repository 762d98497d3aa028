// Decisions in words: what was said, by whom, and what came of it.

import { signed } from "../dom.js";
import { DECISIONS, ENDINGS, LOGGED } from "../wording_more.js";

export const answerOf = (row) => LOGGED[row.choice] ?? (row.ask && row.decision === "no_opinion" ? "–" : (DECISIONS[row.decision]?.word ?? row.decision.replaceAll("_", " ")));

/** `rule:user#4` as "rule 4", `person:desk` as "person", `permission:3f9a1c20` as "permission". */
export const deciderOf = ({ by = "" }) => by.replace(/^rule:.*#(\d+)$/, "rule $1").replace(/^(person|permission|floor):.*/, "$1").replace(/^stance:/, "stance ");

/** Nodes. */
export function resultOf(row) {
  const { sign, word } = row.ending || isNo(row) ? (ENDINGS[row.ending || "denied"] ?? ENDINGS.unknown) : { sign: "", word: "" };
  return signed(sign, word, row.certainty && row.certainty !== "certain" ? " (probably)" : "");
}

export const isNo = (row) => ["deny", "block", "halt"].includes(row.decision);
