// What opencode asks its user about: how it was started, its permission rules, and what Assent adds to them.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const COMMANDS = ["run", "serve", "web", "acp", "attach", "mini"];
const AUTO = ["--auto", "--yolo", "--dangerously-skip-permissions"];
// Calls that change files share one permission.
const SHARED = { write: "edit", multiedit: "edit", patch: "edit", apply_patch: "edit" };
// Agents that may not edit by nature: an "ask" would give them more than they have.
const READERS = ["plan", "explore"];

/** The words the client was started with: in its terminal a plugin runs in a worker, which is not told them. */
const startedWith = () => {
  if (process.platform === "linux") return readFileSync("/proc/self/cmdline", "utf8").split("\0");
  return String(spawnSync("ps", ["-o", "args=", "-p", String(process.pid)]).stdout).split(/\s+/);
};

const words = startedWith().slice(1);
const command = words.find((word) => COMMANDS.includes(word));

export const isHeadless = command === "run" && !words.includes("--mini");
/** Whether this process has a terminal of its own, with a person in front of it. */
export const isTerminal = command === undefined || command === "mini" || words.includes("--mini");
/** Whether it was started so that its dialogs say yes by themselves. */
export const startsAuto = words.some((word) => AUTO.includes(word));

/** The permission that a call of a tool needs. */
export const permissionOf = (tool) => SHARED[tool] ?? tool;

/** Names of MCP servers as they stand before their tools. */
export const serversIn = (config) => Object.keys(config.mcp ?? {}).map((name) => name.replace(/[^a-zA-Z0-9_-]/g, "_"));

/** The server that a tool belongs to: "" for tools of the client itself, and where several names fit. */
export const serverOf = (tool, servers) => {
  const fitting = tool in SHARED ? [] : servers.filter((name) => tool.startsWith(`${name}_`));
  return fitting.length === 1 ? fitting[0] : "";
};

/** Whether these rules ask about every such call, or deny it. Later rules count; where it is not certain: no. */
export const asksAlways = (permission, rules) => {
  let action = "ask";
  for (const rule of rules) {
    if (fits(permission, rule.permission) && (rule.pattern === "*" || rule.action === "allow")) action = rule.action;
  }
  return action !== "allow";
};

/** Have it ask about what changes something, unless rules of the user's or the project's say otherwise. */
export const askMore = (config) => {
  config.agent ??= {};
  const everywhere = asObject(config.permission);
  for (const name of new Set(["build", "general", ...READERS, ...Object.keys(config.agent)])) {
    const own = asObject(config.agent[name]?.permission);
    if ("*" in own || "*" in everywhere) continue;
    const changes = ["bash", "webfetch", "websearch", ...serversIn(config).map((server) => `${server}_*`)];
    if (!READERS.includes(name)) changes.push("edit");
    const added = changes.filter((each) => !(each in own) && !(each in everywhere));
    const permission = { ...Object.fromEntries(added.map((each) => [each, "ask"])), ...own };
    config.agent[name] = { ...config.agent[name], permission };
  }
};

/** A word alone stands for everything. */
const asObject = (setting) => (typeof setting === "string" ? { "*": setting } : (setting ?? {}));

const fits = (name, pattern) => {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, "\\$&").replace(/\*/g, ".*").replace(/\?/g, ".");
  return new RegExp(`^${escaped}$`).test(name);
};
