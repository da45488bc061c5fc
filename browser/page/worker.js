// Runs Python. The page sends the files that it consists of, because a worker has no network here.
import { loadPyodide } from "pyodide";
import createPyodideModule from "pyodide/pyodide.asm.mjs";
import lock from "pyodide-lock";

const HOME = "/home/pyodide/project";
const NOWHERE = "https://files.invalid/"; // where Pyodide believes its files to be
const AGAIN = 500; // milliseconds after which the alarm rings again, if student code goes on
let alarm = Infinity; // when Python is to be interrupted
/** @type {Record<string, ArrayBuffer>} */
let sent = {};
/** @type {Promise<any>} */
let ready;
/** @type {any} */
let other = null; // a second interpreter, in which sets have another order

self.fetch = async (url) => {
    const name = String(url).split("/").at(-1) ?? "";
    const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    if (!sent[name]) throw new TypeError("there is no network here");
    return new Response(sent[name], { headers: { "content-type": type } });
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
    // Let the second interpreter answer.
    ask_other: (line) => other.pyimport("browser.other").answer(page, line),
};

async function load(env) {
    const python = await loadPyodide({
        createPyodideModule,
        indexURL: NOWHERE,
        packageBaseUrl: NOWHERE,
        lockFileContents: lock,
        stdin: () => null,
        env,
    });
    python.unpackArchive(sent["python.zip"], "zip", { extractDir: HOME });
    python.runPython(`
import sys
sys.path[:0] = ["${HOME}", "${HOME}/site-packages"]
from browser import answers, grading
grading.prepare()`);
    python.setInterruptBuffer(clock);
    return python;
}

async function answer({ request, upload, extra }) {
    const python = await ready;
    if (upload) {
        python.FS.mkdirTree("/tmp/upload");
        python.FS.writeFile(request.path, new Uint8Array(upload));
    }
    const { answer, needs_other } = python.pyimport("browser.answers");
    if (!other && needs_other(JSON.stringify(request))) other = await load({ PYTHONHASHSEED: "1" });
    Object.assign(sent, extra);
    if (Object.keys(extra).length) {
        for (const one of [python, other].filter(Boolean)) await loadPackages(one);
    }
    const reply = JSON.parse(answer(page, JSON.stringify(request)));
    if (request.do === "pack" && !reply.problem) {
        reply.zip = python.FS.readFile("/home/pyodide/submission.zip");
    }
    return reply;
}

async function loadPackages(python) {
    await python.loadPackage(Object.keys(lock.packages), { messageCallback() {}, checkIntegrity: false });
    python.runPython("from browser import grading; grading.allow_packages()");
}

onmessage = async ({ data }) => {
    try {
        if (data.files) {
            sent = data.files;
            ready = load({ PYTHONHASHSEED: "0" });
            await ready;
            postMessage({ kind: "ready" });
        } else {
            postMessage({ kind: "answer", data: await answer(data) });
        }
    } catch (error) {
        console.error(error);
        postMessage({
            kind: "died",
            data: String(error.message ?? error)
                .trim()
                .split("\n")
                .at(-1),
        });
    }
};
