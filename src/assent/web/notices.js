// Urgent notices of the page: the hub is gone, an agent works past the gate, a setting is broken.

import { byId, h, hourMinute } from "./dom.js";
import { thisDevice } from "./device.js";
import { store } from "./store.js";

const IDLE = 30_000;
let lastUsed = Date.now();
let openedWith = "";
let problem = "";
let self = "";
const seen = new Set();

/** A sentence of our own, such as why a link did not work. */
export function complain(sentence) {
  problem = sentence;
  draw();
}

function linkTexts() {
  const since = hourMinute(store.lostAt || Date.now());
  if (store.link === "down") return [["down", `Hub unreachable since ${since}. Nothing you press here is sent. Prompts work in the terminal.`]];
  if (store.link === "stale") return [["down", `Stream lost at ${since}. Buttons are off until it is back.`]];
  // A device that is being let in knows.
  if (store.link === "out" && document.querySelector(".joining")) return [];
  if (store.link === "out") return [["down", "This browser has not been let in. Run “assent status” in a terminal and open the link it prints."]];
  return [];
}

function hubTexts(hub) {
  if (!hub) return [];
  const troubles = [hub.journal?.trouble, hub.config_trouble, hub.rules_trouble, hub.permissions_trouble, hub.port_trouble, hub.remote_trouble, hub.remote_warning, hub.team_trouble].filter(Boolean);
  return [
    ...(hub.ungated ?? []).map((sentence) => ["ungated", `Ungated: ${sentence}`]),
    ...troubles.map((sentence) => ["fault-notice", sentence]),
    ...strangers(hub),
    ...machines(hub),
  ];
}

/** Devices that were let in a moment ago, but for this one and those already seen. */
function strangers(hub) {
  const others = (hub.new_devices ?? []).filter((device) => device.id !== self && !seen.has(device.id));
  if (!others.length) return [];
  const names = others.map((device) => `${device.name} (${device.id})`).join(", ");
  return [["device", `${others.length > 1 ? "New devices were" : "A new device was"} let in: ${names}. Shut out what you do not know: assent devices revoke.`, others]];
}

/** Machines that joined the team in this person's name a moment ago. */
function machines(hub) {
  const others = (hub.new_machines ?? []).filter((machine) => !seen.has(machine.hub)).map((machine) => ({ id: machine.hub, name: machine.name }));
  if (!others.length) return [];
  const names = others.map((machine) => `${machine.name} (${machine.id.slice(0, 8)})`).join(", ");
  return [["machine", `${others.length > 1 ? "New machines were" : "A new machine was"} joined in your name: ${names}. Shut out what you do not know: assent team revoke.`, others]];
}

function updated() {
  if (!store.hub) return [];
  openedWith ||= store.hub.version;
  return store.hub.version === openedWith ? [] : [["updated", "Page updated. Reload."]];
}

function draw() {
  const texts = [...linkTexts(), ...(problem ? [["down", problem]] : []), ...updated(), ...hubTexts(store.hub)];
  const key = JSON.stringify(texts);
  const box = byId("notices");
  document.body.classList.toggle("off", !store.isLive && store.link !== "starting");
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  box.replaceChildren(
    ...texts.map(([kind, sentence, devices]) => {
      const line = h(`p.notice.${kind}`, { role: kind === "updated" ? "status" : "alert" }, sentence);
      if (kind === "updated") line.append(" ", h("button.link", { type: "button", onclick: () => location.reload() }, "Reload"));
      const know = () => {
        for (const device of devices) seen.add(device.id);
        draw();
      };
      if (devices) line.append(" ", h("button.link", { type: "button", onclick: know }, devices.length > 1 ? "I know them" : "I know it"));
      return line;
    }),
  );
}

export async function startNotices() {
  for (const topic of ["link", "hub"]) store.on(topic, draw);
  for (const name of ["pointermove", "keydown"]) addEventListener(name, () => (lastUsed = Date.now()), { passive: true });
  setInterval(() => {
    const isIdle = Date.now() - lastUsed > IDLE && store.waiting().length === 0;
    if (isIdle && updated().length) location.reload();
  }, 5_000);
  const know = async () => {
    self = (await thisDevice())?.id ?? "";
    draw();
  };
  // A phone that was let in on one screen goes on to the next.
  store.on("route", know);
  await know();
}
