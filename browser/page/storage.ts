// What the browser stores; where it refuses, the text stays in memory and the page says so.
import { $ } from "./dom";

const MOST_VERSIONS = 40;
const place = new URL(".", location.href).pathname; // other sites may share the storage
const unstored = new Map<string, string>();

addEventListener("beforeunload", (event) => {
    if ([...unstored.keys()].some((name) => name.endsWith(".py"))) event.preventDefault();
});

export function read(name: string): string | null {
    try {
        return unstored.get(name) ?? localStorage.getItem(place + name);
    } catch {
        return null;
    }
}

export function write(name: string, text: string): boolean {
    try {
        localStorage.setItem(place + name, text);
        unstored.delete(name);
    } catch {
        unstored.set(name, text);
    }
    $("unstored").hidden = !unstored.size;
    return !unstored.has(name);
}

write("visited", ""); // so that the page says at once if nothing can be stored

// --- older versions of the files --------------------------------------------------------------------

export type Version = { name: string; text: string; when: string; why: string };

export const versions = (): Version[] => JSON.parse(read("versions") ?? "[]");

// Keep a version of a file, unless it is the newest already. The oldest ones make room.
export function keep(name: string, text: string, why: string) {
    const older = versions();
    if (older.find((version) => version.name === name)?.text === text) return;
    const all = [{ name, text, why, when: new Date().toISOString() }, ...older].slice(0, MOST_VERSIONS);
    while (!write("versions", JSON.stringify(all)) && all.length > 1) all.pop();
}

export async function removeEverything() {
    unstored.clear();
    try {
        for (const key of Object.keys(localStorage)) if (key.startsWith(place)) localStorage.removeItem(key);
        for (const name of await caches.keys()) if (name.startsWith(place)) await caches.delete(name);
        const workers = await navigator.serviceWorker.getRegistrations();
        for (const one of workers) if (new URL(one.scope).pathname === place) await one.unregister();
    } catch (refused) {
        console.info(refused); // nothing is stored where storage is refused
    }
}
