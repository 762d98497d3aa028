// A form that an MCP server asks to be filled in, as native inputs; or an address it wants opened.

import { changed } from "./draft.js";
import { counted, h } from "./h.js";
import { inert } from "./text.js";

const words = (text) => inert(text, { lines: "plain", code: false });
const FORMATS = { email: "email", uri: "url", date: "date", "date-time": "datetime-local" };
const nameOf = (field) => field.title || field.name;

export function drawForm(ask, box) {
  const form = ask.view.form ?? {};
  if (form.message) box.append(h("p.message", words(form.message)));
  if (form.trouble) box.append(h("p.trouble", words(form.trouble)));
  if (form.mode === "url") return drawAddress(form, box, ask.flags?.includes("redacted"));
  const fields = (form.fields ?? []).map((field, at) => drawField(field, `f-${ask.id}-${at}`));
  box.append(h("form", { noValidate: true, autocomplete: "off", onsubmit: (event) => event.preventDefault(), oninput: () => changed(box) }, ...fields.map((one) => one.row)));
  box.append(h("p.hint", `Sent to ${form.server ?? "the server"} and never recorded.`));
  return {
    read(choice) {
      if (choice !== "submit") return {};
      const wrong = fields.filter((one) => one.check());
      if (wrong.length) {
        wrong[0].focus();
        return { problem: wrong[0].check() };
      }
      return { content: Object.fromEntries(fields.map((one) => [one.name, one.value()]).filter(([, value]) => value !== undefined)) };
    },
  };
}

function drawField(field, id) {
  const fault = h("p.fault", { id: `${id}-fault`, role: "alert" });
  const about = { id, required: Boolean(field.required), "aria-describedby": `${id}-fault` };
  const { input, value, focus } = INPUTS[field.kind]?.(field, about) ?? INPUTS.text(field, about);
  const label = h(input.tagName === "FIELDSET" ? "div.name" : "label.name", { for: id }, words(nameOf(field)), field.required && h("span.must", " required"));
  if (input.tagName === "FIELDSET") input.setAttribute("aria-label", nameOf(field));
  const check = () => {
    const sentence = problem(field, value());
    fault.textContent = sentence;
    return sentence;
  };
  input.addEventListener("change", check);
  const row = h(`div.field.${field.kind}`, label, field.description && h("p.about", words(field.description)), input, fault);
  return { name: field.name, row, value, check, focus: focus ?? (() => input.focus()) };
}

function chosen(field, about, type) {
  const isOn = (value) => (type === "checkbox" ? (field.default ?? []).includes(value) : field.default === value);
  const inputs = field.options.map(([value]) => h("input", { type, name: about.id, value, checked: isOn(value) }));
  const rows = field.options.map(([value, title], at) => h("label.option", inputs[at], words(title || value)));
  const on = () => inputs.filter((input) => input.checked).map((input) => input.value);
  return { input: h("fieldset", { "aria-describedby": about["aria-describedby"] }, ...rows), on, focus: () => inputs[0]?.focus() };
}

const INPUTS = {
  text(field, about) {
    const type = field.secret ? "password" : FORMATS[field.format] ?? "text";
    const input = h("input", { ...about, type, value: field.default ?? "", autocomplete: "off", spellcheck: false });
    const isTime = type === "datetime-local";
    return { input, value: () => (input.value === "" ? undefined : isTime ? new Date(input.value).toISOString() : input.value) };
  },
  number(field, about) {
    const input = h("input", { ...about, type: "number", step: field.kind === "integer" ? 1 : "any", value: field.default ?? "" });
    return { input, value: () => (input.validity.badInput ? NaN : input.value === "" ? undefined : Number(input.value)) };
  },
  boolean(field, about) {
    const box = h("input", { ...about, type: "checkbox", checked: field.default === true });
    return { input: h("label.option", box, "yes"), value: () => box.checked, focus: () => box.focus() };
  },
  choice(field, about) {
    const { on, ...made } = chosen(field, about, "radio");
    return { ...made, value: () => on()[0] };
  },
  choices(field, about) {
    const { on, ...made } = chosen(field, about, "checkbox");
    return { ...made, value: () => (on().length || field.required ? on() : undefined) };
  },
};
INPUTS.integer = INPUTS.number;

/** What is wrong with a value, as a sentence; "" if nothing is. */
function problem(field, value) {
  const name = nameOf(field);
  if (value === undefined) return field.required ? `${name} is required.` : "";
  if (Array.isArray(value)) return field.required && !value.length ? `Pick at least one of ${name}.` : "";
  if (typeof value === "number") {
    if (!Number.isFinite(value)) return `${name} must be a number.`;
    if (field.kind === "integer" && !Number.isInteger(value)) return `${name} must be a whole number.`;
    if (value < (field.minimum ?? -Infinity)) return `${name} must be at least ${field.minimum}.`;
    return value > (field.maximum ?? Infinity) ? `${name} must be at most ${field.maximum}.` : "";
  }
  if (typeof value !== "string") return "";
  const length = [...value].length;
  if (length < (field.min_length ?? 0)) return `${name} needs at least ${counted(field.min_length, "character")}.`;
  if (length > (field.max_length ?? Infinity)) return `${name} takes at most ${counted(field.max_length, "character")}.`;
  if (field.format === "email" && !/^\S+@\S+$/.test(value)) return `${name} must be an e-mail address.`;
  if (field.format === "uri" && !URL.canParse(value)) return `${name} must be a whole address, such as https://example.com.`;
  return "";
}

function drawAddress(form, box, isMarked) {
  const url = URL.canParse(form.url ?? "") ? new URL(form.url) : undefined;
  const isWeb = url && /^https?:$/.test(url.protocol);
  box.append(h("p.host", inert(url?.host || form.host || form.url || "no address", { lines: "space" })));
  if (url) box.append(h("p.path", inert(form.url, { lines: "space" })));
  if (isMarked) box.append(h("p.trouble", "A secret in this address is shown as a mark, so it cannot be opened from here."));
  else if (!isWeb) box.append(h("p.trouble", "This address cannot be opened from here."));
  else {
    const open = () => window.open(url.href, "_blank", "noopener,noreferrer");
    box.append(h("button.open", { type: "button", onclick: open }, `Open ${url.host} ↗`), h("p.hint", "Opens only when you press, in a new tab. What you type there does not pass through assent."));
  }
  return {};
}
