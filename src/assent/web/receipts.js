// What an ask's state is called, word for word. Pure: what is drawn follows from the ask, from what was sent here, and the time.

import { begun, clock, duration, hourMinute, waited } from "./dom.js";
import { agentName } from "./names.js";
import { CHOICES, STATES } from "./wording.js";

const NO = new Set(["deny", "deny_here", "deny_and_stop", "decline", "cancel", "let_stop", "revise"]);

const did = (choice) => begun(CHOICES[choice]?.past ?? choice);

const filled = (name, parts) => STATES[name].word.replace(/\{(\w+)\}/g, (_, part) => parts[part] ?? "");

const ago = (ms) => (ms < 60_000 ? `${(Math.max(0, ms) / 1000).toFixed(ms < 10_000 ? 1 : 0)} s ago` : `${Math.floor(ms / 60_000)} min ago`);

/** A person is known by the name of their device, as in `person:Chrome-on-Linux`; on other machines by theirs. */
export function nameOf({ surface, by }) {
  const name = by?.replace(/^person:/, "");
  return (surface === "team" ? name : name?.replaceAll("-", " ")) || surface || "";
}

function place(answer) {
  const where = nameOf(answer);
  if (answer.surface === "team") return answer.device ? `by ${where} (${answer.device})` : `by ${where}`;
  if (where === "terminal") return "in the terminal";
  return where === "desk" ? "at the desk" : where ? `on ${where}` : "";
}

const saidBy = (answer) => `${[did(answer.choice), place(answer)].filter(Boolean).join(" ")}, ${clock(answer.at)}${answer.together ? `, one of ${answer.together} at once` : ""}`;

const evidence = (ask, now) => {
  const seen = ask.result?.at ? ` (no prompt seen for ${Math.round((now - ask.result.at) / 1000)} s)` : "";
  return ask.result?.why ? ` (${ask.result.why})` : seen;
};

/** `Allowed in the terminal, 09:41:07`; what is only concluded says from what. */
function atTheTerminal(why, at) {
  const [word] = why.split(" at the terminal");
  return /^(allow|deni)ed$/.test(word) ? `${begun(word)} in the terminal, ${at}` : `Answered in the terminal, ${at}${why ? ` (${why})` : ""}`;
}

const took = ({ answer, result }) => (answer && result.at > answer.at ? `, ${duration(result.at - answer.at)}` : "");

/** By the ending: the state, what is filled in, and what is said instead.
 * @type {Record<string, (ask: any) => [string, Record<string, string>?, string?]>} */
const ENDINGS = {
  ran: (ask) => ["done", { took: took(ask) }],
  failed: (ask) => ["failed", { why: ask.result.why ? `: ${ask.result.why}` : "", took: took(ask) }],
  denied: (ask) => ["no", { said: ask.answer ? saidBy(ask.answer) : `${did("deny")}${ask.result.why ? `: ${ask.result.why}` : ""}` }],
  terminal: (ask) => ["elsewhere", { said: atTheTerminal(ask.result.why ?? "", clock(ask.result.at ?? ask.opened_at)) }],
  expired: (ask) => ["expired", { at: hourMinute(ask.result.at ?? ask.expires_at) }],
  handed_back: () => ["handed_back"],
  // Where there is a reason, it says more than the state does.
  withdrawn: (ask) => ["withdrawn", {}, ask.result.why || undefined],
  unknown: (ask) => ["withdrawn", {}, ask.result?.why || STATES.unknown.word],
};

/** @param {string} name @param {Record<string, string>} [parts] @param {string} [text] */
const made = (name, parts, text = filled(name, parts)) => ({ name, glyph: STATES[name].sign, text, isOpen: name === "open" || name === "gone" });

/** `{ name, glyph, text, isOpen }`: open, gone, sending, told, done, failed, no, elsewhere, expired, handed_back, withdrawn, lost */
export function stateOf(ask, mine, now, turnedAt = now) {
  const agent = agentName(ask.subject.harness);
  if (ask.undelivered) return made("lost", { agent, why: ask.undelivered });
  if (ask.state === "closed") {
    const ending = ask.result?.ending ?? "unknown";
    const isOurs = ask.answer && ending !== "failed" && NO.has(ask.answer.choice);
    const ended = isOurs ? made("no", { said: saidBy(ask.answer) }) : made(...(ENDINGS[ending] ?? ENDINGS.unknown)(ask));
    return ask.told_with ? { ...ended, text: `${ended.text} · told with this result: “${ask.told_with}”` } : ended;
  }
  if (mine?.phase === "held" || mine?.phase === "posting") return made("sending");
  if (ask.state === "open") return made("open", { time: waited(now - ask.opened_at, ask.expires_at ? ask.expires_at - now : undefined) });
  if (ask.state === "doubtful") return made("gone", { why: evidence(ask, now) });
  if (!mine && ask.answer) return made("elsewhere", { said: saidBy(ask.answer) });
  if (ask.state === "answered") return made("sending");
  return made("told", { agent, ago: ago(now - turnedAt) });
}

/** Why an answer was not used, as loud as it deserves. */
export function refusalText(error, ask, now) {
  if (error.code === "too-late") {
    const since = ask?.answer?.at ?? ask?.result?.at;
    const late = since ? `${Math.max(1, Math.round((now - since) / 1000))} s too late` : "too late";
    return `Your answer came ${late} and was not used.`;
  }
  if (error.code === "changed") return "It changed while you looked, so your answer was not used. Read it again.";
  return error.sentence ?? error.message;
}
