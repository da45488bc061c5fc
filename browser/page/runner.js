// Python in its worker: one request at a time, which can be stopped, and ends where it does not end.
const LATE = 2000; // milliseconds after an alarm until Python, which did not hear it, is ended

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
      this.asked = { events, answered };
      this.worker.postMessage({ request, upload });
    }));
    return this.last;
  }

  hear({ kind, data }) {
    if (!this.asked) {
      if (kind === "ready") this.say("Python is ready.");
    } else if (kind === "alarm") {
      clearTimeout(this.late);
      const end = () => this.stop("your code did not end in time: Python was started again");
      if (data) this.late = setTimeout(end, 1000 * data + LATE);
    } else if (kind === "answer") {
      this.finish(data);
    } else if (kind === "died") {
      this.stop(`Python ended, and was started again: ${data}`);
    } else {
      this.asked.events[kind]?.(data);
    }
  }

  stop(problem = "stopped") {
    this.worker.terminate();
    this.start();
    this.finish({ problem });
  }

  finish(reply) {
    clearTimeout(this.late);
    const { answered } = this.asked;
    this.asked = null;
    answered(reply);
  }
}
