// One row of a feed: a call from its beginning to its end, who decided about it, and how it went.

import { clock, duration } from "../dom.js";
import { DECISIONS, FEED } from "../wording_more.js";
import { h, signed } from "./h.js";
import { inert } from "./text.js";

const line = (text) => inert(text, { lines: "space", code: false });

/** `rule:user#4` as "rule 4", `person:phone` as "phone". */
const whoSaid = (by = "") => by.replace(/^rule:.*#(\d+)$/, "rule $1").replace(/^(permission):.*|^person:/, "$1").replace(":", " ");

export function drawFeedRow(row) {
  const said = row.said && row.said.decision !== "no_opinion" ? row.said : undefined;
  const facts = [
    row.took_ms !== undefined && duration(row.took_ms),
    said && `${DECISIONS[said.decision]?.word ?? said.decision.replaceAll("_", " ")} by ${whoSaid(said.by)}`,
    row.partial && "beginning not recorded",
  ].filter(Boolean);
  const ask = row.ask && h("a", { href: `/a/${row.ask}` }, "ask");
  return h(
    `li.fr.is-${row.kind}.${row.state || "plain"}`,
    h("time", clock(row.at)),
    h("div.fr-main", row.agent && h("span.fr-agent", ...signed("↳"), line(row.agent_type || row.agent.slice(0, 8)), " "), row.name && h("b", line(row.name), " "), h("span.fr-what", line(row.what ?? "")), facts.length > 0 && h("span.fr-facts", ` · ${facts.join(" · ")}`), ask && " ", ask),
    h("span.fr-state", ...signed(FEED[row.state]?.sign, FEED[row.state]?.word ?? "")),
    said?.why && said.decision !== "allow" && h("p.fr-why", line(said.why)),
    row.note && h("p.fr-why", line(row.note)),
  );
}
