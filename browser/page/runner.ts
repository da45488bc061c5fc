// Python in a worker, in a frame that reaches neither the network nor the page's storage: one request
// at a time, which can be stopped, and which is ended if it does not end.
import FRAME from "./frame.html";
import { make } from "./dom";

const LATE = 2000; // milliseconds after an alarm until Python, which did not hear it, is ended
const SILENT = 12_000; // milliseconds without news until the page says so
const EMPTY_WASM = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
const POLICY =
    "this site's Content-Security-Policy forbids it. Its owner has to allow script-src 'unsafe-inline' " +
    "'wasm-unsafe-eval' blob:, worker-src blob: and style-src 'unsafe-inline' for this page";
const HUNG =
    "your code did not end in time, in one operation that can't be interrupted: Python was started again";

type Events = Record<string, (data: any) => void>; // called with what comes before the answer, by its kind
type Job = { request: any; events: Events; answered: (reply: any) => void };

export class Runner {
    loaded: Record<string, ArrayBuffer> = {};
    arrived: Record<string, number> = {}; // bytes
    wanted: string[];
    jobs: Job[] = []; // the first one is at work
    isReady = false;
    problem = ""; // why Python can't be loaded
    frame?: HTMLIFrameElement;
    silence = 0; // timers
    late = 0;

    constructor(
        public place: string, // the address of a file beside them
        public parts: Record<string, number>, // the size of each file that Python consists of
        public say: (words: string, failed?: boolean) => void, // shows how the loading goes
        public turn: (busy: boolean) => void, // is called when work begins and ends
    ) {
        this.wanted = Object.keys(parts).filter((name) => !isPackage(name));
        addEventListener("message", (event) => {
            if (event.source === this.frame?.contentWindow) this.hear(event.data);
        });
    }

    // Load Python and start it. Loading again goes on with what is missing.
    async load() {
        const why = explainImpossible();
        this.problem = why && `Python can't run here: ${why}`;
        this.showProgress();
        if (why) return;
        try {
            await Promise.all(this.wanted.map((name) => this.download(name)));
            this.start();
        } catch (problem) {
            this.problem = `Python can't be loaded: ${problem.message}.`;
            this.showProgress();
        }
    }

    // Download a file as bytes, once: no browser looks at the type that the server gives it.
    async download(name: string) {
        if (this.loaded[name]) return;
        const reply = await fetch(new URL(name, this.place)).catch(() => {
            throw new Error(`${name} does not arrive: is there a connection?`);
        });
        if (!reply.ok || !reply.body) throw new Error(`the server answers ${reply.status} for ${name}`);
        this.arrived[name] = 0;
        const counted = new TransformStream({
            transform: (chunk, stream) => {
                this.arrived[name] += chunk.length;
                this.showProgress();
                stream.enqueue(chunk);
            },
        });
        const bytes = await new Response(reply.body.pipeThrough(counted)).arrayBuffer();
        if (bytes.byteLength !== this.parts[name])
            throw new Error(`the server sends something else as ${name}`);
        this.loaded[name] = bytes;
    }

    // Say how much has arrived; a problem stays while other files arrive.
    showProgress() {
        clearTimeout(this.silence);
        if (this.problem) return this.say(this.problem, true);
        const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
        const all = sum(this.wanted.map((name) => this.parts[name]));
        const share = Math.min(1, sum(Object.values(this.arrived)) / all);
        this.say(`Python is loading: ${Math.floor(100 * share)} %`);
        this.watchSilence(
            "Python is still loading, but nothing arrives. Check the connection, then try again.",
        );
    }

    watchSilence(words: string) {
        clearTimeout(this.silence);
        this.silence = setTimeout(() => this.say(words, true), SILENT);
    }

    start() {
        this.isReady = false;
        this.frame?.remove();
        this.frame = make("iframe", { hidden: true, srcdoc: FRAME, sandbox: "allow-scripts" });
        document.body.append(this.frame);
        this.say("Python is starting …");
        this.watchSilence(`Python does not start: perhaps ${POLICY}.`);
    }

    // Ask for something. If `files` in the request import a package, Python is started again with it.
    async ask(request: any, events: Events = {}): Promise<any> {
        const code = Object.values(request.files ?? {}).join("\n");
        for (const name of Object.keys(this.parts)) {
            const imported = new RegExp(`^\\s*(import|from)\\s+${name.split("-")[0]}\\b`, "m");
            if (this.wanted.includes(name) || !imported.test(code)) continue;
            try {
                await this.download(name);
            } catch (problem) {
                return { problem: problem.message };
            }
            this.wanted.push(name);
            this.start();
        }
        return new Promise((answered) => {
            this.jobs.push({ request, events, answered });
            this.showWork();
            if (this.jobs.length === 1) this.next();
        });
    }

    // A check while somebody types is no work that one would stop.
    showWork() {
        this.turn(this.jobs.some(isWork));
    }

    next() {
        if (this.isReady && this.jobs.length) this.send(this.jobs[0].request);
    }

    send(message: any) {
        this.frame.contentWindow.postMessage(message, "*");
    }

    hear({ kind, data }: { kind: string; data: any }) {
        if (kind === "hello") {
            this.watchSilence("Python is still starting: this computer is slow, or has much to do.");
            this.send(this.loaded["worker.js"]);
            this.send(this.loaded);
        } else if (kind === "ready") {
            clearTimeout(this.silence);
            this.isReady = true;
            this.say("Python is ready.");
            this.next();
        } else if (kind === "died") {
            if (this.isReady) this.stop(`Python ended, and was started again: ${data}`);
            else this.say(`Python can't be started: ${data}; perhaps ${POLICY}.`, true);
        } else if (!this.jobs.length) {
            return;
        } else if (kind === "alarm") {
            clearTimeout(this.late);
            if (data) this.late = setTimeout(() => this.stop(HUNG), 1000 * data + LATE);
        } else if (kind === "answer") {
            clearTimeout(this.late);
            this.jobs.shift().answered(data);
            this.showWork();
            this.next();
        } else if (Object.hasOwn(this.jobs[0].events, kind)) {
            this.jobs[0].events[kind](data);
        }
    }

    // Stop what is at work, and what waits.
    stop(problem = "stopped") {
        clearTimeout(this.late);
        const stopped = this.jobs.filter(isWork);
        this.jobs = this.jobs.filter((job) => !isWork(job));
        if (this.isReady) this.start();
        for (const { answered } of stopped) answered({ problem });
        this.showWork();
    }
}

export const isPackage = (name: string) => name.endsWith(".whl");
const isWork = ({ request }: Job) => request.do !== "editing.check";

// Say why no Python can run on this page wherever it is from, or "".
function explainImpossible() {
    if (location.protocol === "file:") {
        return (
            "the page was opened as a file. Open it at its address on the course's site, or run " +
            "“python -m http.server” in its folder and open http://localhost:8000"
        );
    }
    if (self.origin === "null") return "it stands in a frame that blocks it. Open it in a tab of its own";
    if (!self.WebAssembly) return "this browser has no WebAssembly, or it is turned off";
    try {
        new WebAssembly.Module(EMPTY_WASM);
    } catch {
        return POLICY;
    }
    return "";
}
