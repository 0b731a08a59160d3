// The page: recognizes camera images or a photo. No data leaves the device.

import { CampusRecognizer, Scene, pixels, placeIn } from "./recognizer.js";

const page = Object.fromEntries(Array.from(document.querySelectorAll("[id]"), (found) => [found.id, found]));
// The maximum size of camera images.
const mostPixels = 960 * 720;
const hidden = new Set(["name", "label", "role", "id"]);

let recognizer, scene, place = null, watch = null, stream = null, photos = 0;

async function load() {
  write(page.message, "Loading the buildings...");
  try {
    recognizer = await CampusRecognizer.load();
  } catch (error) {
    return write(page.message, error.message);
  }
  if (recognizer.notes.name) document.title = recognizer.notes.name;
  page.camera.disabled = page.file.disabled = false;
  write(page.message, "");
  // Once loaded, the page works offline.
  navigator.serviceWorker?.register("offline.js").catch(() => {});
  if (location.search === "?check") await checkBrowser();
}

// MARK: Camera

function look() {
  const { video } = page;
  if (!stream) return;
  if (video.readyState >= 2 && !document.hidden) {
    const at = here(), frame = pixels(video, video.videoWidth, video.videoHeight, mostPixels), now = performance.now();
    if (at && recognizer.isOffCampus(at)) show(recognizer.judge([], at));
    else {
      const answer = scene.show(recognizer.judge(scene.update(recognizer.look(frame), now), at), now);
      // The reasons for other answers change with every image.
      show(["unsure", "not_a_campus_building"].includes(answer.verdict) ? { ...answer, detail: "" } : answer);
    }
  }
  requestAnimationFrame(look);
}

async function startCamera() {
  if (stream) return stopCamera();
  if (!navigator.mediaDevices?.getUserMedia) return write(page.message, "Browsers allow the camera only on https pages. Open a photo instead.");
  photos++;
  // Without this, a second click would start a camera that no button stops.
  page.camera.disabled = true;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: { ideal: "environment" }, width: { ideal: 1280 } } });
  } catch (error) {
    return write(page.message, `The camera cannot be started (${error.message}). Open a photo instead.`);
  } finally {
    page.camera.disabled = false;
  }
  follow();
  scene = new Scene();
  page.video.srcObject = stream;
  await page.video.play();
  [page.video.hidden, page.photo.hidden] = [false, true];
  write(page.camera, "Stop camera");
  write(page.message, "");
  look();
}

function stopCamera() {
  stream?.getTracks().forEach((track) => track.stop());
  stream = page.video.srcObject = null;
  if (watch) navigator.geolocation.clearWatch(watch);
  watch = place = null;
  page.video.hidden = true;
  write(page.camera, "Start camera");
}

// MARK: Photos

// Recognizes a photo by itself, with its own position. The position of the device does not matter.
async function openPhoto(file) {
  if (!file || !recognizer) return;
  stopCamera();
  const number = ++photos;
  try {
    const { p, frame } = await recognizer.probabilities(file), own = await placeIn(file, frame.width < frame.height);
    // Another photo was opened or the camera started meanwhile.
    if (number !== photos) return;
    Object.assign(page.photo, { width: frame.width, height: frame.height, hidden: false });
    page.photo.getContext("2d").putImageData(frame, 0, 0);
    show(recognizer.judge(p, own));
    write(page.message, own ? "" : "This photo contains no position, so no position was used.");
  } catch {
    page.photo.hidden = true;
    show({ verdict: "none", title: "", detail: "" });
    write(page.message, `${file.name} cannot be read as a photo.`);
  }
}

page.file.addEventListener("change", () => {
  const [file] = page.file.files;
  openPhoto(file);
  page.file.value = "";
});

for (const kind of ["dragover", "dragleave", "drop"]) {
  addEventListener(kind, (event) => {
    event.preventDefault();
    document.body.classList.toggle("dropping", kind === "dragover");
    if (kind === "drop") openPhoto(event.dataTransfer.files[0]);
  });
}

// MARK: Position

function follow() {
  watch ??= navigator.geolocation?.watchPosition(({ coords, timestamp }) => { place = { coords, timestamp }; }, () => { place = null; },
    { enableHighAccuracy: true });
}

function here() {
  if (!place || Date.now() - place.timestamp > 30_000) return null;
  const { latitude, longitude, accuracy } = place.coords;
  return { latitude, longitude, accuracy };
}

// MARK: The answer

function show({ verdict, title, detail, record }) {
  write(page.answer, title);
  write(page.detail, detail ?? "");
  page.answer.dataset.verdict = verdict;
  if (page.record.dataset.title === title) return;
  page.record.dataset.title = title;
  list(Object.entries(record ?? {}).filter(([key, value]) => !hidden.has(key) && ["string", "number"].includes(typeof value)));
}

function list(facts) {
  page.record.replaceChildren(...facts.flatMap(([key, value]) => [
    Object.assign(document.createElement("dt"), { textContent: key.replaceAll("_", " ") }),
    Object.assign(document.createElement("dd"), { textContent: value }),
  ]));
}

function write(element, words) {
  if (element.textContent !== words) element.textContent = words;
}

// Compares this browser's answers for the test photos with Cupola's.
async function checkBrowser() {
  const { check } = await import("./check.js"), results = await check(recognizer);
  write(page.answer, results.every(({ passes }) => passes) ? "All photos passed" : "Some photos failed");
  write(page.detail, "");
  list(results.map(({ file, kind, passes, difference }) =>
    [file, `${passes ? "passed" : "FAILED"} (${kind.replaceAll("_", " ")}), difference ${difference.toExponential(1)}`]));
}

page.camera.addEventListener("click", startCamera);
load();
