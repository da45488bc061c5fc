// Tabs as the keyboard expects them: Tab comes to one, the arrow keys, Home and End go on to the others.
import { make } from "./dom";

// Fill a list with a tab for each panel in a box. `changed` is called with the name of the panel that is shown.
export function makeTabs(list: HTMLElement, box: HTMLElement, changed: (name: string) => void) {
    const panels = [...box.querySelectorAll<HTMLElement>("[role=tabpanel]")];
    const names = panels.map((panel) => panel.ariaLabel);
    const buttons = names.map((name, place) => {
        const onclick = () => tabs.show(name);
        const button = make("button", { type: "button", role: "tab", textContent: name, onclick });
        button.setAttribute("aria-controls", panels[place].id);
        return button;
    });
    list.append(...buttons);
    list.onkeydown = (event) => {
        const here = names.indexOf(tabs.shown);
        const next = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: -1 }[event.key];
        if (next === undefined) return;
        event.preventDefault();
        tabs.show(names.at(next % names.length));
        buttons.at(next % names.length).focus();
    };
    const tabs = {
        shown: "",
        show(name: string) {
            tabs.shown = name;
            for (const [place, button] of buttons.entries()) {
                const isShown = names[place] === name;
                button.ariaSelected = String(isShown);
                button.tabIndex = isShown ? 0 : -1;
                panels[place].hidden = !isShown;
            }
            changed(name);
        },
        mark: (name: string, marked: boolean) =>
            buttons[names.indexOf(name)].classList.toggle("marked", marked),
    };
    tabs.show(names[0]);
    return tabs;
}
