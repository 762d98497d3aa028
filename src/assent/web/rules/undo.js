// An answer that lasts taken back: the one way for all of them, whatever it was and wherever it stands.

import { get, send } from "../api.js";

// An answer and what it permits are written down one after the other.
const SOON = 2_000;
// The hub looks at a file again after a second.
const LOOKS = 4;
const BETWEEN = 500;
const OF_PROJECTS = new Set(["run", "change"]);

/** Whether this was given by that answer. */
function isFrom(grant, { at, by, grants = [] }) {
  const isNamed = OF_PROJECTS.has(grant.kind) || grants.some((text) => text.includes(grant.rule || grant.words) || text.startsWith(grant.words));
  return isNamed && grant.by === by && grant.at >= at && grant.at - at < SOON;
}

async function givenBy(answer) {
  for (let look = 1; ; look += 1) {
    const { grants } = await get("/api/grants");
    const given = grants.filter((grant) => isFrom(grant, answer));
    if (given.length || look === LOOKS) return given;
    await new Promise((go) => setTimeout(go, BETWEEN));
  }
}

/** A sentence about what became of it. */
export async function takeBack({ answer }) {
  const given = await givenBy(answer);
  for (const { id } of given) await send("DELETE", `/api/grants/${id}`);
  if (!given.length) return "It was not found. Look under Grants.";
  return answer.choice === "deny_here" ? "Taken back. It is no longer denied." : "Taken back. It asks again from now on.";
}
