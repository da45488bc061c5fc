// Questions about the student's own search, five at a time. Nothing is stored.
import { $, clean, make } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";

function draw([width, height, parts]) {
  const drawing = document.createElementNS(SVG, "svg");
  for (const [name, value] of Object.entries({ class: "drawing", viewBox: `0 0 ${width} ${height}`, width, height })) {
    drawing.setAttribute(name, value);
  }
  drawing.innerHTML = clean(parts);
  return drawing;
}

// `ask` sends Python a request, with the files unless `same`.
export function startQuiz(ask) {
  const show = (item, number) => {
    const verdict = make("p");
    verdict.setAttribute("role", "status");
    const judge = async (typed) => {
      const { words, problem } = await ask({ do: "judge", number, typed }, true);
      verdict.textContent = words ?? problem;
    };
    const field = make("input", { autocomplete: "off" });
    const form = make("form", { className: "bar" }, make("label", {}, `${item.form}: `, field), make("button", {}, "Answer"));
    form.onsubmit = (event) => {
      event.preventDefault();
      judge(field.value);
    };
    const choices = item.choices.map((choice) => {
      const radio = make("input", { type: "radio", name: `answer-${number}`, onchange: () => judge(choice) });
      return make("p", {}, make("label", {}, radio, ` ${choice}`));
    });
    const text = item.lines.map(([isCode, line]) => make(isCode ? "pre" : "div", { textContent: line }));
    const legend = make("legend", {}, `${number + 1}. `, ...text);
    const drawn = item.drawing.length ? [make("div", { className: "wide-tree" }, draw(item.drawing))] : [];
    const answers = choices.length ? choices : [form];
    return make("fieldset", {}, legend, make("p", { textContent: item.caption }), ...drawn, ...answers, verdict);
  };
  $("quiz").onsubmit = async (event) => {
    event.preventDefault();
    $("asked").replaceChildren();
    $("quiz-says").textContent = "testing your files …";
    const { items = [], problem } = await ask({ do: "quiz", seed: String(Math.random()) });
    $("quiz-says").textContent = problem ?? `${items.length} questions`;
    $("asked").replaceChildren(...items.map(show));
  };
}
