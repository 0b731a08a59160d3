// The page: recognizes camera frames or a photo. No data leaves the device.

import { placeIn, Recognizer, Scene } from "./recognizer.js";

const page = Object.fromEntries(Array.from(document.querySelectorAll("[id]"), (found) => [found.id, found]));
const canvas = document.createElement("canvas");
// The maximum side of video frames; photos may be as large as the recognizer allows.
const longestSide = 960;
const hidden = new Set(["name", "label", "role", "id"]);

let recognizer, scene, records = new Map(), place = null, watch = null, stream = null;

async function load() {
  try {
    recognizer = await Recognizer.load(await fetched("campus.wasm"));
    records = await fetched("campus.geojson").then((found) => found.json())
      .then(({ features }) => new Map(features.map(({ properties }) => [properties?.label, properties]))).catch(() => new Map());
  } catch (error) {
    return write(page.message, `The model could not be loaded: ${error.message}`);
  }
  page.camera.disabled = page.file.disabled = false;
  write(page.message, "");
  // Once loaded, the page works offline.
  navigator.serviceWorker?.register("offline.js").catch(() => {});
}

async function fetched(name) {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  // Some hosts return a page with status 200 for a missing file.
  if (response.headers.get("content-type")?.includes("text/html")) throw new Error(`${name} is missing on the server`);
  return response;
}

// MARK: Frames

// The pixels of an image, reduced to at most `most` on the longer side.
function pixels(picture, width, height, most) {
  const scale = Math.min(1, most / Math.max(width, height));
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext("2d", { willReadFrequently: true });
  // Transparent pixels would otherwise be black.
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

function look() {
  const { video } = page;
  if (!stream) return;
  if (video.readyState >= 2 && !document.hidden) {
    const at = here();
    if (at && recognizer.isOffCampus(at)) show({ verdict: "not_on_campus" });
    else {
      const frame = pixels(video, video.videoWidth, video.videoHeight, longestSide);
      const now = performance.now(), probabilities = scene.update(recognizer.look(frame), now);
      show(scene.show(recognizer.answer(probabilities, at), now), at);
    }
  }
  requestAnimationFrame(look);
}

async function startCamera() {
  if (stream) return stopCamera();
  if (!navigator.mediaDevices?.getUserMedia) return write(page.message, "Browsers allow the camera only on https pages. Open a photo instead.");
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

// Recognizes a photo by itself, with its own position. The position of the device does not matter.
async function openPhoto() {
  const [file] = page.file.files;
  page.file.value = "";
  if (!file) return;
  stopCamera();
  try {
    const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
    const frame = pixels(picture, picture.width, picture.height, Math.floor(Math.sqrt(recognizer.mostPixels)));
    Object.assign(page.photo, { width: frame.width, height: frame.height, hidden: false });
    page.photo.getContext("2d").putImageData(frame, 0, 0);
    const own = await placeIn(file, frame.width < frame.height);
    show(recognizer.answer(recognizer.look(frame), own), own);
    write(page.message, own ? "" : "This photo contains no position, so no position was used.");
  } catch {
    show({ verdict: "none" });
    write(page.message, `${file.name} cannot be read as a photo.`);
  }
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

function show({ verdict, first, second, probability }, at = null) {
  // The titles are those of `cupola classify`.
  const texts = {
    building: [first?.name, `${(100 * probability).toFixed(1)}%`],
    mapped_building: [`Probably ${first?.name}`, `no training photos; based on position ${Number.isFinite(at?.heading) ? "and heading only" : "only"}`],
    unsure: [`Unsure: ${first?.name} or ${second?.name}`, ""],
    not_a_campus_building: ["Not a Campus Building", ""],
    not_on_campus: ["Not on Campus", ""],
    looking: ["Looking...", "Keep the building in the center."],
    none: ["", ""],
  };
  const [words, detail] = texts[verdict];
  write(page.answer, words);
  write(page.detail, detail);
  const record = verdict === "building" || verdict === "mapped_building" ? records.get(first.label) ?? {} : {};
  const facts = Object.entries(record).filter(([key, value]) => !hidden.has(key) && ["string", "number"].includes(typeof value));
  page.answer.dataset.verdict = verdict;
  const shown = `${verdict} ${first?.label}`;
  if (page.record.dataset.shown === shown) return;
  page.record.dataset.shown = shown;
  page.record.replaceChildren(...facts.flatMap(([key, value]) => [
    Object.assign(document.createElement("dt"), { textContent: key.replaceAll("_", " ") }),
    Object.assign(document.createElement("dd"), { textContent: value }),
  ]));
}

function write(element, words) {
  if (element.textContent !== words) element.textContent = words;
}

page.camera.addEventListener("click", startCamera);
page.file.addEventListener("change", openPhoto);
load();
