// Questions about the student's own search, five at a time. Nothing is stored.
import { $, clean, make } from "./dom";
import { askWithFiles } from "./files";
import { ask } from "./python";

$("quiz").onsubmit = async () => {
    $("asked").replaceChildren();
    $("quiz-says").textContent = "testing your files …";
    const { items = [], problem } = await askWithFiles({ do: "quizzing.quiz", seed: String(Math.random()) });
    $("quiz-says").textContent = problem ?? `${items.length} questions`;
    $("asked").replaceChildren(...items.map(show));
};

function show({ lines, caption, drawing, choices, form }, number: number) {
    const verdict = make("p", { role: "status" });
    const judge = async (typed: string) => {
        const { words, problem } = await ask({ do: "quizzing.judge", number, typed });
        verdict.textContent = words ?? problem;
    };
    const answers = choices.map((choice: string) => {
        const onchange = () => judge(choice);
        const radio = make("input", { type: "radio", name: `answer-${number}`, onchange });
        return make("p", {}, make("label", {}, radio, ` ${choice}`));
    });
    if (!choices.length) {
        const field = make("input", { autocomplete: "off" });
        const onsubmit = () => judge(field.value);
        const label = make("label", {}, `${form}: `, field);
        answers.push(make("form", { className: "bar", onsubmit }, label, make("button", {}, "Answer")));
    }
    const text = lines.map(([isCode, line]) => make(isCode ? "pre" : "div", {}, line));
    const legend = make("legend", {}, `${number + 1}. `, ...text);
    const picture = make("div", { className: "wide-tree", innerHTML: clean(drawing) });
    return make("fieldset", {}, legend, make("p", {}, caption), picture, ...answers, verdict);
}
