// Statistics: how often people were asked, who decided, what prompted most, how fast answers came. The figures of `assent stats`.

import { say } from "../announce.js";
import { get, send } from "../api.js";
import { thisDevice } from "../device.js";
import { counted, duration, grouped, h } from "../dom.js";
import { words } from "../label.js";
import { drawReview } from "../log/summary.js";
import { agentName, lastPart } from "../names.js";
import { short } from "../places.js";
import { style } from "../style.js";
import { CHOICES } from "../wording.js";
import { ASKS_ENDED, DECIDERS, SCREENS } from "../wording_more.js";

await style("screens");

export const title = "Statistics";

const SPANS = { "7d": "7 days", "30d": "30 days", "90d": "90 days", "365d": "a year" };
const MOST = 8;
const FEWEST_DAYS = 14;
let since = "30d";
let project = "";
let asked = 0;

export function mount(root) {
  const body = h("div.stats-body");
  const which = h("select", { "aria-label": "Project" });
  const load = async () => {
    asked += 1;
    const mine = asked;
    for (const chip of chips) chip.setAttribute("aria-pressed", String(chip.value === since));
    const coming = [get(`/api/stats?since=${since}&project=${encodeURIComponent(project)}`), get("/api/grants"), thisDevice()];
    const [found, granted, device] = await Promise.all(coming).catch((error) => [{ error }]);
    if (mine !== asked) return;
    if (!project && found.report) choices(which, found.report.projects);
    const stop = stopping(granted?.grants ?? [], device, load);
    body.replaceChildren(...(found.error ? [h("p.fault", found.error.sentence)] : drawAll(found, stop)));
  };
  which.onchange = () => {
    project = which.value;
    load();
  };
  const pick = (value) => () => {
    since = value;
    load();
  };
  const chips = Object.entries(SPANS).map(([value, name]) => h("button.chip", { type: "button", value, onclick: pick(value) }, name));
  const head = h("header.list-head", h("h1", "Statistics"), h("div.chips.picks", { role: "group", "aria-label": "Days" }, ...chips), which);
  choices(which, []);
  root.append(h("section.one.stats", head, body));
  load();
}

export function unmount() {
  asked += 1;
}

function choices(which, projects) {
  const options = projects.filter((of) => of.project).map((of) => h("option", { value: of.project }, lastPart(of.project)));
  which.replaceChildren(h("option", { value: "" }, "all projects"), ...options);
  which.value = project;
}

const TICKS = /`/g;

/** For each shape: a way to stop being asked about it, or that this was done; nothing where it cannot be. */
function stopping(grants, device, reload) {
  const done = new Set(grants.filter((grant) => grant.kind === "shape").map((grant) => grant.words.replace(TICKS, "")));
  const mayGrant = ["grant", "admin"].includes(device?.scope);
  return ({ name, record }) => {
    if (done.has(name)) return h("a", { href: "/grants" }, "granted");
    if (!mayGrant || !record) return "";
    const button = h("button.link", { type: "button", "aria-label": `Stop asking for ${name}` }, CHOICES.allow_here.offer);
    button.onclick = () => stopAsking(record, button).then((isGiven) => isGiven && reload());
    return button;
  };
}

/** The sheet that the card has, too. What was shown is what is sent: the hub refuses it where it covers something else by now. */
async function stopAsking(record, button) {
  try {
    const [{ stays, project: where, harness }, { openStay }] = await Promise.all([get(`/api/grants/offers/${record}`), import("../view/stay.js")]);
    const fields = await openStay(stays, { project: short(where), agent: agentName(harness), isGiven: true });
    if (!fields) return false;
    const { grant: kind, ...more } = fields;
    await send("POST", "/api/grants", { kind, record, words: stays[0].words, ...more });
    say(`Allowed from now on: ${stays[0].words.replace(TICKS, "")}.`);
    return true;
  } catch (error) {
    const sentence = error.sentence ?? error.message;
    button.replaceWith(h("span.fault", { role: "alert" }, sentence));
    return false;
  }
}

function drawAll({ report, complete, counted: done, of }, stop) {
  const { totals } = report;
  const notes = complete ? [] : [h("p.empty", { role: "status" }, `Still counting: ${grouped(done)} of ${grouped(of)} records.`)];
  if (!totals.events && !totals.gaps) return [...notes, h("p.empty", "Nothing was recorded in these days.")];
  return [
    ...notes,
    drawFigures(report),
    drawDays(report.days),
    h(
      "div.stats-tables",
      table("Who decided", part(totals.deciders, totals.calls, "call"), ["", "calls", "share"], shares(totals.deciders, DECIDERS)),
      table("How asks ended", part(totals.endings, totals.asks, "ask"), ["", "asks", "share"], shares(totals.endings, ASKS_ENDED)),
      table("What prompted most", `of ${counted(totals.asks, "ask")}`, ["", "asks", "share"], report.shapes.slice(0, MOST).map((shape) => [shape.name || "unnamed", shape.asks, share(shape.asks, totals.asks), shape.asks, stop(shape)])),
      table("Time to answer, by screen", counted(totals.waited_ms.count, "answer"), ["", "answers", "median"], report.screens.slice(0, MOST).map(({ name, waited_ms: waited }) => [SCREENS[name] ?? name, waited.count, duration(waited.p50), waited.p50])),
      table("Busiest projects", "", ["", "calls", "asks"], report.projects.slice(0, MOST).map(({ project: path, figures }) => [lastPart(path) || "no folder", figures.calls, grouped(figures.asks), figures.calls])),
      table("Busiest tools", "", ["", "calls", "failed"], report.tools.slice(0, MOST).map(({ name, label, count, failed }) => [label || name, count, failed ? grouped(failed) : "–", count])),
    ),
    drawReview(),
    drawCost(totals),
    drawHub(totals),
  ];
}

const share = (part, whole) => (whole ? `${Math.round((part / whole) * 100)} %` : "–");

/** `19 of 26 calls`: the others wait, or were left to their client. */
function part(counts, whole, what) {
  const sum = Object.values(counts).reduce((before, count) => before + count, 0);
  return sum === whole ? counted(whole, what) : `${grouped(sum)} of ${counted(whole, what)}`;
}

function shares(counts, names) {
  const rows = Object.entries(names).filter(([name]) => counts[name]);
  const whole = rows.reduce((sum, [name]) => sum + counts[name], 0);
  return rows.map(([name, word]) => [word, counts[name], share(counts[name], whole), counts[name]]).sort((a, b) => b[3] - a[3]);
}

function drawFigures({ totals, days }) {
  const figure = (name, value, about) => h("div.figure", h("dt", name, h("small", about)), h("dd", value));
  const { waited_ms: waited } = totals;
  const rate = totals.asks / days.length;
  return h(
    "dl.figures",
    figure("asks", grouped(totals.asks), days.length > 1 ? `${rate >= 10 ? Math.round(rate) : rate.toFixed(1)} a day` : "in 1 day"),
    figure("median wait", waited.p50 === null ? "–" : duration(waited.p50), `of ${counted(waited.count, "answer")}`),
    figure("ran without asking", grouped(totals.unasked), `${share(totals.unasked, totals.calls)} of ${counted(totals.calls, "call")}`),
    figure("denied", grouped(totals.decisions.deny ?? 0), "by policy and people"),
    ...(totals.used ? [figure("cost", `$${(totals.used.cost_usd ?? 0).toFixed(2)}`, "as the agents reckon it")] : []),
  );
}

/** One bar a day, its figure in words for those who do not see it. */
function drawDays(days) {
  const most = Math.max(1, ...days.map(({ figures }) => figures.asks));
  // A chart of a first day has room for those that follow.
  const before = Array.from({ length: Math.max(0, FEWEST_DAYS - days.length) }, () => h("i"));
  const bars = days.map(({ day, figures }) => {
    const bar = h("i", { title: `${day}: ${counted(figures.asks, "ask")}` });
    if (figures.asks) {
      const part = h("b");
      part.style.height = `${(figures.asks / most) * 100}%`;
      bar.append(part);
    }
    return bar;
  });
  const told = days.filter(({ figures }) => figures.asks).map(({ day, figures }) => `${day} ${figures.asks}`).join(", ") || "none";
  const first = days[0]?.day ?? "";
  return h(
    "section.per-day",
    h("h2", "Asks per day ", h("small", `up to ${grouped(most)}`)),
    h("div.bars", { role: "img", "aria-label": `Asks per day: ${told}` }, ...before, ...bars),
    h("p.axis", { "aria-hidden": "true" }, h("span", before.length ? "" : first), h("span", days.at(-1)?.day ?? "")),
  );
}

/** Rows of a name, a count, a second figure, what its bar stands for, and what can be done about it. */
function table(name, about, heads, rows) {
  if (!rows.length) return "";
  const most = Math.max(...rows.map((row) => row[3]), 1);
  const lines = rows.map(([label, count, second, size, action]) => {
    const bar = h("b", { "aria-hidden": "true" });
    bar.style.width = `${(size / most) * 100}%`;
    return h("tr", h("th", { scope: "row" }, h("span", words(label)), action ? h("span.action", action) : "", bar), h("td", grouped(count)), h("td", second));
  });
  const head = heads.map((text, place) => (place ? h("th", { scope: "col" }, text) : h("td")));
  return h("section", h("h2", `${name} `, h("small", about)), h("table", h("thead", h("tr", ...head)), h("tbody", ...lines)));
}

function drawCost({ used }) {
  if (!used) return h("p.meta", "Cost and tokens are not known: no agent sends its telemetry here. ", h("code", "assent doctor"), " says how that stands.");
  const models = Object.entries(used.models ?? {}).sort(([, a], [, b]) => (b.cost_usd ?? 0) - (a.cost_usd ?? 0));
  if (models.length < 2) return "";
  return h("p.meta", "Cost by model: ", words(models.slice(0, MOST).map(([name, of]) => `${name || "unnamed"} $${(of.cost_usd ?? 0).toFixed(2)}`).join(", ")));
}

function drawHub({ took_us: took }) {
  if (took.p50 === null) return "";
  const ms = (us) => `${us < 9_950 ? (us / 1000).toFixed(1) : Math.round(us / 1000)} ms`;
  return h("p.meta", `The hub decided half of ${counted(took.count, "hook")} within ${ms(took.p50)}, 99 in 100 within ${ms(took.p99)}. What a person was asked is not among them.`);
}
