// The report of a run, with links to what it names.
import { $ } from "./dom";
import { mark } from "./files";

// Show a report, and mark the lines that it names. Its frame runs no script; `acts` are what its links do.
export function showReport(html: string, acts: Record<string, (about: string) => void>) {
    const frame = $("report");
    frame.hidden = false;
    frame.srcdoc = html;
    frame.onload = () => {
        const { body } = frame.contentDocument as Document;
        const sections = [...body.querySelectorAll("section")];
        const links = sections.map((section) => [...section.querySelectorAll('a[href^="#line/"]')].at(-1));
        const marks = links.filter(Boolean).map((link) => {
            // the last is the innermost line
            const [, file, line] = link.getAttribute("href").split("/");
            return { file, line: Number(line), column: 1, message: link.parentElement.textContent };
        });
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
