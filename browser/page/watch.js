// Watch and play: the lab's playback, tree and board, and the lab's own modules in Python behind them.
import board from "lab/board.js";
import playback from "lab/playback.js";
import tree from "lab/tree.js";
import { $, clean, make } from "./dom.js";

// The lab's components are written for anywidget: a model holds what they show and what was done.
class Model {
    constructor(values) {
        this.values = values;
        this.heard = {};
    }
    get(name) {
        return this.values[name];
    }
    on(event, call) {
        (this.heard[event] ??= []).push(call);
    }
    save_changes() {}
    set(name, value) {
        this.values[name] = value;
        for (const call of this.heard[`change:${name}`] ?? []) call();
    }
}

function render(component, id, values) {
    const model = new Model(values);
    component.render({ model, el: $(id) });
    return model;
}

// Fill in what a form offers. `depths` has the plies for each position or game.
function offer(form, depths, engines) {
    const options = (names) => Object.keys(names).map((name) => new Option(name));
    const { subject, engine, plies } = form;
    subject.append(...options(depths));
    engine.append(...options(engines));
    if ("alpha-beta" in engines) engine.value = "alpha-beta";
    const fit = () => {
        for (const label of form.querySelectorAll("[data-setting]")) {
            label.hidden = !engines[engine.value].includes(label.dataset.setting);
            label.control.disabled = label.hidden; // nobody can correct it
        }
        plies.value = depths[subject.value];
    };
    subject.onchange = engine.onchange = fit;
    fit();
}

function chosenEngine({ engine, plies, playouts }) {
    return {
        engine: engine.value,
        settings: { plies: plies.valueAsNumber, playouts: playouts.valueAsNumber },
    };
}

// Return a function that watches a case. `ask` sends Python a request with the files, `askAgain` one
// about the search that is watched.
export function startWatching({ positions, games, engines, stones }, ask, askAgain) {
    const search = $("search");
    const watchable = Object.fromEntries(Object.entries(engines).filter(([name]) => name !== "random"));
    if (!Object.keys(watchable).length) {
        $("watch").replaceChildren(make("p", { textContent: "No question with a search to watch is on." }));
        return () => {};
    }
    offer(search, positions, watchable);
    const pace = render(playback, "steps", { steps: 0, step: 0, stops: [], next: "" });
    const drawing = render(tree, "tree", { rows: [] });

    const draw = ({ words = "", rows = [], figures = [], legend = "", problem = "" }) => {
        $("words").textContent = problem || words;
        const counts = figures.map((figure) => make("b", { textContent: `${figure} ` }));
        $("legend").replaceChildren(make("p", {}, ...counts), make("small", { textContent: legend }));
        drawing.set(
            "rows",
            rows.map((row) => ({ ...row, svg: clean(`<svg>${row.svg}</svg>`).slice(5, -6) })),
        );
    };
    const watch = async (request, what) => {
        pace.set("steps", 0);
        draw({ words: `${what}: searching …` });
        const found = await ask(request);
        draw(found);
        shown = 0;
        for (const name of ["stops", "next"]) pace.set(name, found[name] ?? []);
        pace.set("step", 0);
        pace.set("steps", found.steps ?? 0);
    };
    search.onsubmit = (event) => {
        event.preventDefault();
        const position = search.subject.value;
        watch({ do: "watching.watch", position, ...chosenEngine(search) }, position);
    };
    let shown = 0;
    let isDrawing = false; // the slider may be quicker
    pace.on("change:step", async () => {
        if (isDrawing) return;
        isDrawing = true;
        while (shown !== pace.get("step") && pace.get("steps")) {
            shown = pace.get("step");
            draw(await askAgain({ do: "watching.show", step: shown }));
        }
        isDrawing = false;
    });

    const game = $("game");
    offer(game, games, engines);
    const squares = render(board, "board", { columns: 1, row: 1, squares: [], played: [0, ""], stones });
    let played = [];
    const go = async (change) => {
        if (!game.reportValidity()) return;
        const request = {
            do: "watching.play",
            game: game.subject.value,
            side: game.side.value,
            ...chosenEngine(game),
        };
        $("turn").textContent = "thinking …";
        const table = await ask({ ...request, played, back: false, ...change });
        $("turn").textContent = table.problem ?? table.turn ?? "";
        if (!table.squares) return;
        played = table.played;
        $("board").hidden = false;
        $("behind").replaceChildren(
            make("p", { textContent: table.found }),
            make("small", { textContent: table.explained }),
        );
        for (const name of ["columns", "row", "squares"]) squares.set(name, table[name]);
    };
    squares.on("change:played", () => go({ played: [...played, squares.get("played")[1]] }));
    game.onsubmit = (event) => {
        event.preventDefault();
        go({ played: [] });
    };
    game.back.onclick = () => go({ back: true });
    return (text) => watch({ do: "watching.watch_case", chosen: text }, `case ${text}`);
}
