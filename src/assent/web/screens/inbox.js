// The inbox: what needs you in the order it came, then what is over; beside it, or instead of it, the ask being read.

import { get } from "../api.js";
import { drawAsk } from "../ask.js";
import { mine } from "../answers.js";
import { tellTimeLeft } from "../announce.js";
import { counted, h, isTyping, seldom, waited } from "../dom.js";
import { emptyText, refreshEmpty, welcome } from "../empty.js";
import { bursting, drawBursts } from "../bursts.js";
import { go } from "../router.js";
import { drawClosed, drawRow, stateNow } from "../rows.js";
import { connect, isWaiting, store, takeAsk } from "../store.js";
import { pulls, swipes } from "../swipe.js";
import { drawStates } from "../rail.js";

export const title = "Inbox";

// How long an ask that is over stays where it was, and how long the one that is read stays on the screen.
const STAYS = 3_000;
const READ_FOR = 6_000;
const RECEIPT_FOR = 1_200;
const MOST_CLOSED = 30;
const wide = matchMedia("(min-width: 768px)");

let root;
let pane;
let detail;
/** @type {ReturnType<typeof drawAsk> | null} */
let card = null;
let rows = new Map();
let params = {};
let wanted = "";
let ends = [];
let isPointerIn = false;
let lastUsed = 0;
let lastAnswered = 0;
const reviewed = new Set();

const $ = (selector) => pane.querySelector(selector);

export function mount(into, given, _store) {
  root = into;
  rows = new Map();
  const filter = h("input", { type: "search", placeholder: "filter", "aria-label": "Show asks that contain", autocomplete: "off", spellcheck: false });
  filter.oninput = () => {
    wanted = filter.value.trim().toLowerCase();
    draw();
  };
  pane = h(
    "section.list",
    { "aria-labelledby": "inbox-title" },
    h("header.list-head", h("h1", { id: "inbox-title" }, "Needs you ", h("span.count")), filter),
    h("p.skew", { hidden: true }),
    h("div.open-ones", h("div.bursts"), h("div.feed"), h("div.empty")),
    h("button.below", { type: "button", hidden: true, onclick: () => [...rows.values()].at(-1)?.item.scrollIntoView({ block: "end" }) }),
    h("section.working", { "aria-label": "Sessions" }),
    h("section.over", { hidden: true, "aria-labelledby": "over-title" }, h("h2", { id: "over-title" }, "Closed"), h("ul")),
  );
  detail = h("section.detail", { "aria-label": "The ask" });
  root.append(pane, detail);
  pane.addEventListener("pointerenter", (event) => (isPointerIn = event.pointerType === "mouse"));
  pane.addEventListener("pointerleave", () => (isPointerIn = false));
  pane.addEventListener("scroll", belowSoon);
  const used = () => (lastUsed = Date.now());
  detail.addEventListener("pointermove", used);
  detail.addEventListener("keydown", used);
  const ticking = setInterval(tick, 500);
  wide.addEventListener("change", change0);
  ends = [
    store.on("asks", drawSoon),
    store.on("answers", answered),
    ...["sessions", "hub", "link"].map((topic) => store.on(topic, drawQuietSoon)),
    drawSoon.cancel,
    drawQuietSoon.cancel,
    belowSoon.cancel,
    swipes(detail, { next: () => step(1), previous: () => step(-1) }),
    pulls(pane, connect),
    () => clearInterval(ticking),
    () => wide.removeEventListener("change", change0),
  ];
  change(given);
}

export function unmount() {
  for (const end of ends) end();
  showAsk(null);
}

const change0 = () => change(params);

/** Another address of the same screen. */
export function change(given) {
  params = given;
  document.body.classList.toggle("reading", Boolean(given.id));
  const first = wide.matches ? openOnes()[0]?.id : undefined;
  const keep = wide.matches && card && !given.id ? card.ask.id : undefined;
  showAsk(store.asks.get(given.id ?? keep ?? first) ?? null, { focus: Boolean(given.id) });
  draw();
  if (given.id && store.hub && !card) look(given.id);
}

/** An ask from a link that is older than what the page knows. */
async function look(id) {
  const found = await get(`/api/asks/${id}`).catch(() => null);
  if (found) return takeAsk(found);
  detail.replaceChildren(h("p.nothing", "This ask is not known any more. ", h("a", { href: "/" }, "Inbox")));
}

const text = (ask) => JSON.stringify([ask.view.verb, ask.subject.project, ask.subject.title, ask.view.segments, ask.id]).toLowerCase();
const matches = (ask) => !wanted || text(ask).includes(wanted);
const collapsed = () => bursting(store.waiting()).filter((ask) => !reviewed.has(ask.subject.session));
const openOnes = () => {
  const hidden = collapsed();
  return store.waiting().filter((ask) => matches(ask) && !hidden.includes(ask));
};

/** Whether an ask that is over still stands where it was. */
function stays(ask) {
  if (isWaiting(ask)) return true;
  if (!rows.has(ask.id)) return false;
  if (isPointerIn || card?.ask.id === ask.id) return true;
  return store.now() - (store.turned.get(ask.id) ?? 0) < STAYS;
}

// A snapshot brings many asks at once, a busy session many events.
const drawSoon = seldom(0, draw);
const drawQuietSoon = seldom(250, drawQuiet);
// Measured once what was drawn is laid out, which would otherwise be done twice.
const belowSoon = seldom(100, below);

function draw() {
  const hidden = collapsed();
  drawBursts($(".bursts"), hidden, (session) => {
    reviewed.add(session);
    draw();
  });
  const shown = store.inOrder().filter((ask) => matches(ask) && stays(ask) && !hidden.includes(ask));
  const feed = $(".feed");
  for (const [id, row] of rows) {
    if (shown.some((ask) => ask.id === id)) continue;
    row.item.remove();
    rows.delete(id);
  }
  for (const ask of shown) {
    if (rows.has(ask.id)) continue;
    rows.set(ask.id, drawRow(ask));
    feed.append(rows.get(ask.id).item);
  }
  let at = 0;
  for (const row of rows.values()) {
    at += 1;
    row.refresh(at, rows.size);
  }
  // A feed without articles is no feed.
  for (const [name, value] of [["role", "feed"], ["aria-label", "Needs you"]]) {
    if (rows.size) feed.setAttribute(name, value);
    else feed.removeAttribute(name);
  }
  drawClosedList();
  follow();
  mark();
  drawQuiet();
  belowSoon();
}

function drawClosedList() {
  const closed = store.inOrder().filter((ask) => matches(ask) && !isWaiting(ask) && !rows.has(ask.id));
  closed.sort((a, b) => (store.turned.get(b.id) ?? 0) - (store.turned.get(a.id) ?? 0));
  $(".over").hidden = closed.length === 0;
  $(".over ul").replaceChildren(...closed.slice(0, MOST_CLOSED).map(drawClosed));
}

/** What surrounds the asks: counts, empty states, clocks that differ. */
function drawQuiet() {
  const waiting = store.waiting().length;
  $(".count").textContent = waiting || "";
  const skew = Math.round(store.skew / 1000);
  $(".skew").hidden = Math.abs(skew) <= 5;
  $(".skew").textContent = `This screen's clock is ${counted(Math.abs(skew), "second")} ${skew > 0 ? "behind" : "ahead of"} the hub's.`;
  const isEmpty = rows.size === 0 && $(".bursts").childElementCount === 0;
  $(".empty").hidden = !isEmpty;
  if (isEmpty) refreshEmpty();
  if (isEmpty) put($(".empty"), wanted ? [h("p", "No ask matches.")] : emptyText());
  drawStates($(".working"));
  if (!card && !params.id) put(detail, welcome());
}

/** What stands there already stays: it may have the focus, or be pressed just now. */
function put(into, nodes) {
  const isSame = into.childNodes.length === nodes.length && nodes.every((node, at) => node.isEqualNode(into.childNodes[at]));
  if (!isSame) into.replaceChildren(...nodes);
}

/** The card on the screen follows its ask; it is drawn anew only if what is shown changed. */
function follow() {
  if (!card) {
    const next = wide.matches && !params.id ? openOnes()[0] : store.asks.get(params.id);
    if (next) showAsk(next, { focus: Boolean(params.id) });
    else if (params.id && store.hub && !detail.firstChild) look(params.id);
    return;
  }
  const now = store.asks.get(card.ask.id);
  if (!now) return;
  const isOther = now.rev !== card.ask.rev || now.hash !== card.ask.hash;
  const isOffered = JSON.stringify(now.choices) !== JSON.stringify(card.ask.choices) && isWaiting(now);
  if (isOther || isOffered) showAsk(now, { focus: detail.contains(document.activeElement) && !isTyping() });
  else card.refresh();
}

function showAsk(ask, { focus = false } = {}) {
  if (ask && card && ask.id === card.ask.id && ask.rev === card.ask.rev && ask.hash === card.ask.hash && ask.choices === card.ask.choices) {
    if (focus) card.heading.focus();
    return;
  }
  card?.close();
  card = ask ? drawAsk(ask) : null;
  if (card) detail.replaceChildren(crumb(ask), card.element);
  lastUsed = Date.now();
  if (card && (focus || document.activeElement === document.body)) card.heading.focus({ preventScroll: true });
  mark();
}

/** The phone's line over an ask: `‹ 1 of 3` and the time. */
function crumb(ask) {
  const at = store.waiting().findIndex((one) => one.id === ask.id) + 1;
  const count = at ? `${at} of ${store.waiting().length}` : "Inbox";
  return h("p.crumb", h("a", { href: "/", "aria-label": `Back to the inbox, ${count}` }, `‹ ${count}`), h("span.crumb-time"));
}

function mark() {
  for (const row of rows.values()) {
    const isShown = row.id === card?.ask.id;
    row.link.toggleAttribute("aria-current", isShown);
    if (isShown) row.link.setAttribute("aria-current", "true");
  }
  const stop = rows.get(card?.ask.id) ?? rows.values().next().value;
  for (const row of rows.values()) row.link.tabIndex = row === stop ? 0 : -1;
}

function below() {
  const edge = pane.getBoundingClientRect().bottom;
  const hidden = [...rows.values()].filter((row) => row.item.getBoundingClientRect().top > edge - 24).length;
  $(".below").hidden = hidden === 0;
  $(".below").textContent = `${hidden} new below`;
}

function tick() {
  for (const row of rows.values()) row.refresh();
  if (!$(".empty").hidden) refreshEmpty();
  if (!card) return;
  const now = store.asks.get(card.ask.id) ?? card.ask;
  card.refresh();
  const time = detail.querySelector(".crumb-time");
  if (time) time.textContent = isWaiting(now) ? crumbTime(now) : "";
  tellTimeLeft(now);
  // What comes in while a receipt is read waits a moment for it.
  if (mine(now.id)?.phase === "sent" && openOnes().length && Date.now() - lastAnswered > RECEIPT_FOR) {
    leave();
    return;
  }
  const isOver = !isWaiting(now) && !(mine(now.id) && stateNow(now).name === "sending");
  const isRead = store.now() - (store.turned.get(now.id) ?? 0) > READ_FOR && Date.now() - lastUsed > READ_FOR - 1_000;
  if (isOver && isRead && (mine(now.id) || !params.id)) leave();
  if ([...rows.values()].some((row) => !stays(store.asks.get(row.id) ?? { state: "closed" }))) draw();
}

function crumbTime(ask) {
  const now = store.now();
  return waited(now - ask.opened_at, ask.expires_at ? ask.expires_at - now : undefined);
}

/** On to the next one that waits, or back to an empty screen. */
function leave() {
  const next = card && after(card.ask.id);
  if (next) return go(`/a/${next.id}`, { quiet: true });
  showAsk(null);
  return go("/", { quiet: true });
}

function after(id, by = 1) {
  const open = openOnes();
  if (!open.length) return undefined;
  const order = store.inOrder().map((ask) => ask.id);
  const here = order.indexOf(id);
  const later = by > 0 ? open.find((ask) => order.indexOf(ask.id) > here) : open.findLast((ask) => order.indexOf(ask.id) < here);
  return later ?? (by > 0 ? open[0] : open.at(-1));
}

function answered(id) {
  rows.get(id)?.refresh();
  if (card?.ask.id !== id || mine(id)?.phase !== "sent") return;
  const next = openOnes().find((ask) => ask.id !== id) && after(id);
  lastAnswered = Date.now();
  if (next && next.id !== id) go(`/a/${next.id}`, { quiet: true });
}

/** To the next or previous row; where there is room it is shown at once, so that keys mean what is on the screen. */
function step(by) {
  const list = [...rows.values()];
  const focused = list.findIndex((row) => row.link === document.activeElement);
  const here = wide.matches || params.id ? list.findIndex((row) => row.id === card?.ask.id) : focused;
  const row = list[here < 0 ? (by > 0 ? 0 : list.length - 1) : here + by];
  if (!row) return;
  if (wide.matches || params.id) go(`/a/${row.id}`, { quiet: true });
  else row.link.focus();
}

const openCard = () => (params.id && !wide.matches) || wide.matches;
const onCard = (name) => () => openCard() && card?.run(name);

export const commands = {
  "list.next": () => step(1),
  "list.previous": () => step(-1),
  "list.filter": () => $("input[type=search]").focus(),
  "ask.open": () => (card ? card.heading.focus() : step(1)),
  "ask.next": () => {
    const next = after(card?.ask.id) ?? openOnes()[0];
    if (next) go(`/a/${next.id}`, { quiet: wide.matches });
  },
  "ask.end": () => card?.toEnd(),
  "ask.confirm": () => card?.bar.confirmArmed(),
  "ask.disarm": () => card?.bar.disarm(),
  ...Object.fromEntries(
    ["allow", "stop_asking", "allow_for", "allow_session", "always", "deny", "deny_tell", "deny_here", "edit", "deny_stop", "hand_back", "cancel", "note", "raw", "copy", "queue"].map((name) => [`ask.${name}`, onCard(`ask.${name}`)]),
  ),
};

export const isArmed = () => Boolean(openCard() && card?.bar.isArmed());

/** Keys that belong to what is drawn: options, hunks. */
export const key = (event) => Boolean(openCard() && card?.key(event));
