// Who this browser is. Its key never leaves it; everything it asks the hub to change is signed with it.

const DATABASE = "assent";
const KEY = { name: "ECDSA", namedCurve: "P-256" };
const SIGN = { name: "ECDSA", hash: "SHA-256" };
// Ahead of or behind the hub's clock, in milliseconds; learned when the hub says so.
let skew = 0;
// Where a browser keeps nothing, as some do in private windows: good until the page is closed.
let unkept = null;

const canSign = () => Boolean(globalThis.crypto?.subtle && globalThis.indexedDB);

const base64url = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

function inStore(mode, act) {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("kept");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      try {
        const transaction = opening.result.transaction("kept", mode);
        const asked = act(transaction.objectStore("kept"));
        transaction.oncomplete = () => resolve(asked.result);
        transaction.onerror = () => reject(transaction.error);
      } catch (error) {
        reject(error);
      } finally {
        // Once what was asked for is done.
        opening.result.close();
      }
    };
  });
}

// Read each time: another tab, or the service worker, may have been let in meanwhile.
async function me() {
  if (unkept) return unkept;
  if (!canSign()) return JSON.parse(globalThis.localStorage.getItem("assent") ?? "{}");
  return (await inStore("readonly", (store) => store.get("device")).catch(() => null)) ?? {};
}

async function keep(kept) {
  if (!canSign()) return globalThis.localStorage.setItem("assent", JSON.stringify(kept));
  return inStore("readwrite", (store) => store.put(kept, "device")).catch(() => (unkept = kept));
}

/** The device the hub knows this browser as, or null: {id, name, kind, scope, active_from, …}. */
export async function thisDevice() {
  return (await me()).device ?? null;
}

/** @type {[string, RegExp][]} */
const PLACES = [["iPhone", /iPhone/], ["iPad", /iPad/], ["Android phone", /Android/], ["Mac", /Mac OS X/], ["Windows", /Windows/], ["Linux", /Linux/]];

/** A name others recognise, made from what the browser says of itself. */
function deviceName() {
  const agent = navigator.userAgent;
  const place = PLACES.find(([, pattern]) => pattern.test(agent))?.[0] ?? "Device";
  const browser = ["Firefox", "Edg", "Chrome", "Safari"].find((name) => agent.includes(name)) ?? "browser";
  return `${browser === "Edg" ? "Edge" : browser} on ${place}`;
}

const post = (path, body) => fetch(path, { method: "POST", body: JSON.stringify(body) });

async function refused(response) {
  const { error } = await response.json();
  return Object.assign(new Error(error.message), { code: error.code, hint: error.hint, status: response.status });
}

/** Trade a one-time code for a place among the hub's devices. Gives {state: "active", device}, or for a phone
    {state: "waiting", words, seconds}: then a person at the desk compares the words, and `admitted()` tells. Throws. */
export async function claim(code, name = deviceName()) {
  const kept = { ...(await me()) };
  if (canSign() && !kept.keys) {
    const { privateKey, publicKey } = await crypto.subtle.generateKey(KEY, false, ["sign"]);
    kept.keys = { privateKey, public: base64url(await crypto.subtle.exportKey("spki", publicKey)) };
    await keep(kept);
  }
  const response = await post("/api/pair/claim", { code, name, key: kept.keys?.public ?? "" });
  if (!response.ok) throw await refused(response);
  const answer = await response.json();
  const waits = answer.state === "waiting";
  await keep({ ...kept, device: waits ? undefined : answer.device, claim: waits ? answer : undefined });
  return answer;
}

/** What this device waits for: {words, …}, or null. */
export async function claimed() {
  return (await me()).claim ?? null;
}

/** Whether the phone was let in by now: {state: "waiting"} or {state: "active", device}. Throws if it was turned away. */
export async function admitted() {
  const kept = await me();
  if (!kept.claim) throw new Error("This device waits for nobody.");
  const response = await post("/api/pair/finish", { claim: kept.claim.claim });
  if (!response.ok) {
    await keep({ ...kept, claim: undefined });
    throw await refused(response);
  }
  const answer = await response.json();
  if (answer.state === "active") {
    await keep({ ...kept, device: answer.device, secret: kept.claim.secret, claim: undefined });
  }
  return answer;
}

/** A request that changes something, or that only this device may make. Gives the response, whatever it says. */
export async function signed(method, path, body) {
  const response = await send(method, path, body);
  const now = Number(response.headers.get("Assent-Now"));
  if (response.status !== 403 || !now) return response;
  skew = now - Date.now();
  return send(method, path, body);
}

async function send(method, path, body) {
  const { device, keys, secret } = await me();
  const text = body === undefined ? "" : JSON.stringify(body);
  /** @type {Record<string, string>} */
  const headers = device ? { "Assent-Device": device.id } : {};
  if (device && keys) Object.assign(headers, await signature(keys.privateKey, method, path, text));
  else if (device && secret) headers["Assent-Secret"] = secret;
  return fetch(path, { method, headers, ...(text && { body: text }) });
}

async function signature(key, method, path, text) {
  const time = Date.now() + skew;
  const nonce = hex(crypto.getRandomValues(new Uint8Array(16)));
  const bytes = new TextEncoder();
  const digest = hex(await crypto.subtle.digest("SHA-256", bytes.encode(text)));
  // As it goes over the wire.
  const { pathname, search } = new URL(path, location.href);
  const whole = bytes.encode(`${method}\n${pathname}${search}\n${time}\n${nonce}\n${digest}`);
  const made = await crypto.subtle.sign(SIGN, key, whole);
  return { "Assent-Time": String(time), "Assent-Nonce": nonce, "Assent-Signature": base64url(made) };
}
