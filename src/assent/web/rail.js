// The rail: where one can go, whether the hub is up, which sessions are live. On a phone it is the bar at the bottom.

import { run } from "./commands.js";
import { projectGlyph, words } from "./label.js";
import { begun, byId, h, hourMinute, seldom } from "./dom.js";
import { projectOf } from "./names.js";
import { go } from "./router.js";
import { stateOf, store } from "./store.js";
import { FLAGS, SESSIONS } from "./wording.js";

/** Path, name, its icon as a line in a square of 16, and what is counted. @type {[string, string, string, () => number][]} */
const PLACES = [
  ["/", "Inbox", "M2 9h3.5l1 2h3l1-2H14M2 9l2-6h8l2 6v4H2z", () => store.waiting().length],
  ["/s", "Sessions", "M2 3h12v10H2zM4.5 6l2 2-2 2M8.5 10h3", () => store.liveSessions().length],
  ["/f", "Feed", "M1.5 8H5l2-5 2.5 10 2-5h3", () => 0],
  ["/log", "Log", "M3 2h10v12H3zM5.5 5.5h5M5.5 8h5M5.5 10.5h3", () => 0],
  ["/stats", "Statistics", "M2 14h12M4 14V9M8 14V3M12 14V6", () => 0],
  ["/grants", "Grants", "M2.5 8.5l3.5 3.5 7.5-8", () => 0],
  ["/rules", "Rules", "M8 2l5 2v4c0 3-2 5-5 6-3-1-5-3-5-6V4z", () => 0],
  ["/set", "Settings", "M2 4.5h6M12 4.5h2M2 11.5h2M8 11.5h6M10 2.5v4M6 9.5v4", () => 0],
  ["/pair", "Devices", "M5 2h6v12H5zM7.5 12h1", () => 0],
];
const MORE = "M3.5 8h.01M8 8h.01M12.5 8h.01";
const SVG = "http://www.w3.org/2000/svg";
// What has room in a bar of four; the rest is under More.
const IN_BAR = new Set(["/", "/s", "/log"]);

function icon(line) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", line);
  svg.append(path);
  return svg;
}

const isBypass = (session) => session.mode === "bypass";

function sessionRow(session) {
  const { sign, word } = stateOf(session);
  const name = h("span.name", words(session.title || projectOf(session)));
  const chip = isBypass(session) ? h("span.chip.flag-bypass", FLAGS.bypass) : "";
  return h("a.session-row", { href: `/s/${encodeURIComponent(session.id)}` }, projectGlyph(session), h("span.sign", { title: word, role: "img", "aria-label": word }, sign), name, chip);
}

const newestFirst = (sessions) => sessions.sort((a, b) => b.last - a.last);

/** Live sessions under the name of their state; what an ask of theirs says stands above. */
export function drawStates(into) {
  const live = newestFirst(store.liveSessions().filter((session) => !session.needs)).slice(0, 8);
  into.hidden = live.length === 0;
  const groups = [SESSIONS.waiting, SESSIONS.working, SESSIONS.idle].map((state) => [state.word, live.filter((session) => stateOf(session) === state)]);
  into.replaceChildren(...groups.filter(([, of]) => of.length).flatMap(([word, of]) => [h("h2", begun(word)), ...of.map(sessionRow)]));
}

function drawSessions() {
  const live = newestFirst(store.liveSessions()).slice(0, 12);
  byId("rail-sessions").replaceChildren(...(live.length ? [h("h2", "sessions"), ...live.map(sessionRow)] : []));
}

const HUB = { starting: "connecting…", stale: "stream lost", down: "unreachable", out: "not let in" };

function hubText() {
  if (!store.isLive) return HUB[store.link];
  const paused = store.hub?.paused_for ?? 0;
  return paused > 0 ? `paused ${Math.ceil(paused / 60)} min` : "up";
}

function drawHub() {
  byId("hub").className = store.isLive ? "up" : "down";
  byId("hub-text").textContent = hubText();
}

function drawFoot() {
  const { away, quiet_until: quiet } = store.presence ?? {};
  const parts = [away && "away", quiet > store.now() && `Quiet till ${hourMinute(quiet)}`, store.hub && `stance ${store.hub.stance}`];
  byId("rail-foot").textContent = parts.filter(Boolean).join(" · ");
}

function drawCounts() {
  const waiting = store.waiting().length;
  document.title = waiting ? `(${waiting}) assent` : "assent";
  for (const [path, , , count] of PLACES) {
    const shown = byId("nav").querySelector(`a[href="${path}"] .count`);
    if (!shown) continue;
    const number = count();
    shown.textContent = number ? String(number) : "";
    shown.classList.toggle("needs", path === "/" && number > 0);
  }
}

function markPlace() {
  for (const link of byId("nav").querySelectorAll("a")) {
    const path = link.getAttribute("href");
    const isHere = path === "/" ? /^\/(a\/|$)/.test(location.pathname) : `${location.pathname}/`.startsWith(`${path}/`);
    if (isHere) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

async function openMore(places) {
  const { openMenu } = await import("./menu.js");
  openMenu("More", places.map(([path, name]) => ({ label: name, run: () => go(path) })));
}

export function startRail() {
  const links = PLACES.map(([path, name, line]) => h(IN_BAR.has(path) ? "a" : "a.far", { href: path, title: name }, icon(line), h("span.word", name), h("span.count")));
  const far = PLACES.filter(([path]) => !IN_BAR.has(path));
  const more = h("button.near", { type: "button", onclick: () => openMore(far) }, icon(MORE), "More");
  byId("nav").append(...links, ...(far.length ? [more] : []));
  byId("rail-keys").onclick = () => run("page.help");
  store.on("asks", seldom(0, drawCounts));
  const drawLive = () => {
    drawCounts();
    drawSessions();
  };
  store.on("sessions", seldom(250, drawLive));
  store.on("link", drawHub);
  store.on("hub", drawHub);
  store.on("hub", drawFoot);
  store.on("presence", drawFoot);
  store.on("route", markPlace);
}
