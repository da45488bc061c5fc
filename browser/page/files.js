// The student's files: an editor for each, stored at every key, and never replaced without a copy.
import { indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, linter } from "@codemirror/lint";
import { Annotation, StateEffect } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { EditorView, basicSetup } from "codemirror";
import { $, ask, make, notice } from "./dom.js";
import * as storage from "./storage.js";
import { tabs } from "./tabs.js";

const AT_ONCE = 5000; // milliseconds in which two tabs are typed in at once
const LARGEST = 200_000; // bytes of a file
const fromOutside = Annotation.define(); // a change that is stored already
const recheck = StateEffect.define();

/** @typedef {{file: string, line: number, column: number, message: string}} Mark */

export class Files {
    /** @type {Map<string, EditorView>} */
    views = new Map();
    /** @type {Record<string, number>} */
    typed = {}; // when a file was last changed in this tab
    /** @type {Mark[]} */
    marks = []; // lines that a report names, until their file is changed

    /**
     * @param {Record<string, string>} stubs the files as they are given out, by name
     * @param {(name: string) => void} shown is called when another file is shown
     * @param {(request: any) => Promise<any>} askPython
     * @param {() => void} run runs the tests
     */
    constructor(stubs, shown, askPython, run) {
        this.stubs = stubs;
        this.askPython = askPython;
        this.run = run;
        this.names = Object.keys(stubs);
        for (const name of this.names) this.views.set(name, this.makeEditor(name));
        adoptStyles();
        this.tabs = tabs($("files"), this.names, (name) => {
            for (const [each, view] of this.views) view.dom.parentElement.hidden = each !== name;
            shown(name);
        });
        storage.listen((name) => this.views.has(name) && this.follow(name));
        addEventListener("focus", () => this.names.forEach((name) => this.follow(name)));
        this.names.forEach((name) => this.offerNewStub(name));
    }

    text(name) {
        return this.views.get(name).state.doc.toString();
    }

    all() {
        return Object.fromEntries(this.names.map((name) => [name, this.text(name)]));
    }

    makeEditor(name) {
        const parent = make("div", { role: "tabpanel", ariaLabel: name });
        $("editor").append(parent);
        const has = (update, what) => update.transactions.some(what);
        const changed = EditorView.updateListener.of((update) => {
            if (!update.docChanged) return;
            this.marks = this.marks.filter(({ file }) => file !== name);
            if (!has(update, (transaction) => transaction.annotation(fromOutside))) this.store(name);
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
                    needsRefresh: (update) =>
                        has(update, ({ effects }) => effects.some((effect) => effect.is(recheck))),
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

    store(name) {
        if (storage.read(`${name}.stub`) === null) storage.write(`${name}.stub`, this.stubs[name]);
        storage.write(name, this.text(name));
        this.typed[name] = Date.now();
    }

    // Show what another tab has stored. What was typed here at the same time stays as a version.
    follow(name) {
        const stored = storage.read(name);
        const text = this.text(name);
        if (stored === null || stored === text) return; // null: it was removed
        if (Date.now() - this.typed[name] < AT_ONCE) storage.keep(name, text, "typed in two tabs at once");
        this.put(name, stored, fromOutside.of(true));
    }

    put(name, insert, annotations) {
        const view = this.views.get(name);
        const { doc, selection } = view.state;
        const anchor = Math.min(selection.main.head, insert.length);
        view.dispatch({ changes: { from: 0, to: doc.length, insert }, selection: { anchor }, annotations });
    }

    // Replace a file by the reader's wish; what stood there stays as a version.
    replace(name, content, why) {
        this.keepVersion(name, why);
        this.put(name, content);
        if (content === this.stubs[name]) storage.write(`${name}.stub`, content);
    }

    keepVersion(name, why) {
        if (this.text(name) !== this.stubs[name]) storage.keep(name, this.text(name), why);
    }

    keepVersions(why) {
        this.names.forEach((name) => this.keepVersion(name, why));
    }

    // Offer the older versions of the file that is shown, and the file as it is given out. Each is shown
    // by what taking it would change; a corrected one by what was corrected.
    async showVersions() {
        const name = this.tabs.shown;
        const text = this.stubs[name];
        const given = {
            text,
            why: "the file as it is given out",
            when: "",
            old: storage.read(`${name}.stub`),
        };
        if (given.old === text) given.old = null;
        /** @type {any[]} */
        const offered = [...storage.versions().filter((version) => version.name === name), given];
        const list = offered.map(({ text, why, when, old }) => {
            const lines = make("pre", { tabIndex: 0 });
            const take = make("button", { type: "button", textContent: "Take this one" });
            take.onclick = () => (this.replace(name, text, "before an older version"), $("dialog").close());
            const summary = make("summary", {
                textContent: when ? `${new Date(when).toLocaleString()}, ${why}` : why,
            });
            const shown = make("details", {}, summary, lines, take);
            shown.ontoggle = async () => {
                const request = { do: "editing.compare", old: old ?? this.text(name), new: text };
                lines.textContent =
                    (await this.askPython(request)).lines?.join("\n") || "There is no difference.";
            };
            return make("li", {}, shown);
        });
        await ask(`Versions of ${name}`, [make("ul", { className: "versions" }, ...list)], ["Close"]);
    }

    // Say so if the file that is given out has changed since the student began with it.
    offerNewStub(name) {
        const begun = storage.read(`${name}.stub`);
        if (begun === null || begun === this.stubs[name]) return;
        if (this.text(name) === begun) return this.replace(name, this.stubs[name], "");
        const done = () => notice(`stub-${name}`, "");
        notice(`stub-${name}`, `${name} was corrected after you began with it. Yours is unchanged.`, {
            Compare: async () => {
                this.tabs.show(name);
                await this.showVersions();
                if (storage.read(`${name}.stub`) === this.stubs[name]) done();
            },
            "Keep mine": () => (storage.write(`${name}.stub`, this.stubs[name]), done()),
        });
    }

    // --- opening --------------------------------------------------------------------------------------

    // Open files after the reader has agreed; return what to say. `unpack` reads a zip.
    async open(/** @type {File[]} */ uploads, /** @type {(upload: File) => Promise<any>} */ unpack) {
        /** @type {Record<string, string>} */
        const found = {};
        const notes = [];
        for (const upload of uploads) {
            const name = this.names.find((each) => isCopyOf(upload.name, each.replace(/\.py$/, "")));
            if (upload.name.endsWith(".zip")) {
                const { files = {}, notes: said = [], problem } = await unpack(upload);
                Object.assign(found, files);
                notes.push(...(problem ? [problem] : said));
            } else if (!name) {
                notes.push(`${upload.name} is none of ${this.names.join(", ")}: rename it`);
            } else if (upload.size > LARGEST) {
                notes.push(`${upload.name} is not opened: it has more than ${LARGEST / 1000} kB`);
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
            const empty = mine
                .filter((name) => !found[name].trim())
                .map((name) => `The new ${name} is empty.`);
            const words = ["What you wrote stays under Versions.", ...empty].join(" ");
            const answer = await ask(`Replace ${mine.join(", ")}?`, [words], ["Replace", "Cancel"]);
            if (answer !== "Replace") return "nothing was opened";
        }
        for (const name of changed) this.replace(name, found[name], "before another file was opened");
        return [...(opened.length ? [`opened: ${opened.join(", ")}`] : []), ...notes].join("; ");
    }

    // --- lines and marks ------------------------------------------------------------------------------

    // Return what is marked in a file: its syntax errors, and the lines that a report names.
    async lint(name, /** @type {EditorView} */ { state: { doc } }) {
        const { errors = [] } = await this.askPython({ do: "editing.check", name, text: doc.toString() });
        const found = [...errors, ...this.marks.filter(({ file }) => file === name)];
        this.tabs.mark(name, found.length > 0);
        return found.map(({ line, column, message }) => {
            const { from, to } = doc.line(Math.min(line, doc.lines));
            const start = Math.max(from, Math.min(from + column - 1, to - 1));
            return /** @type {const} */ ({ from: start, to, severity: "error", message });
        });
    }

    mark(/** @type {Mark[]} */ marks) {
        this.marks = marks;
        for (const view of this.views.values()) view.dispatch({ effects: recheck.of(null) });
    }

    goTo(name, number) {
        const view = this.views.get(name);
        this.tabs.show(name);
        const { from } = view.state.doc.line(Math.min(number, view.state.doc.lines));
        view.dispatch({
            selection: { anchor: from },
            effects: EditorView.scrollIntoView(from, { y: "center" }),
        });
        view.focus();
    }
}

// A strict server forbids the editor's style elements, but not style sheets made by a script.
function adoptStyles() {
    for (const style of document.querySelectorAll("style")) {
        if (style.sheet) continue;
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(style.textContent);
        document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    }
}

// Is it the file of that name, perhaps with the number that a browser or a copy adds?
const isCopyOf = (name, stem) =>
    name.startsWith(stem) && /^([ _-]*(\(\d+\)|copy|kopie|\d+))*\.py$/i.test(name.slice(stem.length));

// Read bytes as text, and name their encoding if it is not UTF-8.
function decode(bytes) {
    const [first, second] = new Uint8Array(bytes.slice(0, 2));
    const utf16 = { "255,254": "utf-16le", "254,255": "utf-16be" }[`${first},${second}`];
    try {
        const text = new TextDecoder(utf16 ?? "utf-8", { fatal: true }).decode(bytes);
        return { text, encoding: utf16?.toUpperCase() ?? "" };
    } catch {
        return { text: new TextDecoder("windows-1252").decode(bytes), encoding: "Latin-1" };
    }
}
