// On the new device: three words, and waiting until a person at the hub's machine says that they match.

import { admitted, claim, claimed } from "../device.js";
import { h } from "../dom.js";
import { go } from "../router.js";
import { connect } from "../store.js";

const POLL = 1_000;

const sentence = (error) => [error.message, error.hint && `${error.hint[0].toUpperCase()}${error.hint.slice(1)}`].filter(Boolean).join(" ");

/** `code`: from the address; without one this device waits already. */
export function drawJoining(code) {
  const heading = h("h1", { tabIndex: -1 }, "Let this device in");
  const words = h("p.words", { "aria-live": "polite" });
  const told = h("p", { role: "status" }, "Asking the hub…");
  let timer = 0;

  const say = (text, isBad = false) => {
    told.textContent = text;
    told.classList.toggle("limit", isBad);
  };

  const fail = (error) => {
    words.replaceChildren();
    say(sentence(error), true);
  };
  const guarded = (act) => () => act().catch(fail);

  async function begin() {
    const waiting = code ? await claim(code) : await claimed();
    if (waiting.state === "active") return enter();
    words.replaceChildren(...waiting.words.map((word) => h("span", word)));
    const unsafe = globalThis.isSecureContext ? "" : " This address is not secure, so the device may watch and deny.";
    say(`Are these the words on the hub's machine? If they are, say so there. This screen goes on by itself.${unsafe}`);
    return lookSoon();
  }

  const lookSoon = () => {
    timer = setTimeout(guarded(look), POLL);
  };

  async function look() {
    return (await admitted()).state === "active" ? enter() : lookSoon();
  }

  async function enter() {
    words.replaceChildren();
    heading.textContent = "This device is in";
    say("For ten minutes it may only deny; then it may do what it was let in for.");
    await connect();
    told.after(h("button", { type: "button", onclick: () => go("/") }, "Open the inbox"));
  }

  guarded(begin)();
  return { element: h("div.joining", heading, words, told), close: () => clearTimeout(timer) };
}
