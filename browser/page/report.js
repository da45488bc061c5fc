// The results of a run: rows while it goes on, then the report with its links.
import { $, make } from "./dom.js";

// Show the result of a test until the report with all of them replaces it.
export function showResult(/** @type {string[]} */ cells) {
    $("results").append(make("tr", {}, ...cells.map((textContent) => make("td", { textContent }))));
}

/**
 * @param {string} html the report; its frame runs no script
 * @param {Record<string, (about: string) => void>} acts what the links do
 * @param {(marks: import("./files.js").Mark[]) => void} mark marks the lines that the report names
 */
export function showReport(html, acts, mark) {
    const frame = $("report");
    frame.hidden = false;
    frame.srcdoc = html;
    frame.onload = () => {
        const { body } = frame.contentDocument;
        const marks = [...body.querySelectorAll("section")].flatMap((section) =>
            // The last line is the innermost.
            [...section.querySelectorAll('a[href^="#line/"]')].slice(-1).map((link) => {
                const [, file, line] = link.getAttribute("href").split("/");
                return { file, line: Number(line), column: 1, message: link.parentElement.textContent };
            }),
        );
        mark(marks);
        body.onclick = (event) => {
            const link = event.target.closest("a")?.getAttribute("href") ?? "";
            const [, act, about] = /^#(\w+)\/(.*)/.exec(link) ?? [];
            if (!act) return;
            event.preventDefault();
            acts[act]?.(about);
        };
        const fit = () => {
            frame.style.height = `${body.offsetHeight + 8}px`;
        };
        new ResizeObserver(fit).observe(body);
    };
}
