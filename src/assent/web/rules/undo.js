// An "always" taken back: the rule goes from the file the agent wrote it to.

import { get, send } from "../api.js";

const LEVELS = { localSettings: "agent.local", userSettings: "agent.user" };

/** A sentence about what became of it. */
export async function takeBack(ask) {
  const where = `?cwd=${encodeURIComponent(ask.subject.project)}`;
  let count = 0;
  for (const grant of ask.answer.grants) {
    const [, words, destination] = /^(.*) in (\w+)$/s.exec(grant) ?? [];
    const { rules } = await get(`/api/rules${where}`);
    const mine = rules.find((rule) => rule.level === LEVELS[destination] && rule.decision === "allow" && rule.match[0] === words);
    if (!mine) continue;
    const { file, number, match, decision } = mine;
    await send("DELETE", `/api/rules${where}`, { file, number, match, decision });
    count += 1;
  }
  return count ? "Taken back: it is asked about again." : "It was not found in the settings. Look under Rules.";
}
