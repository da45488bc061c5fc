// The student's files: an editor for each, stored at every key, and never replaced without a copy.
import { indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { indentUnit, syntaxHighlighting } from "@codemirror/language";
import { forceLinting, lintGutter, linter, setDiagnostics } from "@codemirror/lint";
import { Annotation, Compartment, EditorState } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { EditorView, basicSetup } from "codemirror";
import { $, ask, make, notice } from "./dom.js";
import * as storage from "./storage.js";
import { tabs } from "./tabs.js";

const TAB = String(Math.random()); // this tab, as opposed to others with the same page
const fromOutside = Annotation.define(); // a change that is stored already

export class Files {
    /**
     * @param {Record<string, string>} stubs the files as they are given out, by name
     * @param {(name: string) => void} shown is called when another file is shown
     * @param {(name: string, text: string) => Promise<any[]>} check finds syntax errors
     * @param {() => void} run runs the tests
     */
    constructor(stubs, shown, check, run) {
        Object.assign(this, { stubs, check, run });
        this.names = Object.keys(stubs);
        this.readOnly = new Compartment();
        /** @type {Map<string, EditorView>} */
        this.views = new Map();
        for (const name of this.names) this.views.set(name, this.makeEditor(name));
        this.adoptStyles();
        this.tabs = tabs($("files"), this.names, (name) => {
            for (const [each, view] of this.views) view.dom.parentElement.hidden = each !== name;
            shown(name);
        });
        storage.listen((name) => {
            if (name === "owner") this.follow();
            if (this.views.has(name)) this.hear(name);
        });
        addEventListener("focus", () => this.own());
        for (const event of ["keydown", "beforeinput", "pointerdown"]) {
            $("editor").addEventListener(event, () => this.own(), { capture: true });
        }
        this.own();
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
        const changed = EditorView.updateListener.of((update) => {
            const stored = update.transactions.some((transaction) => transaction.annotation(fromOutside));
            if (update.docChanged && !stored) this.store(name);
        });
        const view = new EditorView({
            parent,
            doc: storage.read(name) ?? this.stubs[name],
            extensions: [
                keymap.of([{ key: "Mod-Enter", run: () => (this.run(), true) }, indentWithTab]),
                basicSetup,
                python(),
                lintGutter(),
                linter((view) => this.lint(name, view), { delay: 700 }),
                indentUnit.of("    "),
                syntaxHighlighting(classHighlighter),
                changed,
                this.readOnly.of([]),
                EditorView.contentAttributes.of({ "aria-label": name }),
            ],
        });
        view.scrollDOM.tabIndex = 0; // the arrow keys scroll it
        return view;
    }

    // A strict server forbids style elements, but not style sheets made by a script.
    adoptStyles() {
        for (const style of document.querySelectorAll("style")) {
            if (style.sheet) continue;
            const sheet = new CSSStyleSheet();
            sheet.replaceSync(style.textContent);
            document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
        }
    }

    // --- what is stored -------------------------------------------------------------------------------

    store(name) {
        if (storage.read(`${name}.stub`) === null) storage.write(`${name}.stub`, this.stubs[name]);
        storage.write(name, this.text(name));
    }

    get isOwner() {
        return storage.read("owner") === TAB;
    }

    // Edit in this tab, on what is stored: one tab at a time does, the one that was turned to last.
    own() {
        if (this.isOwner) return;
        this.names.forEach((name) => this.refresh(name));
        storage.write("owner", TAB);
        this.follow();
    }

    follow() {
        const effects = this.readOnly.reconfigure(EditorState.readOnly.of(!this.isOwner));
        for (const view of this.views.values()) view.dispatch({ effects });
        const words =
            "These files are edited in another tab. They change here, too; a key or a click edits here.";
        notice("owner", this.isOwner ? "" : words);
    }

    // Follow what another tab has stored. If this tab edits, its text counts, and the other's is kept.
    hear(name) {
        const stored = storage.read(name);
        if (!this.isOwner) return this.refresh(name);
        if (stored === null || stored === this.text(name)) return;
        storage.keep(name, stored, "typed in another tab");
        this.store(name);
    }

    // Show what another tab has stored.
    refresh(name) {
        const stored = storage.read(name) ?? this.stubs[name];
        if (stored !== this.text(name)) this.put(name, stored, fromOutside.of(true));
    }

    // Replace what differs, so that the cursor stays where it is.
    put(name, content, annotations) {
        const old = this.text(name);
        const shorter = Math.min(old.length, content.length);
        let from = 0;
        let end = 0;
        while (from < shorter && old[from] === content[from]) from += 1;
        while (end < shorter - from && old.at(-1 - end) === content.at(-1 - end)) end += 1;
        const changes = { from, to: old.length - end, insert: content.slice(from, content.length - end) };
        this.views.get(name).dispatch({ changes, annotations });
    }

    // Replace a file by the reader's wish; what stood there stays as a version.
    replace(name, content, why) {
        this.own();
        if (this.text(name) !== this.stubs[name]) storage.keep(name, this.text(name), why);
        this.put(name, content);
    }

    keepVersions(why) {
        for (const name of this.names)
            if (this.text(name) !== this.stubs[name]) storage.keep(name, this.text(name), why);
    }

    async showVersions() {
        const name = this.tabs.shown;
        const kept = storage.versions().filter((version) => version.name === name);
        const list = make("ul", { className: "versions" });
        for (const { when, why, text } of kept) {
            const show = make(
                "details",
                {},
                make("summary", { textContent: `${new Date(when).toLocaleString()}, ${why}` }),
            );
            const back = make("button", { type: "button", textContent: "Take this one" });
            back.onclick = () => (this.replace(name, text, "before an older version"), $("dialog").close());
            show.append(make("pre", { textContent: text, tabIndex: 0 }), back);
            list.append(make("li", {}, show));
        }
        const none = make("p", {
            textContent: "None yet: one is stored at each run, and before a file is replaced.",
        });
        await ask(`Versions of ${name}`, [kept.length ? list : none], ["Close"]);
    }

    async reset() {
        const name = this.tabs.shown;
        const words = make("p", { textContent: "What you wrote stays under Versions." });
        const answer = await ask(
            `Replace ${name} by the file as it was given out?`,
            [words],
            ["Replace", "Cancel"],
        );
        if (answer !== "Replace") return;
        this.replace(name, this.stubs[name], "before the reset");
        storage.write(`${name}.stub`, this.stubs[name]);
    }

    // Say so if the file that was given out has changed since the student began with it.
    offerNewStub(name) {
        const begun = storage.read(`${name}.stub`);
        if (begun === null || begun === this.stubs[name]) return;
        if (this.text(name) === begun) {
            this.put(name, this.stubs[name]);
            storage.write(`${name}.stub`, this.stubs[name]);
            return;
        }
        notice(`stub-${name}`, `${name} was corrected after you began with it. Yours is unchanged.`, {
            Compare: async () => {
                const { lines = [] } = await this.compare(begun, this.stubs[name]);
                const shown = [
                    make("p", { textContent: "In the file as it is given out, this has changed:" }),
                    make("pre", { textContent: lines.join("\n"), tabIndex: 0 }),
                ];
                const choices = ["Keep mine", "Replace mine by the corrected file"];
                const answer = await ask(`The corrected ${name}`, shown, choices);
                if (!answer) return;
                if (answer !== choices[0]) this.replace(name, this.stubs[name], "before the corrected file");
                storage.write(`${name}.stub`, this.stubs[name]);
                notice(`stub-${name}`, "");
            },
        });
    }

    /** @type {(old: string, new_: string) => Promise<any>} */
    compare = async () => ({});

    // --- opening --------------------------------------------------------------------------------------

    // Open files after the reader has agreed; return what to say.
    async open(/** @type {File[]} */ uploads, /** @type {(upload: File) => Promise<any>} */ unpack) {
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
            } else if (upload.size > 200_000) {
                notes.push(`${upload.name} is not opened: it has more than 200 kB`);
            } else {
                const { text, encoding } = decode(await upload.arrayBuffer());
                if (encoding)
                    notes.push(
                        `${upload.name} was saved as ${encoding}: look at its letters, it is UTF-8 from now on`,
                    );
                if (text.includes("\0")) notes.push(`${upload.name} is not opened: it is no text`);
                else found[name] = text;
            }
        }
        const changed = Object.keys(found).filter(
            (name) => this.views.has(name) && found[name].trimEnd() !== this.text(name).trimEnd(),
        );
        const mine = changed.filter((name) => this.text(name) !== this.stubs[name]);
        if (mine.length) {
            const kept = make("p", { textContent: "What you wrote stays under Versions." });
            const empty = mine
                .filter((name) => !found[name].trim())
                .map((name) => make("p", { textContent: `The new ${name} is empty.` }));
            const answer = await ask(`Replace ${mine.join(", ")}?`, [kept, ...empty], ["Replace", "Cancel"]);
            if (answer !== "Replace") return "nothing was opened";
        }
        for (const name of changed) this.replace(name, found[name], "before another file was opened");
        const opened = Object.keys(found).filter((name) => this.views.has(name));
        return [...(opened.length ? [`opened: ${opened.join(", ")}`] : []), ...notes].join("; ");
    }

    // --- lines and marks ------------------------------------------------------------------------------

    async lint(name, view) {
        const errors = await this.check(name, view.state.doc.toString());
        return errors.map(([number, column, message]) => {
            const line = view.state.doc.line(Math.min(number, view.state.doc.lines));
            const from = Math.min(line.from + column - 1, line.to);
            return {
                from: Math.min(from, Math.max(line.from, line.to - 1)),
                to: line.to,
                severity: "error",
                message,
            };
        });
    }

    recheck(name) {
        forceLinting(this.views.get(name));
    }

    goTo(name, number) {
        const view = this.views.get(name);
        this.tabs.show(name);
        const line = view.state.doc.line(Math.min(number, view.state.doc.lines));
        view.dispatch({
            selection: { anchor: line.from },
            effects: EditorView.scrollIntoView(line.from, { y: "center" }),
        });
        view.focus();
    }

    // Mark lines, and the tabs of their files.
    mark(/** @type {{file: string, line: number, message: string}[]} */ marks) {
        for (const [name, view] of this.views) {
            const found = marks.filter((mark) => mark.file === name && mark.line <= view.state.doc.lines);
            this.tabs.mark(name, found.length > 0);
            const diagnostics = found.map(({ line, message }) => {
                const { from, to } = view.state.doc.line(line);
                return /** @type {const} */ ({ from, to, severity: "error", message });
            });
            view.dispatch(setDiagnostics(view.state, diagnostics));
        }
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
