// One row of the feed: one thing that happened, from its beginning to its end.

import { words } from "../label.js";
import { clock, duration, h, signed } from "../dom.js";
import { hue, projectOf } from "../names.js";
import { store } from "../store.js";
import { RISKS } from "../wording.js";
import { DECISIONS, FEED } from "../wording_more.js";


// A stance allows what is harmless all day long: told to those who ask for it.
const isQuiet = ({ decision, by }) => (decision === "allow" || decision === "prompt") && by.startsWith("stance:");
export const isVerdict = (said) => Boolean(said) && said.decision !== "no_opinion";
export const sessionOf = (row) => store.sessions.get(row.session);
export const projectName = (row) => (row.session ? projectOf(sessionOf(row) ?? { id: row.session }) : "hub");

const whoSaid = (by) => by.replace(/^rule:.*#(\d+)$/, "rule $1").replace(/^(permission):.*|^person:/, "$1").replace(":", " ");

export function verdictText({ decision, by, why }) {
  const word = DECISIONS[decision]?.word ?? decision.replaceAll("_", " ");
  return `${word} by ${whoSaid(by)}${why ? `: ${why}` : ""}`;
}

export function drawEvent(item, row) {
  const { sign, word } = RISKS[row.risk] ?? RISKS.care;
  const main = h("div.main");
  if (row.agent) main.append(h("span.agent", ...signed("↳"), words(row.agent_type || row.agent.slice(0, 8))));
  if (row.risk === "care" || row.risk === "danger") main.append(h(`span.sign.${row.risk}`, { title: word }, h("span", { "aria-hidden": "true" }, sign), h("span.unseen", word)), " ");
  if (row.name) main.append(h("span.name", words(row.name)));
  main.append(h("span.what", words(row.what ?? "")));
  if (row.partial) main.append(" ", h("span.mark-partial", "· beginning not recorded"));
  if (row.ask) main.append(" ", h("a", { href: `/a/${row.ask}`, tabIndex: -1 }, "ask ", row.ask));
  item.className = `event is-${row.kind}${row.session ? ` hue-${hue(projectName(row))}` : ""}${row.agent ? " of-agent" : ""}`;
  item.replaceChildren(
    h("a.when", { href: `/log/${row.seq}`, tabIndex: -1, title: "What is on record of it" }, h("time", clock(row.at))),
    h("span.of", words(projectName(row))),
    main,
    h("span.took", row.took_ms === undefined ? "" : duration(row.took_ms)),
    row.state ? h(`span.chip.${row.state}`, ...signed(FEED[row.state]?.sign, FEED[row.state]?.word ?? row.state)) : h("span"),
  );
  if (isVerdict(row.said) && !isQuiet(row.said)) item.append(h(`p.verdict.${row.said.decision}`, words(verdictText(row.said))));
  if (row.note) item.append(h("p.note", words(row.note)));
}
