// A screen's own style, fetched with the screen: who only answers asks does not carry it.

const known = new Map();

export const style = (name) => {
  if (!known.has(name)) known.set(name, load(name));
  return known.get(name);
};

function load(name) {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: `/static/${name}.css` });
  const loaded = new Promise((done) => (link.onload = link.onerror = done));
  document.head.append(link);
  return loaded;
}
