// Watch and play: the lab's playback, tree and board, and the lab's own modules in Python behind them.

// The lab's components are written for anywidget: a model holds what they show and what was done.
class Model {
  constructor(values) { Object.assign(this, { values, heard: {} }); }
  get(name) { return this.values[name]; }
  on(event, call) { (this.heard[event] ??= []).push(call); }
  save_changes() {}
  set(name, value) {
    this.values[name] = value;
    for (const call of this.heard[`change:${name}`] ?? []) call();
  }
}

const $ = (id) => document.getElementById(id);

async function component(name, id, values) {
  const { default: made } = await import(new URL(`lab/${name}.js`, import.meta.url));
  const model = new Model(values);
  made.render({ model, el: $(id) });
  return model;
}

// Fill in what a form offers. `depths` has the plies for each position or game.
function offer(form, depths, engines) {
  const options = (names) => Object.keys(names).map((name) => new Option(name));
  const { subject, engine, plies } = form;
  subject.append(...options(depths));
  engine.append(...options(engines));
  engine.value = "alpha-beta";
  const fit = () => {
    for (const label of form.querySelectorAll("[data-setting]")) {
      label.hidden = !engines[engine.value].includes(label.dataset.setting);
    }
    plies.value = depths[subject.value];
  };
  subject.onchange = engine.onchange = fit;
  fit();
}

function engineOf({ engine, plies, playouts }) {
  const settings = { plies: Number(plies.value), playouts: Number(playouts.value) };
  return { engine: engine.value, settings };
}

// ask: sends Python a request with the files, one at a time; undefined while another one runs
export async function watchAndPlay({ positions, games, engines, stones }, ask) {
  const search = $("search");
  offer(search, positions, Object.fromEntries(Object.entries(engines).filter(([name]) => name !== "random")));
  const pace = await component("playback", "steps", { steps: 0, step: 0, stops: [], next: "" });
  const tree = await component("tree", "tree", { rows: [] });

  const draw = ({ words, rows, legend, problem }) => {
    $("words").innerHTML = words ?? "";
    if (problem) $("words").textContent = problem;
    $("legend").innerHTML = legend ?? "";
    tree.set("rows", rows ?? []);
  };
  search.onsubmit = async (event) => {
    event.preventDefault();
    pace.set("steps", 0);
    draw({ words: "<p>searching …</p>" });
    const request = { do: "watch", position: search.subject.value, ...engineOf(search) };
    const found = await ask(request);
    draw(found);
    shown = 0;
    for (const name of ["stops", "next"]) pace.set(name, found[name] ?? []);
    pace.set("step", 0);
    pace.set("steps", found.steps ?? 0);
  };
  let shown = 0;
  let drawing = false; // the slider may be quicker
  pace.on("change:step", async () => {
    if (drawing) return;
    drawing = true;
    while (shown !== pace.get("step") && pace.get("steps")) {
      shown = pace.get("step");
      draw(await ask({ do: "show", step: shown }, true));
    }
    drawing = false;
  });

  const game = $("game");
  offer(game, games, engines);
  const board = await component("board", "board", { columns: 1, row: 1, squares: [], played: [0, ""], stones });
  let played = [];
  const go = async (change) => {
    const request = { do: "play", game: game.subject.value, side: game.side.value, ...engineOf(game) };
    $("turn").textContent = "thinking …";
    const table = await ask({ ...request, played, move: "", back: false, ...change });
    $("turn").innerHTML = table.turn ?? "";
    if (table.problem) $("turn").textContent = table.problem;
    if (!table.squares) return;
    played = table.played;
    $("board").hidden = false;
    $("behind").innerHTML = table.behind;
    for (const name of ["columns", "row", "squares"]) board.set(name, table[name]);
  };
  board.on("change:played", () => go({ move: board.get("played")[1] }));
  game.onsubmit = (event) => {
    event.preventDefault();
    go({ played: [] });
  };
  game.back.onclick = () => go({ back: true });
}
