// The report of a run, with links to what it names.
import { $ } from "./dom";
import type { Mark } from "./files";

// Show a report. Its frame runs no script; `acts` are what its links do, and `mark` marks the lines that it names.
export function showReport(
    html: string,
    acts: Record<string, (about: string) => void>,
    mark: (marks: Mark[]) => void,
) {
    const frame = $("report");
    frame.hidden = false;
    frame.srcdoc = html;
    frame.onload = () => {
        const { body } = frame.contentDocument as Document;
        const marks = [...body.querySelectorAll("section")].flatMap((section) =>
            // The last line is the innermost.
            [...section.querySelectorAll('a[href^="#line/"]')].slice(-1).map((link) => {
                const [, file, line] = link.getAttribute("href").split("/");
                return { file, line: Number(line), column: 1, message: link.parentElement.textContent };
            }),
        );
        mark(marks);
        body.onclick = (event) => {
            const link = (event.target as Element).closest("a")?.getAttribute("href") ?? "";
            const [, act, about] = /^#(\w+)\/(.*)/.exec(link) ?? [];
            if (!act) return;
            event.preventDefault();
            acts[act]?.(about);
        };
        new ResizeObserver(() => (frame.style.height = `${body.offsetHeight + 8}px`)).observe(body);
    };
}
