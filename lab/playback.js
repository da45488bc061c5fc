// Buttons and a slider that walk along steps. The page's own clock plays them.

const LABEL = "steps of the search";

function render({ model, el }) {
  let clock = null;

  function add(kind, parent, made = {}) {
    return parent.appendChild(Object.assign(document.createElement(kind), made));
  }

  function to(step) {
    model.set("step", Math.min(Math.max(step, 0), model.get("steps")));
    model.save_changes();
    draw();
  }

  const nextStop = () => model.get("stops").find((stop) => stop > model.get("step"));

  function play(on) {
    clearInterval(clock);
    clock = on ? setInterval(() => to(model.get("step") + 1), 900) : null;
    draw();
  }

  const box = add("div", el, { className: "stepper", ariaLabel: LABEL });
  box.setAttribute("role", "group");
  const back = add("button", box, { type: "button", textContent: "back" });
  const on = add("button", box, { type: "button", textContent: "step" });
  const next = add("button", box, { type: "button" });
  const plays = add("button", box, { type: "button" });
  const slider = add("input", box, { type: "range", min: 0, ariaLabel: LABEL });
  const count = add("output", box);

  back.onclick = () => to(model.get("step") - 1);
  on.onclick = () => to(model.get("step") + 1);
  next.onclick = () => nextStop() && to(nextStop());
  plays.onclick = () => {
    if (!clock && model.get("step") === model.get("steps")) to(0);
    play(!clock);
  };
  slider.oninput = () => to(Number(slider.value));

  function draw() {
    const [step, steps] = [model.get("step"), model.get("steps")];
    if (clock && step >= steps) return play(false);
    box.hidden = !steps;
    back.ariaDisabled = String(step === 0);
    on.ariaDisabled = String(step === steps);
    next.hidden = !model.get("stops").length;
    next.textContent = model.get("next");
    next.ariaDisabled = String(!nextStop());
    plays.textContent = clock ? "pause" : "play";
    slider.max = steps;
    slider.value = step;
    count.textContent = `${step} of ${steps}`;
  }

  for (const what of ["steps", "step", "stops"]) model.on(`change:${what}`, draw);
  draw();
  return () => clearInterval(clock);
}

export default { render };
