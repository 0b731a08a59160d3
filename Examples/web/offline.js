// Keeps the page's files, so that it works where the network does not; asks for newer ones when it is there.

const files = ["./", "page.css", "page.js", "recognizer.js", "campus.wasm", "campus.geojson"];

self.addEventListener("install", (event) => event.waitUntil(caches.open("campus").then((kept) =>
  Promise.all(files.map((file) => kept.add(file).catch(() => {}))))));

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(fetch(event.request).then((found) => {
    if (found.ok) {
      const copy = found.clone();
      event.waitUntil(caches.open("campus").then((kept) => kept.put(event.request, copy)));
    }
    return found;
  }, () => caches.match(event.request, { ignoreSearch: true })
    // The page has more addresses than one, such as index.html.
    .then((kept) => kept ?? (event.request.mode === "navigate" ? caches.match("./") : undefined))
    .then((kept) => kept ?? Response.error())));
});
