// Serves the page without a network: its files, except NumPy's wheel, are stored at the first visit, by their version.
const FILES = ["${files}"];
const PLACE = new URL(".", location.href).pathname;
const CACHE = PLACE + FILES[0].split("/")[0];

self.addEventListener("install", (event) => {
    self.skipWaiting();
    event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(["./", ...FILES])));
});

self.addEventListener("activate", (event) => event.waitUntil(removeOlder()));

async function removeOlder() {
    for (const name of await caches.keys()) {
        if (name.startsWith(PLACE) && name !== CACHE) await caches.delete(name);
    }
    await self.clients.claim();
}

self.addEventListener("fetch", (event) => {
    const { request } = event;
    if (!request.url.startsWith(new URL(".", location.href).href) || request.cache === "no-store") return;
    const name = new URL(request.url).pathname.slice(PLACE.length);
    if (FILES.includes(name)) event.respondWith(stored(name).then((found) => found ?? fetch(request)));
    else if (name === "" || name === "index.html") event.respondWith(newest(request));
});

const stored = (name) => caches.match(name, { cacheName: CACHE });

async function newest(request) {
    const reply = await fetch(request, { signal: AbortSignal.timeout(3000) }).catch(() => null);
    return reply?.ok ? reply : ((await stored("./")) ?? fetch(request));
}
