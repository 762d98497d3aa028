// The head of the log: today in four figures, two weeks as bars, and the rules that would have spared people the most.

import { words } from "../label.js";
import { get } from "../api.js";
import { counted, duration, grouped, h } from "../dom.js";

const DAYS = 14;
const NO = ["deny", "block", "halt"];

const sum = (counts, names) => names.reduce((all, name) => all + (counts[name] ?? 0), 0);
const decided = (figures) => sum(figures.decisions, ["allow", ...NO]);

function figure(name, value, title) {
  return h("div.figure", { title }, h("dt", name), h("dd", value));
}

export function drawSummary() {
  const figures = h("dl.figures");
  const chart = h("div.days");
  const element = h("section.summary", { "aria-label": "Today" }, figures, chart, drawReview());

  async function refresh() {
    const { report, complete } = await get(`/api/stats?since=${DAYS}d`).catch(() => ({}));
    if (!report) return;
    const today = report.days.at(-1)?.figures ?? report.totals;
    const whole = decided(today);
    const about = complete ? "" : "still being counted";
    figures.replaceChildren(
      figure("asks today", grouped(today.asks), about),
      figure("median wait", today.waited_ms.p50 === null ? "–" : duration(today.waited_ms.p50), "from the question to the answer"),
      figure("allowed", `${grouped(today.decisions.allow ?? 0)} of ${grouped(whole)}`, "decisions today"),
      figure("by rule", `${grouped(today.deciders.rule ?? 0)} of ${grouped(today.calls)}`, "calls today"),
    );
    chart.replaceChildren(...drawDays([...Array(Math.max(0, DAYS - report.days.length)).fill(null), ...report.days]));
  }
  refresh();
  return { element, refresh };
}

function drawDays(days) {
  const known = days.filter(Boolean);
  const most = Math.max(1, ...known.map(({ figures }) => decided(figures)));
  const bars = days.map((of) => {
    if (!of) return h("i");
    const { day, figures } = of;
    const parts = [["allowed", figures.decisions.allow ?? 0], ["refused", sum(figures.decisions, NO)]];
    const bar = h("i", { title: `${day}: ${parts.map(([name, number]) => `${number} ${name}`).join(", ")}, ${counted(figures.asks, "ask")}` });
    for (const [name, number] of parts) {
      const part = h(`b.${name}`);
      part.style.height = `${(number / most) * 100}%`;
      if (number) bar.append(part);
    }
    return bar;
  });
  const told = known.map(({ day, figures }) => `${day} ${figures.decisions.allow ?? 0} allowed, ${sum(figures.decisions, NO)} refused`).join("; ");
  return [h("div.bars", { role: "img", "aria-label": `Decisions by day: ${told}` }, ...bars), h("p.legend", `${DAYS} days: `, h("b.allowed"), " allowed ", h("b.refused"), " refused")];
}

/** Reads the whole record, so only for those who want to know. */
export function drawReview() {
  const body = h("div", { "aria-live": "polite" });
  const box = h("details.saving", h("summary", "Rules that would have saved the most asks"), body);
  box.addEventListener("toggle", async () => {
    if (!box.open || body.childElementCount) return;
    body.replaceChildren(h("p.empty", "Going through the record…"));
    const found = await get("/api/review").catch((error) => ({ error }));
    body.replaceChildren(...(found.error ? [h("p.fault", found.error.sentence)] : drawOffers(found)));
  });
  return box;
}

function drawOffers({ offers, asks, approvals }) {
  const said = h("p.empty", `In 30 days people were asked ${counted(asks, "time")} and said yes ${counted(approvals, "time")}.`);
  if (!offers.length) return [said, h("p.empty", "No rule would have saved enough asks to be worth it.")];
  const rows = offers.map((offer) => {
    const others = offer.newly_allowed ? `would also have let through ${counted(offer.newly_allowed, "call")} nobody was asked about` : "nothing else on record";
    return h("li", h("code", words(offer.text)), h("span", `saves ${counted(offer.saved, "ask")}; ${others}. `), h("a", { href: `/rules?allow=${encodeURIComponent(offer.text)}` }, "Look at it in Rules"));
  });
  return [said, h("ol.offers", ...rows)];
}
