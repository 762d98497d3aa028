// Answers on their way from here: bound to what was drawn when they were given, and taken back while that is possible.

import { send } from "./api.js";
import { say } from "./announce.js";
import { refusalText } from "./receipts.js";
import { isWaiting, store, takeAsk, tell } from "./store.js";

const UNDO = 2_000;
const given = new Map();

/** `{ choice, phase: held | posting | sent, until }` of an answer given on this page. */
export const mine = (id) => given.get(id);

/** What went wrong with the last answer to an ask, until it is read or another one is given. */
const refused = new Map();
export const refusalOf = (id) => refused.get(id);
export function dismiss(id) {
  refused.delete(id);
  tell("answers", id);
}

/** What is drawn now: an answer to it carries exactly this. */
export const bind = ({ id, rev, hash }) => Object.freeze({ id, rev, hash });

const isStill = ({ id, rev, hash }) => {
  const ask = store.asks.get(id);
  return ask !== undefined && isWaiting(ask) && ask.rev === rev && ask.hash === hash;
};

/** With `undo` it waits a moment before it is sent. */
export function give(bound, fields, { undo = false } = {}) {
  if (given.has(bound.id)) return;
  refused.delete(bound.id);
  const answer = { choice: fields.choice, phase: undo ? "held" : "posting", until: performance.now() + UNDO };
  given.set(bound.id, answer);
  if (undo) answer.timer = setTimeout(() => post(bound, fields, answer), UNDO);
  else post(bound, fields, answer);
  tell("answers", bound.id);
}

/** True if there was something to take back. */
export function undo(id) {
  const answer = given.get(id);
  if (answer?.phase !== "held") return false;
  clearTimeout(answer.timer);
  given.delete(id);
  say("Taken back. Nothing was sent.");
  tell("answers", id);
  return true;
}

async function post(bound, fields, answer) {
  if (!store.isLive || !isStill(bound)) {
    const text = store.isLive ? "It changed before your answer was sent, so nothing was sent. Look again." : "The hub cannot be reached. Nothing was sent.";
    return refuse(bound.id, text);
  }
  answer.phase = "posting";
  tell("answers", bound.id);
  try {
    const { missing } = await send("POST", `/api/asks/${bound.id}/answer`, { rev: bound.rev, hash: bound.hash, ...fields });
    if (missing) {
      // It counts and waits for others: a no can still be said.
      given.delete(bound.id);
      say(`Your yes counts. ${missing} more ${missing === 1 ? "is" : "are"} needed.`);
    } else answer.phase = "sent";
    tell("answers", bound.id);
  } catch (error) {
    if (error.body?.ask) takeAsk(error.body.ask);
    refuse(bound.id, refusalText(error, error.body?.ask, store.now()));
  }
}

/** The same answer to several that were shown at once, each bound to what was drawn of it. */
export async function giveAll(bounds, choice) {
  if (bounds.some(({ id }) => given.has(id))) return say("One of them was answered meanwhile. Nothing was sent.", { isUrgent: true });
  const turn = (id, phase) => {
    refused.delete(id);
    given.set(id, { choice, phase, until: 0 });
    tell("answers", id);
  };
  for (const { id } of bounds) turn(id, "posting");
  try {
    const { results } = await send("POST", "/api/asks/answers", { choice, asks: bounds });
    for (const result of results) {
      if (result.code) refuse(result.id, refusalText(result, store.asks.get(result.id), store.now()));
      else turn(result.id, "sent");
    }
  } catch (error) {
    for (const { id } of bounds) refuse(id, refusalText(error, undefined, store.now()));
  }
  return undefined;
}

function refuse(id, text) {
  given.delete(id);
  refused.set(id, text);
  say(text, { isUrgent: true });
  tell("answers", id);
}
