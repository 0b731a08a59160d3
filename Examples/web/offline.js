// Stores the page's files for use without a network, and updates them when there is one.

const files = ["./", "page.css", "page.js", "recognizer.js", "campus.wasm", "campus.geojson"];

self.addEventListener("install", (event) => event.waitUntil(caches.open("campus").then((kept) =>
  Promise.all(files.map((file) => kept.add(file).catch(() => {}))))));

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(fetch(event.request).then((found) => {
    // Some hosts return a page with status 200 for a missing file; do not store it.
    const isPage = found.headers.get("content-type")?.includes("text/html");
    if (found.ok && (!isPage || event.request.mode === "navigate")) {
      const copy = found.clone();
      event.waitUntil(caches.open("campus").then((kept) => kept.put(event.request, copy)));
    }
    return found;
  }, () => caches.match(event.request, { ignoreSearch: true })
    // The page has several addresses, such as index.html.
    .then((kept) => kept ?? (event.request.mode === "navigate" ? caches.match("./") : undefined))
    .then((kept) => kept ?? Response.error())));
});
