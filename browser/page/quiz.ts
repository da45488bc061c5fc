// Questions about the student's own search, five at a time. Nothing is stored.
import { $, clean, make } from "./dom";

// `ask` sends Python a request with the files, `askAgain` one about what was asked for with them.
export function startQuiz(ask: (request: any) => Promise<any>, askAgain: (request: any) => Promise<any>) {
    const show = (item: any, number: number) => {
        const verdict = make("p", { role: "status" });
        const judge = async (typed: string) => {
            const { words, problem } = await askAgain({ do: "quizzing.judge", number, typed });
            verdict.textContent = words ?? problem;
        };
        const field = make("input", { autocomplete: "off" });
        const label = make("label", {}, `${item.form}: `, field);
        const form = make("form", { className: "bar" }, label, make("button", {}, "Answer"));
        form.onsubmit = () => judge(field.value);
        const choices = item.choices.map((choice: string) => {
            const onchange = () => judge(choice);
            const radio = make("input", { type: "radio", name: `answer-${number}`, onchange });
            return make("p", {}, make("label", {}, radio, ` ${choice}`));
        });
        const text = item.lines.map(([isCode, line]) => make(isCode ? "pre" : "div", {}, line));
        const legend = make("legend", {}, `${number + 1}. `, ...text);
        const drawing = make("div", { className: "wide-tree", innerHTML: clean(item.drawing) });
        const answers = choices.length ? choices : [form];
        return make("fieldset", {}, legend, make("p", {}, item.caption), drawing, ...answers, verdict);
    };
    $("quiz").onsubmit = async () => {
        $("asked").replaceChildren();
        $("quiz-says").textContent = "testing your files …";
        const { items = [], problem } = await ask({ do: "quizzing.quiz", seed: String(Math.random()) });
        $("quiz-says").textContent = problem ?? `${items.length} questions`;
        $("asked").replaceChildren(...items.map(show));
    };
}
