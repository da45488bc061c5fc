// Python in a worker, in a frame that reaches neither the network nor the page's storage: one request
// at a time, which can be stopped, and which is ended if it does not end.
import FRAME from "./frame.html";

const LATE = 2000; // milliseconds after an alarm until Python, which did not hear it, is ended
const SILENT = 12_000; // milliseconds without news until the page says so
const PAUSES = [1000, 2000]; // milliseconds before a failed download is tried again
const EMPTY_WASM = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
const POLICY =
    "this site's Content-Security-Policy forbids it. Its owner has to allow script-src 'unsafe-inline' " +
    "'wasm-unsafe-eval' blob: and worker-src blob: for this page";

/** @typedef {{request: any, upload: ArrayBuffer | null, events: Record<string, (data: any) => void>, answered: (reply: any) => void}} Job */

export class Runner {
    /**
     * @param {Record<string, {url: string, size: number}>} parts the files that Python consists of, by name
     * @param {(words: string, failed?: boolean) => void} say shows how the loading goes
     * @param {(busy: boolean) => void} turn is called when work begins and ends
     */
    constructor(parts, say, turn) {
        Object.assign(this, { parts, say, turn });
        /** @type {Record<string, ArrayBuffer>} */
        this.loaded = {};
        /** @type {Job[]} */
        this.jobs = []; // the first one is at work
        this.is_ready = false;
        this.extra = new Set(); // packages that are loaded on demand
        addEventListener("message", (event) => {
            if (event.source === this.frame?.contentWindow) this.hear(event.data);
        });
    }

    // Load Python and start it. Loading again goes on with what is missing.
    async load() {
        clearTimeout(this.silence);
        const why = explainImpossible();
        if (why) return this.say(`Python can't run here: ${why}`, true);
        try {
            new WebAssembly.Module(EMPTY_WASM);
        } catch {
            return this.say(`Python can't be started: ${POLICY}.`, true);
        }
        const wanted = Object.keys(this.parts).filter((name) => !this.parts[name].later);
        try {
            await Promise.all(wanted.map((name) => this.download(name)));
        } catch (problem) {
            return this.say(`Python can't be loaded: ${problem.message}.`, true);
        }
        this.start();
    }

    async download(name) {
        for (const pause of [...PAUSES, 0]) {
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
        const { url, size } = this.parts[name];
        const reply = await fetch(url).catch(() => {
            throw new Error(`${name} does not arrive: is there a connection?`);
        });
        if (!reply.ok || !reply.body) throw new Error(`the server answers ${reply.status} for ${name}`);
        const bytes = new Uint8Array(size);
        let count = 0;
        const reader = reply.body.getReader();
        for (;;) {
            const { done, value } = await reader.read();
            if (done) break;
            if (count + value.length <= size) bytes.set(value, count);
            count += value.length;
            this.arrived(name, count);
        }
        if (count !== size) throw new Error(`the server sends something else as ${name}`);
        return bytes.buffer;
    }

    arrived(name, count) {
        this.progress = { ...this.progress, [name]: count };
        const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
        const all = Object.values(this.parts).filter((part) => !part.later);
        const share = (sum(Object.values(this.progress)) / sum(all.map((part) => part.size))) * 100;
        this.say(`Python is loading: ${Math.min(100, Math.floor(share))} %`);
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
        this.extra.clear();
        this.frame?.remove();
        const frame = (this.frame = document.createElement("iframe"));
        frame.hidden = true;
        frame.setAttribute("sandbox", "allow-scripts");
        frame.srcdoc = FRAME;
        document.body.append(frame);
        this.say("Python is starting …");
        this.watchSilence(`Python does not start: perhaps ${POLICY}.`);
    }

    send(message) {
        this.frame.contentWindow.postMessage(message, "*");
    }

    // Ask for something. `events` are called with what comes before the answer, by its kind.
    ask(request, events = {}, upload = null) {
        return new Promise((answered) => {
            this.jobs.push({ request, upload, events, answered });
            this.turn(true);
            if (this.jobs.length === 1) this.next();
        });
    }

    async next() {
        if (!this.is_ready || !this.jobs.length) return;
        const { request, upload } = this.jobs[0];
        const extra = {};
        for (const [name, { imported }] of Object.entries(this.parts)) {
            const texts = Object.values(request.files ?? {});
            if (!imported || this.extra.has(name) || !texts.some((text) => imported.test(text))) continue;
            const job = this.jobs[0];
            try {
                await this.download(name);
            } catch (problem) {
                if (this.jobs[0] === job) this.finish({ problem: problem.message });
                return;
            }
            if (this.jobs[0] !== job) return; // it was stopped meanwhile
            this.extra.add(name);
            extra[name] = this.loaded[name];
        }
        this.send({ request, upload, extra });
    }

    hear({ kind, data }) {
        if (kind === "hello") {
            const { "worker.js": source, ...files } = this.loaded;
            this.watchSilence("Python is still starting: this computer is slow, or has much to do.");
            this.send(new TextDecoder().decode(source));
            this.send({ files });
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
            if (data) this.late = setTimeout(() => this.stop(null), 1000 * data + LATE);
        } else if (kind === "answer") {
            this.finish(data);
        } else if (Object.hasOwn(this.jobs[0].events, kind)) {
            this.jobs[0].events[kind](data);
        }
    }

    // Stop what is at work, and what waits; null: it did not end when its time was up.
    stop(problem = "stopped") {
        clearTimeout(this.late);
        const jobs = this.jobs.splice(0);
        if (this.loaded["worker.js"]) this.start();
        const hung =
            "your code did not end in time, in one operation that can't be interrupted: Python was started again";
        for (const { answered } of jobs) answered({ problem: problem ?? hung, hung: problem === null });
        this.turn(false);
    }

    finish(reply) {
        clearTimeout(this.late);
        const job = this.jobs.shift();
        this.turn(this.jobs.length > 0);
        job?.answered(reply);
        this.next();
    }
}

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
    return "";
}
