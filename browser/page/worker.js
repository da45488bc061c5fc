// Runs Python. The page sends the files that it consists of, because a worker has no network here.
import { loadPyodide } from "pyodide";
import createPyodideModule from "pyodide/pyodide.asm.mjs";
import lock from "pyodide-lock";

const HOME = "/home/pyodide/project";
const NOWHERE = "https://files.invalid/"; // where Pyodide believes its files to be
const AGAIN = 500; // milliseconds after which the alarm rings again, if student code goes on
let alarm = Infinity; // when Python is to be interrupted
/** @type {Record<string, ArrayBuffer>} */
const files = {};
/** @type {any[]} */
const pythons = []; // a second one, in which sets have another order, is loaded when a test needs it

self.fetch = async (url) => {
    const name = String(url).split("/").at(-1) ?? "";
    const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    if (!files[name]) throw new TypeError("there is no network here");
    return new Response(files[name], { headers: { "content-type": type } });
};

// Pyodide reads this as its interrupt buffer: 2 is SIGINT. A buffer that is shared with the page
// would do the same, but only where the server isolates the page.
const clock = {
    get 0() {
        const now = performance.now();
        if (now < alarm) return 0;
        alarm = now + AGAIN;
        return 2;
    },
    set 0(taken) {},
};

const page = {
    post: (kind, data) => postMessage({ kind, data: JSON.parse(data) }),
    set_alarm(seconds) {
        alarm = seconds ? performance.now() + 1000 * seconds : Infinity;
        postMessage({ kind: "alarm", data: seconds });
    },
    ask_other: (line) => pythons[1].pyimport("browser.grading").perform_here(page, line),
};

async function load() {
    const python = await loadPyodide({
        createPyodideModule,
        indexURL: NOWHERE,
        packageBaseUrl: NOWHERE,
        lockFileContents: lock,
        stdin: () => null,
        env: { PYTHONHASHSEED: String(pythons.length) },
    });
    python.unpackArchive(files["python.zip"], "zip", { extractDir: HOME });
    python.runPython(`
import sys
sys.path[:0] = ["${HOME}", "${HOME}/site-packages"]
from browser import grading
grading.prepare()`);
    python.setInterruptBuffer(/** @type {any} */ (clock));
    pythons.push(python);
    await loadPackages(python);
}

// Load what has been sent of the packages that are loaded on demand.
async function loadPackages(python) {
    const sent = Object.entries(lock.packages).filter(([, { file_name }]) => files[file_name]);
    if (!sent.length) return;
    const names = sent.map(([name]) => name);
    await python.loadPackage(names, { messageCallback() {}, checkIntegrity: false });
    python.runPython("grading.allow_packages()");
}

async function answer(request, upload) {
    const [python] = pythons;
    if (upload) {
        python.FS.mkdirTree("/tmp/upload");
        python.FS.writeFile(request.path, new Uint8Array(upload));
    }
    const { needs_other } = python.pyimport("browser.grading");
    if (!pythons[1] && request.do === "grading.run" && needs_other(request.chosen)) await load();
    const reply = JSON.parse(python.pyimport("browser.grading").answer(page, JSON.stringify(request)));
    if (request.do === "grading.pack" && !reply.problem) {
        reply.zip = python.FS.readFile("/home/pyodide/submission.zip");
    }
    return reply;
}

onmessage = async ({ data: { request, upload, fresh } }) => {
    try {
        Object.assign(files, fresh);
        if (request) {
            if (Object.keys(fresh).length) await Promise.all(pythons.map(loadPackages));
            postMessage({ kind: "answer", data: await answer(request, upload) });
        } else {
            await load();
            postMessage({ kind: "ready" });
        }
    } catch (error) {
        console.error(error);
        const lines = String(error.message ?? error)
            .trim()
            .split("\n");
        postMessage({ kind: "died", data: lines.at(-1) });
    }
};
