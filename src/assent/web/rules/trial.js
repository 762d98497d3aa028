// The try-it box: what would be decided about a command, part by part, and by whom.

import { words } from "../label.js";
import { send } from "../api.js";
import { h, signed } from "../dom.js";
import { deciderOf } from "../log/words.js";
import { inert } from "../view/text.js";
import { RISKS } from "../wording.js";
import { ENDINGS, TRIALS } from "../wording_more.js";

const MODES = { default: "default mode", accept_edits: "accept edits", plan: "plan", bypass: "bypass permissions" };

/** `cwd()`: the folder it would run in. */
export function drawTrial(cwd) {
  const command = h("textarea.code", { rows: 2, id: "try-command", placeholder: "git push --force origin main", spellcheck: false, autocapitalize: "off" });
  const mode = h("select", { "aria-label": "Permission mode" }, ...Object.entries(MODES).map(([value, text]) => h("option", { value }, text)));
  const told = h("div.trial", { "aria-live": "polite" });
  const act = async () => {
    if (!command.value.trim()) return command.focus();
    const trial = await send("POST", "/api/try", { command: command.value, cwd: cwd(), mode: mode.value }).catch((error) => ({ error }));
    told.replaceChildren(...(trial.error ? [h("p.fault", { role: "alert" }, trial.error.sentence)] : drawResult(trial)));
  };
  // Enter judges; a new line is Shift and Enter, as in a terminal's prompt.
  command.onkeydown = (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    act();
  };
  return h("section.try", h("h2", "Try it"), h("label", { for: "try-command" }, "A command. Nothing is run, nothing is recorded."), command, h("div.buttons", mode, h("button", { type: "button", onclick: act }, "Judge it")), told);
}

const risk = (level) => h(`span.lvl.${level}`, ...signed(RISKS[level]?.sign, RISKS[level]?.word ?? level ?? ENDINGS.unknown.word));

function drawResult(trial) {
  return [
    h(`p.would.${trial.decision}`, h("b", ...signed(TRIALS[trial.decision]?.sign, TRIALS[trial.decision]?.word ?? trial.decision)), " ", risk(trial.risk ?? "care")),
    h("p", words(trial.reason)),
    trial.safer && h("p", "Safer: ", words(trial.safer)),
    trial.told && h("p.empty", words(trial.told)),
    trial.steps?.length > 0 && drawSteps(trial.steps),
    h("h3", "Who said what"),
    h("ul.voices", ...trial.trace.map((line) => h("li", h("b", words(deciderOf(line))), ` ${line.says.replaceAll("_", " ")}`, line.why ? ": " : "", words(line.why ?? "")))),
  ].filter(Boolean);
}

function drawSteps(steps) {
  return h(
    "ul.steps-tree",
    ...steps.map((step) => {
      const effects = (step.effects ?? []).map((effect) => h("p", words(effect.why), effect.target ? h("code", " ", words(effect.target)) : ""));
      return h("li", risk(step.risk), h("code.code", inert(step.command, { lines: "space" })), h("div.why", ...effects), step.starts?.length ? drawSteps(step.starts) : "");
    }),
  );
}
