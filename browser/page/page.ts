// The page: the files beside the tests, a watched search, a console and the handout.
import assignment from "../../build/assignment.json";
import { startConsole } from "./console";
import { $, ask, make, notice } from "./dom";
import { Files } from "./files";
import { showReport } from "./report";
import { startQuiz } from "./quiz";
import { Runner, isPackage } from "./runner";
import * as storage from "./storage";
import { makeTabs } from "./tabs";
import { startWatching } from "./watch";

const LOOK_FOR_UPDATE = 10 * 60_000; // milliseconds
const HERE = (document.currentScript as HTMLScriptElement).src; // the site's files are beside it
const { questions, platform, parts } = assignment;
const say = (words: string) => ($("files-say").textContent = words);
const status = (words: string) => ($("status").textContent = words);

// No form leaves the page.
addEventListener("submit", (event) => (event.target as Element).closest("dialog") || event.preventDefault());

// --- Python -----------------------------------------------------------------------------------------

const runner = new Runner(
    HERE,
    parts,
    (words, failed = false) => {
        $("python").textContent = words;
        $("again").hidden = !failed;
    },
    (busy) => ($("stop").disabled = !busy),
);
const askPython = (request: any) => runner.ask(request);
const askWithFiles = (request: any) => runner.ask({ ...request, files: files.all() });
$("again").onclick = () => runner.load();
$("stop").onclick = () => runner.stop();

// --- the panels and the files -----------------------------------------------------------------------

let place = ""; // in the handout, of the file that is shown
const panel = makeTabs($("panels"), $("side"), (shown) => shown === "Handout" && turnHandout());

// Load the handout once it is wanted, or turn to another place in it.
function turnHandout() {
    const url = new URL(`handout.html#${place}`, HERE).href;
    const frame = $("handout");
    if (frame.dataset.url !== url) frame.contentWindow.location.replace(url);
    frame.dataset.url = url;
}

const files = new Files(
    assignment.files,
    (name) => {
        place = questions.find(({ file }) => file === name)?.place ?? "";
        if (panel.shown === "Handout") turnHandout();
    },
    askPython,
    () => run(chosen()),
);

const download = (name: string, type: string) => make("a", { href: `data:${type}`, download: name }).click();

async function openFiles(list: FileList) {
    if (!list.length) return;
    say("opening; a zip as soon as Python is free …");
    say(await files.open([...list]));
}

$("export").onclick = () => {
    const name = files.tabs.shown;
    download(name, `text/x-python;charset=utf-8,${encodeURIComponent(files.text(name))}`);
};
$("versions").onclick = () => files.showVersions();
$("import").onclick = () => $("upload").click();
$("upload").onchange = async () => {
    await openFiles($("upload").files);
    $("upload").value = ""; // the same file can be chosen again
};
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
    const { zip, problems, problem } = await askWithFiles({ do: "grading.pack" });
    if (zip) download("submission.zip", `application/zip;base64,${zip}`);
    say(problem ?? [`submission.zip is written: upload it to ${platform}`, ...problems].join("; but "));
};
$("remove").onclick = async () => {
    const title = "Remove everything from this computer?";
    const words =
        "The files, their older versions and the stored page go from this browser. Save what you need first.";
    if ((await ask(title, [words], ["Remove", "Cancel"])) !== "Remove") return;
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
$("no-numpy").hidden = Object.keys(parts).some(isPackage);

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
    const show = (words: string) => {
        running = words;
        status(`running ${words}`);
    };
    const version = $("version").textContent;
    const { html, score, problem } = await runner.ask(
        { do: "grading.run", files: files.all(), chosen: what, version },
        {
            test: show,
            case: ([judged, all]) => show(`${running.split(",")[0]}, case ${judged + 1} of ${all}`),
            result: (cells: string[]) =>
                $("results").append(make("tr", {}, ...cells.map((cell) => make("td", {}, cell)))),
        },
    );
    $("go").disabled = false;
    status(score ?? [running, problem].filter(Boolean).join(": "));
    if (!html) return;
    $("results").replaceChildren(); // the report holds the same
    const acts = {
        run,
        line(about: string) {
            const [name, number] = about.split("/");
            if (files.names.includes(name)) files.goTo(name, Number(number));
        },
        read(about: string) {
            place = about;
            panel.show("Handout");
        },
        watch(about: string) {
            panel.show("Watch and play");
            watchCase(about);
        },
    };
    showReport(html, acts, (marks) => files.mark(marks));
}

// --- the rest ---------------------------------------------------------------------------------------

const watchCase = startWatching(assignment, askWithFiles, askPython);
startQuiz(askWithFiles, askPython);
startConsole((line) => askWithFiles({ do: "editing.console", line }));
$("static").remove();
if (self !== top) {
    notice("frame", "This page stands in a frame, where browsers block downloads and storage.", {
        "Open it in a tab of its own": () => window.open(location.href, "_blank", "noopener"),
    });
}

async function lookForUpdate() {
    const reply = await fetch("index.html", { cache: "no-store" }).catch(() => null);
    const current = reply?.ok ? await reply.text() : "";
    if (!current.includes("<main") || current.includes(HERE.split("/").at(-2))) return;
    notice("version", "A new version of this page is there. Your files stay as they are.", {
        Reload: () => location.reload(),
    });
}

if (location.protocol !== "file:") {
    setInterval(lookForUpdate, LOOK_FOR_UPDATE);
    document.addEventListener("visibilitychange", () => document.hidden || lookForUpdate());
    addEventListener("online", () => runner.isReady || runner.load());
}
// Later visits work without a network, but for NumPy; some browsers and sites refuse that.
runner
    .load()
    .then(() => navigator.serviceWorker?.register("sw.js"))
    .catch((refused) => console.info(`this page does not work offline here: ${refused}`));
