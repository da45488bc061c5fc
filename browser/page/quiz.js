// Questions about the student's own search, five at a time. Nothing is stored.
import { $, clean, make } from "./dom.js";

// `ask` sends Python a request with the files, `askAgain` one about what was asked for with them.
export function startQuiz(ask, askAgain) {
    const show = (item, number) => {
        const verdict = make("p", { role: "status" });
        const judge = async (typed) => {
            const { words, problem } = await askAgain({ do: "quizzing.judge", number, typed });
            verdict.textContent = words ?? problem;
        };
        const field = make("input", { autocomplete: "off" });
        const label = make("label", {}, `${item.form}: `, field);
        const form = make("form", { className: "bar" }, label, make("button", {}, "Answer"));
        form.onsubmit = (event) => {
            event.preventDefault();
            judge(field.value);
        };
        const choices = item.choices.map((choice) => {
            const onchange = () => judge(choice);
            const radio = make("input", { type: "radio", name: `answer-${number}`, onchange });
            return make("p", {}, make("label", {}, radio, ` ${choice}`));
        });
        const text = item.lines.map(([isCode, textContent]) => make(isCode ? "pre" : "div", { textContent }));
        const legend = make("legend", {}, `${number + 1}. `, ...text);
        const caption = make("p", { textContent: item.caption });
        const drawing = make("div", { className: "wide-tree", innerHTML: clean(item.drawing) });
        const answers = choices.length ? choices : [form];
        return make("fieldset", {}, legend, caption, drawing, ...answers, verdict);
    };
    $("quiz").onsubmit = async (event) => {
        event.preventDefault();
        $("asked").replaceChildren();
        $("quiz-says").textContent = "testing your files …";
        const { items = [], problem } = await ask({ do: "quizzing.quiz", seed: String(Math.random()) });
        $("quiz-says").textContent = problem ?? `${items.length} questions`;
        $("asked").replaceChildren(...items.map(show));
    };
}
