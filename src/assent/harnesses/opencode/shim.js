// The way from opencode to the hub: each event starts the shim, as hooks of other clients do. It finds or starts the hub,
// keeps its deadlines, and says what holds where there is none.
//
// The hub places this file beside the shim and fills in the next line: how the shim is started, how long it may take for
// each event, and what counts where it cannot be started.
const ASSENT = {};

import { spawn } from "node:child_process";

// Shims that wait for a person, by what they wait for.
const waiting = new Map();

/** Whether a person is asked about this at the moment. */
export const waits = (key) => waiting.has(key);

/** What the hub says to an event of a session: an object, or null for silence. Never throws. */
export const tell = (event, id, body, key = "") => {
  const last = () => ASSENT.last[event]?.[body.asks === false ? "unreachable_bypass" : "unreachable"] ?? null;
  return new Promise((resolve) => {
    const [program, ...words] = ASSENT.command;
    let child;
    try {
      const all = [...words, ASSENT.name, event, ...ASSENT.times[event]];
      child = spawn(program, all, { stdio: ["pipe", "pipe", "ignore"] });
    } catch {
      resolve(last());
      return;
    }
    if (key) waiting.set(key, { child, id });
    let printed = "";
    child.on("error", () => resolve(last()));
    child.stdin.on("error", () => {});
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (text) => {
      printed += text;
    });
    child.on("close", (code) => {
      if (waiting.get(key)?.child === child) waiting.delete(key);
      if (child.isWithdrawn) resolve({ withdrawn: true });
      else if (code !== 0) resolve(last());
      else resolve(printed ? (parsed(printed) ?? last()) : null);
    });
    child.stdin.end(JSON.stringify(body));
  });
};

/** End shims whose answer is not needed any more: the hub sees that and withdraws the ask. */
export const withdraw = (isMeant) => {
  for (const [key, { child, id }] of waiting) {
    if (!isMeant(key, id)) continue;
    child.isWithdrawn = true;
    child.kill();
  }
};

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
