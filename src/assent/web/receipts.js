// What an ask's state is called, word for word. Pure: what is drawn follows from the ask, from what was sent here, and the time.

import { clock, duration, hourMinute, stopwatch } from "./dom.js";
import { agentName } from "./names.js";

const DID = {
  allow: "Allowed",
  allow_edited: "Allowed with changes",
  allow_session: "Allowed for the session",
  allow_project: "Allowed for the project",
  allow_user: "Allowed for all projects",
  deny: "Denied",
  deny_and_stop: "Denied, and the turn stopped",
  hand_back: "Left for the terminal",
  answer: "Answered",
  approve: "Approved",
  revise: "Notes sent",
  submit: "Filled in",
  decline: "Declined",
  cancel: "Cancelled",
  keep_going: "Kept going",
  let_stop: "Stopped",
};
const NO = new Set(["deny", "deny_and_stop", "decline", "cancel", "let_stop", "revise"]);

const ago = (ms) => (ms < 60_000 ? `${(Math.max(0, ms) / 1000).toFixed(ms < 10_000 ? 1 : 0)} s ago` : `${Math.floor(ms / 60_000)} min ago`);

/** A person is known by the name of their device, as in `person:Chrome-on-Linux`. */
export const nameOf = ({ surface, by }) => by?.replace(/^person:/, "").replaceAll("-", " ") || surface || "";

function place(answer) {
  const where = nameOf(answer);
  if (where === "terminal") return "in the terminal";
  return where === "desk" ? "at the desk" : where ? `on ${where}` : "";
}

const saidBy = (answer) => `${[DID[answer.choice] ?? answer.choice, place(answer)].filter(Boolean).join(" ")}, ${clock(answer.at)}`;

/** `waiting 0:42 · until 9:58` */
export const waitingText = (ask, now) =>
  `waiting ${stopwatch(now - ask.opened_at)}${ask.expires_at ? ` · until ${hourMinute(ask.expires_at)}` : ""}`;

const looksGone = (ask, now) => {
  const seen = ask.result?.at ? ` (no prompt seen for ${Math.round((now - ask.result.at) / 1000)} s)` : "";
  return `Looks answered at the terminal${ask.result?.why ? ` (${ask.result.why})` : seen}`;
};

/** `Allowed in the terminal, 09:41:07`; what is only concluded says from what. */
function atTheTerminal(why, at) {
  const did = { "allowed at the terminal": "Allowed", "denied at the terminal": "Denied" }[why];
  return did ? `${did} in the terminal, ${at}` : `Answered in the terminal, ${at}${why ? ` (${why})` : ""}`;
}

const ENDINGS = {
  ran: (ask) => ["done", "✓", `ran${took(ask)}`],
  failed: (ask) => ["failed", "✕", `ran${ask.result.why ? `: ${ask.result.why}` : ", failed"}${took(ask)}`],
  denied: (ask) => ["no", "✕", ask.answer ? saidBy(ask.answer) : `Denied${ask.result.why ? `: ${ask.result.why}` : ""}`],
  terminal: (ask) => ["elsewhere", "→", atTheTerminal(ask.result.why ?? "", clock(ask.result.at ?? ask.opened_at))],
  expired: (ask) => ["expired", "◌", `Expired at ${hourMinute(ask.result.at ?? ask.expires_at)}. Nothing was sent; the terminal decides.`],
  handed_back: () => ["handed_back", "→", "Left for the terminal"],
  withdrawn: (ask) => ["withdrawn", "◌", ask.result.why || "The agent moved on"],
  unknown: (ask) => ["withdrawn", "◌", ask.result.why || "Nobody reported how it ended"],
};

const took = ({ answer, result }) => (answer && result.at > answer.at ? `, ${duration(result.at - answer.at)}` : "");

/** `{ name, glyph, text, isOpen }`: open, gone, sending, told, done, failed, no, elsewhere, expired, handed_back, withdrawn, lost */
export function stateOf(ask, mine, now, turnedAt = now) {
  const made = (name, glyph, text) => ({ name, glyph, text, isOpen: name === "open" || name === "gone" });
  if (ask.undelivered) return made("lost", "▲", `${agentName(ask.subject.harness)} was not told: ${ask.undelivered}`);
  if (ask.state === "closed") {
    const isOurs = ask.answer && ask.result?.ending !== "failed" && NO.has(ask.answer.choice);
    return made(...(isOurs ? ["no", "✕", saidBy(ask.answer)] : ENDINGS[ask.result?.ending ?? "unknown"](ask)));
  }
  if (mine?.phase === "held" || mine?.phase === "posting") return made("sending", "◔", "Sending…");
  if (ask.state === "open") return made("open", "", waitingText(ask, now));
  if (ask.state === "doubtful") return made("gone", "◌", looksGone(ask, now));
  if (!mine && ask.answer) return made("elsewhere", "→", saidBy(ask.answer));
  if (ask.state === "answered") return made("sending", "◔", "Sending…");
  return made("told", "✓", `Told ${agentName(ask.subject.harness)} ${ago(now - turnedAt)}`);
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
