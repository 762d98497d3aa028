// The live status page: a snapshot, then the stream of records. Everything an agent wrote is set as text, never as HTML.

const MOST_ROWS = 300;
const byId = (id) => document.getElementById(id);
const sessions = new Map();
let lastSeq = 0;
let refreshSoon = 0;

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function notice(text) {
  byId("notice").hidden = !text;
  byId("notice").textContent = text || "";
}

function hubState(up, text) {
  byId("hub").className = up ? "up" : "down";
  byId("hub-text").textContent = text;
}

const clock = (ms) => new Date(ms).toLocaleTimeString([], { hourCycle: "h23" });

function projectName(session) {
  return session.project?.split("/").filter(Boolean).pop() || session.id.slice(0, 8);
}

function drawSession(session) {
  const item = element("li", `session ${session.state ?? "working"}`);
  const name = projectName(session);
  const state = session.state ?? "working";
  const who = element("div", "who");
  who.append(
    element("span", "glyph", name.slice(0, 2).toUpperCase()),
    element("span", "name", session.title || name),
    element("span", `chip ${state}`, state),
  );
  const facts = [
    session.mode && `mode ${session.mode}`,
    session.model,
    `${session.calls ?? 0} calls`,
    session.denied && `${session.denied} denied`,
    session.failed && `${session.failed} failed`,
    session.attended === false && "unattended",
    `last ${clock(session.last)}`,
    session.ended_because && `ended: ${session.ended_because}`,
  ];
  item.append(who, element("div", "meta", facts.filter(Boolean).join(" · ")), element("div", "meta", session.cwd || ""));
  if (session.agents?.length) {
    const list = element("ul", "agents");
    for (const agent of session.agents) {
      const agentState = agent.state ?? "working";
      list.append(element("li", "", `${agent.type || agent.id.slice(0, 8)} · ${agentState} · ${agent.calls ?? 0} calls`));
    }
    item.append(list);
  }
  return item;
}

function drawSessions() {
  const newestFirst = [...sessions.values()].sort((a, b) => b.last - a.last).slice(0, 50);
  byId("sessions").replaceChildren(...newestFirst.map(drawSession));
  byId("no-sessions").hidden = newestFirst.length > 0;
}

function drawVerdict(record) {
  const decision = record.body.decision ?? {};
  const why = decision.reason || decision.context || decision.cause?.replaceAll("_", " ");
  const text = `→ ${record.decision.replaceAll("_", " ")} by ${record.by}${why ? `: ${why}` : ""}`;
  return element("span", `verdict ${record.decision}`, text);
}

function drawRecord(record) {
  const row = element("li", record.kind);
  row.dataset.request = record.request ?? "";
  const known = sessions.get(record.session);
  row.append(
    element("time", "", clock(record.at)),
    element("span", "of", known ? projectName(known) : record.session?.slice(0, 8) ?? "hub"),
    element("span", "what", record.line),
  );
  return row;
}

function addRecord(record) {
  if (record.seq <= lastSeq) return;
  lastSeq = record.seq;
  const feed = byId("feed");
  // A decision stands under the event it is about, which was recorded just before it.
  const about = record.kind === "decision" && [...feed.children].find((row) => row.dataset.request === record.request);
  if (about) {
    about.append(drawVerdict(record));
    return;
  }
  feed.prepend(drawRecord(record));
  byId("no-feed").hidden = true;
  while (feed.children.length > MOST_ROWS) feed.lastChild.remove();
}

async function getJson(path) {
  const response = await fetch(path);
  if (!response.ok) throw Object.assign(new Error(`HTTP ${response.status}`), { status: response.status });
  return response.json();
}

async function refreshSessions() {
  refreshSoon = 0;
  const snapshot = await getJson("/api/snapshot");
  sessions.clear();
  for (const session of snapshot.sessions) sessions.set(session.id, session);
  drawSessions();
  drawHub(snapshot.hub);
}

function drawHub(hub) {
  const troubles = [hub.journal?.trouble, hub.config_trouble, hub.rules_trouble].filter(Boolean);
  notice(troubles.join("\n"));
  hubState(true, hub.paused_for > 0 ? `paused for ${Math.ceil(hub.paused_for / 60)} more min` : `up · stance ${hub.stance}`);
  byId("facts").textContent =
    `version ${hub.version} · pid ${hub.pid} · ${hub.events} events since it started · record ${hub.journal?.seq ?? "–"}`;
}

function stream() {
  const source = new EventSource(`/api/stream?since=${lastSeq}`);
  source.addEventListener("record", (message) => {
    addRecord(JSON.parse(message.data));
    refreshSoon ||= setTimeout(() => refreshSessions().catch(() => {}), 300);
  });
  source.onerror = () => {
    // Not the browser's own retry: after a restart the snapshot has changed too.
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
    const { records } = await getJson("/api/log?limit=200");
    for (const record of records) addRecord(record);
    stream();
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

await claim();
await start();
