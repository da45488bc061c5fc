// Tabs as the keyboard expects them: Tab comes to one, the arrow keys go on to the others.
export function tabs(list, names, show, panel) {
  const buttons = names.map((name) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: name });
    button.setAttribute("role", "tab");
    if (panel) button.setAttribute("aria-controls", panel);
    button.onclick = () => all.show(name);
    return button;
  });
  list.append(...buttons);
  list.onkeydown = ({ key }) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (!way) return;
    const next = (names.indexOf(all.shown) + way + names.length) % names.length;
    all.show(names[next]);
    buttons[next].focus();
  };
  const all = {
    shown: names[0],
    show(name) {
      all.shown = name;
      buttons.forEach((button) => {
        const chosen = button.textContent === name;
        button.setAttribute("aria-selected", String(chosen));
        button.tabIndex = chosen ? 0 : -1;
      });
      show(name);
    },
  };
  all.show(names[0]);
  return all;
}
