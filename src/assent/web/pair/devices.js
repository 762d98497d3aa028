// The devices that are in: what each may do, when it was here, and the way out.

import { send } from "../api.js";
import { clock, h } from "../dom.js";
import { openSheet } from "../view/sheet.js";

const SCOPES = { watch: "watch", deny: "deny", answer: "answer once", instruct: "answer and instruct" };
const day = (ms) => new Date(ms).toLocaleDateString();
const seen = (ms) => (Date.now() - ms < 86_400_000 ? clock(ms) : day(ms));

/** The new name, or null. */
async function askName(device) {
  const field = h("input", { type: "text", value: device.name, maxLength: 40, autocomplete: "off", "aria-label": "Name" });
  const read = () => (field.value.trim() ? { name: field.value.trim() } : { problem: "A device needs a name." });
  const asked = openSheet({ title: `Rename ${device.name}`, act: "Rename", body: h("div", field, h("p.hint", "Answers, log and receipts tell it by this name from now on.")), read, byEnter: true });
  field.focus();
  field.select();
  return asked;
}

export function drawDevices() {
  const list = h("ul.devices");
  const fault = h("p.limit", { role: "alert" });

  const guarded = (act) => () => act().then(refresh, (error) => (fault.textContent = error.sentence ?? error.message));

  function drawDevice(device, self) {
    const isNew = Date.now() < device.active_from;
    const facts = [`${device.kind === "desk" ? "on the hub's machine" : device.kind}, ${device.id}`, `since ${day(device.created_at)}`, `last here ${seen(device.last_seen)}`];
    const limit = isNew ? `new: may only deny until ${clock(device.active_from)}` : device.kind === "phone" && !device.signs ? "without TLS: may watch and deny" : "";
    const scope = h("select", { "aria-label": `What ${device.name} may do`, onchange: guarded(() => send("PATCH", `/api/devices/${device.id}`, { scope: scope.value })) });
    for (const [value, text] of Object.entries(SCOPES)) scope.append(h("option", { value, selected: value === device.scope }, text));
    const isMine = device.id === self;
    const out = h("button", { type: "button" }, "Shut out");
    out.disabled = isMine;
    out.title = isMine ? "This browser cannot shut itself out" : "";
    // A second press in the same place, so that a slip shuts no device out.
    out.onclick = () => {
      out.textContent = "Shut out: sure?";
      out.onclick = guarded(() => send("DELETE", `/api/devices/${device.id}`));
    };
    const rename = h("button", { type: "button", "aria-label": `Rename ${device.name}` }, "Rename");
    rename.onclick = async () => {
      const given = await askName(device);
      if (given) guarded(() => send("PATCH", `/api/devices/${device.id}`, given))();
    };
    return h("li", h("div", h("strong", device.name), isMine ? h("span.chip", "this browser") : "", h("p", facts.join(" · ")), limit ? h("p.limit", limit) : ""), device.kind === "phone" ? scope : h("span.scope", SCOPES[device.scope] ?? "everything"), rename, out);
  }

  async function refresh() {
    const { devices, this: self } = await send("GET", "/api/devices");
    fault.textContent = "";
    list.replaceChildren(...devices.map((device) => drawDevice(device, self)));
  }

  guarded(refresh)();
  return { element: h("section", { "aria-label": "Devices that are in" }, h("h2", "Let in"), list, fault), refresh: () => refresh().catch(() => {}), close() {} };
}
