// The page: the files beside the tests, a watched search, a console and the handout.
import assignment from "../../build/assignment.json";
import "./console";
import { $, confirms, make } from "./dom";
import * as files from "./files";
import { HERE, load, numpy } from "./python";
import "./quiz";
import { showReport } from "./report";
import * as storage from "./storage";
import { makeTabs } from "./tabs";
import { watchCase } from "./watch";

const LOOK_FOR_UPDATE = 10 * 60_000; // milliseconds
const { questions, platform } = assignment;
const say = (words: string) => ($("files-say").textContent = words);

// No form leaves the page.
addEventListener("submit", (event) => (event.target as Element).closest("dialog") || event.preventDefault());

// --- the handout ------------------------------------------------------------------------------------

const panel = makeTabs($("panels"), $("side"));
let referred = ""; // the place that a report refers to

// Load the handout once it is wanted, or turn to another place in it.
function turnHandout() {
    if (panel.shown !== "Handout") return;
    const { place } = questions.find(({ file }) => file === files.tabs.shown);
    const url = new URL(`handout.html#${referred || place}`, HERE).href;
    const frame = $("handout");
    if (frame.dataset.url !== url) frame.contentWindow.location.replace(url);
    frame.dataset.url = url;
}

$("panels").onchange = turnHandout;
$("files").onchange = () => {
    referred = "";
    turnHandout();
};

// --- the files --------------------------------------------------------------------------------------

const download = (name: string, type: string) => make("a", { href: `data:${type}`, download: name }).click();

async function openFiles(list: FileList) {
    say("opening; a zip as soon as Python is free …");
    say(await files.open([...list]));
}

$("export").onclick = () => {
    const name = files.tabs.shown;
    download(name, `text/x-python;charset=utf-8,${encodeURIComponent(files.textOf(name))}`);
};
$("versions").onclick = files.showVersions;
$("upload").onclick = () => ($("upload").value = ""); // the same file can be chosen again
$("upload").onchange = () => openFiles($("upload").files);
for (const name of ["dragover", "drop"] as const) {
    const take = (event: DragEvent) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        event.stopPropagation(); // the editor would insert it
        if (name === "drop") openFiles(event.dataTransfer.files);
    };
    addEventListener(name, take, { capture: true });
}
$("pack").onclick = async () => {
    say("looking at your files …");
    files.keepVersions("submission.zip");
    const { zip, problems, problem } = await files.askWithFiles({ do: "grading.pack" });
    if (zip) download("submission.zip", `application/zip;base64,${zip}`);
    say(problem ?? [`submission.zip is written: upload it to ${platform}`, ...problems].join("; but "));
};
$("remove").onclick = async () => {
    if (!(await confirms($("remove-dialog")))) return;
    await storage.removeEverything();
    location.reload();
};

// --- the tests --------------------------------------------------------------------------------------

$("chosen").append(
    new Option("all questions", ""),
    ...questions.map(({ number, title, tests }) => {
        const options = Object.entries(tests).map(([test, label]) => new Option(`${test}  ${label}`, test));
        const label = `Question ${number}: ${title}`;
        return make("optgroup", { label }, new Option(`question ${number}`, number), ...options);
    }),
);
$("chosen").onchange = () => ($("case").value = "");
$("question-6").hidden = !questions.some(({ number }) => number === "6");
$("no-numpy").hidden = !!numpy;

// What is chosen: a question, a test, or a case by its number, or by the line that names it elsewhere.
function chosen(): string {
    const typed = $("case").value.trim();
    const [, pasted] = /(?:CASE=)?['"]?(\d+\.\d+\/[^\s'"]+)/.exec(typed) ?? [];
    return pasted ?? $("chosen").value + (typed && `/${typed}`);
}

$("run").onsubmit = () => run(chosen());

async function run(what: string) {
    if ($("go").disabled) return;
    $("go").disabled = true;
    $("results").replaceChildren();
    $("report").hidden = true;
    panel.show("Tests");
    files.mark([]);
    files.keepVersions(`run of ${what || "all questions"}`);
    let running = "";
    const request = { do: "grading.run", chosen: what, version: $("version").textContent };
    const { html, score, problem } = await files.askWithFiles(request, {
        running: (words) => ($("status").textContent = `running ${(running = words)}`),
        result: (cells: string[]) =>
            $("results").append(make("tr", {}, ...cells.map((cell) => make("td", {}, cell)))),
    });
    $("go").disabled = false;
    $("status").textContent = score ?? [running, problem].filter(Boolean).join(": ");
    if (!html) return;
    $("results").replaceChildren(); // the report holds the same
    showReport(html, acts);
}

const acts = {
    run,
    line: files.goTo,
    read(about: string) {
        referred = about;
        panel.show("Handout");
    },
    watch(about: string) {
        panel.show("Watch and play");
        watchCase(about);
    },
};

// --- the rest ---------------------------------------------------------------------------------------

$("static").remove();
$("framed").hidden = self === top;
$("as-file").hidden = location.protocol !== "file:";

async function lookForUpdate() {
    const reply = await fetch("index.html", { cache: "no-store" }).catch(() => null);
    const current = reply?.ok ? await reply.text() : "";
    if (current.includes("<main")) $("newer").hidden = current.includes(HERE.split("/").at(-2));
}

if (location.protocol !== "file:") {
    setInterval(lookForUpdate, LOOK_FOR_UPDATE);
    document.addEventListener("visibilitychange", () => document.hidden || lookForUpdate());
}
// Later visits work without a network, but for NumPy; some browsers and sites refuse that.
load()
    .then(() => navigator.serviceWorker?.register("sw.js"))
    .catch((refused) => console.info(`this page does not work offline here: ${refused}`));
