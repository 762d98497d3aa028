// The bar of actions under an ask. Deny is one press and comes first; what a yes costs grows with the risk.

import { bind, dismiss, give, mine, refusalOf, undo } from "./answers.js";
import { h } from "./dom.js";
import { counts, onGrace } from "./grace.js";
import { stateNow } from "./rows.js";
import { say } from "./announce.js";
import { isWaiting, store } from "./store.js";
import { hold } from "./hold.js";
import { readAnswer } from "./view/thing.js";
import { CHOICES, MAIN } from "./wording.js";

// By these nothing happens that would not have happened by itself: they never wait for anything.
const SAFE = new Set(["deny", "deny_here", "deny_and_stop", "hand_back", "decline", "cancel", "let_stop", "revise", "keep_going"]);
const ARMED_FOR = 10_000;

/** `ask`: as drawn. `thing`: what was drawn of it. `buttons`: between no and yes. `stop`: beside yes, `shape`: what it stops asking for. `lasting`: quiet, above yes. `extra`: what goes with a choice. */
export function drawBar(ask, thing, { buttons, stop, shape, lasting, extra }) {
  const bound = bind(ask);
  const [noChoice, yesChoice, noWord = CHOICES[noChoice].offer] = MAIN[ask.kind];
  const yesWord = CHOICES[yesChoice].offer;
  const ways = () => new Map((store.asks.get(bound.id)?.choices ?? ask.choices ?? []).map((way) => [way.choice, way.needs ?? "press"]));
  const isMatch = [...ways().values()].includes("match");
  const yesText = isMatch && matchMedia("(pointer: coarse)").matches ? "Hold + type" : yesWord;
  /** @type {{ choice: string, fields: Record<string, any> } | null} */
  let armed = null;
  let disarming = 0;
  let isEndSeen = false;

  const status = h("p.status");
  const undoButton = h("button.undo", { type: "button", hidden: true }, "Undo ", h("kbd", "u"));
  const confirm = h("button.confirm", { type: "button", hidden: true });
  const wait = h("span.wait", "just changed, one moment");
  const fault = h("p.fault", { role: "alert" });
  const match = h("input", { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: false, placeholder: "match word", id: "match", "aria-describedby": "match-word" });
  const matchBox = h("label.match-box", { hidden: !isMatch }, h("span", "type the match word"), match);
  const no = h("button.no", { type: "button", "data-key": "d", hidden: !ways().has(noChoice) }, noWord);
  const yes = h("button.yes", { type: "button", "data-key": "a", hidden: !ways().has(yesChoice) }, yesText);
  const element = h(
    `footer.bar.${ask.risk.level}`,
    { role: "group", "aria-label": "Answer" },
    h("div.sweep", { "aria-hidden": "true" }),
    h("div.told", status, confirm, undoButton, ways().size === 0 || ways().has(yesChoice) ? "" : h("span.limit", ask.approval ? "Others have to say yes." : `${yesWord} is not offered on this device.`), wait, fault),
    h("div.buttons", no, ...buttons, h("span.gap"), matchBox, stop, yes),
    h("div.lasting", ...lasting),
    shape,
  );

  const isOff = () => !store.isLive || !isWaiting(store.asks.get(bound.id) ?? {}) || Boolean(mine(bound.id));
  const complain = (text) => {
    fault.textContent = text;
    if (text) say(text, { isUrgent: true });
  };

  /** Whether a yes is possible; where it is not, why. */
  function isRead() {
    if (isEndSeen) return true;
    complain("Read to its end first: press End, or scroll down.");
    return false;
  }

  function disarm() {
    clearTimeout(disarming);
    armed = null;
    refresh();
  }

  /** An answer, unless something stands against it. `isSure`: a second press in another place was made already. */
  function answer(choice, fields = {}, { isSure = false } = {}) {
    complain("");
    const needs = ways().get(choice);
    if (isOff()) return false;
    if (!needs) return complain("That cannot be answered from here.");
    const filled = { ...readAnswer(thing, choice), ...extra(choice), ...fields };
    if (filled.problem) return complain(filled.problem);
    if (!SAFE.has(choice) && !isRead()) return undefined;
    if (needs === "match" && !fields.match) {
      if (match.value.trim() !== ask.risk.match) {
        match.focus();
        return match.value ? complain("That is not the match word. It stands after the content.") : false;
      }
      filled.match = match.value.trim();
    }
    if (needs === "confirm" && !isSure) {
      armed = { choice, fields };
      clearTimeout(disarming);
      disarming = setTimeout(disarm, ARMED_FOR);
      refresh();
      say(`${confirm.textContent} Press Enter to confirm.`);
      return false;
    }
    clearTimeout(disarming);
    armed = null;
    give(bound, { ...filled, choice }, { undo: needs === "confirm" });
    return true;
  }

  const confirmArmed = () => armed && answer(armed.choice, armed.fields, { isSure: true });

  function refresh() {
    const now = store.asks.get(bound.id) ?? ask;
    const state = stateNow(now);
    const refusal = refusalOf(bound.id);
    element.dataset.state = refusal ? "refused" : state.name;
    status.replaceChildren(h("span", { "aria-hidden": "true" }, state.glyph ? `${state.glyph} ` : ""), state.text ?? "");
    status.hidden = Boolean(armed);
    if (refusal && fault.textContent !== refusal) fault.textContent = refusal;
    undoButton.hidden = mine(bound.id)?.phase !== "held";
    confirm.hidden = !armed;
    if (armed) confirm.replaceChildren(`Yes, ${CHOICES[armed.choice].confirm}`, h("kbd", "Enter"));
    const off = isOff();
    for (const button of element.querySelectorAll(":is(.buttons, .lasting) button")) button.disabled = off;
    match.disabled = off;
    // What was answered on another machine is over: its receipt is what is left of it.
    const isReceipt = now.state === "closed" && now.flags?.includes("other_machine");
    for (const part of element.querySelectorAll(".buttons, .lasting, .limit")) part.classList.toggle("over", Boolean(isReceipt));
    yes.textContent = state.name === "gone" ? `${yesWord.replace(/ once| plan/, "")} anyway` : yesText;
    const isReady = isEndSeen && !(isMatch && match.value.trim() !== ask.risk.match);
    yes.setAttribute("aria-disabled", String(!off && !SAFE.has(yesChoice) && !isReady));
    yes.title = isEndSeen ? "" : "Off until the end was in view";
    if (stop) stop.setAttribute("aria-disabled", String(!off && !isEndSeen));
  }

  no.onclick = (event) => counts(event) && answer(noChoice);
  hold(yes, () => isMatch, (event) => counts(event) && answer(yesChoice));
  confirm.onclick = (event) => counts(event) && confirmArmed();
  undoButton.onclick = () => undo(bound.id);
  fault.onclick = () => dismiss(bound.id);
  match.oninput = refresh;
  match.onkeydown = (event) => {
    if (event.key === "Enter" && counts(event)) answer(yesChoice);
  };
  thing.addEventListener("ready", refresh);
  const ends = [
    store.on("answers", (id) => id === bound.id && refresh()),
    store.on("link", refresh),
    onGrace((isOn) => element.classList.toggle("grace", isOn)),
    () => clearTimeout(disarming),
  ];
  refresh();
  return {
    element,
    bound,
    refresh,
    answer,
    disarm,
    confirmArmed,
    isRead,
    isArmed: () => armed !== null,
    yes: () => answer(yesChoice),
    no: () => answer(noChoice),
    has: (choice) => ways().has(choice),
    focusMatch: () => isMatch && match.focus(),
    endSeen() {
      isEndSeen = true;
      refresh();
    },
    close() {
      for (const end of ends) end();
    },
  };
}
