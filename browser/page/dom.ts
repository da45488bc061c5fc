// Small helpers for the page's elements. All text becomes text nodes, never markup.

export const $ = (id: string): any => document.getElementById(id);

export function make(tag: string, properties: Record<string, any> = {}, ...children: (Node | string)[]): any {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
}

// Ask for a yes in a dialog, which also works where a frame forbids the browser's own. Esc is a no.
export async function confirms(dialog: HTMLDialogElement) {
    dialog.returnValue = "no";
    dialog.showModal();
    await new Promise((closed) => (dialog.onclose = closed));
    return dialog.returnValue === "yes";
}

const DRAWN = /^(svg|g|path|rect|circle|ellipse|line|polyline|polygon|text|tspan)$/;
const PLAIN =
    /^(class|viewBox|d|points|transform|[xy][12]?|[cr]?[xy]|r|width|height|d[xy]|text-anchor|font-[a-z]+|stroke[a-z-]*)$/;

// Keep of a drawing only what draws: student code may have written it.
export function clean(drawing: string) {
    const { body } = new DOMParser().parseFromString(drawing, "text/html");
    for (const element of body.querySelectorAll("*")) {
        if (!DRAWN.test(element.localName)) element.remove();
        for (const { name } of [...element.attributes]) if (!PLAIN.test(name)) element.removeAttribute(name);
    }
    return body.innerHTML;
}
