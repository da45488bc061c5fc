// Runs Python, in a thread of its own: the page stays alive, and can end it.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const HOME = "/home/pyodide/project";
const AGAIN = 500; // milliseconds after which the alarm rings again, if student code goes on
let alarm = Infinity; // when Python is to be interrupted

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
  slowness: 3, // so many seconds here are one in a process
  post: (kind, data) => postMessage({ kind, data: JSON.parse(data) }),
  set_alarm(seconds) {
    alarm = seconds ? performance.now() + 1000 * seconds : Infinity;
    postMessage({ kind: "alarm", data: seconds });
  },
};

async function start() {
  const at = (name) => new URL(name, import.meta.url).href;
  const [python, files] = await Promise.all([
    loadPyodide({ indexURL: at("pyodide/"), stdin: () => null }),
    fetch(at("python.zip")).then((reply) => reply.arrayBuffer()),
  ]);
  const began = performance.now();
  python.unpackArchive(files, "zip", { extractDir: HOME });
  python.runPython(`
import sys
sys.path[:0] = ["${HOME}", "${HOME}/site-packages"]
from browser import answers, grading
grading.prepare()`);
  page.slowness *= Math.max(1, (performance.now() - began) / 1500); // in ms; a quick machine takes less
  python.setInterruptBuffer(clock);
  postMessage({ kind: "ready" });
  return python;
}

const ready = start();

onmessage = async ({ data: { request, upload } }) => {
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
    postMessage({ kind: "answer", data: reply });
  } catch (error) {
    console.error(error);
    postMessage({ kind: "died", data: String(error.message ?? error).trim().split("\n").at(-1) });
  }
};
