// Watch and play: the lab's playback, tree and board, and the lab's own modules in Python behind them.
import board from "../../lab/board.js";
import playback from "../../lab/playback.js";
import tree from "../../lab/tree.js";
import { $, clean, make } from "./dom";

// The lab's components are written for anywidget: a model holds what they show and what was done.
class Model extends EventTarget {
    constructor(public values: Record<string, any>) {
        super();
    }
    get(name: string) {
        return this.values[name];
    }
    on(event: string, call: () => void) {
        this.addEventListener(event, call);
    }
    save_changes() {}
    set(name: string, value: any) {
        this.values[name] = value;
        this.dispatchEvent(new Event(`change:${name}`));
    }
}

function render(component: any, id: string, values: Record<string, any>) {
    const model = new Model(values);
    component.render({ model, el: $(id) });
    return model;
}

// Fill in what a form offers. `depths` has the plies for each position or game.
function offer(form: any, depths: Record<string, number>, engines: Record<string, string[]>) {
    const options = (names: any) => Object.keys(names).map((name) => new Option(name));
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

const chosenEngine = ({ engine, plies, playouts }) => ({
    engine: engine.value,
    settings: { plies: plies.valueAsNumber, playouts: playouts.valueAsNumber },
});

type Ask = (request: any) => Promise<any>;

// Return a function that watches a case. `ask` sends Python a request with the files, `askAgain` one
// about the search that is watched.
export function startWatching({ positions, games, engines, stones }: any, ask: Ask, askAgain: Ask) {
    const search = $("search");
    const { random, ...watchable } = engines;
    if (!Object.keys(watchable).length) {
        $("watch").replaceChildren(make("p", {}, "No question with a search to watch is on."));
        return () => {};
    }
    offer(search, positions, watchable);
    const pace = render(playback, "steps", { steps: 0, step: 0, stops: [], next: "" });
    const drawing = render(tree, "tree", { rows: [] });

    const draw = ({ words = "", rows = [], figures = [], legend = "", problem = "" }) => {
        $("words").textContent = problem || words;
        const counts = figures.map((figure) => make("b", {}, `${figure} `));
        $("legend").replaceChildren(make("p", {}, ...counts), make("small", {}, legend));
        const cleaned = rows.map((row) => ({ ...row, svg: clean(`<svg>${row.svg}</svg>`).slice(5, -6) }));
        drawing.set("rows", cleaned);
    };
    const watch = async (request: any, what: string) => {
        pace.set("steps", 0);
        draw({ words: `${what}: searching …` });
        const found = await ask(request);
        draw(found);
        shown = 0;
        for (const name of ["stops", "next"]) pace.set(name, found[name] ?? []);
        pace.set("step", 0);
        pace.set("steps", found.steps ?? 0);
    };
    search.onsubmit = () => {
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
    let played: string[] = [];
    const go = async (moves: string[], back = false) => {
        if (!game.reportValidity()) return;
        $("turn").textContent = "thinking …";
        const [name, side] = [game.subject.value, game.side.value];
        const request = { do: "watching.play", game: name, side, ...chosenEngine(game), played: moves, back };
        const table = await ask(request);
        $("turn").textContent = table.problem ?? table.turn;
        if (!table.squares) return;
        played = table.played;
        $("board").hidden = false;
        $("behind").replaceChildren(make("p", {}, table.found), make("small", {}, table.explained));
        for (const name of ["columns", "row", "squares"]) squares.set(name, table[name]);
    };
    squares.on("change:played", () => go([...played, squares.get("played")[1]]));
    game.onsubmit = () => go([]);
    game.back.onclick = () => go(played, true);
    return (text: string) => watch({ do: "watching.watch_case", chosen: text }, `case ${text}`);
}
