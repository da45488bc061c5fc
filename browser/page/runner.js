// Python in its worker: one request at a time, which can be stopped, and ends where it does not end.
const LATE = 3000; // milliseconds after which a question that should have been stopped is given up

export class Runner {
  constructor(say) {
    this.say = say;
    this.last = Promise.resolve();
    this.start();
  }

  start() {
    this.worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data }) => this.hear(data);
  }

  // Ask for something. `events` are called with what comes before the answer, by its kind.
  ask(request, events = {}, upload = null) {
    this.last = this.last.then(() => new Promise((answered) => {
      this.asked = { request, events, upload, answered, lost: {}, question: null };
      this.send();
    }));
    return this.last;
  }

  send() {
    const { request, upload, lost } = this.asked;
    const asks = ["run", "pack"].includes(request.do); // questions that can get lost
    this.worker.postMessage({ request: asks ? { ...request, lost } : request, upload });
  }

  hear({ kind, data }) {
    clearTimeout(this.late);
    const asked = this.asked;
    if (kind === "ready" && !asked) this.say("Python is ready.");
    if (!asked || kind === "ready") return;
    if (kind === "asking") {
      asked.question = data.question;
      this.late = setTimeout(() => this.restart("time"), 1000 * data.seconds + LATE);
    } else if (kind === "slow") {
      this.late = setTimeout(() => this.restart("time"), LATE);
    } else if (kind === "answer") {
      this.finish(data);
    } else if (kind === "died") {
      if (asked.question) this.restart("ended");
      else this.finish({ problem: `Python could not go on: ${data}` });
    } else if (kind === "alive") {
      asked.question = null;
    } else {
      asked.events[kind]?.(data);
    }
  }

  // Python itself hangs or has crashed: begin again, and take that question as lost.
  restart(how) {
    this.asked.lost[this.asked.question] = how;
    this.asked.question = null;
    this.worker.terminate();
    this.start();
    this.send();
  }

  stop() {
    clearTimeout(this.late);
    this.worker.terminate();
    this.start();
    this.finish({ problem: "stopped" });
  }

  finish(reply) {
    const { answered } = this.asked;
    this.asked = null;
    answered(reply);
  }
}
