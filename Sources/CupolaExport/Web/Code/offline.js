// Stores the page's files for use without a network, and updates them when there is one.

const files = ["./", "page.css", "page.js", "recognizer.js", "campus.wasm"];

self.addEventListener("install", (event) => event.waitUntil(Promise.all([...files.map(store), storeMap()])));

async function store(file) {
  const found = await fetch(file, { cache: "no-cache" }).catch(() => null), copy = found?.clone();
  if (found) await keep(new Request(file), found, file === "./").catch(() => {});
  return copy;
}

// Only exports of models with a map contain campus.geojson.
async function storeMap() {
  const manifest = await store("export.json").then((found) => found?.json()).catch(() => null);
  if (manifest?.files["campus.geojson"]) await store("campus.geojson");
}

self.addEventListener("fetch", (event) => {
  const { request } = event, isPage = request.mode === "navigate";
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  event.respondWith(fetch(request).then((found) => {
    event.waitUntil(keep(request, found.clone(), isPage));
    return found;
  }, () => caches.match(request, { ignoreSearch: true })
    // The page has several addresses, such as index.html.
    .then((kept) => kept ?? (isPage ? caches.match("./") : undefined))
    .then((kept) => kept ?? Response.error())));
});

// Some hosts return a page with status 200 for a missing file; do not store it.
async function keep(request, found, isPage) {
  if (!found.ok || (!isPage && found.headers.get("content-type")?.includes("text/html"))) return;
  await (await caches.open("campus")).put(request, found);
}
