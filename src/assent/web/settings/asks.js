// Settings that people change while they work. They stand in config.toml, and hold at once.

import { get, send } from "../api.js";
import { h } from "../dom.js";
import { short } from "../places.js";
import { PICKED, TYPED } from "../wording_more.js";

/** @type {[string, number][]} */
const UNITS = [["d", 86_400], ["h", 3600], ["m", 60], ["s", 1]];

/** PT600S as "10m". */
export function span(iso) {
  const found = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(iso ?? "");
  if (!found) return iso ?? "";
  let left = found.slice(1).reduce((sum, part, at) => sum + (Number(part) || 0) * [86_400, 3600, 60, 1][at], 0);
  const parts = UNITS.map(([unit, seconds]) => {
    const count = Math.floor(left / seconds);
    left -= count * seconds;
    return count ? `${count}${unit}` : "";
  });
  return parts.join("") || "0s";
}

const at = (settings, name) => name.split(".").reduce((table, key) => table?.[key], settings);

export function drawAsks() {
  const body = h("div.settings-list");
  const told = h("p.told", { role: "status" });
  const element = h("section", h("h2", "Asks"), body, told);

  const change = async (wanted) => {
    const said = await send("PATCH", "/api/settings", wanted).then(({ file }) => `Written to ${short(file)}.`, (error) => error.sentence);
    told.textContent = said;
    if (!said.startsWith("Written")) load();
  };

  const row = (label, control, ...more) => h("label.setting", h("span", label), control, ...more);

  function draw({ settings, changeable, file }) {
    const can = (name) => changeable.includes(name);
    const rows = Object.entries(PICKED).map(([name, [label, options]]) => {
      const pick = h("select", { disabled: !can(name), onchange: () => change({ [name]: pick.value }) }, ...Object.entries(options).map(([value, text]) => h("option", { value, selected: value === at(settings, name) }, text)));
      return row(label, pick);
    });
    const spans = Object.entries(TYPED).map(([name, label]) => {
      const field = h("input.short", { type: "text", value: span(at(settings, name)), disabled: !can(name), onchange: () => change({ [name]: field.value.trim() }) });
      return row(label, field);
    });
    const words = h("textarea", { rows: 4, value: settings.asks.snippets.join("\n"), disabled: !can("asks.snippets"), onchange: () => change({ "asks.snippets": words.value.split("\n").map((line) => line.trim()).filter(Boolean) }) });
    const snippets = row("Replies of your own, one a line, to pick from when you tell an agent something", words);
    body.replaceChildren(...rows, ...spans, snippets, quietHours(settings.presence.quiet), ladder(settings.presence.ladder), h("p.empty", "More stands in ", h("code", short(file)), "."));
  }

  function quietHours(quiet) {
    const isOn = Boolean(quiet) && quiet.start !== quiet.end;
    const time = (label, value) => h("input", { type: "time", value: value.slice(0, 5), "aria-label": label, onchange: write });
    const [start, end] = [time("Quiet from", isOn ? quiet.start : "22:00"), time("Quiet until", isOn ? quiet.end : "07:00")];
    const box = h("input", { type: "checkbox", checked: isOn, onchange: write, id: "quiet-hours" });
    // From one moment to the same is never.
    function write() {
      change({ "presence.quiet": box.checked ? `${start.value}-${end.value}` : "00:00-00:00" });
    }
    return h("div.setting", h("label", { for: "quiet-hours" }, "Quiet hours every day"), h("span.times", box, start, " – ", end));
  }

  const ladder = (steps) => h("div.setting", h("span", "Who is told when"), h("span", steps.map(({ surface, after }) => `${surface} ${/^P0D$|^PT0S$/.test(after) ? "at once" : `after ${span(after)}`}`).join(", then ")));

  async function load() {
    const found = await get("/api/settings").catch((error) => ({ error }));
    if (found.error) body.replaceChildren(h("p.fault", found.error.sentence));
    else draw(found);
  }
  load();
  return { element, load };
}
