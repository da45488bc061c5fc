// Small helpers for the page's elements. All text becomes text nodes, never markup.

/** @type {(id: string) => any} */
export const $ = (id) => document.getElementById(id);

/**
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Node | string)} children
 * @returns {any}
 */
export function make(tag, properties = {}, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
}

// Ask in a dialog, which also works where a frame forbids the browser's own. Esc gives "".
/**
 * @param {string} title
 * @param {(Node | string)[]} content
 * @param {string[]} choices
 * @returns {Promise<string>}
 */
export function ask(title, content, choices) {
    const dialog = $("dialog");
    const buttons = choices.map((value) => make("button", { value, textContent: value }));
    const form = make("form", { method: "dialog", className: "bar" }, ...buttons);
    dialog.replaceChildren(make("h2", { textContent: title }), ...content, form);
    dialog.returnValue = "";
    dialog.showModal();
    return new Promise((answered) => {
        dialog.onclose = () => answered(dialog.returnValue);
    });
}

// Show one line above the page until it is removed, with buttons for what can be done about it.
/**
 * @param {string} id
 * @param {string} words
 * @param {Record<string, () => void>} [actions]
 */
export function notice(id, words, actions = {}) {
    $(`notice-${id}`)?.remove();
    if (!words) return;
    const line = make("p", { id: `notice-${id}`, textContent: `${words} ` });
    for (const [textContent, act] of Object.entries(actions)) {
        line.append(make("button", { type: "button", textContent, onclick: act }), " ");
    }
    $("notices").append(line);
}

const DRAWN = /^(svg|g|path|rect|circle|ellipse|line|polyline|polygon|text|tspan)$/;
const PLAIN =
    /^(class|viewBox|d|points|transform|[xy][12]?|[cr]?[xy]|r|width|height|d[xy]|text-anchor|font-[a-z]+|stroke[a-z-]*)$/;

// Keep of a drawing only what draws: student code may have written it.
export function clean(/** @type {string} */ drawing) {
    const { body } = new DOMParser().parseFromString(drawing, "text/html");
    for (const element of body.querySelectorAll("*")) {
        if (!DRAWN.test(element.localName)) element.remove();
        for (const { name } of [...element.attributes]) if (!PLAIN.test(name)) element.removeAttribute(name);
    }
    return body.innerHTML;
}
