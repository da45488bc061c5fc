// Watch and play: the lab's playback, tree and board, and the lab's own modules in Python behind them.
import assignment from "../../build/assignment.json";
import board from "../../lab/board.js";
import playback from "../../lab/playback.js";
import tree from "../../lab/tree.js";
import { $, clean, make } from "./dom";
import { askWithFiles } from "./files";
import { ask } from "./python";

const { positions, games, engines, stones } = assignment;
const { random, ...watchable } = engines;
const [search, game] = [$("search"), $("game")];

// The lab's components are written for anywidget: a model holds what they show and what was done.
function render(component: any, id: string, values: Record<string, any>) {
    const events = new EventTarget();
    const model = {
        values,
        on: events.addEventListener.bind(events),
        get: (name: string) => values[name],
        save_changes() {},
        set(name: string, value: any) {
            values[name] = value;
            events.dispatchEvent(new Event(`change:${name}`));
        },
    };
    component.render({ model, el: $(id) });
    return model;
}

// Fill in what a form offers. `depths` has the plies for each position or game.
function offer(form: any, depths: Record<string, number>, engines: Record<string, string[]>) {
    const option = (name: string) => new Option(name, name, false, name === "alpha-beta");
    const { subject, engine, plies } = form;
    subject.append(...Object.keys(depths).map(option));
    engine.append(...Object.keys(engines).map(option));
    const fit = () => {
        for (const label of form.querySelectorAll("[data-setting]")) {
            label.hidden = !engines[engine.value]?.includes(label.dataset.setting);
            label.control.disabled = label.hidden; // nobody can correct it
        }
        plies.value = depths[subject.value];
    };
    subject.onchange = engine.onchange = fit;
    fit();
}

const entries = (form: any) => Object.fromEntries(new FormData(form));

// --- watch ------------------------------------------------------------------------------------------

offer(search, positions, watchable);
const pace = render(playback, "steps", { steps: 0, step: 0, stops: [], next: "" });
const drawing = render(tree, "tree", { rows: [] });
let lastDrawn = Promise.resolve();

function draw({ words = "", rows = [], figures = [], legend = "", problem = "" }) {
    $("words").textContent = problem || words;
    const counts = figures.map((figure) => make("b", {}, `${figure} `));
    $("legend").replaceChildren(make("p", {}, ...counts), make("small", {}, legend));
    const cleaned = rows.map((row) => ({ ...row, svg: clean(`<svg>${row.svg}</svg>`).slice(5, -6) }));
    drawing.set("rows", cleaned);
}

async function watch(request: any, what: string) {
    pace.set("steps", 0);
    draw({ words: `${what}: searching …` });
    const { steps = 0, stops = [], next = "", ...first } = await askWithFiles(request);
    draw(first);
    pace.values.step = 0; // it is drawn already
    for (const [name, value] of Object.entries({ stops, next, steps })) pace.set(name, value);
}

// The slider may be quicker than Python: steps that it has left are not drawn.
pace.on("change:step", () => {
    const step = pace.get("step");
    lastDrawn = lastDrawn.then(async () => {
        if (step !== pace.get("step") || !pace.get("steps")) return;
        draw(await ask({ do: "watching.show", step }));
    });
});

search.onsubmit = () => watch({ do: "watching.watch", ...entries(search) }, search.subject.value);

export const watchCase = (text: string) => watch({ do: "watching.watch_case", chosen: text }, `case ${text}`);

// --- play -------------------------------------------------------------------------------------------

offer(game, games, engines);
const squares = render(board, "board", { columns: 1, row: 1, squares: [], played: [0, ""], stones });
let played: string[] = [];

async function play(moves: string[], back = false) {
    if (!game.reportValidity()) return;
    $("turn").textContent = "thinking …";
    const table = await askWithFiles({ do: "watching.play", ...entries(game), played: moves, back });
    $("turn").textContent = table.problem ?? table.turn;
    if (!table.squares) return;
    played = table.played;
    $("board").hidden = false;
    $("behind").replaceChildren(make("p", {}, table.found), make("small", {}, table.explained));
    for (const name of ["columns", "row", "squares"]) squares.set(name, table[name]);
}

squares.on("change:played", () => play([...played, squares.get("played")[1]]));
game.onsubmit = () => play([]);
game.back.onclick = () => play(played, true);

if (!Object.keys(watchable).length)
    $("watch").replaceChildren(make("p", {}, "No question with a search to watch is on."));
