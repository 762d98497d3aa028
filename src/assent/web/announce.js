// What is read out: new asks, what became of answers, and the time that is left, at 60 and 15 seconds only.

import { byId } from "./dom.js";
import { projectOf, riskWord, whichAgent } from "./names.js";
import { KINDS } from "./wording.js";
import { isWaiting, store } from "./store.js";

const NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const LEFT = [60, 15];
const number = (count) => NUMBERS[count] ?? String(count);
const capital = (text) => text[0].toUpperCase() + text.slice(1);

export function say(text, { isUrgent = false } = {}) {
  const region = byId(isUrgent ? "urgent" : "polite");
  // Said twice in a row it has to be a change, or it is not read out.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

/** "Danger. Delete untracked files. webshop, main agent. Two of three." */
function announcement(ask, waiting) {
  const at = waiting.findIndex((one) => one.id === ask.id) + 1;
  const kind = KINDS[ask.kind]?.word ?? riskWord(ask);
  const count = at ? ` ${capital(number(at))} of ${number(waiting.length)}.` : "";
  const place = ask.flags?.includes("other_machine") && ask.subject.machine ? ` on ${ask.subject.machine}` : "";
  return `${kind}. ${ask.view.verb}. ${projectOf(ask.subject)}${place}, ${whichAgent(ask.subject)}.${count}`;
}

const told = new Set();

function tellNew({ ask, before, isOld }) {
  if (!ask || before || isOld || !isWaiting(ask)) return;
  say(announcement(ask, store.waiting()), { isUrgent: ask.risk.level === "danger" });
}

/** Called every second with the ask that is shown. */
export function tellTimeLeft(ask) {
  if (!ask?.expires_at || !isWaiting(ask)) return;
  const left = Math.ceil((ask.expires_at - store.now()) / 1000);
  const step = LEFT.findLast((seconds) => left <= seconds && left > seconds - 3);
  const key = `${ask.id}:${step}`;
  if (!step || told.has(key)) return;
  told.add(key);
  say(`${step} seconds left.`);
}

export const startAnnouncing = () => store.on("asks", tellNew);
