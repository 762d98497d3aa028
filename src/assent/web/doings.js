// What can be done with the ask on the screen, by name: the same for buttons, keys and the palette.

import { bind, giveAll, undo } from "./answers.js";
import { get, send } from "./api.js";
import { say } from "./announce.js";
import { h } from "./dom.js";
import { counts, fetched } from "./grace.js";
import { agentName } from "./names.js";
import { short } from "./places.js";
import { store } from "./store.js";
import { openSheet } from "./view/sheet.js";
import { coded } from "./view/text.js";
import { rawText } from "./view/thing.js";
import { CHOICES, TELLING } from "./wording.js";

/** One text, asked for in a sheet; null if nothing was written. */
async function askText(title, act, { value = "", hint = "", project = "" } = {}) {
  const field = h("textarea", { rows: 4, value, "aria-label": title });
  const chips = h("div.chips");
  import("./view/snippets.js").then(({ snippetChips }) => chips.append(...snippetChips(project, field)));
  const given = await openSheet({ title, act, body: h("div", hint ? h("p.hint", hint) : "", chips, field), read: () => ({ text: field.value.trim() }) });
  return given === null ? null : given.text;
}

// What steers a terminal: pasted there, it could end the paste and press Enter.
const STEERING = /[^\t\n\P{C}]/gu;

/** The text to copy: the command, the plan, or the input as it came. */
function plainText({ view }) {
  const text = view.segments?.map((segment) => segment.text).join("") || view.markdown || JSON.stringify(view.raw ?? {}, null, 2);
  return text.replace(STEERING, coded);
}

const TICKS = /`/g;

/** What an answer that stays is about, as one line. */
const naming = ({ kind, words }) => `${kind === "shape" ? "Stop asking for " : ""}${words.replace(TICKS, "")}`.replace(STEERING, coded);

/** Files by scope, as their owner calls them. */
const called = (files = {}) => Object.fromEntries(Object.entries(files).map(([scope, file]) => [scope, short(file)]));

/** What is offered in words where there is room for it; the menu has it everywhere. */
const LASTING = [["allow_session", "ask.allow_session", "s"], ["allow_project", "ask.always", "R"]];

export function doings(ask, bar) {
  const has = (choice) => bar().has(choice);
  // Words of one's own need the same scope as an edit.
  const mayInstruct = (ask.choices ?? []).some((way) => ["allow_edited", "revise", "keep_going"].includes(way.choice));
  const note = h("p.my-note", { hidden: true });
  let noteText = "";

  async function tellWhy() {
    const tell = TELLING.deny.slice(0, -1);
    const text = await askText(tell, tell, { hint: "The agent gets exactly these words.", project: ask.subject.project });
    if (text !== null) bar().answer("deny", text ? { message: text } : {});
  }

  async function addNote() {
    const text = await askText("Note with the allow", "Keep note", { value: noteText, hint: "The agent reads it when the call is done. It goes with your allow.", project: ask.subject.project });
    if (text === null) return;
    noteText = text;
    note.hidden = !text;
    note.replaceChildren(h("b", "Your note "), text);
  }

  async function edit(instead) {
    if (!has("allow_edited")) return;
    const { openEdit } = await fetched(import("./view/edit.js"));
    const fields = await openEdit(ask, instead);
    if (fields) bar().answer(fields.choice, fields, { isSure: true });
  }

  async function always() {
    const coming = Promise.all([get(`/api/asks/${ask.id}/offers`), import("./view/always.js")]);
    const found = await fetched(coming).catch((error) => say(error.sentence ?? error.message, { isUrgent: true }));
    if (!found) return;
    const [{ offers }, { openAlways }] = found;
    const fields = await openAlways(ask, offers.map((offer) => ({ ...offer, files: called(offer.files) })));
    if (fields) bar().answer(fields.choice, fields, { isSure: true });
  }

  async function stopAsking() {
    if (!has("allow_here") || !bar().isRead()) return;
    const { openStay } = await fetched(import("./view/stay.js"));
    const fields = await openStay(ask.stays, { project: short(ask.subject.project), agent: agentName(ask.subject.harness) });
    if (fields) bar().answer("allow_here", fields, { isSure: true });
  }

  async function allowFor() {
    if (!has("allow_for") || !bar().isRead()) return;
    const { openStay } = await fetched(import("./view/stay.js"));
    const fields = await openStay(ask.timed, { project: short(ask.subject.project), agent: agentName(ask.subject.harness), isTimed: true });
    if (fields) bar().answer("allow_for", fields, { isSure: true });
  }

  async function denyHere() {
    if (!has("deny_here")) return;
    const coming = Promise.all([get(`/api/asks/${ask.id}/offers`), import("./view/always.js")]);
    const found = await fetched(coming).catch((error) => say(error.sentence ?? error.message, { isUrgent: true }));
    if (!found) return;
    const fields = await found[1].openNever(found[0].denials);
    if (fields) bar().answer("deny_here", fields);
  }

  async function allowSession() {
    const { offers = [] } = await get(`/api/asks/${ask.id}/offers`).catch(() => ({}));
    const offer = offers.find((one) => one.scopes.includes("session"));
    if (offer) bar().answer("allow_session", { grant: offer.grant });
    else always();
  }

  async function queue() {
    const text = await askText("Queue an instruction", "Add to the queue", { hint: "Delivered when this session next stops.", project: ask.subject.project });
    if (!text) return;
    await send("POST", `/api/sessions/${encodeURIComponent(ask.subject.session)}/queue`, { text }).then(
      () => say("Added to the queue."),
      (error) => say(error.sentence, { isUrgent: true }),
    );
  }

  const raw = h("div.raw-box", { hidden: true });
  const extra = (choice) => (noteText && choice.startsWith("allow") ? { message: noteText } : {});
  const named = {
    "ask.allow": () => bar().yes(),
    "ask.stop_asking": () => stopAsking(),
    "ask.allow_for": () => allowFor(),
    "ask.deny_here": () => denyHere(),
    "ask.allow_session": () => has("allow_session") && allowSession(),
    "ask.always": () => has("allow_project") && always(),
    "ask.deny": () => bar().no(),
    "ask.deny_tell": () => has("deny") && mayInstruct && tellWhy(),
    "ask.edit": () => edit(),
    "ask.deny_stop": () => bar().answer("deny_and_stop"),
    "ask.hand_back": () => bar().answer("hand_back"),
    "ask.cancel": () => bar().answer("cancel"),
    // Those like it stand first in the menu.
    "ask.alike": () => openMore(),
    "ask.note": () => has("allow") && mayInstruct && addNote(),
    "ask.undo": () => undo(ask.id),
    "ask.queue": () => ask.subject.session && queue(),
    "ask.jump": async () => (await fetched(import("./view/terminal.js"))).wayTo(store.sessions.get(ask.subject.session))?.go(),
    "ask.raw"() {
      raw.hidden = !raw.hidden;
      if (!raw.hidden && !raw.firstChild) raw.append(rawText(ask.view.raw ?? {}));
      raw.scrollIntoView({ block: "nearest" });
    },
    "ask.copy": () => navigator.clipboard?.writeText(plainText(ask)).then(() => say("Copied."), () => say("The browser did not let it be copied.")),
  };

  const items = () =>
    [
      [mayInstruct && has("deny"), TELLING.deny, "D", "ask.deny_tell"],
      [has("deny_here"), CHOICES.deny_here.offer, "N", "ask.deny_here"],
      [has("deny_and_stop"), CHOICES.deny_and_stop.offer, "x", "ask.deny_stop"],
      [has("allow_edited"), CHOICES.allow_edited.offer, "e", "ask.edit"],
      [mayInstruct && has("allow"), "Allow with a note…", "", "ask.note"],
      [has("allow_for"), CHOICES.allow_for.offer, "m", "ask.allow_for"],
      [has("allow_session"), CHOICES.allow_session.offer, "s", "ask.allow_session"],
      [has("allow_project"), CHOICES.allow_project.offer, "R", "ask.always"],
      [has("cancel"), CHOICES.cancel.offer, "", "ask.cancel"],
      [has("hand_back"), CHOICES.hand_back.offer, "t", "ask.hand_back"],
    ]
      .filter(([isOffered]) => isOffered)
      .map(([, label, key, name]) => ({ label, key, run: named[name] }));

  async function answerAlike(choice, asks) {
    const { openAlike } = await fetched(import("./view/alike.js"));
    if (await openAlike(asks, choice)) giveAll(asks.map(bind), choice);
  }

  /** Those that are alike can be answered at once. */
  const together = (asks) =>
    asks.length < 2 ? [] : [["allow", "Allow"], ["deny", "Deny"]].filter(([choice]) => has(choice)).map(([choice, word]) => ({ label: `${word} these ${asks.length}…`, run: () => answerAlike(choice, asks) }));

  async function openMore() {
    const alike = ask.kind === "permission" ? get(`/api/asks/${ask.id}/alike`).catch(() => ({ asks: [] })) : { asks: [] };
    const [{ openMenu }, { asks }] = await fetched(Promise.all([import("./menu.js"), alike]));
    openMenu("More answers", [...together(asks), ...items()]);
  }
  const button = (name, label, options = {}) => h("button", { type: "button", ...options, onclick: (event) => counts(event) && named[name]() }, label);
  const buttons = [];
  if (ask.kind === "permission" && mayInstruct) {
    buttons.push(button("ask.deny_tell", TELLING.deny, { className: "wide", "data-key": "D" }), button("ask.edit", CHOICES.allow_edited.offer, { className: "wide", "data-key": "e" }));
  }
  if (ask.choices?.length > 2) {
    buttons.push(h("button.more", { type: "button", "aria-label": "More answers", onclick: (event) => counts(event) && openMore() }, "⋯"));
  }
  const isOffered = ask.stays?.length && ask.choices?.some((way) => way.choice === "allow_here");
  const stop = isOffered ? button("ask.stop_asking", CHOICES.allow_here.offer, { className: "stop", "aria-describedby": "stop-shape", "data-key": "A" }) : "";
  const shape = isOffered ? h("p.shape", { id: "stop-shape", role: "tooltip" }, naming(ask.stays[0])) : "";
  const lasting = [];
  if (ask.risk.level !== "danger") {
    for (const [choice, name, key] of LASTING) {
      if (ask.choices?.some((way) => way.choice === choice)) lasting.push(button(name, CHOICES[choice].offer, { className: "link", "data-key": key }));
    }
  }
  const small = (name, label) => h("button.link", { type: "button", onclick: (event) => counts(event) && named[name]() }, label);
  const tools = h("div.tools", small("ask.raw", "raw"), small("ask.copy", "copy"), ask.choices?.some((way) => way.choice === "hand_back") ? small("ask.hand_back", CHOICES.hand_back.offer.toLowerCase()) : "", store.sessions.get(ask.subject.session)?.terminal ? h("button.link", { type: "button", onclick: named["ask.jump"] }, "go to terminal") : "", h("code.id", ask.id), raw);
  return { buttons, stop, shape, lasting, extra, note, tools, useInstead: () => edit(ask.risk.instead), run: (name) => named[name]?.() };
}
