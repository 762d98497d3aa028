// The inbox while nothing waits: at first the steps that are left, later what the day brought. In words, because an empty
// screen could also be a broken one.

import { words } from "./label.js";
import { clock, counted, grouped, h } from "./dom.js";
import { drawPulse } from "./pulse.js";
import { say } from "./announce.js";
import { get, send } from "./api.js";
import { answerOf, deciderOf, isNo } from "./log/words.js";
import { stateOf, store, tell } from "./store.js";

const STEPS_EVERY = 2_000;
const DAY_EVERY = 10_000;
const LAST = 5;
// Some of the newest are no decisions, or those of a demo.
const LOOKED_AT = 40;
const HIDDEN = "assent.steps-hidden";

/** @type {{ installed: string[], event_seen: boolean, second_screen: boolean, program: string } | null} */
let setup = null;
/** @type {{ figures: any, rows: any[] } | null} */
let day = null;
let lookedAt = 0;

const complain = (error) => say(error.sentence ?? error.message, { isUrgent: true });
const sendTest = () => send("POST", "/api/asks/test", {}).catch(complain);
const isFirst = () => !setup?.event_seen && [...store.sessions.values()].every((session) => session.practice);

/** Called while the empty state is on the screen: whether something changed is looked up now and then. */
export async function refreshEmpty() {
  const every = isFirst() || !day ? STEPS_EVERY : DAY_EVERY;
  if (!store.hub || document.hidden || Date.now() - lookedAt < every) return;
  lookedAt = Date.now();
  setup = await get("/api/setup").catch(() => setup);
  if (!isFirst()) {
    const [counts, found] = await Promise.all([get("/api/stats?since=today"), get(`/api/decisions?limit=${LOOKED_AT}`)]).catch(() => []);
    if (counts) day = { figures: counts.report.totals, rows: found.rows.filter(isWorthShowing).slice(0, LAST) };
  }
  tell("hub", store.hub);
}

/** A decision: neither silence, nor one of a demo or a test ask. */
const isWorthShowing = (row) => (row.decision !== "no_opinion" || row.ask) && !store.sessions.get(row.session)?.practice;

/** `2 working, 1 your turn` */
function states(live) {
  const all = live.map((session) => stateOf(session).word);
  const number = (word) => all.filter((other) => other === word).length;
  return [...new Set(all)].map((word) => `${number(word)} ${word}`).join(", ");
}

/** The list, while it is empty. */
export function emptyText() {
  if (!store.hub) return [h("p", "Asking the hub…")];
  const live = store.liveSessions();
  const nothing = live.some((session) => session.state === "waiting") ? "Nothing to answer here" : "Nothing needs you";
  const told = live.length ? `${nothing}. Sessions: ${states(live)}.` : store.sessions.size ? "Nothing needs you. No session is live." : "Nothing needs you yet.";
  // Beside the list there is room for more; a phone has only the list.
  return [h("p", told), ...(live.length ? [drawPulse()] : []), h("div.only-narrow", ...drawAll())];
}

/** The pane beside the list while no ask is shown. */
export function welcome() {
  if (!store.hub) return [];
  return store.waiting().length ? [h("p.nothing", "Pick an ask to read it.")] : [h("div.first-run", ...drawAll())];
}

const drawAll = () => (!setup ? [] : isFirst() ? [...drawSteps(), testButton(), ...drawPromise()] : [...drawSteps(), ...drawDay()]);

function testButton() {
  return h("button.big", { type: "button", onclick: sendTest }, "Send test ask");
}

function drawSteps() {
  if (!setup) return [];
  const program = h("code", setup.program);
  /** @type {[boolean, string, any[]][]} */
  const steps = [
    [setup.installed.length > 0, "Hooks written", [h("code", "assent install"), " in a terminal; it shows what it changes and asks."]],
    [!isFirst(), "First event seen", ["Start ", program, " anywhere. A session that was open before loads hooks when it is restarted."]],
    [setup.second_screen, "Second screen", [h("a", { href: "/pair" }, "Let a phone in"), ", or ", h("code", "assent connect telegram"), ". You can do that later."]],
  ];
  const isLeft = steps.some(([isDone]) => !isDone);
  if (!isFirst() && (!isLeft || localStorage.getItem(HIDDEN))) return [];
  const hide = h("button.link", { type: "button", onclick: hideSteps }, "hide");
  return [h("h2", isFirst() ? "Three steps" : "Left to do ", !isFirst() && hide), h("ol.steps-left", ...steps.map(drawStep))];
}

function hideSteps() {
  localStorage.setItem(HIDDEN, "1");
  tell("hub", store.hub);
}

function drawStep([isDone, name, how], at) {
  const mark = h("span.tick", { "aria-hidden": "true" }, isDone ? "✓" : String(at + 1));
  return h(isDone ? "li.is-done" : "li", mark, h("div", h("b", name), isDone ? h("span.unseen", ", done") : h("p", ...how)));
}

function drawPromise() {
  return [
    h("h2", "What Assent does from then on"),
    h("ul.promise", h("li", "What only looks runs without a prompt."), h("li", "What a person should see waits here, on the phone and in the terminal, with what it would do."), h("li", "What cannot be undone is stopped, and every decision is kept on record.")),
    h("p.footnote", `It listens on this machine only, at ${location.host}. `, h("code", "assent uninstall"), " removes it and leaves your settings as they were."),
  ];
}

function drawDay() {
  if (!day) return [];
  const { asks, calls, deciders, unasked } = day.figures;
  const byRules = ["floor", "rule", "permission", "stance"].reduce((all, name) => all + (deciders[name] ?? 0), 0);
  const figure = (value, name) => h("div", h("dt", name), h("dd", grouped(value)));
  return [
    h("h2", "Today"),
    h("dl.day-figures", figure(asks, "asked you"), figure(byRules, `answered by rules, of ${counted(calls, "call")}`), figure(unasked, "prompts saved")),
    h("h2", "Last decisions"),
    day.rows.length ? h("ul.last-decisions", ...day.rows.map(drawDecision)) : h("p", "None yet."),
    h("p", h("a", { href: "/log" }, "All of them"), " · ", h("button.link", { type: "button", onclick: sendTest }, "send a test ask")),
  ];
}

function drawDecision(row) {
  const answer = h(isNo(row) ? "b.no" : "span", answerOf(row));
  return h("li", h("time", clock(row.at).slice(0, 5)), h("a", { href: `/log/${row.seq}` }, words(row.verb || row.tool || row.event)), h("code", words(row.what)), h("span.who", answer, row.by && ` · ${deciderOf(row)}`));
}
