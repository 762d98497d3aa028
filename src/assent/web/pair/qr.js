// A QR code, from rows of 0 and 1: dark on light in every theme, or a camera does not see it.

const SVG = "http://www.w3.org/2000/svg";

export function drawQr(rows) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${rows.length} ${rows.length}`);
  svg.setAttribute("class", "qr");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", "QR code of the address below");
  const path = document.createElementNS(SVG, "path");
  const dark = rows.flatMap((row, y) => [...row].flatMap((bit, x) => (bit === "1" ? [`M${x} ${y}h1v1h-1z`] : [])));
  path.setAttribute("d", dark.join(""));
  svg.append(path);
  return svg;
}
