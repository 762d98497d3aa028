// What the hub knows, kept in step: a snapshot, then every change. Things are replaced by their id, never patched.

import { get } from "./api.js";
import { SESSIONS } from "./wording.js";

// A page without a stream for this long knows nothing for sure any more: its buttons are off.
const LOST_AFTER = 2_000;
const RETRY = 500;
// Farther behind than this, rows of the feed are read anew.
const LONGEST_CATCH_UP = 1_500;
// As many as the hub shows.
const MOST_ASKS = 500;
// The hub's settings and alarms are part of its status, not of the stream.
const CHANGES_STATUS = new Set(["hub", "config", "rules"]);

const listeners = new Map();

export const store = {
  /** Asks by id, sessions by id, as the hub shows them. */
  asks: new Map(),
  sessions: new Map(),
  queues: {},
  /** @type {Record<string, any>} */
  presence: {},
  /** @type {Record<string, any> | null} */
  hub: null,
  seq: 0,
  /** When we saw an ask come into the state it is in. */
  turned: new Map(),
  /** starting, live, stale (no stream), down (no hub), out (not let in) */
  link: "starting",
  lostAt: 0,
  /** The hub's clock minus ours. */
  skew: 0,
  now: () => Date.now() + store.skew,
  /** Asks that wait for a person, in the order in which they came. */
  waiting: () => store.inOrder().filter((ask) => isWaiting(ask)),
  inOrder: () => [...store.asks.values()].sort((a, b) => a.opened_at - b.opened_at || (a.id < b.id ? -1 : 1)),
  liveSessions: () => [...store.sessions.values()].filter((session) => isLive(session)),
  get isLive() {
    return store.link === "live";
  },
  /** Topics: asks, sessions, rows, record, hub, link, queues, presence, reset. Returns what ends it. */
  on(topic, listener) {
    if (!listeners.has(topic)) listeners.set(topic, new Set());
    listeners.get(topic).add(listener);
    return () => listeners.get(topic).delete(listener);
  },
};

export const isWaiting = (ask) => ask.state === "open" || ask.state === "doubtful";
export const isLive = (session) => ["working", "waiting", "idle", undefined].includes(session.state);
/** Word and sign of what a session is at. */
export const stateOf = (session) => SESSIONS[session.state ?? "working"] ?? SESSIONS.vanished;

export function tell(topic, news) {
  for (const listener of [...(listeners.get(topic) ?? [])]) listener(news);
}

/** Takes an ask unless a newer one is known. */
export function takeAsk(ask) {
  const known = store.asks.get(ask.id);
  if (known && (known.changed ?? 0) > (ask.changed ?? 0)) return;
  store.asks.set(ask.id, ask);
  noteTurn(ask, known);
  if (store.asks.size > MOST_ASKS) forget();
  tell("asks", { ask, before: known });
}

function forget() {
  const oldest = store.inOrder().find((ask) => ask.state === "closed");
  if (oldest) store.asks.delete(oldest.id);
}

function noteTurn(ask, before) {
  if (before?.state !== ask.state) store.turned.set(ask.id, before ? store.now() : ask.result?.at ?? ask.answer?.at ?? ask.opened_at);
}

function takeSnapshot(snapshot) {
  const known = store.asks;
  store.asks = new Map(snapshot.asks.map((ask) => [ask.id, ask]));
  store.sessions = new Map(snapshot.sessions.map((session) => [session.id, session]));
  store.queues = snapshot.queues ?? {};
  store.presence = snapshot.presence ?? {};
  takeHub(snapshot.hub);
  for (const ask of store.inOrder()) noteTurn(ask, known.get(ask.id));
  for (const id of store.turned.keys()) if (!store.asks.has(id)) store.turned.delete(id);
  for (const ask of store.inOrder()) tell("asks", { ask, before: known.get(ask.id), isOld: true });
  for (const topic of ["asks", "sessions", "queues", "presence"]) tell(topic, {});
}

function takeHub(hub) {
  store.hub = hub;
  tell("hub", hub);
}

function setLink(link) {
  if (store.link === link) return;
  store.link = link;
  tell("link", link);
}

let source;
let heard = 0;
let retrySoon = 0;
let statusSoon = 0;

function take(record) {
  store.seq = record.seq;
  for (const ask of record.asks ?? []) takeAsk(ask);
  if (record.sessionChanged) {
    store.sessions.set(record.sessionChanged.id, record.sessionChanged);
    tell("sessions", record.sessionChanged);
  }
  if (record.queues) {
    Object.assign(store.queues, record.queues);
    tell("queues", record.queues);
  }
  if (record.rows) tell("rows", record.rows);
  tell("record", record);
  if (!statusSoon && CHANGES_STATUS.has(record.kind)) statusSoon = setTimeout(refreshHub, 300);
}

async function refreshHub() {
  statusSoon = 0;
  const [hub, presence] = await Promise.all([get("/api/status"), get("/api/presence")]).catch(() => [store.hub, store.presence]);
  takeHub(hub);
  store.presence = presence;
  tell("presence", presence);
}

/** A fresh snapshot, then the stream from where the last one ended. */
export async function connect() {
  clearTimeout(retrySoon);
  source?.close();
  try {
    const snapshot = await get("/api/snapshot");
    const isFar = !store.seq || snapshot.seq < store.seq || snapshot.seq - store.seq > LONGEST_CATCH_UP;
    if (isFar) store.seq = snapshot.seq;
    takeSnapshot(snapshot);
    if (isFar) tell("reset");
    listen();
  } catch (error) {
    lose(error);
  }
}

function listen() {
  const mine = new EventSource(`/api/stream?rows=1&beat=1&since=${store.seq}`);
  source = mine;
  heard = 0;
  mine.onopen = () => {
    store.lostAt = 0;
    setLink("live");
  };
  mine.addEventListener("record", (message) => {
    if (heard) heard = Date.now();
    take(JSON.parse(message.data));
  });
  mine.addEventListener("beat", (message) => {
    heard = Date.now();
    const { at } = JSON.parse(message.data);
    if (at && Math.abs(at - heard - store.skew) > 1_000) store.skew = at - heard;
  });
  // Not the browser's own retry: it would come back without a fresh snapshot.
  mine.onerror = () => {
    if (source === mine) lose();
  };
}

function lose(error) {
  source?.close();
  store.lostAt ||= Date.now();
  if (error?.status === 401) return setLink("out");
  // Twice in a row: the stream may have been refused because it reaches too far back.
  if (!error && store.link !== "live") store.seq = 0;
  if (error && error.status === 0 && store.link !== "starting") setLink("down");
  retrySoon = setTimeout(connect, RETRY);
}

/** Notices silent failures: a stream that died, a machine that slept. */
export function watchLink() {
  setInterval(() => {
    if (heard && store.link === "live" && Date.now() - heard > LOST_AFTER + 1_000) lose();
    if (store.lostAt && store.link === "live" && Date.now() - store.lostAt > LOST_AFTER) setLink("stale");
    if (store.lostAt && store.link === "starting" && Date.now() - store.lostAt > LOST_AFTER) setLink("down");
  }, 250);
}
