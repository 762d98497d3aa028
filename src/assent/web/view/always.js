// "Always": the exact rule, where it holds, which file changes, what it would have let pass and what it would not.

import { agentName } from "../names.js";
import { style } from "../style.js";
import { h, signed } from "./h.js";
import { openSheet } from "./sheet.js";
import { inert } from "./text.js";
import { SCOPES } from "../wording_more.js";

await style("sheets");

const CHOICES = { session: "allow_session", project: "allow_project", user: "allow_user" };
const words = (text) => inert(text, { lines: "space", code: false });
const code = (text) => h("code", inert(text, { lines: "space" }));

/** Fields of the answer, or null. `offers` as the hub gave them for this ask. */
export function openAlways(ask, offers) {
  const ways = new Map((ask.choices ?? []).map((way) => [way.choice, way]));
  const isDanger = ask.risk.level === "danger";
  let offer = offers[0];
  let scope;
  const rule = h("textarea.exact", { rows: 2, spellcheck: false, autocomplete: "off", "aria-label": "The rule" });
  const about = h("div.meaning");
  const scopes = h("fieldset.scopes", h("legend", "Where"));
  const match = h("input", { type: "text", autocomplete: "off", spellcheck: false, "aria-label": "Match word" });
  // Assent remembers what is offered, where the client cannot be told to.
  const isKept = () => offer?.keeper === "assent";
  const isRule = () => offer?.grant.startsWith("rule:");

  function pick(next) {
    offer = next;
    const may = offer.scopes.filter((name) => ways.has(CHOICES[name]));
    scope = may.includes(scope) ? scope : may[0];
    scopes.replaceChildren(scopes.firstChild, ...may.map(scopeRow));
    rule.hidden = !isRule();
    rule.value = isRule() ? offer.grant.slice("rule:".length) : "";
    rule.readOnly = isDanger || isKept();
    explain();
  }

  function scopeRow(name) {
    const onchange = () => {
      scope = name;
      explain();
    };
    return h("label.option", h("input", { type: "radio", name: "scope", checked: name === scope, onchange }), SCOPES[name]);
  }

  function explain() {
    const file = offer.files?.[scope];
    const isEdited = isRule() && rule.value !== offer.grant.slice("rule:".length);
    const past = offer.covers?.length
      ? [h("p", "It would have let pass:"), h("ul", ...offer.covers.slice(0, 3).map((line) => h("li", ...signed("✓", code(line)))))]
      : [h("p", "No earlier call matches it.")];
    const left = offer.leaves ? [h("p", "It would still ask about:"), h("ul", h("li", ...signed("✕", words(offer.leaves))))] : [];
    const needs = ways.get(CHOICES[scope])?.needs;
    about.replaceChildren(
      isKept()
        ? h("p", "Kept by Assent, ", ...(file ? ["in ", code(file)] : ["until this session ends"]), `, for ${agentName(ask.subject.harness)} only.`)
        : h("p", "File: ", file ? code(file) : "none; it ends with the session"),
      ...(isEdited ? [h("p.note", "You changed the rule: these examples were for the one that was offered.")] : []),
      ...past,
      ...left,
      ...(needs === "match" ? [h("label", "Type ", h("b.match", words(ask.risk.match)), " to allow: ", match)] : []),
    );
  }

  rule.oninput = () => {
    // It is one line, however it is folded.
    if (rule.value.includes("\n")) rule.value = rule.value.replaceAll("\n", " ");
    explain();
  };
  const rows = offers.map((one, at) => {
    const input = h("input", { type: "radio", name: "offer", checked: at === 0, onchange: () => pick(one) });
    return h("label.option", input, h("span.label", words(one.words), one.suggested && h("span.chip", "suggested by the agent")));
  });
  const body = h("div.always", h("fieldset", h("legend", "What"), ...rows), rule, scopes, about);
  if (isDanger) body.append(h("p.note", "Danger is remembered only for exactly this."));
  if (offer) pick(offer);
  else body.replaceChildren(h("p", "There is nothing that could be remembered about this."));
  return openSheet({
    title: "Always allow",
    body,
    act: "Allow and remember",
    isYes: true,
    read() {
      if (!scope) return { problem: "This cannot be remembered from here." };
      const grant = isRule() ? `rule:${rule.value.trim()}` : offer.grant;
      if (grant === "rule:") return { problem: "The rule is empty." };
      if (ways.get(CHOICES[scope])?.needs !== "match") return { choice: CHOICES[scope], grant };
      if (match.value.trim() !== ask.risk.match) return { problem: `Type ${ask.risk.match} to go on.` };
      return { choice: CHOICES[scope], grant, match: match.value.trim() };
    },
  });
}

/** `{ grant }` of a rule that denies this from now on, or null. `denials` as the hub gave them, the narrowest first. */
export function openNever(denials) {
  let picked = denials[0];
  const rows = denials.map((one, at) => {
    const input = h("input", { type: "radio", name: "denial", checked: at === 0, onchange: () => (picked = one) });
    return h("label.option", input, h("span.label", words(one.words), " ", code(one.grant.slice("rule:".length))));
  });
  const note = h("p.note", "A rule of yours, in all your projects. Grants lists it, and takes it back.");
  const body = denials.length ? h("div.always", h("fieldset", h("legend", "What"), ...rows), note) : h("p", "There is no rule that could deny this from now on.");
  return openSheet({ title: "Always deny", body, act: "Deny, now and always", byEnter: true, read: () => (picked ? { grant: picked.grant } : { problem: "There is nothing to deny for good." }) });
}
