// Serves the page without a network: its files are stored at the first visit, by their version.
const FILES = ["{{files}}"];
const PLACE = new URL(".", location.href).pathname;
const CACHE = PLACE + "{{version}}";
const WAIT = 3000; // milliseconds for a newer index.html, if one is stored

self.addEventListener("install", (event) => {
    self.skipWaiting();
    event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(["./", ...FILES])));
});

self.addEventListener("activate", (event) => {
    event.waitUntil(removeOlder());
});

async function removeOlder() {
    for (const name of await caches.keys()) {
        if (name.startsWith(PLACE) && name !== CACHE) await caches.delete(name);
    }
    await self.clients.claim();
}

self.addEventListener("fetch", (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (request.method !== "GET" || origin !== location.origin || !pathname.startsWith(PLACE)) return;
    if (request.cache === "no-store") return; // the page looks for a new version
    const name = pathname.slice(PLACE.length);
    if (FILES.includes(name)) event.respondWith(fromCache(request));
    else if (name === "" || name === "index.html") event.respondWith(newest(request));
});

async function fromCache(request) {
    return (await caches.match(request, { cacheName: CACHE, ignoreSearch: true })) ?? fetch(request);
}

async function newest(request) {
    const stored = await caches.match("./", { cacheName: CACHE });
    const late = new Promise((done) => setTimeout(done, WAIT, stored));
    try {
        const reply = await (stored ? Promise.race([fetch(request), late]) : fetch(request));
        return reply.ok || !stored ? reply : stored;
    } catch (failed) {
        if (stored) return stored;
        throw failed;
    }
}
