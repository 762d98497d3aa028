// Notifications for this device: whether it can have them, turning them on and off, and how much they tell.

import { get, send } from "./api.js";
import { h } from "./view/h.js";

const APPLE = /iPhone|iPad|iPod/;
const HOME_SCREEN = "Add to Home Screen first: Share ⇧ → Add to Home Screen. Then turn on here.";
const NO_TLS = "Notifications need HTTPS, or a browser on the hub's own machine.";
const BLOCKED = "This browser blocks notifications from here. Allow them in its settings, then turn on.";

/** Why this browser cannot be notified, in words; "" where it can. */
export function hindrance() {
  if (!globalThis.isSecureContext) return NO_TLS;
  const isOnHomeScreen = /** @type {any} */ (navigator).standalone || matchMedia("(display-mode: standalone)").matches;
  if (APPLE.test(navigator.userAgent) && !isOnHomeScreen) return HOME_SCREEN;
  if (!("PushManager" in globalThis) || !("Notification" in globalThis)) return "This browser has no notifications.";
  return Notification.permission === "denied" ? BLOCKED : "";
}

async function manager() {
  // Asked for again, it is the same one. Waiting for a worker that could not start would never end.
  await navigator.serviceWorker.register("/sw.js", { type: "module" }).catch(() => {
    throw new Error("This browser cannot run what shows notifications.");
  });
  return (await navigator.serviceWorker.ready).pushManager;
}

/** {on, privacy, why}: whether this device is notified, how much it tells, and why it cannot be. */
export async function pushState() {
  const why = hindrance();
  if (why) return { on: false, privacy: "masked", why };
  const { on, privacy } = await get("/api/push");
  // The hub may think so while the browser has forgotten.
  const subscribed = await (await manager()).getSubscription();
  return { on: on && Boolean(subscribed), privacy, why };
}

/** Must follow a press: browsers ask the person only then. */
export async function turnOn(privacy = "masked") {
  if ((await Notification.requestPermission()) !== "granted") throw new Error(hindrance() || "Nothing was turned on.");
  const { key } = await get("/api/push");
  const pushes = await manager();
  const before = await pushes.getSubscription();
  // One made for another hub cannot be used for this one.
  if (before && keyOf(before) !== key) await before.unsubscribe();
  const made = await pushes.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = made.toJSON();
  return send("PUT", "/api/push", { endpoint, keys, privacy });
}

export async function turnOff() {
  await (await (await manager()).getSubscription())?.unsubscribe();
  return send("DELETE", "/api/push");
}

const keyOf = (subscription) =>
  btoa(String.fromCharCode(...new Uint8Array(subscription.options.applicationServerKey ?? [])))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** What Settings shows: a switch, and beside it how much a locked screen tells. */
export function pushPanel() {
  const panel = h("section.push", { "aria-label": "Notifications" });
  const act = (work) => async () => {
    const trouble = await work().then(() => "", (error) => error.sentence ?? error.message);
    await draw(trouble);
  };
  async function draw(trouble = "") {
    const { on, privacy, why } = await pushState().catch((error) => ({ on: false, privacy: "masked", why: error.sentence ?? error.message }));
    const others = privacy === "open" ? "masked" : "open";
    const parts = [
      h("h2", "Notifications on this device"),
      h("p", why || (on ? TELLS[privacy] : "Off. Asks are shown while the page is open.")),
      !why && beside(
        h("button", { type: "button", onclick: act(on ? turnOff : () => turnOn()) }, on ? "Turn off" : "Turn on"),
        on && h("button", { type: "button", onclick: act(() => turnOn(others)) }, SWITCH[others]),
      ),
      trouble && h("p.trouble", { role: "alert" }, trouble),
    ];
    panel.replaceChildren(...parts.filter(Boolean));
  }
  draw();
  return panel;
}

function beside(...buttons) {
  const row = h("div", ...buttons);
  Object.assign(row.style, { display: "flex", flexWrap: "wrap", gap: "12px", marginTop: "12px" });
  return row;
}

const TELLS = {
  masked: "On. A locked screen shows “webshop needs you (Danger)”, and no command.",
  open: "On. A locked screen shows what it is about, command included.",
};
const SWITCH = { masked: "Show no details", open: "Show details" };
