// Assent inside opencode: hands events to the hub, and does what the hub says. The hub places it beside the shim; a few
// lines in the client's plugin folder load it.
import {
  askMore,
  asksAlways,
  isHeadless,
  isTerminal,
  permissionOf,
  serverOf,
  serversIn,
  startsAuto,
} from "./opencode-rules.js";
import { tell, waits, withdraw } from "./opencode-shim.js";

// No person answers a dialog that was open for less than this, in milliseconds.
const TOO_QUICK = 250;

// The plugin folder loads it, and so may one run: once is enough.
globalThis.assentLoaded ??= new Set();
const loaded = globalThis.assentLoaded;

export const Assent = async ({ client, directory, worktree }) => {
  if (loaded.has(directory)) return {};
  loaded.add(directory);

  const project = worktree && worktree !== "/" ? worktree : directory;
  const sessions = new Map(); // by id: root, agent, permission, last words, what was sent to it
  const calls = new Map(); // by the client's id of the call
  const dialogs = new Set(); // open permission requests
  const answered = new Set(); // requests that were answered from here
  const always = new Set(); // permissions of which a part is allowed from now on
  let servers = [];
  let agents;
  let isAuto = startsAuto;

  const hub = (event, id, body, key) => {
    const session = sessions.get(id) ?? { root: id };
    const about = {
      session_id: session.root,
      ...(session.root === id ? {} : { agent_id: id, agent_type: session.agent ?? "" }),
      cwd: directory,
      project,
      agent: session.agent ?? "",
      attended: isUnattended(session) ? false : isTerminal ? true : null,
    };
    return tell(event, id, { ...about, ...body }, key);
  };

  const post = (url, body = {}) =>
    client._client.post({ url, body, headers: { "content-type": "application/json" } }).catch(() => {});

  // --- sessions

  const learn = (info) => {
    const root = info.parentID ? (sessions.get(info.parentID)?.root ?? info.parentID) : info.id;
    const session = sessions.get(info.id) ?? {};
    sessions.set(info.id, Object.assign(session, { root, permission: info.permission ?? [] }));
  };

  /** A session that was there before this process is looked up. */
  const known = async (id) => {
    if (!sessions.has(id)) {
      const found = await client.session.get({ path: { id } }).catch(() => undefined);
      if (found?.data?.parentID) await known(found.data.parentID);
      learn(found?.data ?? { id });
    }
    return sessions.get(id);
  };

  /** `opencode run` answers no question: it says so in its session, also where the server is another process. */
  const isUnattended = (session) =>
    isHeadless || (session.permission ?? []).some((rule) => rule.permission === "question" && rule.action === "deny");

  // --- calls

  /** Whether silence opens the client's dialog about a call. Where that is not certain: no. */
  const isAskedAbout = async (tool, session) => {
    if (isUnattended(session) || isAuto) return false;
    // Looked at once more when it is about to start: see shell.env.
    if (tool === "bash") return true;
    const permission = permissionOf(tool);
    agents ??= client.app.agents().then((found) => found.data ?? []);
    const agent = (await agents.catch(() => [])).find((each) => each.name === session.agent);
    if (!agent || always.has(permission)) return false;
    return asksAlways(permission, [...agent.permission, ...(session.permission ?? [])]);
  };

  const before = async (input, output) => {
    const session = await known(input.sessionID);
    const server = serverOf(input.tool, servers);
    const tool = server ? `mcp__${server}__${input.tool.slice(server.length + 1)}` : input.tool;
    const body = { tool, args: output.args, use: input.callID };
    const call = { id: input.callID, tool: input.tool, session: input.sessionID, body, requests: new Set() };
    calls.set(call.id, call);
    const asks = await isAskedAbout(input.tool, session);
    const said = await hub("tool.execute.before", input.sessionID, { ...body, asks }, `call:${call.id}`);
    Object.assign(call, { verdict: said?.decision, reason: said?.reason, note: said?.note });
    if (said && !["allow", "prompt", "proceed"].includes(said.decision)) {
      call.isRefused = true;
      throw new Error(said.reason ?? "Nothing waits for this call any more.");
    }
    if (said?.args) {
      // The client runs this very object.
      for (const name of Object.keys(output.args)) delete output.args[name];
      Object.assign(output.args, said.args);
    }
  };

  const after = async (input, output) => {
    const call = calls.get(input.callID);
    calls.delete(input.callID);
    const result = { title: output.title, metadata: output.metadata, output: output.output };
    const body = { ...(call?.body ?? { tool: input.tool, use: input.callID }), args: input.args, result };
    const said = await hub("tool.execute.after", input.sessionID, body);
    if (typeof said?.result === "string") output.output = said.result;
    output.output = [output.output, call?.note, said?.note].filter(Boolean).join("\n\n");
  };

  // --- dialogs

  const reply = (request, body) => {
    answered.add(request.id);
    return post(`/permission/${request.id}/reply`, body);
  };

  const asked = async (request) => {
    const call = calls.get(request.tool?.callID);
    // What is asked about no call, such as a loop, is for the terminal.
    if (!call) return;
    call.askedAt = Date.now();
    call.requests.add(request.id);
    dialogs.add(request.id);
    if (call.verdict === "allow") return reply(request, { reply: "once" });
    // There the client refuses at once.
    if (isUnattended(await known(request.sessionID))) return;
    if (isAuto) {
      await new Promise((done) => setTimeout(done, TOO_QUICK));
      if (!dialogs.has(request.id)) return;
      isAuto = false;
    }
    const said = await hub("permission.asked", request.sessionID, { ...call.body, event: request }, request.id);
    if (said?.decision === "allow") {
      // It may ask about several parts of one call.
      call.verdict = "allow";
      await reply(request, { reply: "once" });
    } else if (said?.decision === "deny") {
      await reply(request, { reply: "reject", ...(said.stop ? {} : { message: said.reason }) });
    }
  };

  const questioned = async (request) => {
    const call = calls.get(request.tool?.callID);
    call?.requests.add(request.id);
    const body = call?.body ?? { tool: "question", args: { questions: request.questions } };
    const said = await hub("question.asked", request.sessionID, { ...body, event: request }, request.id);
    if (!said || said.withdrawn) return;
    answered.add(request.id);
    if (said.answers) await post(`/question/${request.id}/reply`, { answers: said.answers });
    else await post(`/question/${request.id}/reject`);
  };

  /** A dialog was answered: from here, by a person in the client, or by the client itself. */
  const replied = async (event, request) => {
    const id = request.requestID;
    const call = [...calls.values()].find((each) => each.requests.has(id));
    dialogs.delete(id);
    if (call && request.reply === "reject") call.isRefused = true;
    if (answered.delete(id)) return;
    if (call && request.reply === "once" && Date.now() - call.askedAt < TOO_QUICK) isAuto = call.isUnseen = true;
    if (call && request.reply === "always") always.add(permissionOf(call.tool));
    if (waits(id)) await hub(event, request.sessionID, { use: call?.id ?? "", event: request });
    withdraw((key) => key === id);
  };

  // --- events, which the client does not wait for

  const events = {
    "session.created": ({ info }) => {
      learn(info);
      return hub("session.created", info.id, { event: { info } });
    },
    "session.updated": ({ info }) => sessions.has(info.id) && learn(info),
    "session.idle": async ({ sessionID }) => {
      withdraw((_, id) => id === sessionID);
      const session = await known(sessionID);
      const said = await hub("session.idle", sessionID, { last: session.last ?? "" }, `idle:${sessionID}`);
      if (said?.decision !== "block") return;
      session.sent = said.reason;
      await post(`/session/${sessionID}/prompt_async`, { parts: [{ type: "text", text: said.reason }] });
    },
    "session.error": async ({ sessionID, error }) => {
      withdraw((_, id) => id === sessionID);
      if (sessionID && error?.name !== "MessageAbortedError") await hub("session.error", sessionID, { event: { error } });
    },
    "session.compacted": ({ sessionID }) => hub("session.compacted", sessionID, {}),
    "session.deleted": async ({ info }) => {
      withdraw((_, id) => id === info.id);
      await hub("session.deleted", info.id, {});
      sessions.delete(info.id);
    },
    "permission.asked": asked,
    "permission.replied": (request) => replied("permission.replied", request),
    "question.asked": questioned,
    "question.replied": (request) => replied("question.replied", request),
    "question.rejected": (request) => replied("question.replied", request),
    "message.part.updated": async ({ part }) => {
      const call = part.type === "tool" && part.state.status === "error" ? calls.get(part.callID) : undefined;
      if (!call) return;
      calls.delete(part.callID);
      const event = { error: part.state.error };
      if (!call.isRefused) await hub("message.part.updated", call.session, { ...call.body, event });
    },
  };

  return {
    config: async (config) => {
      servers = serversIn(config);
      if (!isHeadless) askMore(config);
    },

    event: async ({ event }) => {
      await Promise.resolve(events[event.type]?.(event.properties)).catch(() => {});
    },

    "chat.message": async (input, output) => {
      const session = await known(input.sessionID);
      session.agent = output.message?.agent ?? input.agent ?? session.agent;
      withdraw((key) => key === `idle:${input.sessionID}`);
      const texts = output.parts.filter((part) => part.type === "text" && !part.synthetic);
      const prompt = texts.map((part) => part.text).join("\n");
      // What a parent gives its sub-agent, and what we sent on, is no prompt of a person.
      const isOurs = session.root !== input.sessionID || (session.sent !== undefined && session.sent === prompt);
      session.sent = undefined;
      if (isOurs) return;
      const said = await hub("chat.message", input.sessionID, { prompt });
      if (said?.decision === "block") throw new Error(said.reason);
      const [first] = output.parts;
      if (!said?.note || !first) return;
      output.parts.push({ ...first, id: `${first.id}a`, type: "text", text: said.note, synthetic: true });
    },

    "tool.execute.before": before,
    "tool.execute.after": after,

    /** The last moment before a command starts: one that a person should have been asked about was asked about. */
    "shell.env": async (input) => {
      const call = calls.get(input.callID);
      if (call?.verdict === "prompt" && (!call.askedAt || call.isUnseen)) throw new Error(call.reason);
    },

    "experimental.text.complete": async (input, output) => {
      const session = sessions.get(input.sessionID);
      if (session) session.last = output.text;
    },

    dispose: async () => {
      withdraw(() => true);
      loaded.delete(directory);
      const roots = [...sessions].filter(([id, session]) => id === session.root);
      await Promise.all(roots.map(([id]) => hub("dispose", id, {})));
    },
  };
};
