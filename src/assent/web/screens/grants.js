// Grants: everything that was allowed for longer than once, by project: what it covers, since when, by whom and where,
// how often it spoke, and one way to take it back.

import { say } from "../announce.js";
import { get, send } from "../api.js";
import { thisDevice } from "../device.js";
import { counted, h, hourMinute, seldom } from "../dom.js";
import { projectGlyph, words } from "../label.js";
import { agentName, lastPart } from "../names.js";
import { short } from "../places.js";
import { nameOf } from "../receipts.js";
import { style } from "../style.js";
import { openStay, phrase } from "../view/stay.js";

await style("screens");

export const title = "Grants";

const TITLES = { run: "Agents may run tests here", change: "Agents may change files here that git can bring back" };
const KINDS = {
  shape: "one kind of command",
  exact: "one call, word for word",
  run: "tests, builds and linters",
  change: "writes, moves and commits",
  reads: "a program that only reads",
  rule: "always rule",
  directory: "folder",
  mode: "mode",
  deny: "no for good",
};
const KEEPERS = { rules: "your rules", client: "the agent's own settings", session: "this session only" };
// Others are a press away.
const MOST_PROJECTS = 4;
const MINUTE = 60_000;

let ends = [];

const titleOf = ({ kind, words: text }) => (TITLES[kind] ? TITLES[kind] : phrase(kind === "reads" ? `${text} only reads` : text));

/** Today by its hour, else with its day. */
function moment(ms) {
  const at = new Date(ms);
  const day = at.toDateString() === new Date().toDateString() ? "" : `${at.toLocaleDateString([], { day: "numeric", month: "short" })} `;
  return `${day}${hourMinute(ms)}`;
}

/** `until 14:20, 9 min left` */
function ending(until, now) {
  const minutes = Math.max(0, Math.ceil((until - now) / MINUTE));
  const left = minutes < 120 ? `${minutes} min` : minutes < 2_880 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1_440)} days`;
  return `until ${moment(until)}, ${left} left`;
}

function used(grant) {
  const calls = counted(grant.saved ?? 0, "call");
  const text = grant.kind === "deny" ? `denied ${calls}` : `let ${calls} pass`;
  if (!grant.saved) return "not used yet";
  return (grant.keeper ?? "assent") === "assent" ? h("a", { href: `/log?q=${encodeURIComponent(`by:permission:${grant.id}`)}` }, text) : text;
}

function facts(grant, now) {
  const who = grant.by ? nameOf(grant) : "";
  const keeper = KEEPERS[grant.keeper];
  return [
    `${KINDS[grant.kind]}${keeper ? ` in ${keeper}` : ""}, for ${grant.harness ? agentName(grant.harness) : "every agent"}`,
    grant.at ? `since ${moment(grant.at)}${who && ` by ${who}`}` : "since before what is on record",
    grant.until ? ending(grant.until, now) : "",
    used(grant),
    grant.rule && !keeper ? `also in ${agentName(grant.harness)}'s own settings: ${grant.rule}` : "",
  ].filter(Boolean);
}

export function mount(root, _params, store) {
  const list = h("div.granted");
  const told = h("p.told", { role: "status" });
  const heading = h("h1", { tabIndex: -1 }, title);
  let shown = "";

  function tell(sentence) {
    told.replaceChildren(words(sentence));
    say(sentence);
  }

  /** Folders of sessions, the newest first. */
  function projects() {
    const newest = [...store.sessions.values()].sort((a, b) => b.last - a.last);
    return [...new Set(newest.map((session) => session.project || session.cwd).filter(Boolean))];
  }

  /** What was asked for, and then how it is now. */
  async function act(doing, done) {
    await doing.then(() => tell(done), (error) => tell(error.sentence ?? error.message));
    shown = "";
    await load();
    heading.focus({ preventScroll: true });
  }

  function drawGrant(grant, mayGrant) {
    const onclick = () => {
      back.disabled = true;
      act(send("DELETE", `/api/grants/${grant.id}`), grant.kind === "deny" ? "Taken back. It is no longer denied." : "Taken back. It asks again from now on.");
    };
    const back = h("button", { type: "button", onclick }, "Take back");
    const name = h("p.what", { id: `grant-${grant.id}` }, grant.kind === "deny" ? "Deny: " : "", titleOf(grant));
    back.setAttribute("aria-describedby", name.id);
    const about = h("p.facts-line", ...facts(grant, store.now()).flatMap((fact, at) => [at ? " · " : "", fact.nodeType ? fact : words(fact)]));
    const where = grant.file && grant.rule ? h("p.facts-line", h("code", words(grant.rule)), " in ", h("code", words(short(grant.file)))) : "";
    const fault = grant.void ? h("p.fault", `Does not hold: ${grant.void}.`) : grant.fixed ? h("p.note", words(grant.fixed)) : "";
    return h("li.grant", h("div", name, about, where, fault), mayGrant && !grant.fixed ? back : "");
  }

  async function give(stay, project) {
    const fields = await openStay([stay], { project: short(project), agent: "", isGiven: true });
    if (!fields) return;
    const { grant: kind, ...more } = fields;
    await act(send("POST", "/api/grants", { kind, project, ...more }), `Allowed in ${lastPart(project)}: ${stay.words}.`);
  }

  function drawProject(project, grants, { offers, mayGrant }) {
    const open = mayGrant && project ? offers.filter((stay) => !grants.some((grant) => grant.kind === stay.kind && !grant.void)) : [];
    const buttons = open.map((stay) => h("button", { type: "button", onclick: () => give(stay, project) }, `${stay.words}…`));
    const name = project ? [projectGlyph({ project }), " ", words(lastPart(project)), " ", h("span.where", words(short(project)))] : ["Every project"];
    return h("section.project", h("h2", ...name), grants.length ? h("ul", ...grants.map((grant) => drawGrant(grant, mayGrant))) : "", buttons.length ? h("div.buttons", ...buttons) : "");
  }

  async function load() {
    const [found, device] = await Promise.all([get("/api/grants"), thisDevice()]).catch((error) => [{ error }]);
    if (found.error) {
      shown = "";
      return list.replaceChildren(h("p.fault", { role: "alert" }, found.error.sentence));
    }
    const timed = found.grants.some((grant) => grant.until) ? Math.floor(store.now() / MINUTE) : 0;
    const key = JSON.stringify([found, projects(), device?.scope, timed]);
    // What is read, or has the focus, stays where it is.
    if (key === shown) return undefined;
    shown = key;
    const named = [...new Set(["", ...found.grants.map((grant) => grant.project ?? ""), ...projects()])];
    const options = { offers: found.offers, mayGrant: ["grant", "admin"].includes(device?.scope) };
    const of = (project) => found.grants.filter((grant) => (grant.project ?? "") === project);
    const holding = named.filter((project) => of(project).length);
    const others = options.mayGrant ? named.filter((project) => project && !of(project).length) : [];
    const near = [...holding, ...others].slice(0, Math.max(holding.length, MOST_PROJECTS));
    const rest = others.filter((project) => !near.includes(project));
    const draw = (project) => drawProject(project, of(project), options);
    return list.replaceChildren(
      found.trouble ? h("p.fault", words(found.trouble)) : "",
      holding.length ? "" : h("p.empty", "Nothing is allowed for longer than once."),
      ...near.map(draw),
      rest.length ? h("details", h("summary", counted(rest.length, "more project")), ...rest.map(draw)) : "",
    );
  }

  const soon = seldom(300, load);
  // Calls that were let pass are counted, and what has an end comes nearer to it.
  const changed = ({ kind, body }) => (kind === "rules" || kind === "answer" || kind === "decision" || body?.event === "PostToolUse") && soon();
  const timer = setInterval(load, MINUTE);
  ends = [store.on("sessions", soon), store.on("record", changed), soon.cancel, () => clearInterval(timer)];
  const about = h("p.note", "Everything that was allowed for longer than once, or denied for good. Taken back, it asks again at once.");
  root.append(h("section.one.rules-screen.grants", h("header.list-head", heading), about, told, list));
  load();
}

export function unmount() {
  for (const end of ends) end();
}
