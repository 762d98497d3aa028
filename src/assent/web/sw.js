// Service worker: shows asks while the page is closed, withdraws them when over, and says when the hub is gone.

import { signed } from "/static/device.js";

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const ICON = "/static/icon-192.png";
// Long enough to be read while reaching for it.
const GONE_AFTER = 4_000;
const AWAY = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>Hub unreachable · assent</title><style>
body { font: 15px/22px system-ui, sans-serif; max-width: 60ch; margin: 48px auto; padding: 0 16px; color: #14181d; background: #fafaf8 }
h1 { font-size: 22px; line-height: 28px }
a { display: inline-block; padding: 12px 16px; border: 1px solid; border-radius: 6px; color: inherit; text-decoration: none }
@media (prefers-color-scheme: dark) { body { color: #e8ecf1; background: #0f1216 } }
</style><main><h1>Hub unreachable</h1><p>Nothing you press here is sent. Prompts work in the terminal.</p>
<p>On the hub's machine <code>assent up</code> starts it, and so does the next thing an agent does.</p>
<p><a href="">Try again</a></p></main>`;

const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const inside = (url) => (typeof url === "string" && /^\/(?!\/)/.test(url) ? url : "/");

function show(said) {
  const actions = [{ action: "open", title: "Open" }];
  if (said.deny) actions.unshift({ action: "deny", title: "Deny" });
  /** @type {NotificationOptions & { renotify: boolean, actions: object[] }} */
  const options = {
    body: said.text,
    tag: said.tag,
    icon: ICON,
    badge: ICON,
    renotify: said.loud,
    silent: !said.loud,
    requireInteraction: said.risk === "danger",
    actions,
    data: { url: inside(said.url), deny: said.deny },
  };
  return worker.registration.showNotification(said.title, options);
}

/** Browsers want every message seen, so the end of it takes its place, without a sound, and then goes. */
async function takeBack({ tag, over }) {
  await worker.registration.showNotification(over, { tag, icon: ICON, silent: true, data: { url: "/" } });
  await wait(GONE_AFTER);
  for (const shown of await worker.registration.getNotifications({ tag })) if (shown.title === over) shown.close();
}

async function deny({ id, rev, hash }) {
  const response = await signed("POST", `/api/asks/${id}/answer`, { rev, hash, choice: "deny" }).catch(() => null);
  if (response?.ok) return;
  // Louder than what works: the user believes it was refused.
  const said = await response?.json().catch(() => null);
  const text = said?.error?.message ?? "The hub cannot be reached.";
  await show({ title: "Not denied", text, tag: id, url: `/a/${id}`, risk: "danger", loud: true });
}

async function open(url) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((one) => new URL(one.url).pathname === url) ?? pages[0];
  if (!page) return worker.clients.openWindow(url);
  await page.focus().catch(() => null);
  return new URL(page.url).pathname === url ? page : page.navigate(url).catch(() => worker.clients.openWindow(url));
}

async function subscribeAnew() {
  const { key, on, privacy } = await (await fetch("/api/push")).json();
  if (!on) return;
  const made = await worker.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  await signed("PUT", "/api/push", { ...made.toJSON(), privacy });
}

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("push", (event) => {
  const said = event.data?.json() ?? {};
  event.waitUntil(said.over ? takeBack(said) : show(said));
});
worker.addEventListener("notificationclick", (event) => {
  const { url, deny: bound } = event.notification.data ?? {};
  event.notification.close();
  event.waitUntil(event.action === "deny" && bound ? deny(bound) : open(inside(url)));
});
worker.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(subscribeAnew()));
worker.addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate") return;
  const away = () => new Response(AWAY, { status: 503, headers: { "Content-Type": "text/html; charset=utf-8" } });
  event.respondWith(fetch(event.request).catch(away));
});
