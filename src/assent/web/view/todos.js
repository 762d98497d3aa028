// The agent's to-do list, as its tool said it last: what is done, what it is at, what is open.

import { TODOS } from "../wording_more.js";
import { h } from "./h.js";
import { inert } from "./text.js";

export function drawTodos(items = []) {
  if (!items.length) return [];
  const done = items.filter((item) => item.state === "done").length;
  const entry = ({ state = "open", text = "" }) => {
    const { word, sign } = TODOS[state] ?? TODOS.open;
    return h(`li.todo.${state in TODOS ? state : "open"}`, h("span.sign", { role: "img", "aria-label": word }, sign), h("span", inert(text, { lines: "space", code: false })));
  };
  return [h("h2", `To-do: ${done} of ${items.length} done`), h("ul.todos", ...items.map(entry))];
}
