// The step Try: answers photos and camera frames with the trained model, and moves photos to the right building.

import { AnswerView, inWords, write } from "./answer.js";
import { askPhoto, keepPhoto, text } from "./connection.js";
import { CampusMap } from "./map.js";
import { Source } from "./source.js";
import { address, call, choose, folders, isNew, list, nameOf, page, pause, say, state, watch } from "./studio-core.js";
import { buildingsOf } from "./studio-map.js";
import { thumb } from "./studio-photos.js";

// The pause between frames of the camera in milliseconds.
const framePause = 300;
const view = new AnswerView(page);
const map = new CampusMap(page["try-map"], () => {});
let hasOverlay = false, shown = "", lastFrame = null, isAsking = false;

const source = new Source(page.video, page.photo, {
  changed: showSource,
  frame: askFrame,
  message: (words) => say(words, true),
  failed(reason) {
    showSource();
    write(page["start-text"], reason);
  },
});

export function startTry() {
  map.isSettable = false;
  page["try-open"].addEventListener("click", () => page["try-files"].click());
  page["try-files"].addEventListener("change", () => {
    if (page["try-files"].files.length) source.open(page["try-files"].files);
    page["try-files"].value = "";
  });
  page["try-camera"].addEventListener("click", () => source.kind === "camera" ? source.stop() : source.startCamera());
  page["try-why"].addEventListener("click", turnOverlay);
  page.wrong.addEventListener("click", correct);
  page.previous.addEventListener("click", () => turn(-1));
  page.next.addEventListener("click", () => turn(1));
  page.try.addEventListener("keydown", (event) => {
    if (event.target.closest("input, video") || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") turn(event.key === "ArrowLeft" ? -1 : 1);
  });
  new MutationObserver(() => { if (page.try.hidden && source.kind === "camera") source.stop(); }).observe(page.try, { attributeFilter: ["hidden"] });
  watch(({ model, map: found }) => {
    const buildings = buildingsOf(found);
    page["try-open"].disabled = page["try-camera"].disabled = !model;
    if (source.kind === null) write(page["start-text"], model ? "Drop a photo that was not used for training, or start the camera." : "Train a model first.");
    if (!isNew("try", model ?? null, found ?? null, folders())) return;
    view.campus = { labels: folders().map(({ label }) => label), buildings: new Map([...folders().map(({ label, name }) => [label, { label, name, record: null }]), ...buildings.map((one) => [one.label, one])]) };
    map.load({ fence: list(found?.fence), buildings });
  });
}

export function tryFiles(files) {
  if (!state?.model) return say("Train a model first.", true);
  source.open(files);
}

function turn(step) {
  const { length } = source.files;
  if (length > 1) source.show((source.index + step + length) % length);
}

function showSource() {
  const { kind, files, index } = source, isCamera = kind === "camera", isPhoto = kind === "photo";
  page.stage.classList.toggle("idle", kind === null);
  page.start.hidden = kind !== null;
  if (kind === null) write(page["start-text"], source.isStarting ? "Waiting for the camera. Allow access if the browser asks for it." : source.whyNoCamera ?? "No photo");
  page.video.hidden = !isCamera && kind !== "video";
  page.photo.hidden = !isPhoto;
  write(page["try-camera"], isCamera ? "Stop camera" : "Start camera");
  page.previous.hidden = page.next.hidden = files.length < 2;
  write(page.which, files.length ? `${index + 1} of ${files.length}: ${files[index].name}` : "");
  if (shown !== `${source.turn} ${kind}`) {
    view.clear(kind === null ? "No photo yet" : "Recognizing...", isPhoto);
    [page.nearest.hidden, page.place.hidden, page.wrong.disabled, lastFrame] = [true, true, true, null];
    if (isPhoto) ask(source.photo).then(findNearest);
  }
  shown = `${source.turn} ${kind}`;
  fitStage();
}

function fitStage() {
  const [width, height] = source.size ?? [4, 3], scale = 640 / Math.max(width, height);
  page.stage.style.aspectRatio = `${width} / ${height}`;
  Object.assign(page.overlay, { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) });
  page.overlay.hidden = source.kind === null || !hasOverlay;
  page.legend.hidden = !hasOverlay;
  page.stage.classList.toggle("overlaid", !page.overlay.hidden);
}

async function ask(photo) {
  const { turn } = source, isExplained = hasOverlay;
  try {
    const answer = await askPhoto(photo, address(isExplained ? "api/try?overlay=1" : "api/try"));
    if (turn !== source.turn || isExplained !== hasOverlay) return;
    view.show(answer);
    page.wrong.disabled = false;
    page.place.hidden = !answer.place;
    map.mark(answer.place);
    map.name(answer.verdict === "building" || answer.verdict === "mapped_building" ? answer.label : null);
    map.focus(answer.place, answer.label ? [answer.label] : [], true);
  } catch (error) {
    if (turn !== source.turn) return;
    view.clear("No answer");
    say(error.message, true);
  }
}

// Shows the training photo that is most similar. This takes longer than the answer.
async function findNearest() {
  const { turn, photo } = source;
  if (!photo || page.wrong.disabled) return;
  page.nearest.hidden = false;
  page["nearest-photo"].hidden = true;
  write(page["nearest-name"], "searching...");
  const path = text((await call("api/nearest", photo.file).catch(() => null))?.photo);
  if (turn !== source.turn) return;
  page.nearest.hidden = !path;
  if (!path) return;
  const [kind, label] = path.split("/"), name = `${nameOf(label, kind)}, ${path.split("/").pop()}`;
  Object.assign(page["nearest-photo"], { src: thumb(path), alt: name, hidden: false });
  write(page["nearest-name"], name);
}

// Asks about one frame of the camera after the other.
async function askFrame() {
  if (isAsking || document.hidden || page.try.hidden || !source.hasFrame) return;
  isAsking = true;
  const frame = await source.frame();
  if (frame && source.kind === "camera") {
    lastFrame = { file: frame, smaller: async () => null };
    await ask(lastFrame);
  }
  await pause(framePause);
  isAsking = false;
}

function turnOverlay() {
  hasOverlay = !hasOverlay;
  page["try-why"].setAttribute("aria-pressed", hasOverlay);
  fitStage();
  if (source.photo) ask(source.photo);
}

// Adds the photo to the folder that the user chooses.
async function correct() {
  const photo = source.photo ?? lastFrame;
  const folder = photo ? await choose("What is on this photo?", "Add") : null;
  if (!folder) return page.wrong.focus();
  try {
    const kind = folder.kind === "negatives" ? "&kind=negatives" : "";
    const { label } = await keepPhoto(photo, address(`api/keep?label=${encodeURIComponent(folder.label)}${kind}`));
    say(`Added to ${text(folder.name) ?? inWords(label)}. Train again to use it.`);
  } catch (error) {
    say(error.message, true);
  }
  page.wrong.focus();
}
