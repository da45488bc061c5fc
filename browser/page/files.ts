// The student's files: an editor for each, stored at every key, and never replaced without a copy.
import { indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, linter } from "@codemirror/lint";
import { Annotation } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { EditorView, basicSetup } from "codemirror";
import { $, ask, make, notice } from "./dom";
import * as storage from "./storage";
import { makeTabs } from "./tabs";

const AT_ONCE = 5000; // milliseconds in which two tabs are typed in at once
const fromOutside = Annotation.define(); // a change that is stored already, or new marks

export type Mark = { file: string; line: number; column: number; message: string };

export class Files {
    names: string[];
    views: Record<string, EditorView> = {};
    typed: Record<string, number> = {}; // when a file was last changed in this tab
    marks: Mark[] = []; // lines that a report names, until their file is changed
    tabs: ReturnType<typeof makeTabs>;

    constructor(
        public stubs: Record<string, string>, // the files as they are given out, by name
        public shown: (name: string) => void, // is called when another file is shown
        public askPython: (request: any) => Promise<any>,
        public run: () => void, // runs the tests
    ) {
        this.names = Object.keys(stubs);
        for (const name of this.names) this.views[name] = this.makeEditor(name);
        adoptStyles();
        this.tabs = makeTabs($("files"), $("editor"), shown);
        addEventListener("storage", () => this.follow());
        addEventListener("focus", () => this.follow());
        for (const name of this.names) this.offerNewStub(name);
    }

    text(name: string) {
        return this.views[name].state.doc.toString();
    }

    all() {
        return Object.fromEntries(this.names.map((name) => [name, this.text(name)]));
    }

    makeEditor(name: string) {
        const parent = make("div", { id: name, role: "tabpanel", ariaLabel: name });
        $("editor").append(parent);
        const changed = EditorView.updateListener.of(({ docChanged, transactions }) => {
            if (!docChanged) return;
            this.marks = this.marks.filter(({ file }) => file !== name);
            if (!transactions.some((transaction) => transaction.annotation(fromOutside))) this.store(name);
        });
        const view = new EditorView({
            parent,
            doc: storage.read(name) ?? this.stubs[name],
            extensions: [
                keymap.of([{ key: "Mod-Enter", run: () => (this.run(), true) }, indentWithTab]),
                basicSetup,
                python(),
                lintGutter(),
                linter((view) => this.lint(name, view), {
                    needsRefresh: ({ transactions }) =>
                        transactions.some((transaction) => transaction.annotation(fromOutside)),
                }),
                indentUnit.of("    "),
                syntaxHighlighting(classHighlighter),
                changed,
                EditorView.contentAttributes.of({ "aria-label": name }),
            ],
        });
        view.scrollDOM.tabIndex = 0; // the arrow keys scroll it
        return view;
    }

    // --- what is stored -------------------------------------------------------------------------------

    store(name: string) {
        if (storage.read(`${name}.stub`) === null) storage.write(`${name}.stub`, this.stubs[name]);
        storage.write(name, this.text(name));
        this.typed[name] = Date.now();
    }

    // Show what another tab has stored. What was typed here at the same time stays as a version.
    follow() {
        for (const name of this.names) {
            const [stored, text] = [storage.read(name), this.text(name)];
            if (stored === null || stored === text) continue; // null: it was removed
            if (Date.now() - this.typed[name] < AT_ONCE)
                storage.keep(name, text, "typed in two tabs at once");
            this.put(name, stored, fromOutside.of(true));
        }
    }

    put(name: string, insert: string, annotations?: Annotation<any>) {
        const { doc, selection } = this.views[name].state;
        const anchor = Math.min(selection.main.head, insert.length);
        const changes = { from: 0, to: doc.length, insert };
        this.views[name].dispatch({ changes, selection: { anchor }, annotations });
    }

    // Replace a file by the reader's wish; what stood there stays as a version.
    replace(name: string, content: string, why: string) {
        this.keepVersions(why, [name]);
        this.put(name, content);
        if (content === this.stubs[name]) storage.write(`${name}.stub`, content);
    }

    keepVersions(why: string, names = this.names) {
        const changed = names.filter((name) => this.text(name) !== this.stubs[name]);
        for (const name of changed) storage.keep(name, this.text(name), why);
    }

    // Offer the older versions of the file that is shown, and the file as it is given out. Each is shown
    // by what taking it would change; a corrected one by what was corrected.
    async showVersions() {
        const name = this.tabs.shown;
        const [given, begun] = [this.stubs[name], storage.read(`${name}.stub`)];
        const offer = (summary: string, text: string, old = () => this.text(name)) => {
            const lines = make("pre", { tabIndex: 0 });
            const onclick = () => (this.replace(name, text, "before an older version"), $("dialog").close());
            const take = make("button", { type: "button", onclick }, "Take this one");
            const ontoggle = async () => {
                const compared = await this.askPython({ do: "editing.compare", old: old(), new: text });
                lines.textContent = compared.lines?.join("\n") || "There is no difference.";
            };
            return make("li", {}, make("details", { ontoggle }, make("summary", {}, summary), lines, take));
        };
        const versions = storage.versions().filter((version) => version.name === name);
        const list = versions.map(({ text, why, when }) =>
            offer(`${new Date(when).toLocaleString()}, ${why}`, text),
        );
        const corrected = begun !== null && begun !== given ? () => begun : undefined;
        list.push(offer("the file as it is given out", given, corrected));
        await ask(`Versions of ${name}`, [make("ul", {}, ...list)], ["Close"]);
    }

    // Say so if the file that is given out has changed since the student began with it.
    offerNewStub(name: string) {
        const given = this.stubs[name];
        const begun = storage.read(`${name}.stub`);
        if (begun === null || begun === given) return;
        if (this.text(name) === begun) return this.replace(name, given, "");
        const end = () => notice(`stub-${name}`, "");
        notice(`stub-${name}`, `${name} was corrected after you began with it. Yours is unchanged.`, {
            Compare: async () => {
                this.tabs.show(name);
                await this.showVersions();
                if (storage.read(`${name}.stub`) === given) end();
            },
            "Keep mine": () => (storage.write(`${name}.stub`, given), end()),
        });
    }

    // --- opening --------------------------------------------------------------------------------------

    // Open files after the reader has agreed; return what to say.
    async open(uploads: File[]) {
        const found: Record<string, string> = {};
        const notes: string[] = [];
        for (const upload of uploads) {
            const name = this.names.find((each) => isCopyOf(upload.name, each.replace(/\.py$/, "")));
            if (upload.name.endsWith(".zip")) {
                const bytes = new Uint8Array(await upload.arrayBuffer());
                const content = btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ""));
                const read = await this.askPython({ do: "grading.read", name: upload.name, content });
                Object.assign(found, read.files);
                notes.push(...(read.notes ?? [read.problem]));
            } else if (!name) {
                notes.push(`${upload.name} is none of ${this.names.join(", ")}: rename it`);
            } else {
                const { text, encoding } = decode(await upload.arrayBuffer());
                if (encoding)
                    notes.push(
                        `${upload.name} was saved as ${encoding}, and is UTF-8 here: look at its letters`,
                    );
                if (text.includes("\0")) notes.push(`${upload.name} is not opened: it is no text`);
                else found[name] = text;
            }
        }
        const opened = this.names.filter((name) => name in found);
        const changed = opened.filter((name) => found[name].trimEnd() !== this.text(name).trimEnd());
        const mine = changed.filter((name) => this.text(name) !== this.stubs[name]);
        if (mine.length) {
            const words = "What you wrote stays under Versions.";
            const answer = await ask(`Replace ${mine.join(", ")}?`, [words], ["Replace", "Cancel"]);
            if (answer !== "Replace") return "nothing was opened";
        }
        for (const name of changed) this.replace(name, found[name], "before another file was opened");
        return [...(opened.length ? [`opened: ${opened.join(", ")}`] : []), ...notes].join("; ");
    }

    // --- lines and marks ------------------------------------------------------------------------------

    // Return what is marked in a file: its syntax errors, and the lines that a report names.
    async lint(name: string, { state: { doc } }: EditorView) {
        const { errors = [] } = await this.askPython({ do: "editing.check", name, text: doc.toString() });
        const found: Mark[] = [...errors, ...this.marks.filter(({ file }) => file === name)];
        this.tabs.mark(name, found.length > 0);
        return found.map(({ line, column, message }) => {
            const { from, to } = doc.line(Math.min(line, doc.lines));
            const start = Math.max(from, Math.min(from + column - 1, to - 1));
            return { from: start, to, severity: "error" as const, message };
        });
    }

    mark(marks: Mark[]) {
        this.marks = marks;
        for (const name of this.names) this.views[name].dispatch({ annotations: fromOutside.of(true) });
    }

    goTo(name: string, number: number) {
        const view = this.views[name];
        this.tabs.show(name);
        const { from } = view.state.doc.line(Math.min(number, view.state.doc.lines));
        const effects = EditorView.scrollIntoView(from, { y: "center" });
        view.dispatch({ selection: { anchor: from }, effects });
        view.focus();
    }
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
