// What things are called: the letters and the hue of a project, the people's words for agents and risks.

import { KINDS, RISKS } from "./wording.js";

const AGENTS = { "claude-code": "Claude", claude_code: "Claude", opencode: "opencode", "": "the agent" };

/** A permission is known by its risk, the other kinds by what they are. */
export const glyphOf = (ask) => (KINDS[ask.kind] ?? RISKS[ask.risk.level] ?? RISKS.care).sign;
export const riskWord = (ask) => RISKS[ask.risk.level]?.word ?? ask.risk.level;
/** `codex` is Codex, and `acp:gemini-cli` is Gemini (ACP). */
export const agentName = (harness = "") =>
  AGENTS[harness] ?? harness.replace(/(?:acp:)?(.)(.*?)(?:-cli|-code)?$/, (all, first, rest) => first.toUpperCase() + rest + (all.includes(":") ? " (ACP)" : ""));
/** The client's name where it is not the usual one. */
export const otherClient = (harness = "") => (harness && agentName(harness) !== AGENTS["claude-code"] ? agentName(harness) : "");

/** `main agent`, `Explore`, and of other clients `Copilot`, `Explore of Copilot`. */
export function whichAgent(subject) {
  const client = otherClient(subject.harness);
  const kind = subject.agent_type || subject.agent?.slice(0, 8);
  return kind ? `${kind}${client && ` of ${client}`}` : client || "main agent";
}

export const lastPart = (path) => path?.split("/").filter(Boolean).pop() ?? "";

export const projectOf = (subject) =>
  lastPart(subject.project) || lastPart(subject.folder ?? subject.cwd) || (subject.session ?? subject.id ?? "").slice(0, 8);

/** Initials of its words, or its first letter and the consonant after the first vowel: webshop is WB. */
export function letters(name) {
  const words = name.replace(/([a-z])([A-Z])/g, "$1 $2").split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  if (words.length > 1) return (words[0][0] + words[1][0]).toUpperCase();
  const word = words[0] ?? "??";
  const second = /^.[^aeiouy]*[aeiouy]+([^aeiouy])/i.exec(word)?.[1] ?? word[1] ?? "";
  return (word[0] + second).toUpperCase();
}

export function hue(name) {
  let sum = 2166136261;
  for (const character of name) sum = Math.imul(sum ^ character.codePointAt(0), 16777619);
  return 1 + (((sum ^ (sum >>> 13)) >>> 0) % 6);
}
