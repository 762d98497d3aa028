// One way to make an element: `h("p.note", { onclick }, "text", child)`. Strings become text, never HTML.

export function h(name, ...parts) {
  const [tag, ...classes] = name.split(".");
  const made = document.createElement(tag || "div");
  if (classes.length) made.className = classes.join(" ");
  for (const part of parts) {
    if (part?.constructor === Object) set(made, part);
    else if (part !== undefined && part !== null && part !== false) made.append(part);
  }
  return made;
}

function set(made, properties) {
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes("-") || key === "role" || key === "for") made.setAttribute(key, value);
    else made[key] = value;
  }
}

/** A sign for those who see it, and the word that everyone gets: screen readers say the word alone. */
export const signed = (sign, ...word) => [sign ? h("span", { "aria-hidden": "true" }, `${sign} `) : "", ...word];

export const counted = (number, one, many = `${one}s`) => `${grouped(number)} ${number === 1 ? one : many}`;

/** 1842 as "1 842". */
export const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, " ");
