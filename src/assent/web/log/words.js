// Decisions in words: what was said, by whom, and what came of it.

const CHOICES = {
  allow: "allowed once", allow_edited: "allowed, changed", allow_session: "allowed, session", allow_project: "allowed, project", allow_user: "always allowed",
  deny: "denied", deny_and_stop: "denied, stopped", hand_back: "left for the terminal", answer: "answered", approve: "approved", revise: "sent back",
  submit: "filled in", decline: "declined", cancel: "cancelled", keep_going: "kept going", let_stop: "let stop",
};
const DECISIONS = { allow: "allowed", deny: "denied", prompt: "prompted", block: "held back", halt: "halted", proceed: "kept going", no_opinion: "no opinion" };
const ENDINGS = { ran: "✓ ran", failed: "✕ failed", denied: "■ not run", terminal: "at the terminal", expired: "◌ expired", handed_back: "at the terminal", withdrawn: "◌ moved on", unknown: "not known" };

export const answerOf = (row) => CHOICES[row.choice] ?? (row.ask && row.decision === "no_opinion" ? "–" : (DECISIONS[row.decision] ?? row.decision.replaceAll("_", " ")));

/** `rule:user#4` as "rule 4", `person:desk` as "person". */
export const deciderOf = ({ by = "" }) => by.replace(/^rule:.*#(\d+)$/, "rule $1").replace(/^person:.*/, "person").replace(/^stance:/, "stance ");

export const resultOf = (row) => (ENDINGS[row.ending || (isNo(row) && "denied")] ?? "") + (row.certainty && row.certainty !== "certain" ? " (probably)" : "");

export const isNo = (row) => ["deny", "block", "halt"].includes(row.decision);
