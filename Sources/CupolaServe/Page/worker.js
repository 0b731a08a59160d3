// Stores the visitors' page and its data, so that both open without a connection. Always asks the server first.

const shelf = "cupola-visit-1";
// The time in milliseconds after which the stored file is used instead.
const longestWait = 4000;
const names = ["./", "visit.css", "visit.js", "plan.js", "places.json", "map.json"];
const shared = ["../page.css", "../answer.js", "../connection.js", "../map.js", "../position.js", "../source.js"];
const stored = [...names, ...shared].map((name) => new URL(name, self.location).href);

self.addEventListener("install", (event) => {
  const filled = caches.open(shelf).then((cache) => cache.addAll(stored));
  event.waitUntil(filled.then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const address = event.request.url.replace(/[?#].*/, "");
  if (event.request.method === "GET" && stored.includes(address)) event.respondWith(answer(event, address));
});

async function answer(event, address) {
  const cache = await caches.open(shelf), kept = await cache.match(address);
  const fresh = fetch(event.request).then(async (response) => {
    if (response.ok) await cache.put(address, response.clone());
    return response.ok || !kept ? response : kept;
  });
  if (!kept) return fresh;
  return Promise.race([fresh.catch(() => kept), new Promise((done) => setTimeout(done, longestWait, kept))]);
}
