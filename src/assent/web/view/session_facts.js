// What is known about a session, in words: chips for what is unusual, one line for the rest.

import { clock, duration } from "../dom.js";
import { otherClient } from "../names.js";
import { stateOf } from "../store.js";
import { FLAGS } from "../wording.js";
import { counted, grouped, h } from "./h.js";

// Hosts whose own dialogs do not report refusals.
const LIMITED = /vscode|desktop|jetbrains/i;

export function sessionChips(session, asks = []) {
  const { sign, word } = stateOf(session);
  const chips = [h(`span.chip.state-${session.state ?? "working"}`, h("span", { "aria-hidden": "true" }, `${sign} `), word, !session.needs && session.dialogs?.length ? " in its terminal" : "")];
  if (session.mode === "bypass") chips.push(h("span.chip.flag-bypass", FLAGS.bypass));
  if (LIMITED.test(session.entrypoint ?? "") || asks.some((ask) => ask.flags?.includes("limited_host"))) {
    chips.push(h("span.chip", { title: "This host does not report refusals." }, "limited"));
  }
  if (session.attended === false) chips.push(h("span.chip", "unattended"));
  return chips;
}

export const tokens = (number) => (number < 10_000 ? grouped(number) : number < 1e6 ? `${Math.round(number / 1e3)} k` : `${Number((number / 1e6).toFixed(1))} M`);

function autoMode({ answered = 0, refused = 0, appealed = 0 } = {}) {
  if (!answered && !refused) return "";
  return `auto mode: ${counted(answered, "call")} answered before the classifier, ${grouped(refused)} refused, ${grouped(appealed)} appealed`;
}

/** `context 62 % of 200 k`; tokens alone where the window is not known. */
function contextFill({ tokens: held = 0, window: size = 0 } = {}) {
  if (!held) return "";
  return held <= size ? `context ${Math.round((100 * held) / size)} % of ${tokens(size)}` : `context ${tokens(held)} tokens`;
}

/** `3 of 7 done, now: Write the tests` */
export function todoSummary(todos) {
  const now = todos.find((todo) => todo.state === "doing");
  return `${todos.filter((todo) => todo.state === "done").length} of ${todos.length} done${now ? `, now: ${now.text}` : ""}`;
}

export function sessionFacts(session) {
  const { tokens_in: read = 0, tokens_out: written = 0, tokens_cached: cached = 0 } = session;
  return [
    otherClient(session.harness),
    session.model,
    session.mode && `mode ${session.mode}`,
    session.branch,
    contextFill(session.context),
    counted(session.calls ?? 0, "call"),
    session.denied && `${session.denied} denied`,
    session.failed && `${session.failed} failed`,
    autoMode(session.auto),
    read + written > 0 && `${tokens(read)} tokens in, ${tokens(written)} out${cached ? `, ${tokens(cached)} cached` : ""}`,
    session.lines_added || session.lines_removed ? `+${session.lines_added ?? 0} −${session.lines_removed ?? 0} lines` : "",
    typeof session.cost_usd === "number" && `$${session.cost_usd.toFixed(2)}`,
    session.active_s > 0 && `${duration(session.active_s * 1000)} active`,
    session.last && `last ${clock(session.last)}`,
    session.ended_because && `ended: ${session.ended_because}`,
  ]
    .filter(Boolean)
    .join(" · ");
}
