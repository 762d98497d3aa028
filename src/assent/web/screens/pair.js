// Devices: who was let in, letting in another one, and, on the new one itself, being let in.

import { get } from "../api.js";
import { claimed } from "../device.js";
import { h } from "../dom.js";
import { drawDevices } from "../pair/devices.js";
import { drawInvitation } from "../pair/invite.js";
import { drawJoining } from "../pair/join.js";
import { store, tell } from "../store.js";
import { style } from "../style.js";

await style("pair");

export const title = "Devices";

let ends = [];

export async function mount(root) {
  const code = location.hash.slice(1);
  // Gone from the address before anything else.
  if (code) history.replaceState(null, "", location.pathname);
  const pane = h("section.one.pair");
  root.append(pane);
  let isOver = false;
  ends = [() => (isOver = true)];
  const part = code || (await claimed()) ? drawJoining(code) : await drawDesk();
  if (isOver) return part.close();
  ends.push(part.close);
  pane.append(part.element);
  // What is said above depends on whether this device is being let in.
  tell("link", store.link);
  part.element.querySelector("h1").focus();
}

export function unmount() {
  for (const end of ends) end();
  ends = [];
}

async function drawDesk() {
  const me = await get("/api/me").catch(() => null);
  const heading = h("h1", { tabIndex: -1 }, title);
  if (me?.scope !== "admin") return { element: h("div", heading, ...aboutMe(me)), close() {} };
  const devices = drawDevices();
  const invitation = drawInvitation(devices.refresh);
  const close = () => {
    for (const part of [devices, invitation]) part.close();
  };
  return { element: h("div", heading, invitation.element, devices.element), close };
}

function aboutMe(me) {
  if (!me) return [h("p.empty", "This browser has not been let in.")];
  return [h("p", `This is ${me.name}. It may ${me.scope}.`), me.limit && h("p.limit", me.limit), h("p.empty", "Devices are let in and shut out at the hub's own machine.")];
}
