// Quiet for a while: no other screen is told, not even of Danger unless the settings want that.

import { say } from "./announce.js";
import { send } from "./api.js";
import { openMenu } from "./menu.js";

const keep = (seconds) => () =>
  send("PUT", "/api/presence", { quiet: seconds }).then(
    () => say(seconds ? "Quiet." : "No longer quiet."),
    (error) => say(error.sentence, { isUrgent: true }),
  );

export const openQuiet = () =>
  openMenu("Quiet", [
    { label: "15 minutes", key: "1", run: keep(15 * 60) },
    { label: "1 hour", key: "2", run: keep(3600) },
    { label: "Until morning", key: "3", run: keep("morning") },
    { label: "Not quiet", key: "0", run: keep(0) },
  ]);
