// Adds photos from files, folders and zips.
// 1. Collect the files of a drop or of a file field. 2. Upload photos, four at a time. 3. Add them in one step that can
// be undone, and list what was not added.

import { make, write } from "./answer.js";
import { object, text } from "./connection.js";
import { act, address, call, choose, list, nameOf, page, pause, plural, say, watch } from "./studio-core.js";
import { filesInZip, mostBytes } from "./studio-zip.js";

// Google Takeout writes times and positions of photos into JSON files next to them.
const mostDropped = 2 ** 31, atOnce = 4, mostListed = 500;
// The number of seconds to wait for a server that does not answer, and of attempts if it has lost files by a restart.
const patience = 60, mostRounds = 4;
const photoNames = /\.(jpe?g|png|webp|hei[cf]|avif|tiff?|gif|bmp|jxl)$/i, sidecarNames = /\.(jpe?g|png|webp|hei[cf])\.[^/]*json$/i, mapNames = /\.(geojson|json|csv)$/i;
const rawNames = /\.(dng|cr[23w]|nef|arw|raf|orf|rw2|pef|srw)$/i, movieNames = /\.(mov|mp4|m4v|avi|webm|mkv|3gp)$/i;
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
  const problems = await useMap(file);
  if (problems.length) showProblems(problems);
}

// Makes a file the map, and returns its problems.
async function useMap(file) {
  if (file.size > mostBytes) return [{ name: file.name, message: "larger than 64 MB; export only the campus" }];
  const answer = await act(`api/map?name=${encodeURIComponent(file.name)}`, file, ({ message }) => `${message}.`);
  return list(answer?.problems).map((message) => ({ name: file.name, message }));
}

// MARK: Adding

// Adds files, which have a name with folders and a file or a function that returns it.
export async function addFiles(given, place) {
  if (uploading) return say("Wait until the other photos are added, or stop that.", true);
  const size = given.reduce((sum, { file }) => sum + file.size, 0);
  if (size > mostDropped) return say(`${plural(given.length, "file")} with ${(size / 2 ** 30).toFixed(1)} GB: too much at once; add at most 2 GB`, true);
  await whileUploading(async (problems) => {
    const { files, maps } = await expand(given.filter(({ name }) => !ownFiles.test(name)), problems);
    const isLoose = files.length > 0 && files.every(({ name }) => !name.includes("/"));
    const where = place ?? (isLoose ? await choose(`Which building is on ${files.length === 1 ? files[0].name : `these ${files.length} photos`}?`, "Add") : null);
    if (isLoose && !where) say("Nothing was added.");
    else if (files.length) await upload(files, where, problems);
    else if (!problems.length && !maps.length) say("There are no photos in what was dropped.", true);
  });
}

// Why a file is not added, by its name.
function reasonFor(name) {
  if (rawNames.test(name)) return "raw photo; export it as JPEG with a photo program";
  return photoNames.test(name) ? "larger than 64 MB; reduce its size" : `${movieNames.test(name) ? "a video, " : ""}not a photo; not added`;
}

async function whileUploading(work) {
  const problems = [];
  uploading = new AbortController();
  try {
    await work(problems);
  } catch (error) {
    say(error.message, true);
  }
  uploading = null;
  page.upload.hidden = true;
  showProblems(problems);
}

// Replaces zips by their files, uses maps as the map, and sorts out what is not a photo.
async function expand(given, problems) {
  const files = [], maps = [];
  for (const { name, file } of given) {
    if (/\.zip$/i.test(name)) {
      try {
        const inside = (await filesInZip(file)).filter((one) => !ownFiles.test(one.name)), folder = name.replace(/\.zip$/i, "");
        const photos = inside.filter((one) => photoNames.test(one.name) || sidecarNames.test(one.name));
        if (photos.reduce((sum, one) => sum + one.size, 0) > mostDropped) throw new Error("more than 2 GB when unpacked; add its folders one by one");
        if (!photos.length && inside.some((one) => /manifest\.json$/.test(one.name))) maps.push(file);
        // Photos without a folder get that of the zip.
        files.push(...photos.map((one) => ({ ...one, name: one.name.includes("/") ? one.name : `${folder}/${one.name}` })));
        problems.push(...inside.filter((one) => !photos.includes(one) && photos.length).map((one) => ({ name: `${name}/${one.name}`, message: reasonFor(one.name) })));
      } catch (error) {
        problems.push({ name, message: error.message });
      }
    } else if ((photoNames.test(name) || sidecarNames.test(name)) && file.size <= mostBytes) files.push({ name, size: file.size, file: () => file });
    else if (/\.geojson$/i.test(name) || mapNames.test(name) && given.length === 1) maps.push(file);
    else problems.push({ name, message: reasonFor(name) });
  }
  for (const map of maps) problems.push(...await useMap(map));
  return { files, maps };
}

// Copies files to the server and adds them. What is not added is listed in `problems`, with the file for another attempt.
async function upload(given, place, problems) {
  const files = given.map((one) => ({ ...one, name: one.name.normalize("NFC") })), { signal } = uploading;
  const batch = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const refused = new Map();
  page["upload-stop"].hidden = false;
  try {
    let missing = files;
    for (let round = 0; missing.length && round < mostRounds; round += 1) {
      await copy(missing, { batch, signal, refused });
      if (signal.aborted) return say("Stopped. Nothing was added.");
      // A server that was restarted has lost what it received before.
      const received = new Set(list((await insist("api/batch", { batch }, signal)).names).map((name) => name.normalize("NFC")));
      missing = files.filter((one) => !refused.has(one) && !received.has(one.name));
    }
    for (const one of missing) refused.set(one, "the server did not receive it");
    if (refused.size < files.length) {
      const answer = await call("api/add", { batch, label: place?.label ?? null, kind: place?.kind ?? "photos" });
      problems.push(...list(answer.problems));
      const odd = problems.length + refused.size, note = text(answer.note);
      say(`${plural(answer.added, "photo")} added${place ? ` to ${nameOf(place.label, place.kind)}` : ""}${odd ? `, ${plural(odd, "problem")}` : ""}.${note ? ` ${note}.` : ""}`);
    }
  } catch (error) {
    if (signal.aborted) return say("Stopped. Nothing was added.");
    for (const one of files) if (!refused.has(one)) refused.set(one, error.cause ? "not added; the server did not answer" : error.message);
    say(error.message, true);
  }
  problems.push(...Array.from(refused, ([file, message]) => ({ name: file.name, message, again: { file, place } })));
}

async function copy(files, { batch, signal, refused }) {
  const queue = files.slice();
  let done = 0;
  const show = () => showUpload(done < files.length ? `Copying photo ${done + 1} of ${files.length}` : `Adding ${plural(files.length, "photo")}...`, done, files.length);
  show();
  const work = async () => {
    for (let next = queue.shift(); next && !signal.aborted; next = queue.shift()) {
      try {
        const body = await next.file();
        // Fails if the file was removed meanwhile.
        await body.slice(0, 1).arrayBuffer();
        await insist(`api/upload?batch=${batch}&name=${encodeURIComponent(next.name)}`, body, signal);
      } catch (error) {
        // Other files would not arrive either.
        if (error.cause) queue.length = 0;
        if (error.cause) throw error;
        refused.set(next, error.message);
      }
      done += 1;
      show();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

// Repeats a request if the server does not answer or is busy.
async function insist(path, body, signal) {
  for (let trial = 0; ; trial += 1) {
    try {
      return await call(path, body, signal);
    } catch (error) {
      const isBusy = error.cause || error.status === 503;
      if (signal.aborted || !isBusy || trial === patience) throw error;
      if (error.cause) write(page["upload-text"], "The server does not answer. Trying again...");
      await pause(1000);
    }
  }
}

function showProblems(problems) {
  const failed = problems.filter(({ again }) => again).map(({ again }) => again);
  page.problems.hidden = !problems.length;
  if (!problems.length) return;
  page.problems.open = true;
  write(page["problems-title"], `${plural(problems.length, "file")} with problems`);
  page["problems-list"].replaceChildren(...problems.slice(0, mostListed).map(({ name, message }) => {
    const row = make("li");
    row.append(Object.assign(make("b"), { textContent: name }), `: ${message.startsWith(`${name}: `) ? message.slice(name.length + 2) : message}`);
    return row;
  }));
  page["problems-again"].hidden = !failed.length;
  write(page["problems-again"], `Add ${plural(failed.length, "file")} again`);
  page["problems-again"].onclick = () => uploading ? null : whileUploading((found) => upload(failed.map(({ file }) => file), failed[0].place, found));
}
