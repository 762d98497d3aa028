// What is known about a session, in words: chips for what is unusual, one line for the rest.

import { clock, duration } from "../dom.js";
import { counted, grouped, h } from "./h.js";

// Hosts whose own dialogs tell nobody that they were refused.
const LIMITED = /vscode|desktop|jetbrains/i;

export function sessionChips(session, asks = []) {
  const state = session.state ?? "working";
  const chips = [h(`span.chip.state-${state}`, state)];
  if (session.mode === "bypassPermissions") chips.push(h("span.chip.flag-bypass", "bypass: nothing is asked here"));
  if (LIMITED.test(session.entrypoint ?? "") || asks.some((ask) => ask.flags?.includes("limited_host"))) {
    chips.push(h("span.chip", { title: "This host does not report refusals." }, "limited"));
  }
  if (session.attended === false) chips.push(h("span.chip", "unattended"));
  return chips;
}

export const tokens = (number) => (number < 10_000 ? grouped(number) : number < 1e6 ? `${Math.round(number / 1e3)} k` : `${(number / 1e6).toFixed(1)} M`);

export function sessionFacts(session) {
  const { tokens_in: read = 0, tokens_out: written = 0, tokens_cached: cached = 0 } = session;
  return [
    session.model,
    session.mode && `mode ${session.mode}`,
    session.branch,
    counted(session.calls ?? 0, "call"),
    session.denied && `${session.denied} denied`,
    session.failed && `${session.failed} failed`,
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
