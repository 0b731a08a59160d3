// Adds photos from files, folders and zips.
// 1. Collect the files of a drop or of a file field. 2. Upload photos, four at a time. 3. Add them in one step that can
// be undone, and list what was not added.

import { make, write } from "./answer.js";
import { object, text } from "./connection.js";
import { act, address, call, choose, list, nameOf, page, pause, plural, say, watch } from "./studio-core.js";
import { filesInZip, mostBytes } from "./studio-zip.js";

// Google Takeout writes times and positions of photos into JSON files next to them.
const mostDropped = 2 ** 31, atOnce = 4, mostTrials = 8, mostListed = 500;
const photoNames = /\.(jpe?g|png|webp|hei[cf]|avif|tiff?|gif|bmp|jxl)$/i, sidecarNames = /\.(jpe?g|png|webp|hei[cf])\.[^/]*json$/i, mapNames = /\.(geojson|json|csv)$/i;
// Files of operating systems, which nobody means to add.
const ownFiles = /(^|\/)(__MACOSX|@eaDir|\.[^/]*|Thumbs\.db|desktop\.ini)(\/|$)/i;
let uploading = null;

// All windows show photos that one of them adds.
watch(({ adding }) => {
  const now = object(adding), isOwn = uploading !== null;
  if (now) showUpload(`Adding photo ${Math.min(now.of, now.done + 1)} of ${now.of}`, now.done, now.of);
  else if (!isOwn) page.upload.hidden = true;
  page["upload-stop"].hidden = now !== null;
});

function showUpload(words, done, of) {
  page.upload.hidden = false;
  write(page["upload-text"], words);
  Object.assign(page["upload-bar"], { max: of, value: done });
}

// MARK: Collecting

// Accepts drops anywhere. `other` returns a function for files if the open step uses them itself.
export function acceptFiles(other) {
  const target = (event) => event.target.closest?.("[data-label]");
  let lit = null;
  const light = (next) => {
    lit?.classList.remove("target");
    next?.classList.add("target");
    lit = next;
  };
  window.addEventListener("dragover", (event) => {
    event.preventDefault();
    light(target(event));
    page.drop.hidden = lit !== null;
    write(page["drop-text"], !page["map-step"].hidden ? "Drop a map" : other() ? "Drop a photo to try" : "Drop folders, photos or zip files");
  });
  window.addEventListener("dragleave", (event) => {
    if (event.relatedTarget) return;
    page.drop.hidden = true;
    light(null);
  });
  window.addEventListener("drop", async (event) => {
    event.preventDefault();
    page.drop.hidden = true;
    const place = lit, transfer = event.dataTransfer;
    light(null);
    if (!transfer) return;
    // The items are only valid during the event.
    const entries = Array.from(transfer.items, (item) => item.kind === "file" ? item.webkitGetAsEntry?.() : null).filter(Boolean);
    const files = Array.from(transfer.files);
    if (!page["map-step"].hidden) return files[0] ? addMap(files[0]) : null;
    const use = other();
    if (use) return use(files);
    const found = entries.length ? await filesOfEntries(entries).catch((error) => say(error.message, true)) : files.map((file) => ({ name: file.name, file }));
    if (found) addFiles(found, place ? { kind: place.dataset.kind, label: place.dataset.label } : null);
  });
  for (const field of [page.files, page.directory]) {
    field.addEventListener("change", () => {
      const found = Array.from(field.files, (file) => ({ name: file.webkitRelativePath || file.name, file }));
      field.value = "";
      addFiles(found, null);
    });
  }
  page["add-files"].addEventListener("click", () => page.files.click());
  page["add-folder"].addEventListener("click", () => page.directory.click());
  page["upload-stop"].addEventListener("click", () => uploading?.abort());
  page["problems-close"].addEventListener("click", () => { page.problems.hidden = true; });
}

async function filesOfEntries(entries, before = "") {
  const found = [];
  for (const entry of entries) {
    const name = before + entry.name;
    if (entry.isFile) found.push({ name, file: await new Promise((done, failed) => entry.file(done, failed)) });
    else {
      const reader = entry.createReader();
      // Each call returns at most 100 entries.
      for (;;) {
        const part = await new Promise((done, failed) => reader.readEntries(done, failed));
        if (!part.length) break;
        found.push(...await filesOfEntries(part, `${name}/`));
      }
    }
  }
  return found;
}

export async function addMap(file) {
  if (file.size > mostBytes) return say(`${file.name}: larger than 64 MB; export only the campus`, true);
  const answer = await act(`api/map?name=${encodeURIComponent(file.name)}`, file, ({ buildings }) => `${file.name}: ${plural(buildings ?? 0, "building")}.`);
  const problems = list(answer?.problems).map((message) => ({ name: file.name, message: text(message) ?? text(message?.message) ?? "" }));
  if (problems.length) showProblems(problems);
}

// MARK: Adding

// Adds files, which have a name with folders and a file or a function that returns it.
export async function addFiles(given, place) {
  if (uploading) return say("Wait until the other photos are added, or stop that.", true);
  const size = given.reduce((sum, { file }) => sum + file.size, 0);
  if (size > mostDropped) return say(`${plural(given.length, "file")} with ${(size / 2 ** 30).toFixed(1)} GB: too much at once; add at most 2 GB`, true);
  uploading = new AbortController();
  try {
    const problems = [], files = await expand(given.filter(({ name }) => !ownFiles.test(name)), problems);
    const isLoose = files.length > 0 && files.every(({ name }) => !name.includes("/"));
    const where = place ?? (isLoose ? await choose(`Which building is on ${files.length === 1 ? files[0].name : `these ${files.length} photos`}?`, "Add") : null);
    if (isLoose && !where) say("Nothing was added.");
    else if (files.length) await upload(withoutOuterFolder(files), where, problems);
    else if (!problems.length) say("There are no photos in what was dropped.", true);
    showProblems(problems);
  } catch (error) {
    say(error.message, true);
  } finally {
    uploading = null;
    page.upload.hidden = true;
  }
}

// Replaces zips by their files, uses maps as the map, and sorts out what is not a photo.
async function expand(given, problems) {
  const files = [];
  for (const { name, file } of given) {
    if (/\.zip$/i.test(name)) {
      try {
        const inside = (await filesInZip(file)).filter((one) => !ownFiles.test(one.name)), folder = name.replace(/\.zip$/i, "");
        const photos = inside.filter((one) => photoNames.test(one.name) || sidecarNames.test(one.name));
        if (photos.reduce((sum, one) => sum + one.size, 0) > mostDropped) throw new Error("more than 2 GB when unpacked; add its folders one by one");
        if (!photos.length && inside.some((one) => /manifest\.json$/.test(one.name))) await addMap(file);
        // Photos without a folder get that of the zip.
        files.push(...photos.map((one) => ({ ...one, name: one.name.includes("/") ? one.name : `${folder}/${one.name}` })));
        problems.push(...inside.filter((one) => !photos.includes(one) && photos.length).map((one) => ({ name: `${name}/${one.name}`, message: "not a photo; not added" })));
      } catch (error) {
        problems.push({ name, message: error.message });
      }
    } else if ((photoNames.test(name) || sidecarNames.test(name)) && file.size <= mostBytes) files.push({ name, size: file.size, file: () => file });
    else if (/\.geojson$/i.test(name) || mapNames.test(name) && given.length === 1) await addMap(file);
    else problems.push({ name, message: photoNames.test(name) ? "larger than 64 MB" : "not a photo; not added" });
  }
  return files;
}

// The folders that contain all files are not buildings, unless the photos are directly in them.
function withoutOuterFolder(files) {
  let names = files.map(({ name }) => name.normalize("NFC"));
  for (;;) {
    const outer = names[0].slice(0, names[0].indexOf("/") + 1);
    if (!outer || !names.every((name) => name.startsWith(outer) && name.indexOf("/", outer.length) > 0)) break;
    names = names.map((name) => name.slice(outer.length));
  }
  return files.map((one, index) => ({ ...one, name: names[index] }));
}

async function upload(files, place, problems) {
  const batch = crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const { signal } = uploading, queue = files.slice();
  let done = 0;
  page["upload-stop"].hidden = false;
  const show = () => showUpload(done < files.length ? `Copying photo ${done + 1} of ${files.length}` : `Adding ${plural(files.length, "photo")}...`, done, files.length);
  show();
  const work = async () => {
    for (let next = queue.shift(); next && !signal.aborted; next = queue.shift()) {
      try {
        await send(next, batch, signal);
      } catch (error) {
        if (signal.aborted) return;
        if (error.isFinal) throw error;
        problems.push({ name: next.name, message: error.message });
      }
      done += 1;
      show();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (signal.aborted) return say("Stopped. Nothing was added.");
  const answer = await call("api/add", { batch, label: place?.label ?? null, kind: place?.kind ?? "photos" });
  problems.push(...list(answer.problems).map((one) => ({ name: text(one.name) ?? "", message: text(one.message) ?? "" })));
  say(`${plural(answer.added ?? 0, "photo")} added${place ? ` to ${nameOf(place.label, place.kind)}` : ""}${problems.length ? `, ${plural(problems.length, "problem")}` : ""}.`);
}

// Sends a file again if the server does not answer.
async function send({ name, file }, batch, signal) {
  const body = await file(), path = address(`api/upload?batch=${encodeURIComponent(batch)}&name=${encodeURIComponent(name)}`);
  for (let trial = 1; ; trial += 1) {
    const response = await fetch(path, { method: "POST", body, headers: { "Content-Type": "application/octet-stream" }, signal }).catch(() => null);
    if (response?.ok || signal.aborted) return;
    const message = response ? text((await response.json().catch(() => null))?.message) ?? `status ${response.status}` : null;
    if (response && response.status !== 503) throw new Error(message);
    if (trial === mostTrials) throw Object.assign(new Error("The server does not answer. Nothing was added; add the photos again."), { isFinal: true });
    await pause(500);
  }
}

function showProblems(problems) {
  page.problems.hidden = !problems.length;
  if (!problems.length) return;
  page.problems.open = true;
  write(page["problems-title"], `${plural(problems.length, "file")} with problems`);
  page["problems-list"].replaceChildren(...problems.slice(0, mostListed).map(({ name, message }) => {
    const row = make("li");
    row.append(Object.assign(make("b"), { textContent: name }), `: ${message.startsWith(`${name}: `) ? message.slice(name.length + 2) : message}`);
    return row;
  }));
}
