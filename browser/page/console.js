// Python's console on the student's files, with the lines that were typed before.
import { $, make } from "./dom.js";

/** @param {(line: string) => Promise<any>} enter runs a line in Python */
export function startConsole(enter) {
    const input = $("line");
    const typed = [""];
    let place = 0;
    let more = false;
    const show = (text, className) => {
        $("printed").append(make("span", { textContent: text, className }));
        $("printed").scrollTop = $("printed").scrollHeight;
    };
    input.onkeydown = (event) => {
        const way = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        const line = input.value.includes("\n");
        if (event.key === "Enter" && !event.shiftKey) {
            event.preventDefault();
            $("console").requestSubmit();
        } else if (way && !line) {
            event.preventDefault();
            place = Math.min(Math.max(place + way, 0), typed.length - 1);
            input.value = typed[place];
        }
    };
    $("console").onsubmit = async (event) => {
        event.preventDefault();
        const line = input.value;
        if (line) typed.splice(-1, 0, line);
        place = typed.length - 1;
        input.value = "";
        show(`${more ? "... " : ">>> "}${line}\n`, "typed");
        const reply = await enter(line);
        more = reply.more ?? false;
        show(reply.problem ? `${reply.problem}\n` : reply.printed, "");
        $("prompt").textContent = more ? "..." : ">>>";
    };
}
