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

function choice(label, names) {
  const select = document.createElement("select");
  select.append(...names.map((name) => new Option(name)));
  return labelled(label, select);
}

function number(label, value, most) {
  return labelled(label, Object.assign(document.createElement("input"), { type: "number", min: 1, max: most, value }));
}

function labelled(label, control) {
  const made = document.createElement("label");
  made.append(label, control);
  return [made, control];
}

function button(text, act) {
  return Object.assign(document.createElement("button"), { type: act ? "button" : "submit", textContent: text, onclick: act });
}

// A form that chooses an engine and its settings; `extra` are controls before them.
function engineForm(form, label, engines, extra, depth) {
  const [engineLabel, engine] = choice(label, Object.keys(engines));
  const [pliesLabel, plies] = number("plies to look ahead", 9, 12);
  const [playoutsLabel, playouts] = number("playouts in a search", 300, 10_000);
  const fit = () => {
    const uses = engines[engine.value];
    pliesLabel.hidden = !uses.includes("plies");
    playoutsLabel.hidden = !uses.includes("playouts");
    plies.value = depth() ?? 9;
  };
  engine.value = "alpha-beta";
  engine.onchange = fit;
  form.append(...extra, engineLabel, pliesLabel, playoutsLabel);
  return {
    fit,
    engine: () => engine.value,
    settings: () => ({ plies: Number(plies.value), playouts: Number(playouts.value) }),
  };
}

// ask: sends Python a request with the files, one at a time; undefined while another one runs
export async function watchAndPlay({ positions, games, engines, stones }, ask) {
  const news = (place) => ({ news: (words) => { $(place).textContent = words; } });

  const [positionLabel, position] = choice("position", Object.keys(positions));
  const searches = Object.fromEntries(Object.entries(engines).filter(([name]) => name !== "random"));
  const search = engineForm($("search"), "by", searches, [positionLabel], () => positions[position.value]);
  position.onchange = search.fit;
  search.fit();
  $("search").append(button("Watch"));
  const pace = await component("playback", "steps", { label: "steps of the search", steps: 0, step: 0, stops: [], next: "" });
  const tree = await component("tree", "tree", { label: "the search so far", rows: [] });

  const draw = ({ words, rows, legend, problem }) => {
    $("words").innerHTML = words ?? "";
    if (problem) $("words").textContent = problem;
    $("legend").innerHTML = legend ?? "";
    tree.set("rows", rows ?? []);
  };
  $("search").onsubmit = async (event) => {
    event.preventDefault();
    pace.set("steps", 0);
    draw({ words: "<p>searching …</p>" });
    const request = { do: "watch", position: position.value, engine: search.engine(), settings: search.settings() };
    const found = await ask(request, news("words"));
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
      draw(await ask({ do: "show", step: shown }, {}, true));
    }
    drawing = false;
  });

  const [gameLabel, game] = choice("game", Object.keys(games));
  const [sideLabel, side] = choice("you are", ["X", "O"]);
  const opponent = engineForm($("game"), "against", engines, [gameLabel, sideLabel], () => games[game.value]);
  game.onchange = opponent.fit;
  opponent.fit();
  const board = await component("board", "board", { label: "the board", columns: 1, row: 1, squares: [], played: [0, ""], stones });
  let played = [];
  const go = async (change) => {
    const request = { do: "play", game: game.value, side: side.value, engine: opponent.engine(), settings: opponent.settings() };
    $("turn").textContent = "thinking …";
    const table = await ask({ ...request, played, move: "", back: false, ...change }, news("turn"));
    $("turn").innerHTML = table.turn ?? "";
    if (table.problem) $("turn").textContent = table.problem;
    if (!table.squares) return;
    played = table.played;
    $("board").hidden = false;
    $("behind").innerHTML = table.behind;
    for (const name of ["columns", "row", "squares"]) board.set(name, table[name]);
  };
  board.on("change:played", () => go({ move: board.get("played")[1] }));
  $("game").onsubmit = (event) => {
    event.preventDefault();
    go({ played: [] });
  };
  $("game").append(button("New game"), button("Take back", () => go({ back: true })));
}
