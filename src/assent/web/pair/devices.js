// The devices that are in: what each may do, when it was here, and the way out.

import { send } from "../api.js";
import { clock, h } from "../dom.js";

const SCOPES = { watch: "watch", deny: "deny", answer: "answer once", instruct: "answer and instruct" };
const day = (ms) => new Date(ms).toLocaleDateString();
const seen = (ms) => (Date.now() - ms < 86_400_000 ? clock(ms) : day(ms));

export function drawDevices() {
  const list = h("ul.devices");
  const fault = h("p.limit", { role: "alert" });

  const guarded = (act) => () => act().then(refresh, (error) => (fault.textContent = error.sentence ?? error.message));

  function drawDevice(device, self) {
    const isNew = Date.now() < device.active_from;
    const facts = [`${device.kind}, ${device.id}`, `since ${day(device.created_at)}`, `last here ${seen(device.last_seen)}`];
    const limit = isNew ? `new: may only deny until ${clock(device.active_from)}` : device.kind === "phone" && !device.signs ? "without TLS: may watch and deny" : "";
    const scope = h("select", { "aria-label": `What ${device.name} may do`, onchange: guarded(() => send("PATCH", `/api/devices/${device.id}`, { scope: scope.value })) });
    for (const [value, text] of Object.entries(SCOPES)) scope.append(h("option", { value, selected: value === device.scope }, text));
    const isMine = device.id === self;
    const out = h("button", { type: "button" }, isMine ? "This browser" : "Shut out");
    out.disabled = isMine;
    // A second press in the same place, so that a slip shuts no device out.
    out.onclick = () => {
      out.textContent = "Shut out: sure?";
      out.onclick = guarded(() => send("DELETE", `/api/devices/${device.id}`));
    };
    return h("li", h("div", h("strong", device.name), h("p", facts.join(" · ")), limit ? h("p.limit", limit) : ""), device.kind === "phone" ? scope : h("span", device.scope), out);
  }

  async function refresh() {
    const { devices, this: self } = await send("GET", "/api/devices");
    fault.textContent = "";
    list.replaceChildren(...devices.map((device) => drawDevice(device, self)));
  }

  guarded(refresh)();
  return { element: h("section", { "aria-label": "Devices that are in" }, h("h2", "Let in"), list, fault), refresh: () => refresh().catch(() => {}), close() {} };
}
