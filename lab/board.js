// A board of buttons, one of which Tab comes to; the arrow keys go on from there. While one points
// at a square, those that a move there would fill are lit.

function render({ model, el }) {
  const board = document.createElement("div");
  board.className = "board";
  board.setAttribute("role", "group");
  board.setAttribute("aria-label", "the board");
  el.append(board);
  let here = 0;
  let pointed = null;

  function light(place) {
    pointed = place;
    const fills = model.get("squares")[place]?.fills ?? [];
    for (const [i, button] of [...board.children].entries())
      button.classList.toggle("lit", fills.includes(i));
  }

  function goTo(place, focus) {
    for (const button of board.children) button.tabIndex = -1;
    here = Math.min(Math.max(place, 0), board.children.length - 1);
    board.children[here].tabIndex = 0;
    if (focus) board.children[here].focus();
  }

  function button(place) {
    const made = document.createElement("button");
    made.type = "button";
    made.tabIndex = -1;
    const square = () => model.get("squares")[place];
    made.onpointerenter = () => light(place);
    made.onpointerleave = () => light(null);
    made.onblur = () => light(null);
    made.onfocus = () => (goTo(place), light(place));
    made.onclick = () => {
      if (!square().move) return;
      model.set("played", [model.get("played")[0] + 1, square().move]);
      model.save_changes();
    };
    return made;
  }

  function draw() {
    const squares = model.get("squares");
    board.style.setProperty("--columns", model.get("columns"));
    while (board.children.length > squares.length) board.lastChild.remove();
    while (board.children.length < squares.length) board.append(button(board.children.length));
    squares.forEach((square, i) => {
      const made = board.children[i];
      made.className = square.look;
      made.style.gridColumn = square.column ? `${square.column} / span 2` : "";
      made.ariaLabel = square.says;
      made.ariaDisabled = String(!square.move);
      const stone = model.get("stones")[square.mark] ?? "";
      made.innerHTML = `<svg class="drawing" viewBox="0 0 34 34" aria-hidden="true">${stone}</svg>`;
      if (square.note) made.appendChild(document.createElement("span")).textContent = square.note;
    });
    if (squares.length) goTo(here);
    light(pointed); // the mouse may rest where it was
  }

  board.onkeydown = (event) => {
    const row = model.get("row");
    const way = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -row, ArrowDown: row }[event.key];
    if (way === undefined || !board.children[here + way]) return;
    event.preventDefault();
    goTo(here + way, true);
  };
  model.on("change:squares", draw);
  draw();
}

export default { render };
