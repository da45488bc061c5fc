// Python in a worker, in a frame that reaches neither the network nor the page's storage: one request
// at a time, which can be stopped, and which is ended if it does not end.
import assignment from "../../build/assignment.json";
import FRAME from "./frame.html";
import { $, make } from "./dom";

const LATE = 2000; // milliseconds after an alarm until Python, which did not hear it, is ended
const SILENT = 12_000; // milliseconds without news until the page says so
const EMPTY_WASM = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
const POLICY =
    "this site's Content-Security-Policy forbids it. Its owner has to allow script-src 'unsafe-inline' " +
    "'wasm-unsafe-eval' blob:, worker-src blob: and style-src 'unsafe-inline' for this page";
const HUNG =
    "your code did not end in time, in one operation that can't be interrupted: Python was started again";

export const HERE = (document.currentScript as HTMLScriptElement).src; // the site's files are beside it
const sizes: Record<string, number> = assignment.parts; // of the files that Python consists of
export const numpy = Object.keys(sizes).find((name) => name.endsWith(".whl"));
const needed = Object.keys(sizes).filter((name) => name !== numpy);
const loaded: Record<string, ArrayBuffer> = {};
const arrived: Record<string, number> = {}; // bytes
let problem = ""; // why Python can't be loaded
let frame: HTMLIFrameElement;
let isReady = false;
let silence = 0; // timers
let late = 0;

type Events = Record<string, (data: any) => void>; // called with what comes before the answer, by its kind
type Job = { request: any; events: Events; answered: (reply: any) => void };
let jobs: Job[] = []; // the first one is at work
const isWork = ({ request }: Job) => request.do !== "editing.check"; // one would not stop a check

$("again").onclick = load;
$("stop").onclick = () => stop();
addEventListener("online", () => isReady || load());
addEventListener("message", (event) => event.source === frame?.contentWindow && hear(event.data));

// Say how the loading goes, and `later` if there is no news for long.
function say(words: string, later = "", failed = false) {
    $("python").textContent = words;
    $("again").hidden = !failed;
    clearTimeout(silence);
    if (later) silence = setTimeout(() => say(later, "", true), SILENT);
}

// Load Python and start it. Loading again goes on with what is missing.
export async function load() {
    problem = "";
    showProgress();
    try {
        const why = explainImpossible();
        if (why) throw new Error(why);
        await Promise.all(needed.map(download));
        start();
    } catch (failed) {
        problem = `Python can't be loaded: ${failed.message}.`;
        say(problem, "", true);
    }
}

// Download a file as bytes, once: no browser looks at the type that the server gives it.
async function download(name: string) {
    if (loaded[name]) return;
    const reply = await fetch(new URL(name, HERE)).catch(() => {
        throw new Error(`${name} does not arrive: is there a connection?`);
    });
    if (!reply.ok || !reply.body) throw new Error(`the server answers ${reply.status} for ${name}`);
    arrived[name] = 0;
    const counted = new TransformStream({
        transform: (chunk, stream) => {
            arrived[name] += chunk.length;
            showProgress();
            stream.enqueue(chunk);
        },
    });
    const bytes = await new Response(reply.body.pipeThrough(counted)).arrayBuffer();
    if (bytes.byteLength !== sizes[name]) throw new Error(`the server sends something else as ${name}`);
    loaded[name] = bytes;
}

// Say how much has arrived; a problem stays while other files arrive.
function showProgress() {
    if (problem) return;
    const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
    const share = Math.min(1, sum(Object.values(arrived)) / sum(needed.map((name) => sizes[name])));
    say(
        `Python is loading: ${Math.floor(100 * share)} %`,
        "Python is still loading, but nothing arrives. Check the connection, then try again.",
    );
}

function start() {
    isReady = false;
    frame?.remove();
    frame = make("iframe", { hidden: true, srcdoc: FRAME, sandbox: "allow-scripts" });
    document.body.append(frame);
    say("Python is starting …", `Python does not start: perhaps ${POLICY}.`);
}

// Ask for something. If `files` in the request import NumPy, Python is started again with it.
export async function ask(request: any, events: Events = {}): Promise<any> {
    const code = Object.values(request.files ?? {}).join("\n");
    if (numpy && !loaded[numpy] && /^\s*(import|from)\s+numpy\b/m.test(code)) {
        try {
            await download(numpy);
        } catch (failed) {
            return { problem: failed.message };
        }
        start();
    }
    return new Promise((answered) => {
        jobs.push({ request, events, answered });
        if (jobs.length === 1) next();
        showWork();
    });
}

function showWork() {
    $("stop").disabled = !jobs.some(isWork);
}

function next() {
    if (isReady && jobs.length) send(jobs[0].request);
}

const send = (message: any) => frame.contentWindow.postMessage(message, "*");

function hear({ kind, data }: { kind: string; data: any }) {
    if (kind === "hello") {
        say("Python is starting …", "Python is still starting: this computer is slow, or has much to do.");
        send(loaded["worker.js"]);
        send(loaded);
    } else if (kind === "ready") {
        isReady = true;
        say("Python is ready.");
        next();
    } else if (kind === "died") {
        if (isReady) stop(`Python ended, and was started again: ${data}`);
        else say(`Python can't be started: ${data}; perhaps ${POLICY}.`, "", true);
    } else if (!jobs.length) {
        return;
    } else if (kind === "alarm") {
        clearTimeout(late);
        if (data) late = setTimeout(() => stop(HUNG), 1000 * data + LATE);
    } else if (kind === "answer") {
        jobs.shift().answered(data);
        showWork();
        next();
    } else if (Object.hasOwn(jobs[0].events, kind)) {
        jobs[0].events[kind](data);
    }
}

// Stop what is at work, and what waits.
function stop(problem = "stopped") {
    clearTimeout(late);
    const stopped = jobs.filter(isWork);
    jobs = jobs.filter((job) => !isWork(job));
    if (isReady) start();
    for (const { answered } of stopped) answered({ problem });
    showWork();
}

// Say why no Python can run on this page wherever it is from, or "". The page's notices say more.
function explainImpossible() {
    if (location.protocol === "file:") return "the page was opened as a file";
    if (self.origin === "null") return "the page stands in a frame that blocks it";
    if (!self.WebAssembly) return "this browser has no WebAssembly, or it is turned off";
    try {
        new WebAssembly.Module(EMPTY_WASM);
    } catch {
        return POLICY;
    }
    return "";
}
