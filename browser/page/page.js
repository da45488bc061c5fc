// The page: an editor for the question files, kept in the browser, and what Python says of them.
import { indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { keymap } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { EditorView, basicSetup } from "codemirror";
import { Runner } from "./runner.js";
import { tabs } from "./tabs.js";
import { watchAndPlay } from "./watch.js";

const $ = (id) => document.getElementById(id);
const assignment = await (await fetch("assignment.json")).json();
const runner = new Runner((text) => { $("status").textContent = text; });

// --- the files ------------------------------------------------------------------------------------

const key = (name) => `${new URL(".", location).pathname}${name}`; // other sites may share the storage
const names = Object.keys(assignment.files);
const views = new Map(names.map((name) => [name, editor(name)]));
const text = (name) => views.get(name).state.doc.toString();
const files = () => Object.fromEntries(names.map((name) => [name, text(name)]));
const say = (words) => { $("files-say").textContent = words; };

function editor(name) {
  const parent = document.createElement("div");
  $("editor").append(parent);
  const kept = EditorView.updateListener.of((update) => update.docChanged && keep(name, update.state));
  const view = new EditorView({
    parent,
    doc: localStorage.getItem(key(name)) ?? assignment.files[name],
    extensions: [
      basicSetup, python(), lintGutter(), keymap.of([indentWithTab]), indentUnit.of("    "),
      syntaxHighlighting(classHighlighter), kept, EditorView.contentAttributes.of({ "aria-label": name }),
    ],
  });
  view.scrollDOM.tabIndex = 0; // the arrow keys scroll it
  return view;
}

function keep(name, state) {
  try {
    localStorage.setItem(key(name), state.doc.toString());
  } catch {
    say("This browser keeps nothing: save your files before you close the page.");
  }
}

function replace(name, content) {
  const view = views.get(name);
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: content } });
}

const file = tabs($("files"), names, (shown) => {
  for (const [name, view] of views) view.dom.parentNode.hidden = name !== shown;
}, "editor");

function goTo(name, number) {
  const view = views.get(name);
  file.show(name);
  const line = view.state.doc.line(Math.min(number, view.state.doc.lines));
  view.dispatch({ selection: { anchor: line.from }, effects: EditorView.scrollIntoView(line.from, { y: "center" }) });
  view.focus();
}

function mark(marks) {
  for (const [name, view] of views) {
    const found = marks.filter((mark) => mark.file === name && mark.line <= view.state.doc.lines);
    view.dispatch(setDiagnostics(view.state, found.map(({ line, message }) => {
      const { from, to } = view.state.doc.line(line);
      return { from, to, severity: "error", message };
    })));
  }
}

function download(name, content) {
  const url = URL.createObjectURL(new Blob([content]));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

$("export").onclick = () => download(file.shown, text(file.shown));
$("reset").onclick = () => {
  if (confirm(`Replace ${file.shown} by the stub? What you wrote in it is lost.`)) {
    replace(file.shown, assignment.files[file.shown]);
  }
};
$("import").onclick = () => $("upload").click();
$("upload").onchange = async () => {
  for (const upload of $("upload").files) {
    const request = { do: "read", path: `/tmp/upload/${upload.name}` };
    const { files = {}, notes = [], problem } = await runner.ask(request, {}, await upload.arrayBuffer());
    Object.entries(files).forEach(([name, content]) => names.includes(name) && replace(name, content));
    say(problem ?? [`opened: ${Object.keys(files).join(", ")}`, ...notes].join("; "));
  }
  $("upload").value = "";
};
$("pack").onclick = () => working(async () => {
  say("looking at your files");
  const { zip, problems, problem } = await runner.ask({ do: "pack", files: files() });
  if (zip) download("submission.zip", zip);
  const but = Object.entries(problems ?? {}).map(([name, why]) => `${name} will earn nothing as it is: ${why}`);
  say(problem ?? ["submission.zip is written: upload it to Gradescope", ...but].join("; but "));
});
addEventListener("storage", (change) => { // another tab has changed a file
  const name = names.find((name) => key(name) === change.key);
  if (name && change.newValue !== null && change.newValue !== text(name)) replace(name, change.newValue);
});

// --- the tests ------------------------------------------------------------------------------------

const runnable = assignment.questions.filter((question) => question.number !== "6");
const cases = new Map(runnable.flatMap(({ tests }) => tests.map((test) => [test.number, test.cases])));
$("left-out").hidden = runnable.length === assignment.questions.length;
$("chosen").append(new Option("all questions", ""), ...runnable.map(({ number, title, tests }) => {
  const group = document.createElement("optgroup");
  group.label = `Question ${number}: ${title}`;
  group.append(new Option(`question ${number}`, number),
    ...tests.map((test) => new Option(`${test.number}  ${test.label}`, test.number)));
  return group;
}));
$("chosen").onchange = () => {
  const most = cases.get($("chosen").value);
  Object.assign($("case"), { value: "", max: most ?? 1, disabled: !most, placeholder: most ? `all ${most}` : "all" });
};
$("chosen").onchange();

$("run").onsubmit = (event) => {
  event.preventDefault();
  run($("chosen").value + ($("case").value ? `/${$("case").value}` : ""));
};
$("stop").onclick = () => runner.stop();

async function working(work) {
  for (const id of ["go", "pack"]) $(id).disabled = true;
  $("stop").disabled = false;
  try {
    await work();
  } finally {
    for (const id of ["go", "pack"]) $(id).disabled = false;
    $("stop").disabled = true;
  }
}

function run(chosen) {
  return working(async () => {
    $("results").replaceChildren();
    $("report").hidden = true;
    panel.show("Tests");
    mark([]);
    let running = "";
    const reply = await runner.ask({ do: "run", files: files(), chosen }, {
      test: (number) => { running = number; $("status").textContent = `running ${running}`; },
      case: ([judged, all]) => { $("status").textContent = `running ${running}: ${judged} of ${all} cases`; },
      result: show,
    });
    $("status").textContent = reply.problem ?? reply.score;
    if (!reply.html) return;
    $("results").replaceChildren(); // the report holds the same
    report(reply.html);
  });
}

// Shows the result of a test until the report with all of them replaces it.
function show({ row, message }) {
  $("results").insertAdjacentHTML("beforeend", row);
  const { cells } = [...$("results").rows].at(-1);
  for (const link of cells[1].querySelectorAll("a")) link.replaceWith(link.textContent);
  if (message) cells[1].append(document.createElement("br"), Object.assign(document.createElement("span"), { className: "soft", textContent: message }));
}

function report(html) {
  const frame = $("report");
  frame.hidden = false;
  frame.srcdoc = html;
  frame.onload = () => {
    const page = frame.contentDocument;
    link(page);
    const fit = () => { frame.style.height = `${page.body.offsetHeight + 8}px`; };
    new ResizeObserver(fit).observe(page.body);
  };
}

// Links the lines and cases that a report names, and marks the last line named in each section.
function link(page) {
  for (const pre of page.querySelectorAll("pre")) {
    if (!pre.textContent.startsWith("make try ")) continue;
    pre.previousElementSibling.remove(); // a page has no debugger
    pre.remove();
  }
  const walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  const marks = new Map();
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const node of texts) {
    const [words, file, line, chosen] = /(\w+\.py), line (\d+)|make test (?:CASE|Q)=([\w./~-]+)/.exec(node.data) ?? [];
    if (!words || (file && !names.includes(file))) continue;
    const section = node.parentNode.closest("section");
    const link = Object.assign(page.createElement("a"), { href: "#", textContent: words.replace(/make test CASE.*/, "run this case").replace("make test Q=", "run ") });
    link.onclick = (event) => {
      event.preventDefault();
      if (file) goTo(file, Number(line));
      else run(chosen);
    };
    if (file && section) marks.set(section, { file, line: Number(line), message: section.querySelector("h2 + p").textContent });
    const rest = node.splitText(node.data.indexOf(words));
    rest.splitText(words.length);
    rest.replaceWith(link);
  }
  mark([...marks.values()]);
}

// --- the panels -----------------------------------------------------------------------------------

const ids = { Tests: "tests", "Watch and play": "watch", Handout: "handout", API: "api" };
const panel = tabs($("panels"), Object.keys(ids), (shown) => {
  for (const [name, id] of Object.entries(ids)) $(id).hidden = name !== shown;
  const { dataset } = $(ids[shown]);
  if (dataset.src) $(ids[shown]).src = dataset.src; // loaded once it is wanted
  delete dataset.src;
});

await watchAndPlay(assignment, async (request, same) => {
  let reply = {};
  const sent = same ? request : { ...request, files: files() };
  await working(async () => { reply = await runner.ask(sent); });
  return reply;
});
