// Tabs as the keyboard expects them: Tab comes to one, the arrow keys, Home and End go on to the others.
import { make } from "./dom";

// Fill a list with a tab for each panel in a box. The list gets a change event when another is shown.
export function makeTabs(list: HTMLElement, box: HTMLElement) {
    const panels = [...box.querySelectorAll<HTMLElement>("[role=tabpanel]")];
    const names = panels.map((panel) => panel.ariaLabel);
    const buttons = panels.map(({ ariaLabel, id }) => {
        const onclick = () => tabs.show(ariaLabel);
        const button = make("button", { type: "button", role: "tab", textContent: ariaLabel, onclick });
        button.setAttribute("aria-controls", id);
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
            list.dispatchEvent(new Event("change"));
        },
        mark: (name: string, marked: boolean) =>
            buttons[names.indexOf(name)].classList.toggle("marked", marked),
    };
    tabs.show(names[0]);
    return tabs;
}
