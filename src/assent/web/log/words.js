// Decisions in words: what was said, by whom, and what came of it.

import { DECISIONS, ENDINGS, LOGGED } from "../wording_more.js";

export const answerOf = (row) => LOGGED[row.choice] ?? (row.ask && row.decision === "no_opinion" ? "–" : (DECISIONS[row.decision]?.word ?? row.decision.replaceAll("_", " ")));

/** `rule:user#4` as "rule 4", `person:desk` as "person", `permission:3f9a1c20` as "permission". */
export const deciderOf = ({ by = "" }) => by.replace(/^rule:.*#(\d+)$/, "rule $1").replace(/^(person|permission|floor):.*/, "$1").replace(/^stance:/, "stance ");

const endedAs = ({ sign, word }) => `${sign} ${word}`;

export const resultOf = (row) => (row.ending || isNo(row) ? endedAs(ENDINGS[row.ending || "denied"] ?? ENDINGS.unknown) : "") + (row.certainty && row.certainty !== "certain" ? " (probably)" : "");

export const isNo = (row) => ["deny", "block", "halt"].includes(row.decision);
