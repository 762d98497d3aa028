// Where rows stand: in one list, or in a lane for each session. Newest at the bottom; scrolling up keeps the position.

import { projectGlyph, words } from "../label.js";
import { h } from "../dom.js";
import { projectOf } from "../names.js";
import { drawEvent, sessionOf } from "./row.js";

const NEAR = 48;

/** `changed(isFollowing)`: the user scrolled away from what is new, or back to it. */
export function makeTracks(changed) {
  const element = h("div.tracks");
  const tracks = new Map();
  const items = new Map();
  let isLanes = false;
  let isFollowing = true;

  const keyOf = (row) => (isLanes ? (row.session ?? "") : "");

  function trackOf(row) {
    const key = keyOf(row);
    if (tracks.has(key)) return tracks.get(key);
    const list = h("ol.events", { "aria-label": isLanes ? "Lane, newest last" : "Feed, newest last" });
    const box = h("div.track", list);
    box.addEventListener("scroll", () => look(box), { passive: true });
    const track = { box, list, frame: isLanes ? h("section.lane", laneHead(row), box) : box };
    tracks.set(key, track);
    element.append(track.frame);
    return track;
  }

  function laneHead(row) {
    if (!row.session) return h("h2", "hub");
    const session = sessionOf(row) ?? { id: row.session };
    return h("h2", projectGlyph(session), " ", h("a", { href: `/s/${encodeURIComponent(row.session)}` }, words(session.title || projectOf(session))));
  }

  function look(box) {
    const now = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
    if (now === isFollowing) return;
    isFollowing = now;
    changed(now);
  }

  function put(row) {
    const known = items.get(row.id);
    const item = known ?? h("li", { tabIndex: -1 });
    drawEvent(item, row);
    if (known) return;
    item.dataset.seq = row.seq;
    items.set(row.id, item);
    const { list } = trackOf(row);
    let last = list.lastElementChild;
    while (last && Number(last.dataset.seq) > row.seq) last = last.previousElementSibling;
    if (last) last.after(item);
    else list.prepend(item);
  }

  function remove(id) {
    items.get(id)?.remove();
    items.delete(id);
  }

  return {
    element,
    items,
    put,
    remove,
    get isFollowing() {
      return isFollowing;
    },
    get isLanes() {
      return isLanes;
    },
    /** To the end, and on with it. */
    follow() {
      isFollowing = true;
      for (const { box } of tracks.values()) box.scrollTop = box.scrollHeight;
    },
    /** Everything anew, in lanes or not. */
    reset(rows, inLanes = isLanes) {
      isLanes = inLanes;
      tracks.clear();
      items.clear();
      element.className = isLanes ? "tracks lanes" : "tracks";
      element.replaceChildren();
      for (const row of rows) put(row);
    },
    inOrder: () => [...element.querySelectorAll("li.event")],
  };
}
