// Questions, one at a time: options, always a free answer, and a last look before anything is sent.

import { changed, draftOf } from "./draft.js";
import { h, signed } from "./h.js";
import { inert, longText } from "./text.js";

const words = (text) => inert(text, { lines: "plain", code: false });

export function drawQuestions(ask, box) {
  const questions = ask.view.questions ?? [];
  const draft = draftOf(ask, () => ({ step: 0, answers: questions.map(() => ({ picked: new Set(), other: undefined })) }));
  const answerOf = (at) => {
    const { picked, other } = draft.answers[at];
    const labels = (questions[at].options ?? []).filter((_, n) => picked.has(n)).map((option) => option.label);
    return [...labels, ...(other?.trim() ? [other.trim()] : [])].join(", ");
  };
  const hasReview = questions.length > 1;

  function go(step, focus = true) {
    draft.step = Math.max(0, Math.min(step, questions.length - (hasReview ? 0 : 1)));
    const isReview = draft.step === questions.length;
    box.replaceChildren(isReview ? review() : question(draft.step), hasReview ? steps(isReview) : "");
    if (focus) box.querySelector("h3").focus();
  }

  function steps(isReview) {
    const back = h("button", { type: "button", disabled: draft.step === 0, onclick: () => go(draft.step - 1) }, ...signed("←", "Back"));
    const next = h("button", { type: "button", onclick: () => go(draft.step + 1) }, draft.step === questions.length - 1 ? "Review" : "Next", h("span", { "aria-hidden": "true" }, " →"));
    return h("div.steps", back, !isReview && next);
  }

  function review() {
    const rows = questions.map((one, at) => {
      const answer = answerOf(at);
      const change = h("button", { type: "button", onclick: () => go(at) }, answer ? "Change" : "Answer");
      return h("li", h("p.asked", words(one.question)), h(answer ? "p.answer" : "p.answer.none", answer ? words(answer) : "no answer yet"), change);
    });
    return h("div.review", h("h3", { tabIndex: -1 }, "Review"), h("ol", ...rows));
  }

  function question(at) {
    const one = questions[at];
    const mine = draft.answers[at];
    const preview = h("pre.code.preview", { hidden: true, tabIndex: 0, "aria-label": "Preview" });
    const name = `q-${ask.id}-${at}`;
    const row = (key, label, description, isOn, onPick) => {
      const input = h("input", { type: one.multi ? "checkbox" : "radio", name, checked: isOn });
      input.onchange = () => {
        onPick(input.checked);
        changed(box);
      };
      input.dataset.key = key;
      return h("label.option", input, h("span.num", key), h("span.label", label, description && h("span.about", words(description))));
    };
    const show = (option) => {
      preview.hidden = !option?.preview;
      if (option?.preview) preview.replaceChildren(longText(option.preview, (text) => inert(text, { lines: "plain" })));
    };
    const field = h("textarea", { rows: 2, value: mine.other ?? "", "aria-label": "Other answer", placeholder: "Your own words", hidden: mine.other === undefined });
    field.oninput = () => {
      mine.other = field.value;
      changed(box);
    };
    const rows = (one.options ?? []).map((option, n) => {
      const made = row(String(n + 1), words(option.label), option.description, mine.picked.has(n), (isOn) => {
        if (!one.multi) {
          mine.picked.clear();
          mine.other = undefined;
        }
        if (isOn) mine.picked.add(n);
        else mine.picked.delete(n);
        field.hidden = mine.other === undefined;
        show(option);
      });
      made.onpointerenter = () => show(option);
      return made;
    });
    const other = row("o", "Other…", "", mine.other !== undefined, (isOn) => {
      if (!one.multi) mine.picked.clear();
      mine.other = isOn ? field.value : undefined;
      field.hidden = !isOn;
      if (isOn) field.focus();
    });
    show((one.options ?? []).find((_, n) => mine.picked.has(n)));
    const where = questions.length > 1 ? `${at + 1} of ${questions.length}` : "";
    const head = [where, one.header, one.multi && "pick any number"].filter(Boolean).join(" · ");
    return h(
      "fieldset.question",
      h("legend", h("span.step", words(head)), h("h3", { tabIndex: -1 }, words(one.question))),
      ...rows,
      other,
      field,
      preview,
    );
  }

  go(draft.step, false);
  return {
    key(key) {
      if (key === "ArrowLeft") go(draft.step - 1);
      else if (key === "ArrowRight") go(draft.step + 1);
      else if (/^[1-9o]$/.test(key)) box.querySelector(`input[data-key="${key}"]`)?.click();
      else return false;
      return true;
    },
    read(choice) {
      if (choice !== "answer") return {};
      const missing = questions.findIndex((_, at) => !answerOf(at));
      if (missing >= 0) {
        go(missing);
        return { problem: questions.length > 1 ? `Question ${missing + 1} has no answer yet.` : "Pick an answer first." };
      }
      if (hasReview && draft.step < questions.length) {
        go(questions.length);
        return { problem: "Look over your answers, then submit them." };
      }
      return { answers: Object.fromEntries(questions.map((one, at) => [one.question, answerOf(at)])) };
    },
  };
}
