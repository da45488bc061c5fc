// Runs Python, in a thread of its own: the page stays alive, and can end it.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const HOME = "/home/pyodide/project";
const AGAIN = 500; // milliseconds after which the alarm rings again, if student code goes on
const BUSY = 0.4; // of its full speed: when Python computes slower, the machine is busy with others,
const PATIENCE = 3; // and the alarm waits, up to so many times as long
let alarm = Infinity;
let reads = 0; // of the clock; Python reads it once in so many loops and calls
let speed = Infinity; // reads in a millisecond when nothing else runs
let limit = null; // of the question that is answered: when it began, its milliseconds, reads before

// Pyodide reads this as its interrupt buffer: 2 is SIGINT. A buffer that is shared with the page
// would do the same, but only where the server isolates the page.
const clock = {
  get 0() {
    reads += 1;
    const now = performance.now();
    if (now < alarm) return 0;
    alarm = now + AGAIN;
    const slow = reads - limit.reads < BUSY * speed * limit.time;
    if (slow && now < limit.began + PATIENCE * limit.time) {
      postMessage({ kind: "slow" });
      return 0;
    }
    return 2;
  },
  set 0(taken) {},
};

function measure(python) {
  speed = 0;
  for (let i = 0; i < 10; i += 1) {
    const [began, before] = [performance.now(), reads];
    python.runPython("for _ in range(30_000): pass");
    speed = Math.max(speed, (reads - before) / (performance.now() - began));
  }
}

const page = {
  post: (kind, data) => postMessage({ kind, data: JSON.parse(data) }),
  set_alarm(seconds) {
    limit = { began: performance.now(), time: 1000 * seconds, reads };
    alarm = seconds ? limit.began + limit.time : Infinity;
  },
};

async function start() {
  const at = (name) => new URL(name, import.meta.url).href;
  const [python, files] = await Promise.all([
    loadPyodide({ indexURL: at("pyodide/"), stdin: () => null }),
    fetch(at("python.zip")).then((reply) => reply.arrayBuffer()),
  ]);
  python.unpackArchive(files, "zip", { extractDir: HOME });
  python.runPython(`
import sys
sys.path[:0] = ["${HOME}", "${HOME}/site-packages"]
from browser import answers, grading
grading.prepare()`);
  python.setInterruptBuffer(clock);
  measure(python);
  postMessage({ kind: "ready", data: speed });
  return python;
}

const ready = start();

onmessage = async ({ data: { id, request, upload } }) => {
  try {
    const python = await ready;
    if (upload) {
      python.FS.mkdirTree("/tmp/upload");
      python.FS.writeFile(request.path, new Uint8Array(upload));
    }
    const { answer } = python.pyimport("browser.answers");
    const reply = JSON.parse(answer(page, JSON.stringify(request)));
    if (request.do === "pack" && !reply.problem) {
      reply.zip = python.FS.readFile("/home/pyodide/submission.zip");
    }
    postMessage({ kind: "answer", id, data: reply });
  } catch (error) {
    console.error(error);
    postMessage({ kind: "died", id, data: String(error.message ?? error).split("\n").at(-2) });
  }
};
