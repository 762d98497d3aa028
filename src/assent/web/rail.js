// The rail: where one can go, whether the hub is up, which sessions are live. On a phone it is the bar at the bottom.

import { projectGlyph, words } from "./label.js";
import { byId, h, hourMinute, seldom } from "./dom.js";
import { projectOf } from "./names.js";
import { go } from "./router.js";
import { store } from "./store.js";

const SIGNS = { working: "◐", idle: "○" };
const PLACES = [
  ["/", "Inbox", "▣", () => store.waiting().length],
  ["/s", "Sessions", "◐", () => store.liveSessions().length],
  ["/f", "Feed", "≡", () => 0],
  ["/log", "Log", "▤", () => 0],
  ["/rules", "Rules", "§", () => 0],
  ["/set", "Settings", "⚙\ufe0e", () => 0],
  ["/pair", "Devices", "▯", () => 0],
];
// What has room in a bar of four; the rest is under More.
const IN_BAR = new Set(["/", "/s", "/log"]);

const isBypass = (session) => session.mode === "bypassPermissions";

function sessionRow(session) {
  const sign = SIGNS[session.state ?? "working"] ?? "◌";
  const name = h("span.name", words(session.title || projectOf(session)));
  const chip = isBypass(session) ? h("span.chip.flag-bypass", "bypass: nothing is asked here") : "";
  return h("a.session-row", { href: `/s/${encodeURIComponent(session.id)}` }, projectGlyph(session), h("span.sign", { title: session.state ?? "working" }, sign), name, chip);
}

const newestFirst = (sessions) => sessions.sort((a, b) => b.last - a.last);

export function drawWorking(into) {
  const live = newestFirst(store.liveSessions()).slice(0, 8);
  into.hidden = live.length === 0;
  if (live.length) into.replaceChildren(h("h2", "Working"), ...live.map(sessionRow));
}

function drawSessions() {
  const live = newestFirst(store.liveSessions()).slice(0, 12);
  byId("rail-sessions").replaceChildren(...(live.length ? [h("h2", "sessions"), ...live.map(sessionRow)] : []));
}

const HUB = { starting: "connecting…", stale: "stream lost", down: "unreachable", out: "not let in" };

function hubText() {
  if (!store.isLive) return HUB[store.link];
  return store.hub?.paused_for > 0 ? `paused ${Math.ceil(store.hub.paused_for / 60)} min` : "up";
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
    const link = byId("nav").querySelector(`a[href="${path}"]`);
    const number = count();
    const shown = link.querySelector(".count");
    shown.textContent = number || "";
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
  const links = PLACES.map(([path, name, sign]) => h(IN_BAR.has(path) ? "a" : "a.far", { href: path, title: name }, h("span.sign", { "aria-hidden": "true" }, sign), h("span.word", name), h("span.count")));
  const far = PLACES.filter(([path]) => !IN_BAR.has(path));
  const more = h("button.near", { type: "button", onclick: () => openMore(far) }, h("span.sign", { "aria-hidden": "true" }, "⋯"), "More");
  byId("nav").append(...links, ...(far.length ? [more] : []));
  store.on("asks", seldom(0, drawCounts));
  store.on("sessions", seldom(250, () => (drawCounts(), drawSessions())));
  store.on("link", drawHub);
  store.on("hub", () => (drawHub(), drawFoot()));
  store.on("presence", drawFoot);
  store.on("route", markPlace);
}
