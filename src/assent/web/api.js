// Talking to the hub. Reading needs the cookie; every change is signed by this device's own key.

import { signed } from "./device.js";

export class HubError extends Error {
  constructor(status, body) {
    super(body?.error?.message ?? `The hub answered ${status}.`);
    this.status = status;
    this.body = body;
    this.code = body?.error?.code ?? "";
    this.hint = body?.error?.hint ?? "";
  }

  /** What did not happen, and what to do about it. */
  get sentence() {
    return this.hint ? `${this.message} ${this.hint[0].toUpperCase()}${this.hint.slice(1)}` : this.message;
  }
}

const UNREACHABLE = { error: { code: "unreachable", message: "The hub cannot be reached. Nothing was sent." } };

async function read(response) {
  const body = await response.json().catch(() => null);
  if (!response.ok) throw new HubError(response.status, body);
  return body;
}

const unreachable = (error) => {
  throw error instanceof TypeError ? new HubError(0, UNREACHABLE) : error;
};

export const get = (path) => fetch(path).then(read, unreachable);

export const send = (method, path, body) => signed(method, path, body).then(read, unreachable);
