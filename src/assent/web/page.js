// The live status page: sessions and feed as they are, then the stream of what changes.

import { byId, clock } from "./dom.js";
import { changeRows, listen, renameRows, showRows } from "./feed.js";
import { showSessions } from "./sessions.js";

let refreshSoon = 0;

function notice(text) {
  byId("notice").hidden = !text;
  byId("notice").textContent = text || "";
}

function hubState(up, text) {
  byId("hub").className = up ? "up" : "down";
  byId("hub-text").textContent = text;
}

async function getJson(path) {
  const response = await fetch(path);
  if (!response.ok) throw Object.assign(new Error(`HTTP ${response.status}`), { status: response.status });
  return response.json();
}

async function refreshSessions() {
  refreshSoon = 0;
  const snapshot = await getJson("/api/snapshot");
  showSessions(snapshot.sessions);
  renameRows();
  drawHub(snapshot.hub);
}

function drawHub(hub) {
  const ungated = (hub.ungated ?? []).map((sentence) => `Ungated: ${sentence}`);
  const troubles = [...ungated, hub.journal?.trouble, hub.config_trouble, hub.rules_trouble].filter(Boolean);
  notice(troubles.join("\n"));
  hubState(true, hub.paused_for > 0 ? `paused for ${Math.ceil(hub.paused_for / 60)} more min` : `up · stance ${hub.stance}`);
  byId("facts").textContent =
    `version ${hub.version} · pid ${hub.pid} · ${hub.events} events since it started · record ${hub.journal?.seq ?? "–"}`;
}

function stream(since) {
  const source = new EventSource(`/api/stream?rows=1&since=${since}`);
  source.addEventListener("record", (message) => {
    changeRows(JSON.parse(message.data).rows ?? []);
    refreshSoon ||= setTimeout(() => refreshSessions().catch(() => {}), 300);
  });
  source.onerror = () => {
    // Not the browser's own retry: after a restart sessions and feed have changed too.
    source.close();
    hubState(false, "hub unreachable");
    notice(`Hub unreachable since ${clock(Date.now())}. Prompts work in the terminal.`);
    setTimeout(start, 1000);
  };
}

async function claim() {
  const code = new URLSearchParams(location.hash.slice(1)).get("open");
  if (!code) return;
  history.replaceState(null, "", location.pathname);
  const response = await fetch("/api/pair/claim", { method: "POST", body: JSON.stringify({ code }) });
  if (!response.ok) notice((await response.json()).error.message);
}

async function start() {
  try {
    await refreshSessions();
    const { seq, rows } = await getJson("/api/feed?limit=300");
    showRows(rows);
    stream(seq);
  } catch (error) {
    if (error.status === 401) {
      hubState(false, "not signed in");
      notice("This browser has not been let in. Run “assent status” and open the link it prints.");
    } else {
      hubState(false, "hub unreachable");
      setTimeout(start, 1000);
    }
  }
}

listen();
await claim();
await start();
