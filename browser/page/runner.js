// Python in a worker, in a frame that reaches neither the network nor the page's storage: one request
// at a time, which can be stopped, and which is ended if it does not end.
import FRAME from "./frame.html";

const LATE = 2000; // milliseconds after an alarm until Python, which did not hear it, is ended
const SILENT = 12_000; // milliseconds without news until the page says so
const PAUSES = [1000, 2000, 0]; // milliseconds before a failed download is tried again
const EMPTY_WASM = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
const POLICY =
    "this site's Content-Security-Policy forbids it. Its owner has to allow script-src 'unsafe-inline' " +
    "'wasm-unsafe-eval' blob:, worker-src blob: and style-src 'unsafe-inline' for this page";
const HUNG =
    "your code did not end in time, in one operation that can't be interrupted: Python was started again";

/** @typedef {{path: string, size: number, imported?: string}} Part */
/** @typedef {Record<string, (data: any) => void>} Events called with what comes before the answer, by its kind */
/** @typedef {{request: any, events: Events, upload: ArrayBuffer | null, answered: (reply: any) => void}} Job */

export class Runner {
    /** @type {Record<string, ArrayBuffer>} */
    loaded = {};
    /** @type {Record<string, number>} */
    arrived = {}; // bytes
    /** @type {Job[]} */
    jobs = []; // the first one is at work
    /** @type {Set<string>} */
    sent = new Set();
    is_ready = false;

    /**
     * @param {Record<string, Part>} parts the files that Python consists of, by name
     * @param {(words: string, failed?: boolean) => void} say shows how the loading goes
     * @param {(busy: boolean) => void} turn is called when work begins and ends
     */
    constructor(parts, say, turn) {
        this.parts = parts;
        this.say = say;
        this.turn = turn;
        this.wanted = Object.keys(parts).filter((name) => !parts[name].imported);
        addEventListener("message", (event) => {
            if (event.source === this.frame?.contentWindow) this.hear(event.data);
        });
    }

    // Load Python and start it. Loading again goes on with what is missing.
    async load() {
        clearTimeout(this.silence);
        const why = explainImpossible();
        if (why) return this.say(`Python can't run here: ${why}`, true);
        this.showProgress();
        try {
            await Promise.all(this.wanted.map((name) => this.download(name)));
        } catch (problem) {
            return this.say(`Python can't be loaded: ${problem.message}.`, true);
        }
        this.start();
    }

    async download(name) {
        for (const pause of PAUSES) {
            if (this.loaded[name]) return;
            try {
                this.loaded[name] = await this.fetch(name);
            } catch (problem) {
                if (!pause) throw problem;
                await new Promise((done) => setTimeout(done, pause));
            }
        }
    }

    // Fetch a file as bytes: no browser looks at the type that the server gives it.
    async fetch(name) {
        const { path, size } = this.parts[name];
        const reply = await fetch(new URL(path, document.baseURI)).catch(() => {
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
        if (bytes.byteLength !== size) throw new Error(`the server sends something else as ${name}`);
        return bytes;
    }

    showProgress() {
        const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
        const share =
            sum(Object.values(this.arrived)) / sum(this.wanted.map((name) => this.parts[name].size));
        this.say(`Python is loading: ${Math.floor(100 * Math.min(1, share))} %`);
        this.watchSilence(
            "Python is still loading, but nothing arrives. Check the connection, then try again.",
        );
    }

    watchSilence(words) {
        clearTimeout(this.silence);
        this.silence = setTimeout(() => this.say(words, true), SILENT);
    }

    start() {
        this.is_ready = false;
        this.sent = new Set(["worker.js"]); // it is the worker
        this.frame?.remove();
        this.frame = Object.assign(document.createElement("iframe"), { hidden: true, srcdoc: FRAME });
        this.frame.setAttribute("sandbox", "allow-scripts");
        document.body.append(this.frame);
        this.say("Python is starting …");
        this.watchSilence(`Python does not start: perhaps ${POLICY}.`);
    }

    // Send Python a message, with the files that it has not got.
    send(message) {
        const fresh = Object.entries(this.loaded).filter(([name]) => !this.sent.has(name));
        for (const [name] of fresh) this.sent.add(name);
        this.frame.contentWindow.postMessage({ ...message, fresh: Object.fromEntries(fresh) }, "*");
    }

    // Ask for something. `files` in the request may import packages that are loaded first.
    /** @returns {Promise<any>} */
    async ask(request, /** @type {Events} */ events = {}, upload = null) {
        const code = Object.values(request.files ?? {}).join("\n");
        for (const [name, { imported }] of Object.entries(this.parts)) {
            if (!imported || !new RegExp(`^\\s*(import|from)\\s+${imported}\\b`, "m").test(code)) continue;
            try {
                await this.download(name);
            } catch (problem) {
                return { problem: problem.message };
            }
        }
        return new Promise((answered) => {
            this.jobs.push({ request, events, upload, answered });
            this.showWork();
            if (this.jobs.length === 1) this.next();
        });
    }

    // A check while somebody types is no work that one would stop.
    showWork() {
        this.turn(this.jobs.some(isWork));
    }

    next() {
        if (!this.is_ready || !this.jobs.length) return;
        const { request, upload } = this.jobs[0];
        this.send({ request, upload });
    }

    hear({ kind, data }) {
        if (kind === "hello") {
            this.watchSilence("Python is still starting: this computer is slow, or has much to do.");
            this.frame.contentWindow.postMessage(new TextDecoder().decode(this.loaded["worker.js"]), "*");
            this.send({});
        } else if (kind === "ready") {
            clearTimeout(this.silence);
            this.is_ready = true;
            this.say("Python is ready.");
            this.next();
        } else if (kind === "died") {
            if (this.is_ready) this.stop(`Python ended, and was started again: ${data}`);
            else this.say(`Python can't be started: ${data}; perhaps ${POLICY}.`, true);
        } else if (!this.jobs.length) {
            return;
        } else if (kind === "alarm") {
            clearTimeout(this.late);
            if (data) this.late = setTimeout(() => this.stop(HUNG, true), 1000 * data + LATE);
        } else if (kind === "answer") {
            clearTimeout(this.late);
            const [{ answered }] = this.jobs.splice(0, 1);
            this.showWork();
            answered(data);
            this.next();
        } else if (Object.hasOwn(this.jobs[0].events, kind)) {
            this.jobs[0].events[kind](data);
        }
    }

    // Stop what is at work, and what waits; `hung`: it did not end when its time was up.
    stop(problem = "stopped", hung = false) {
        clearTimeout(this.late);
        const stopped = this.jobs.filter(isWork);
        this.jobs = this.jobs.filter((job) => !isWork(job));
        if (this.loaded["worker.js"]) this.start();
        for (const { answered } of stopped) answered({ problem, hung });
        this.showWork();
    }
}

const isWork = ({ request }) => request.do !== "editing.check";

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
