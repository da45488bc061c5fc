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
const root = new URL(".", location.href);
const { questions, version, platform } = assignment;
const say = (words) => {
    $("files-say").textContent = words;
};

// --- Python -----------------------------------------------------------------------------------------

let working = false;
const parts = Object.fromEntries(
    Object.entries(assignment.parts).map(([name, { path, size, imported }]) => [
        name,
        {
            url: new URL(path, root).href,
            size,
            later: Boolean(imported),
            imported: imported && new RegExp(`^\\s*(?:import|from)\\s+${imported}\\b`, "m"),
        },
    ]),
);
const runner = new Runner(
    parts,
    (words, failed = false) => {
        $("python").textContent = words;
        $("again").hidden = !failed;
        if (words === "Python is ready.") files?.views.forEach((_, name) => files.recheck(name));
    },
    (busy) => {
        working = busy;
        $("stop").disabled = !busy;
    },
);
$("again").onclick = () => runner.load();
$("stop").onclick = () => runner.stop();

// --- the panels -------------------------------------------------------------------------------------

const ids = { Tests: "tests", "Watch and play": "watch", Questions: "questions", Console: "try", Handout: "read", API: "provided" };
const panel = tabs(
    $("panels"),
    Object.keys(ids),
    (shown) => {
        for (const [name, id] of Object.entries(ids)) $(id).hidden = name !== shown;
        if (shown === "Handout") readHandout(handoutPlace);
        if (shown === "API") open("api", "api.html");
    },
    ids,
);

// Load a page into its frame once it is wanted, or turn to another place in it.
function open(id, path) {
    const url = new URL(`${assignment.folder}/${path}`, root).href;
    if ($(id).dataset.url !== url) $(id).contentWindow.location.replace(url);
    $(id).dataset.url = url;
}

/** @type {string} */
let handoutPlace; // the section of the file that is shown

function readHandout(place) {
    panel.shown === "Handout" || panel.show("Handout");
    open("handout", `handout.html#${place}`);
}

// --- the files --------------------------------------------------------------------------------------

/** @type {Files} */
let files;
files = new Files(
    assignment.files,
    (name) => {
        handoutPlace = questions.find(({ file }) => file === name)?.place ?? "";
        if (panel.shown === "Handout") readHandout(handoutPlace);
    },
    async (name, text) => {
        if (working || !runner.is_ready) return [];
        const { errors = [] } = await runner.ask({ do: "check", name, text });
        return errors;
    },
    () => run(chosen()),
);
files.compare = (old, new_) => runner.ask({ do: "compare", old, new: new_ });

function download(name, content) {
    const href = URL.createObjectURL(new Blob([content]));
    make("a", { href, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

async function openFiles(list) {
    if (!list.length) return;
    say(runner.is_ready && !working ? "opening …" : "a zip is opened as soon as Python is free …");
    const unpack = async (upload) => {
        const request = { do: "read", path: `/tmp/upload/${upload.name}` };
        return runner.ask(request, {}, await upload.arrayBuffer());
    };
    say(await files.open([...list], unpack));
}

$("export").onclick = () => download(files.tabs.shown, files.text(files.tabs.shown));
$("reset").onclick = () => files.reset();
$("versions").onclick = () => files.showVersions();
$("import").onclick = () => $("upload").click();
$("upload").onchange = async () => {
    const chosenFiles = [...$("upload").files];
    $("upload").value = "";
    await openFiles(chosenFiles);
};
addEventListener(
    "dragover",
    (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault(),
);
addEventListener(
    "drop",
    (event) => {
        if (!event.dataTransfer?.files.length) return;
        event.preventDefault();
        event.stopPropagation();
        openFiles([...event.dataTransfer.files]);
    },
    { capture: true },
);
$("pack").onclick = async () => {
    say("looking at your files");
    files.keepVersions("submission.zip");
    const { zip, problems, problem } = await runner.ask({ do: "pack", files: files.all() });
    if (zip) download("submission.zip", zip);
    say(problem ?? [`submission.zip is written: upload it to ${platform}`, ...problems].join("; but "));
};
$("remove").onclick = async () => {
    const words =
        "The files, their older versions and the stored page go from this browser. Save what you need first.";
    const answer = await ask(
        "Remove everything from this computer?",
        [make("p", { textContent: words })],
        ["Remove", "Cancel"],
    );
    if (answer !== "Remove") return;
    await storage.removeEverything();
    location.reload();
};

// --- the tests --------------------------------------------------------------------------------------

const cases = new Map(questions.flatMap(({ tests }) => tests.map((test) => [test.number, test.cases])));
$("chosen").append(
    new Option("all questions", ""),
    ...questions.map(({ number, title, tests }) => {
        const label = `Question ${number}: ${title}`;
        const options = tests.map((test) => new Option(`${test.number}  ${test.label}`, test.number));
        return make("optgroup", { label }, new Option(`question ${number}`, number), ...options);
    }),
);
$("chosen").onchange = () => {
    const count = cases.get($("chosen").value);
    Object.assign($("case"), { value: "", placeholder: count ? `1 to ${count}, or CASE=…` : "CASE=…" });
};
$("chosen").onchange();
$("question-6").hidden = !questions.some(({ number }) => number === "6");
$("no-numpy").hidden = Object.values(parts).some(({ later }) => later);

// What is chosen: a question, a test, or a case by its number, or by the line that names it elsewhere.
function chosen() {
    const typed = $("case").value.trim();
    const pasted = /(?:CASE=)?['"]?(\d+\.\d+\/[^\s'"]+)/.exec(typed);
    if (pasted) return pasted[1];
    return $("chosen").value + (typed && `/${typed}`);
}

$("run").onsubmit = (event) => {
    event.preventDefault();
    run(chosen());
};

let isRunning = false;

async function run(what) {
    if (isRunning) return;
    isRunning = true;
    $("go").disabled = true;
    try {
        await runTests(what);
    } finally {
        isRunning = false;
        $("go").disabled = false;
    }
}

async function runTests(what) {
    $("results").replaceChildren();
    $("report").hidden = true;
    panel.show("Tests");
    files.mark([]);
    files.keepVersions(`run of ${what || "all questions"}`);
    let running = "";
    const status = (words) => {
        $("status").textContent = words;
    };
    const request = { do: "run", files: files.all(), chosen: what, version };
    const reply = await runner.ask(request, {
        test: (number) => {
            running = String(number);
            status(`running ${running}`);
        },
        case: ([judged, all]) => {
            running = `${running.split(",")[0]}, case ${judged + 1} of ${all}`;
            status(`running ${running}`);
        },
        result: showResult,
    });
    status(reply.problem ? `${reply.hung ? `${running}: ` : ""}${reply.problem}` : reply.score);
    if (!reply.html) return;
    $("results").replaceChildren(); // the report holds the same
    const acts = {
        run,
        goTo: (name, line) => files.goTo(name, line),
        mark: (marks) => files.mark(marks),
        read: readHandout,
        watch: (text) => {
            panel.show("Watch and play");
            watchCase(text);
        },
    };
    showReport(reply.html, acts, files.names);
}

// --- the rest ---------------------------------------------------------------------------------------

const watchCase = startWatching(assignment, (request, same) =>
    runner.ask(same ? request : { ...request, files: files.all() }),
);
startQuiz((request, same) => runner.ask(same ? request : { ...request, files: files.all() }));
startConsole((line) => runner.ask({ do: "console", files: files.all(), line }));
$("static").remove();
if (self !== top) {
    notice("frame", "This page stands in a frame, where browsers block downloads and storage:");
    $("notice-frame").append(
        make("a", {
            href: location.href,
            target: "_blank",
            rel: "noopener",
            textContent: "open it in a tab of its own",
        }),
    );
}

async function lookForUpdate() {
    const reply = await fetch(new URL("index.html", root), { cache: "no-store" }).catch(() => null);
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
    .then(() => navigator.serviceWorker?.register(new URL("sw.js", root)))
    .catch((refused) => console.info(`this page does not work offline here: ${refused}`));
