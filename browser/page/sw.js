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
    if (request.cache === "no-store") return;
    const isIndex = new URL(request.url).pathname.replace("index.html", "") === PLACE;
    event.respondWith(isIndex ? newest(request) : stored(request));
});

const stored = async (request) => (await caches.match(request, { cacheName: CACHE })) ?? fetch(request);

async function newest(request) {
    const reply = await fetch(request, { signal: AbortSignal.timeout(3000) }).catch(() => null);
    return reply?.ok ? reply : stored("./");
}
