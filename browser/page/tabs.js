// Tabs as the keyboard expects them: Tab comes to one, the arrow keys, Home and End go on to the others.
import { make } from "./dom.js";

/**
 * @param {HTMLElement} list
 * @param {string[]} names
 * @param {(name: string) => void} show
 * @param {Record<string, string>} [panels] the id of each one's panel
 */
export function tabs(list, names, show, panels = {}) {
    const buttons = names.map((name) => {
        const button = make("button", { type: "button", textContent: name, onclick: () => all.show(name) });
        button.setAttribute("role", "tab");
        if (panels[name]) button.setAttribute("aria-controls", panels[name]);
        return button;
    });
    list.append(...buttons);
    list.onkeydown = (event) => {
        const here = names.indexOf(all.shown);
        const next = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: names.length - 1 }[event.key];
        if (next === undefined) return;
        event.preventDefault();
        const place = (next + names.length) % names.length;
        all.show(names[place]);
        buttons[place].focus();
    };
    const all = {
        shown: names[0],
        show(name) {
            all.shown = name;
            for (const [place, button] of buttons.entries()) {
                button.setAttribute("aria-selected", String(names[place] === name));
                button.tabIndex = names[place] === name ? 0 : -1;
            }
            show(name);
        },
        mark(name, marked) {
            buttons[names.indexOf(name)].classList.toggle("marked", marked);
        },
    };
    all.show(names[0]);
    return all;
}
