// A row of the inbox: what, the thing itself, who; no buttons, so that nothing is answered by a slip.

import { agentLabel, projectGlyph, words } from "./label.js";
import { mine, refusalOf } from "./answers.js";
import { age as ageOf, h, signed } from "./dom.js";
import { glyphOf, otherClient, projectOf, riskWord } from "./names.js";
import { nameOf, stateOf } from "./receipts.js";
import { store } from "./store.js";
import { inert } from "./view/text.js";
import { CLOSED } from "./wording.js";

export const stateNow = (ask) => stateOf(ask, mine(ask.id), store.now(), store.turned.get(ask.id));

export function drawRow(ask) {
  const age = h("span.age");
  const second = h("span.second");
  const link = h(
    `a.row.${ask.risk.level}`,
    { href: `/a/${ask.id}`, tabIndex: -1 },
    h("span.sign", { "aria-hidden": "true" }, glyphOf(ask)),
    h("span.verb", h("span.unseen", `${riskWord(ask)}. `), words(ask.view.verb)),
    age,
    thingLine(ask.view.line, ask.kind !== "permission"),
    second,
  );
  const item = h("article", { "aria-label": `${riskWord(ask)}: ${ask.view.verb}` }, link);
  item.dataset.ask = ask.id;
  const who = [projectGlyph(ask.subject), " ", h("span", words(projectOf(ask.subject)))];
  if (ask.flags?.includes("other_machine") && ask.subject.machine) who.push(" · ", h("span", "on ", words(ask.subject.machine)));
  if (ask.subject.title) who.push(" · ", h("span", words(ask.subject.title)));
  if (ask.subject.agent) who.push(" ", agentLabel(ask.subject));
  else if (otherClient(ask.subject.harness)) who.push(" · ", agentLabel(ask.subject));

  /** `at` of `size`: where it stands. */
  function refresh(at, size) {
    if (at && item.ariaPosInSet !== String(at)) item.ariaPosInSet = String(at);
    if (at && item.ariaSetSize !== String(size)) item.ariaSetSize = String(size);
    const now = store.asks.get(ask.id) ?? ask;
    const state = stateNow(now);
    const refusal = refusalOf(ask.id);
    link.dataset.state = refusal ? "refused" : state.name;
    age.textContent = state.isOpen ? ageOf(store.now() - now.opened_at) : "";
    const told = refusal || (state.name === "open" ? "" : state.text);
    if (second.dataset.told === told) return;
    second.dataset.told = told;
    second.replaceChildren(...(told ? signed(refusal ? "" : state.glyph, told) : who));
  }
  refresh();
  return { id: ask.id, item, link, refresh };
}

// So many characters of the end are always seen; what does not fit between is cut.
const END = 16;

/** The thing itself in one line. A command is cut in the middle, prose at its end; a sign for what is not seen stands whole or not at all. */
function thingLine(line = "", isProse = false) {
  if (!line) return "";
  const start = h("span.start", inert(line, { lines: "space" }));
  if (isProse) return h("span.line", start);
  const end = h("span.end");
  for (let room = END; room > 0 && start.lastChild; ) {
    const last = start.lastChild;
    const text = last.textContent ?? "";
    if (text.length <= room) {
      room -= text.length;
      end.prepend(last);
      continue;
    }
    const at = text.length - room;
    // Half of a character is none.
    if (last instanceof Text) end.prepend(last.splitText(/[\udc00-\udfff]/.test(text[at]) ? at + 1 : at));
    break;
  }
  return h("span.line", start, end);
}

/** What is over, in one line: `✓ Edit auth.py   terminal`. */
export function drawClosed(ask) {
  const state = stateNow(ask);
  const where = ask.answer ? nameOf(ask.answer) : "";
  const how = CLOSED[state.name] ?? (where || (ask.result?.ending === "terminal" ? "terminal" : ""));
  const link = h(`a.closed.is-${state.name}`, { href: `/a/${ask.id}`, title: state.text }, h("span.sign", { "aria-hidden": "true" }, state.glyph), h("span.verb", words(ask.view.verb)), h("span.how", how));
  return h("li", link);
}
