// Where else asks are brought: what is connected, and how it stands. Connecting is for a terminal at the desk.

import { get } from "../api.js";
import { h, signed } from "../dom.js";

const SIGNS = { connected: "✓", waiting: "◔", trouble: "✕" };

const seconds = (after) => (after >= 60 ? `${Math.round(after / 60)} min` : `${after} s`);

function when({ state, after }) {
  if (state === "off") return "";
  if (!after.length) return "Not on the ladder: nothing is sent there.";
  return `Told ${after.map((one) => (one ? `after ${seconds(one)}` : "at once")).join(", and ")}.`;
}

function row(surface) {
  const sign = SIGNS[surface.state];
  return [h("dt", ...signed(sign, surface.title)), h("dd", `${surface.words} ${when(surface)}`)];
}

export function drawSurfaces() {
  const list = h("dl.about");
  const element = h("section", h("h2", "Chats and notifications"), list, h("p.empty", "Connect one at the desk: ", h("code", "assent connect telegram"), ". ", h("code", "--test"), " sends an ask to try it with."));

  async function load() {
    const { surfaces, error } = await get("/api/connect").catch((error) => ({ error }));
    list.replaceChildren(...(error ? [h("dd.fault", error.sentence)] : surfaces.flatMap(row)));
  }
  load();
  return { element, load };
}
