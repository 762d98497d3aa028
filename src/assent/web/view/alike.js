// Several asks that are alike, each with all of its text, before one answer is given to each of them.

import { words } from "../label.js";
import { agentName, projectOf, riskWord } from "../names.js";
import { style } from "../style.js";
import { h } from "./h.js";
import { openSheet } from "./sheet.js";
import { drawThing, watchEnd } from "./thing.js";

await style("sheets");

function one(ask, at, count) {
  const { risk, subject } = ask;
  const title = h("h3", `${at + 1} of ${count} `, h("span.second", words(subject.title || subject.session.slice(0, 8))));
  return h("section", title, risk.reason ? h("p.note", words(risk.reason)) : "", drawThing(ask));
}

/** Whether they are to be answered so. `asks`: as the hub gave them; `choice`: allow or deny. */
export async function openAlike(asks, choice) {
  const isYes = choice === "allow";
  const [first] = asks;
  let isRead = !isYes;
  const about = h("p", `${riskWord(first)} · `, words(first.view.verb), " · ", words(projectOf(first.subject)), ` · ${agentName(first.subject.harness)}`);
  const body = h("div.alike", about, ...asks.map((ask, at) => one(ask, at, asks.length)));
  const unwatch = watchEnd(body, () => (isRead = true));
  const word = isYes ? "Allow" : "Deny";
  const given = await openSheet({
    title: `${word} these ${asks.length}${isYes ? ", once each" : ""}?`,
    body,
    act: `${word} these ${asks.length}`,
    isYes,
    read() {
      if (isYes && body.querySelector("button.fold")) return { problem: "Open what is folded first, and read it." };
      return isRead ? {} : { problem: "Read to the end first: scroll down." };
    },
  });
  unwatch();
  return given !== null;
}
