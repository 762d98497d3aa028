// At the hub's machine: a code for the camera, then three words to compare with those on the other screen.

import { send } from "../api.js";
import { h } from "../dom.js";
import { drawQr } from "./qr.js";

const POLL = 1_000;

/** `changed`: called when a device came in. */
export function drawInvitation(changed) {
  const code = h("div.invitation", { "aria-live": "polite" });
  const waiting = h("div.waiting");
  const button = h("button", { type: "button", onclick: () => invite().catch(complain) }, "Let a phone in…");
  let expires = 0;
  let shown = "";
  let isOver = false;

  const complain = (error) => code.replaceChildren(h("p.limit", { role: "alert" }, error.sentence ?? error.message));

  async function invite() {
    const made = await send("POST", "/api/pair", { for: "phone" });
    expires = made.expires;
    if (made.ways) return code.replaceChildren(...drawWays(made));
    code.replaceChildren(
      h("p", "Scan this with the phone's camera, or open the address there. It is good once and for two minutes."),
      drawQr(made.qr),
      h("p", h("code", made.url)),
      made.note ? h("pre.limit", made.note) : "",
    );
  }

  /** No address that a phone could open: how it gets one, then the same again. */
  function drawWays(made) {
    const drawWay = (way) => h(way.found ? "li" : "li.is-missing", h("h2", way.title), h("p", way.text), ...(way.commands ?? []).map(drawCommand));
    return [
      h("p", "A phone cannot open an address of this machine yet. Choose one way, and type its lines in a terminal."),
      made.note && h("p.limit", made.note),
      h("ol.ways", ...made.ways.map(drawWay)),
      h("details", h("summary", "Another browser on this machine, or a tunnel of your own"), h("p", "Open this address there. It is good once and for two minutes."), drawCommand(made.url)),
    ].filter(Boolean);
  }

  function drawCommand(text) {
    const copy = h("button", { type: "button", "aria-label": `Copy ${text}` }, "Copy");
    const told = (word) => {
      copy.textContent = word;
      setTimeout(() => (copy.textContent = "Copy"), 2_000);
    };
    copy.onclick = () => navigator.clipboard?.writeText(text).then(() => told("Copied"), () => told("Not allowed"));
    return h("p.command", h("code", text), copy);
  }

  function drawClaim(claim) {
    const answer = (match) => async () => {
      const { state } = await send("POST", "/api/pair/confirm", { id: claim.id, match });
      expires = 0;
      code.replaceChildren(h("p", state === "active" ? `${claim.name} is in. For ten minutes it may only deny.` : `${claim.name} was turned away.`));
      changed();
    };
    const press = (act) => () => act().catch(complain);
    return h(
      "section.claim",
      { "aria-label": claim.name },
      h("p", `${claim.name} (${claim.address}) wants in and shows three words. Are they these?`),
      h("p.words", ...claim.words.map((word) => h("span", word))),
      claim.signs ? "" : h("p.limit", "It came without TLS: it may watch and deny, and so may whoever listens in."),
      h("p.buttons", h("button.no", { type: "button", onclick: press(answer(false)) }, "No, turn it away"), h("button.yes", { type: "button", onclick: press(answer(true)) }, "They match")),
    );
  }

  async function look() {
    const { pending } = await send("GET", "/api/pair/pending").catch(() => ({ pending: [] }));
    if (isOver) return;
    const key = JSON.stringify(pending.map((claim) => claim.id));
    if (key !== shown) {
      shown = key;
      if (pending.length) code.replaceChildren();
      waiting.replaceChildren(...pending.map(drawClaim));
      changed();
    }
    if (expires && Date.now() > expires && !pending.length) {
      expires = 0;
      code.replaceChildren(h("p", "Nobody opened the address in time."));
    }
    setTimeout(look, POLL);
  }

  look();
  return { element: h("div", button, code, waiting), close: () => (isOver = true) };
}
