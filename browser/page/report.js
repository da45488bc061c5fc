// The results of a run: rows while it goes on, then the report with its links.
import { $, make } from "./dom.js";

// Show the result of a test until the report with all of them replaces it.
export function showResult({ look, cells: [number, label, outcome, share], message }) {
    const words = make("td", { textContent: label });
    if (message) words.append(make("br"), make("span", { className: "soft", textContent: message }));
    $("results").append(
        make(
            "tr",
            { className: look },
            make("td", { className: "n", textContent: number }),
            words,
            make("td", { className: "o", textContent: outcome }),
            make("td", { className: "n", textContent: share }),
        ),
    );
}

/**
 * @param {string} html the report; its frame runs no script
 * @param {Record<string, (...arguments_: any[]) => void>} acts run a case, watch it, goTo a line, read a place
 * @param {string[]} names of the files
 */
export function showReport(html, acts, names) {
    const frame = $("report");
    frame.hidden = false;
    frame.srcdoc = html;
    frame.onload = () => {
        const page = frame.contentDocument;
        adoptStyles(page);
        acts.mark(link(page, acts, names));
        const fit = () => {
            frame.style.height = `${page.body.offsetHeight + 8}px`;
        };
        new ResizeObserver(fit).observe(page.body);
    };
}

// Apply the styles that a strict server forbids where they stand in the text.
function adoptStyles(page) {
    const [style] = page.querySelectorAll("style");
    if (!style || style.sheet) return;
    const sheet = new page.defaultView.CSSStyleSheet();
    sheet.replaceSync(style.textContent);
    page.adoptedStyleSheets = [sheet];
    for (const element of page.querySelectorAll("[style]"))
        element.style.cssText = element.getAttribute("style");
}

// Link the lines, cases and places of the handout that a report names; return the last line named in
// each section.
function link(page, acts, names) {
    for (const pre of page.querySelectorAll("pre")) {
        if (!pre.textContent.startsWith("make try ")) continue;
        pre.previousElementSibling.remove(); // a page has no debugger
        pre.remove();
    }
    for (const anchor of page.querySelectorAll('a[href^="handout.html#"]')) {
        const [, place] = anchor.getAttribute("href").split("#");
        anchor.textContent = "the handout";
        anchor.onclick = (event) => (event.preventDefault(), acts.read(place));
    }
    const walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    const marks = new Map();
    for (const node of texts) {
        const [words, file, line, chosen] =
            /(\w+\.py), line (\d+)|make test (?:CASE|Q)=([\w./~-]+)/.exec(node.data) ?? [];
        if (!words || (file && !names.includes(file))) continue;
        const parent = node.parentNode;
        const section = parent.closest("section");
        const text = words.replace(/make test CASE.*/, "run this case").replace("make test Q=", "run ");
        const rest = node.splitText(node.data.indexOf(words));
        rest.splitText(words.length);
        rest.replaceWith(action(page, text, () => (file ? acts.goTo(file, Number(line)) : acts.run(chosen))));
        if (chosen?.includes("/"))
            parent.append(
                " · ",
                action(page, "watch this case", () => acts.watch(chosen)),
            );
        if (!file || !section) continue;
        marks.set(section, {
            file,
            line: Number(line),
            message: section.querySelector("h2 + p").textContent,
        });
    }
    return [...marks.values()];
}

function action(page, textContent, act) {
    const made = Object.assign(page.createElement("a"), { href: "#", textContent });
    made.onclick = (event) => {
        event.preventDefault();
        act();
    };
    return made;
}
