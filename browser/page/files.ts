// The student's files: an editor for each, stored at every key, and never replaced without a copy.
import assignment from "../../build/assignment.json";
import { indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, linter } from "@codemirror/lint";
import { Annotation } from "@codemirror/state";
import { keymap, type ViewUpdate } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { EditorView, basicSetup } from "codemirror";
import { $, confirms, make } from "./dom";
import { ask } from "./python";
import * as storage from "./storage";
import { makeTabs } from "./tabs";

const AT_ONCE = 5000; // milliseconds in which two tabs are typed in at once
const fromOutside = Annotation.define(); // a change that is stored already, or new marks

export type Mark = { file: string; line: number; column: number; message: string };

const stubs: Record<string, string> = assignment.files; // the files as they are given out, by name
const names = Object.keys(stubs);
const views: Record<string, EditorView> = {};
const typed: Record<string, number> = {}; // when a file was last changed in this tab
let marks: Mark[] = []; // lines that a report names, until their file is changed

export function textOf(name: string) {
    return views[name].state.doc.toString();
}

// Ask Python for something that it does with the files.
export function askWithFiles(request: any, events = {}) {
    const files = Object.fromEntries(names.map((name) => [name, textOf(name)]));
    return ask({ ...request, files }, events);
}

function makeEditor(name: string) {
    const parent = make("div", { id: name, role: "tabpanel", ariaLabel: name });
    $("editor").append(parent);
    const isFromOutside = ({ transactions }: ViewUpdate) =>
        transactions.some((transaction) => transaction.annotation(fromOutside));
    const changed = (update: ViewUpdate) => {
        if (!update.docChanged) return;
        marks = marks.filter(({ file }) => file !== name);
        if (!isFromOutside(update)) store(name);
    };
    const view = new EditorView({
        parent,
        doc: storage.read(name) ?? stubs[name],
        extensions: [
            keymap.of([{ key: "Mod-Enter", run: () => ($("run").requestSubmit(), true) }, indentWithTab]),
            basicSetup,
            python(),
            lintGutter(),
            linter((view) => lint(name, view), { needsRefresh: isFromOutside }),
            indentUnit.of("    "),
            syntaxHighlighting(classHighlighter),
            EditorView.updateListener.of(changed),
            EditorView.contentAttributes.of({ "aria-label": name }),
        ],
    });
    view.scrollDOM.tabIndex = 0; // the arrow keys scroll it
    return view;
}

// A strict server forbids the editor's style elements, but not style sheets made by a script.
function adoptStyles() {
    for (const style of document.querySelectorAll("style")) {
        if (style.sheet) continue;
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(style.textContent);
        document.adoptedStyleSheets.push(sheet);
    }
}

// --- what is stored ---------------------------------------------------------------------------------

// Return the file as it was given out when the student began with it.
const begunWith = (name: string) => storage.read(`${name}.stub`) ?? stubs[name];

function store(name: string) {
    storage.write(`${name}.stub`, begunWith(name));
    storage.write(name, textOf(name));
    typed[name] = Date.now();
}

// Show what another tab has stored. What was typed here at the same time stays as a version.
function follow() {
    for (const name of names) {
        const [stored, text] = [storage.read(name), textOf(name)];
        if (stored === null || stored === text) continue; // null: it was removed
        if (Date.now() - typed[name] < AT_ONCE) storage.keep(name, text, "typed in two tabs at once");
        put(name, stored, fromOutside.of(true));
    }
}

function put(name: string, insert: string, annotations?: Annotation<any>) {
    const { doc, selection } = views[name].state;
    const anchor = Math.min(selection.main.head, insert.length);
    const changes = { from: 0, to: doc.length, insert };
    views[name].dispatch({ changes, selection: { anchor }, annotations });
}

// Replace a file by the reader's wish; what stood there stays as a version.
function replace(name: string, content: string, why: string) {
    keepVersions(why, [name]);
    put(name, content);
    if (content !== stubs[name]) return;
    storage.write(`${name}.stub`, content);
    $(`corrected-${name}`)?.remove();
}

export function keepVersions(why: string, files = names) {
    const changed = files.filter((name) => textOf(name) !== stubs[name]);
    for (const name of changed) storage.keep(name, textOf(name), why);
}

// Offer the older versions of the file that is shown, and the file as it is given out. Each is shown
// by what taking it would change; a corrected one by what was corrected.
export function showVersions() {
    const [name, given, begun] = [tabs.shown, stubs[tabs.shown], begunWith(tabs.shown)];
    const offer = (summary: string, text: string, old = textOf(name)) => {
        const lines = make("pre", { tabIndex: 0 });
        const onclick = () => (replace(name, text, "before an older version"), $("versions-dialog").close());
        const take = make("button", { type: "button", onclick }, "Take this one");
        const ontoggle = async () => {
            const { difference, problem } = await ask({ do: "editing.compare", old, new: text });
            lines.textContent = difference ?? problem;
        };
        return make("li", {}, make("details", { ontoggle }, make("summary", {}, summary), lines, take));
    };
    const versions = storage.versions().filter((version) => version.name === name);
    const list = versions.map(({ text, why, when }) =>
        offer(`${new Date(when).toLocaleString()}, ${why}`, text),
    );
    list.push(offer("the file as it is given out", given, begun === given ? textOf(name) : begun));
    $("versions-of").textContent = name;
    $("versions-list").replaceChildren(...list);
    $("versions-dialog").showModal();
}

// Say so if the file that is given out has changed since the student began with it.
function offerNewStub(name: string) {
    const [given, begun] = [stubs[name], begunWith(name)];
    if (begun === given) return;
    if (textOf(name) === begun) return replace(name, given, "");
    const compare = () => (tabs.show(name), showVersions());
    const keepMine = () => (storage.write(`${name}.stub`, given), line.remove());
    const words = `${name} was corrected after you began with it. Yours is unchanged. `;
    const line = make("p", { id: `corrected-${name}` }, words);
    line.append(make("button", { onclick: compare }, "Compare"), " ");
    line.append(make("button", { onclick: keepMine }, "Keep mine"));
    $("notices").append(line);
}

// --- opening ----------------------------------------------------------------------------------------

// Open files after the reader has agreed; return what to say.
export async function open(uploads: Iterable<File>) {
    const found: Record<string, string> = {};
    const notes: string[] = [];
    for (const upload of uploads) {
        const name = names.find((each) => isCopyOf(upload.name, each.replace(/\.py$/, "")));
        if (upload.name.endsWith(".zip")) {
            const bytes = new Uint8Array(await upload.arrayBuffer());
            const content = btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ""));
            const read = await ask({ do: "grading.read", name: upload.name, content });
            Object.assign(found, read.files);
            notes.push(...(read.notes ?? [read.problem]));
        } else if (!name) {
            notes.push(`${upload.name} is none of ${names.join(", ")}: rename it`);
        } else {
            const { text, encoding } = decode(await upload.arrayBuffer());
            if (encoding)
                notes.push(`${upload.name} was saved as ${encoding}, and is UTF-8 here: look at its letters`);
            if (text.includes("\0")) notes.push(`${upload.name} is not opened: it is no text`);
            else found[name] = text;
        }
    }
    const opened = names.filter((name) => name in found);
    const changed = opened.filter((name) => found[name].trimEnd() !== textOf(name).trimEnd());
    const mine = changed.filter((name) => textOf(name) !== stubs[name]);
    $("replaced").textContent = mine.join(", ");
    if (mine.length && !(await confirms($("replace-dialog")))) return "nothing was opened";
    for (const name of changed) replace(name, found[name], "before another file was opened");
    return [...(opened.length ? [`opened: ${opened.join(", ")}`] : []), ...notes].join("; ");
}

// Is it the file of that name, perhaps with the number that a browser or a copy adds?
const isCopyOf = (name: string, stem: string) =>
    name.startsWith(stem) && /^([ _-]*(\(\d+\)|copy|kopie|\d+))*\.py$/i.test(name.slice(stem.length));

// Read bytes as text, and name their encoding if it is not UTF-8.
function decode(bytes: ArrayBuffer) {
    const [first, second] = new Uint8Array(bytes.slice(0, 2));
    const utf16 = { "255,254": "utf-16le", "254,255": "utf-16be" }[`${first},${second}`];
    try {
        const text = new TextDecoder(utf16 ?? "utf-8", { fatal: true }).decode(bytes);
        return { text, encoding: utf16?.toUpperCase() ?? "" };
    } catch {
        return { text: new TextDecoder("windows-1252").decode(bytes), encoding: "Latin-1" };
    }
}

// --- lines and marks --------------------------------------------------------------------------------

// Return what is marked in a file: its syntax error, and the lines that a report names.
async function lint(name: string, { state: { doc } }: EditorView) {
    const error = await ask({ do: "editing.check", name, text: doc.toString() });
    const found = marks.filter(({ file }) => file === name);
    if (error.message) found.push({ file: name, ...error });
    tabs.mark(name, found.length > 0);
    return found.map(({ line, column, message }) => {
        const { from, to } = doc.line(Math.min(line, doc.lines));
        const start = Math.max(from, Math.min(from + column - 1, to - 1));
        return { from: start, to, severity: "error" as const, message };
    });
}

export function mark(named: Mark[]) {
    marks = named;
    for (const name of names) views[name].dispatch({ annotations: fromOutside.of(true) });
}

// Go to a place such as "minimax.py/12".
export function goTo(place: string) {
    const [name, number] = place.split("/");
    const view = views[name];
    if (!view) return; // it is no file of the student
    tabs.show(name);
    const { from } = view.state.doc.line(Math.min(Number(number), view.state.doc.lines));
    view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    view.focus();
}

for (const name of names) views[name] = makeEditor(name);
adoptStyles();
export const tabs = makeTabs($("files"), $("editor"));
addEventListener("storage", follow);
addEventListener("focus", follow);
names.forEach(offerNewStub);
