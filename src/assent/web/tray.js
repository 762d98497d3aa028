// Receipts of answers whose ask is no longer on the screen: sending, told, ran. What went wrong stays until it was read.

import { dismiss, mine, refusalOf, undo } from "./answers.js";
import { say } from "./announce.js";
import { byId, h, signed } from "./dom.js";
import { go } from "./router.js";
import { stateNow } from "./rows.js";
import { store } from "./store.js";
import { words } from "./label.js";

const STAYS = 4_000;
// A command may run for an hour; that it was told is read sooner.
const TOLD_STAYS = 8_000;
const LASTING_STAYS = 20_000;
const ENDS = new Set(["done", "failed", "no", "elsewhere", "handed_back", "expired", "withdrawn"]);
const strips = new Map();

const isShown = (id) => /** @type {HTMLElement | null} */ (document.querySelector("article.ask"))?.dataset.ask === id;

function refresh(id) {
  const ask = store.asks.get(id);
  const refusal = refusalOf(id);
  const state = ask && stateNow(ask);
  const age = store.now() - (store.turned.get(id) ?? 0);
  const isLasting = Boolean(mine(id)) && ask?.answer?.grants?.length > 0;
  const stays = isLasting ? LASTING_STAYS : state?.name === "told" ? TOLD_STAYS : STAYS;
  const isDone = state && (state.name === "told" || ENDS.has(state.name)) && age > stays;
  if (!ask || isShown(id) || (!refusal && (!mine(id) || isDone))) {
    strips.get(id)?.remove();
    return strips.delete(id);
  }
  const strip = strips.get(id) ?? byId("receipts").appendChild(h("div.receipt"));
  strips.set(id, strip);
  const text = refusal ?? state.text;
  strip.dataset.state = refusal ? "refused" : state.name;
  if (strip.dataset.text === text || strip.isTaken) return true;
  strip.dataset.text = text;
  const actions = [];
  const lasts = ["allow_here", "allow_for", "allow_session", "allow_project", "allow_user", "deny_here"].includes(ask.answer?.choice) && mine(id)?.phase === "sent";
  if (lasts) actions.push(h("button.link", { type: "button", onclick: () => takeBack(ask, strip) }, "Take it back"));
  if (mine(id)?.phase === "held") actions.push(h("button.link", { type: "button", onclick: () => undo(id) }, "Undo"));
  const look = () => {
    dismiss(id);
    go(`/a/${id}`);
  };
  if (refusal) actions.push(h("button.link", { type: "button", onclick: look }, "Look"), h("button.link", { type: "button", onclick: () => dismiss(id) }, "Close"));
  strip.replaceChildren(h("b", words(ask.view.verb)), h("span", " ", ...signed(refusal ? "" : state.glyph, `${text} `)), ...actions);
  return true;
}

async function takeBack(ask, strip) {
  const done = await import("./rules/undo.js").then((rules) => rules.takeBack(ask)).catch((error) => error.sentence ?? error.message);
  strip.isTaken = true;
  strip.replaceChildren(done);
  say(done);
}

/** What became of an answer is heard, too, wherever its ask is drawn. */
function announce(ask, before) {
  const state = stateNow(ask);
  if (before && before.state !== ask.state && state.name !== "sending") say(`${ask.view.verb}: ${state.text}`);
}

export function startTray() {
  store.on("answers", refresh);
  store.on("asks", ({ ask, before }) => {
    if (!ask || !(mine(ask.id) || strips.has(ask.id) || isShown(ask.id))) return;
    announce(ask, before);
    refresh(ask.id);
  });
  store.on("route", () => {
    for (const id of [...store.asks.keys()]) if (mine(id) || refusalOf(id)) refresh(id);
  });
  setInterval(() => [...strips.keys()].forEach(refresh), 500);
}
