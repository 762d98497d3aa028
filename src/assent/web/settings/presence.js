// Where you are, and when not to be told: away and back, quiet for a while.

import { send } from "../api.js";
import { h, hourMinute } from "../dom.js";
import { store } from "../store.js";

const SPANS = [["15 min", 15 * 60], ["1 hour", 3600], ["until morning", "morning"]];

export function drawPresence() {
  const now = h("p");
  const buttons = h("div.buttons");
  const fault = h("p.fault", { role: "alert" });
  const element = h("section", h("h2", "Where you are"), now, buttons, fault);

  const tell = (what) => () =>
    send("PUT", "/api/presence", what).then(
      (told) => {
        fault.textContent = "";
        store.presence = { ...store.presence, ...told };
        draw();
      },
      (error) => (fault.textContent = error.sentence),
    );
  const button = (label, what) => h("button", { type: "button", onclick: tell(what) }, label);

  /** @param {Record<string, any>} presence */
  function sentence({ away, away_until: until, quiet_until: quiet, at_desk: isAt, why }) {
    const here = away ? `Away${until ? ` until ${hourMinute(until)}` : ""}: asks go to your other screens at once.` : isAt ? `At the desk: ${why}. Other screens wait a little.` : "Nobody seems to be at the desk.";
    return quiet > store.now() ? `${here} Quiet until ${hourMinute(quiet)}.` : here;
  }

  function draw() {
    const presence = store.presence ?? {};
    const isQuiet = presence.quiet_until > store.now();
    now.textContent = sentence(presence);
    const held = document.activeElement?.textContent;
    buttons.replaceChildren(
      presence.away ? button("I am back", { away: false }) : button("I am away", { away: true }),
      h("span.empty", "Quiet"),
      ...SPANS.map(([label, quiet]) => button(label, { quiet })),
      isQuiet ? button("not any more", { quiet: 0 }) : "",
    );
    if (held) [...buttons.children].find((one) => one.textContent === held)?.focus();
  }
  draw();
  return { element, close: store.on("presence", draw) };
}
