// Runs Python. The page sends the files that it consists of, because a worker has no network here.
import { loadPyodide } from "pyodide";
import createPyodideModule from "pyodide/pyodide.asm.mjs";
import lock from "pyodide/pyodide-lock.json";

const HOME = "/home/pyodide/project";
const NOWHERE = "https://files.invalid/"; // where Pyodide believes its files to be
const RESTARTING = /^(4|4\.14(\/.*)?)?$/; // runs with a test that searches again in another process
const AGAIN = 500; // milliseconds after which the alarm rings again, if student code goes on
let alarm = Infinity; // when Python is to be interrupted
let files: Record<string, ArrayBuffer> = {};
const pythons: any[] = []; // a second one, in which sets have another order, is loaded when a test needs it

self.fetch = async (url) => {
    const name = String(url).split("/").at(-1);
    const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    if (!files[name]) throw new TypeError("there is no network here");
    return new Response(files[name], { headers: { "content-type": type } });
};

// Pyodide reads this as its interrupt buffer: 2 is SIGINT. A buffer that is shared with the page
// would do the same, but only where the server isolates the page.
const clock: any = {
    get 0() {
        const now = performance.now();
        if (now < alarm) return 0;
        alarm = now + AGAIN;
        return 2;
    },
    set 0(taken) {},
};

const page = {
    post: (kind: string, data: string) => postMessage({ kind, data: JSON.parse(data) }),
    set_alarm(seconds: number) {
        alarm = seconds ? performance.now() + 1000 * seconds : Infinity;
        postMessage({ kind: "alarm", data: seconds });
    },
    ask_other: (line: string) => pythons[1].pyimport("browser.grading").perform_here(line),
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
    python.unpackArchive(files["python.tar.gz"], "gztar", { extractDir: HOME });
    const packages = Object.keys(lock.packages).filter((name) => files[lock.packages[name].file_name]);
    await python.loadPackage(packages, { messageCallback() {}, checkIntegrity: false });
    python.runPython(`import sys; sys.path += ["${HOME}", "${HOME}/site-packages"]`);
    python.pyimport("browser.grading").prepare(page);
    python.setInterruptBuffer(clock);
    pythons.push(python);
}

async function answer(request: any) {
    if (!pythons[1] && request.do === "grading.run" && RESTARTING.test(request.chosen)) await load();
    return JSON.parse(pythons[0].pyimport("browser.grading").answer(JSON.stringify(request)));
}

// The first message holds the files; the others are requests.
onmessage = async ({ data }) => {
    try {
        if ("do" in data) return postMessage({ kind: "answer", data: await answer(data) });
        files = data;
        await load();
        postMessage({ kind: "ready" });
    } catch (error) {
        console.error(error);
        const said = String(error.message ?? error).trim();
        postMessage({ kind: "died", data: said.slice(said.lastIndexOf("\n") + 1) });
    }
};
