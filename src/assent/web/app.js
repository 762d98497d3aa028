// The page: let in, connected, drawn, and listening.

import { startAnnouncing } from "./announce.js";
import { startAttention } from "./attention.js";
import { claim, thisDevice } from "./device.js";
import { watchChanges } from "./grace.js";
import { startKeys } from "./keys.js";
import { complain, startNotices } from "./notices.js";
import { countEvents } from "./pulse.js";
import { startRail } from "./rail.js";
import { startRouter } from "./router.js";
import { connect, watchLink } from "./store.js";
import { startTray } from "./tray.js";

/** A link from a terminal carries a code behind the #, used once and gone from the address before anything else. */
async function letIn() {
  const code = new URLSearchParams(location.hash.slice(1)).get("open");
  if (!code) return;
  history.replaceState(null, "", location.pathname);
  await claim(code).catch((error) => complain(error.sentence ?? error.message));
}

document.documentElement.dataset.theme = localStorage.getItem("assent.theme") ?? "";
watchChanges();
startRail();
startAnnouncing();
startAttention();
startTray();
countEvents();
startKeys();
await letIn();
startNotices();
await Promise.all([connect(), startRouter()]);
watchLink();
// A new device may only deny at first; when that is over, other answers are offered.
const { active_from: from = 0 } = (await thisDevice()) ?? {};
if (from > Date.now()) setTimeout(connect, from - Date.now() + 1_000);
// Shows notifications, and says so when the hub is gone. Not everywhere: then the page does without.
if (isSecureContext) navigator.serviceWorker?.register("/sw.js", { type: "module" }).catch(() => {});
