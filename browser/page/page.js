// The page: the files beside the tests, a watched search, a console and the handout.
import assignment from "assignment";
import { startConsole } from "./console.js";
import { $, ask, make, notice } from "./dom.js";
import { Files } from "./files.js";
import { showReport, showResult } from "./report.js";
import { startQuiz } from "./quiz.js";
import { Runner } from "./runner.js";
import * as storage from "./storage.js";
import { tabs } from "./tabs.js";
import { startWatching } from "./watch.js";

const LOOK_FOR_UPDATE = 10 * 60_000; // milliseconds
const PANELS = {
    Tests: "tests",
    "Watch and play": "watch",
    Questions: "questions",
    Console: "try",
    Handout: "read",
    API: "provided",
};
const { questions, version, platform, parts } = assignment;
const say = (words) => ($("files-say").textContent = words);
const status = (words) => ($("status").textContent = words);

// --- Python -----------------------------------------------------------------------------------------

const runner = new Runner(
    parts,
    (words, failed = false) => {
        $("python").textContent = words;
        $("again").hidden = !failed;
    },
    (busy) => ($("stop").disabled = !busy),
);
const askWithFiles = (request) => runner.ask({ ...request, files: files.all() });
$("again").onclick = () => runner.load();
$("stop").onclick = () => runner.stop();

// --- the panels -------------------------------------------------------------------------------------

let place = ""; // in the handout, of the file that is shown
const panel = tabs(
    $("panels"),
    Object.keys(PANELS),
    (shown) => {
        for (const [name, id] of Object.entries(PANELS)) $(id).hidden = name !== shown;
        if (shown === "Handout") open("handout", `handout.html#${place}`);
        if (shown === "API") open("api", "api.html");
    },
    PANELS,
);

// Load a page into its frame once it is wanted, or turn to another place in it.
function open(id, path) {
    const url = new URL(`${assignment.folder}/${path}`, document.baseURI).href;
    if ($(id).dataset.url !== url) $(id).contentWindow.location.replace(url);
    $(id).dataset.url = url;
}

function read(about) {
    place = about;
    panel.show("Handout");
}

// --- the files --------------------------------------------------------------------------------------

const files = new Files(
    assignment.files,
    (name) => {
        place = questions.find(({ file }) => file === name)?.place ?? "";
        if (panel.shown === "Handout") read(place);
    },
    (request) => runner.ask(request),
    () => run(chosen()),
);

function download(name, content) {
    const href = URL.createObjectURL(new Blob([content]));
    make("a", { href, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

async function openFiles(list) {
    if (!list.length) return;
    say("opening; a zip as soon as Python is free …");
    const unpack = async (upload) => {
        const request = { do: "grading.read", path: `/tmp/upload/${upload.name}` };
        return runner.ask(request, {}, await upload.arrayBuffer());
    };
    say(await files.open([...list], unpack));
}

$("export").onclick = () => download(files.tabs.shown, files.text(files.tabs.shown));
$("versions").onclick = () => files.showVersions();
$("import").onclick = () => $("upload").click();
$("upload").onchange = async () => {
    await openFiles([...$("upload").files]);
    $("upload").value = ""; // the same file can be chosen again
};
const dropped = (event) => event.dataTransfer?.types.includes("Files");
addEventListener("dragover", (event) => dropped(event) && event.preventDefault());
addEventListener(
    "drop",
    (event) => {
        if (!dropped(event)) return;
        event.preventDefault();
        event.stopPropagation(); // the editor would insert it
        openFiles(event.dataTransfer.files);
    },
    { capture: true },
);
$("pack").onclick = async () => {
    say("looking at your files …");
    files.keepVersions("submission.zip");
    const { zip, problems, problem } = await askWithFiles({ do: "grading.pack" });
    if (zip) download("submission.zip", zip);
    say(problem ?? [`submission.zip is written: upload it to ${platform}`, ...problems].join("; but "));
};
$("remove").onclick = async () => {
    const words =
        "The files, their older versions and the stored page go from this browser. Save what you need first.";
    if ((await ask("Remove everything from this computer?", [words], ["Remove", "Cancel"])) !== "Remove")
        return;
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
$("no-numpy").hidden = Object.values(parts).some(({ imported }) => imported);

// What is chosen: a question, a test, or a case by its number, or by the line that names it elsewhere.
function chosen() {
    const typed = $("case").value.trim();
    const [, pasted] = /(?:CASE=)?['"]?(\d+\.\d+\/[^\s'"]+)/.exec(typed) ?? [];
    return pasted ?? $("chosen").value + (typed && `/${typed}`);
}

$("run").onsubmit = (event) => {
    event.preventDefault();
    run(chosen());
};

async function run(what) {
    if ($("go").disabled) return;
    $("go").disabled = true;
    $("results").replaceChildren();
    $("report").hidden = true;
    panel.show("Tests");
    files.mark([]);
    files.keepVersions(`run of ${what || "all questions"}`);
    let running = "";
    const show = (words) => {
        running = words;
        status(`running ${words}`);
    };
    const { html, score, problem, hung } = await runner.ask(
        { do: "grading.run", files: files.all(), chosen: what, version },
        {
            test: show,
            case: ([judged, all]) => show(`${running.split(",")[0]}, case ${judged + 1} of ${all}`),
            result: showResult,
        },
    );
    $("go").disabled = false;
    status(problem ? (hung ? `${running}: ` : "") + problem : score);
    if (!html) return;
    $("results").replaceChildren(); // the report holds the same
    const line = (about) => {
        const [name, number] = about.split("/");
        if (files.names.includes(name)) files.goTo(name, Number(number));
    };
    const watch = (about) => {
        panel.show("Watch and play");
        watchCase(about);
    };
    showReport(html, { run, line, read, watch }, (marks) => files.mark(marks));
}

// --- the rest ---------------------------------------------------------------------------------------

const askAgain = (request) => runner.ask(request); // about what was asked for with the files
const watchCase = startWatching(assignment, askWithFiles, askAgain);
startQuiz(askWithFiles, askAgain);
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
    if (!current.includes("<main") || current.includes(`${assignment.folder}/`)) return;
    notice("version", "A new version of this page is there. Your files stay as they are.", {
        Reload: () => location.reload(),
    });
}

if (location.protocol !== "file:") {
    setInterval(lookForUpdate, LOOK_FOR_UPDATE);
    document.addEventListener("visibilitychange", () => document.hidden || lookForUpdate());
    addEventListener("online", () => runner.is_ready || runner.load());
}
// Later visits work without a network; some browsers and sites refuse that.
runner
    .load()
    .then(() => navigator.serviceWorker?.register("sw.js"))
    .catch((refused) => console.info(`this page does not work offline here: ${refused}`));
