// What the browser stores; where it refuses, the text stays in memory and the page says so.
import { notice } from "./dom.js";

const FULL = "This browser stores nothing here: save your files before you close the page.";
const MOST_VERSIONS = 40;
const place = new URL(".", location.href).pathname; // other sites may share the storage
/** @type {Map<string, string>} */
const unstored = new Map();

addEventListener("beforeunload", (event) => {
    if ([...unstored.keys()].some((name) => name.endsWith(".py"))) event.preventDefault();
});

/** @type {(name: string) => string | null} */
export function read(name) {
    try {
        return unstored.get(name) ?? localStorage.getItem(place + name);
    } catch {
        return null;
    }
}

/** @type {(name: string, text: string) => boolean} */
export function write(name, text) {
    try {
        localStorage.setItem(place + name, text);
        unstored.delete(name);
    } catch {
        unstored.set(name, text);
    }
    notice("full", unstored.size ? FULL : "");
    return !unstored.has(name);
}

write("visited", ""); // so that the page says at once if nothing can be stored

// Call `heard` with the name of what another tab has written.
export function listen(/** @type {(name: string) => void} */ heard) {
    addEventListener("storage", ({ key }) => key?.startsWith(place) && heard(key.slice(place.length)));
}

// --- older versions of the files --------------------------------------------------------------------

/** @typedef {{name: string, text: string, when: string, why: string}} Version */

/** @returns {Version[]} */
export const versions = () => JSON.parse(read("versions") ?? "[]");

// Keep a version of a file, unless it is the newest already. The oldest ones make room.
export function keep(/** @type {string} */ name, /** @type {string} */ text, /** @type {string} */ why) {
    const older = versions();
    if (older.find((version) => version.name === name)?.text === text) return;
    const all = [{ name, text, why, when: new Date().toISOString() }, ...older];
    let count = MOST_VERSIONS;
    while (!write("versions", JSON.stringify(all.slice(0, count))) && count > 1)
        count = Math.floor(count / 2);
}

export async function removeEverything() {
    unstored.clear();
    try {
        Object.keys(localStorage)
            .filter((key) => key.startsWith(place))
            .forEach((key) => localStorage.removeItem(key));
        for (const name of await caches.keys()) if (name.startsWith(place)) await caches.delete(name);
        const workers = await navigator.serviceWorker.getRegistrations();
        for (const one of workers) if (new URL(one.scope).pathname === place) await one.unregister();
    } catch (refused) {
        console.info(refused); // nothing is stored where storage is refused
    }
}
