// Python's console on the student's files, with the lines that were typed before.
import { $, make } from "./dom";
import { askWithFiles } from "./files";

const input = $("line");
const typed = [""];
let place = 0;

input.onkeydown = (event: KeyboardEvent) => {
    const way = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (event.key === "Enter" && !event.shiftKey) {
        event.preventDefault();
        $("console").requestSubmit();
    } else if (way && !input.value.includes("\n")) {
        event.preventDefault();
        place = Math.min(Math.max(place + way, 0), typed.length - 1);
        input.value = typed[place];
    }
};

$("console").onsubmit = async () => {
    const line = input.value;
    if (line) typed.splice(-1, 0, line);
    place = typed.length - 1;
    input.value = "";
    show(`${$("prompt").textContent} ${line}\n`, "typed");
    const { more, printed, problem } = await askWithFiles({ do: "editing.console", line });
    show(problem ? `${problem}\n` : printed);
    $("prompt").textContent = more ? "..." : ">>>";
};

function show(text: string, className = "") {
    $("printed").append(make("span", { className }, text));
    $("printed").scrollTop = $("printed").scrollHeight;
}
