// The page served by `cupola serve`. It sends frames from cameras and videos, and photos, and shows the answers.

import { AnswerView, inWords, make, write } from "./answer.js";
import { askPhoto, Connection, keepPhoto, object, text } from "./connection.js";
import { CampusMap } from "./map.js";
import { Position } from "./position.js";
import { acceptDrops, Source } from "./source.js";

const page = Object.fromEntries(Array.from(document.querySelectorAll("[id]"), (found) => [found.id, found]));
const fences = { inside: "Inside the campus", outside: "Outside the campus", too_close_to_tell: "At the edge of the campus" };
const waiting = "Waiting for the camera. Allow access if the browser asks for it.";
const directions = ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"];
// Messages for rejected connections, by HTTP status.
const refusals = {
  401: "The token is missing or wrong. Open the page as /?token=TOKEN, and allow cookies.",
  403: "To use a name other than localhost or 127.0.0.1, start cupola serve with --token.",
  429: "Too many wrong tokens were sent. This page connects again in a minute.",
  503: "cupola serve has reached its limit of pages (--pages). This page connects when another one is closed.",
};
const texts = { start: page["start-text"].textContent, where: page.where.textContent, place: page["place-title"].textContent };
const noPosition = "This photo contains no position, so no position was used.";
// Times in milliseconds: how long messages are shown, how often the rate is updated, and the time span of the rate.
const messageTime = 8000, rateTime = 500, rateSpan = 2000;

// The least probability of the candidates that the map shows.
const leastLikely = 0.05;

const view = new AnswerView(page);
const map = new CampusMap(page.map, (place) => position.standAt(place));
const position = new Position(showPosition, (reason) => {
  placeProblem = reason;
  showWhere();
});
// The formats of photos that the server reads; undefined until it has told them.
let formats;
let hasOverlay = false, isEncoding = false, sentTurn = 0, shown = "";
// The place in the displayed photo, null if it has none, or undefined without an answer.
let photoPlace;
let fence = null, placeProblem = null, sentPlace = JSON.stringify(position.message);
let messageTimer = 0, landings = [], wasOpen = false;

// The server has stored the token in a cookie, so it need not stay in the address and the history.
const visible = new URL(location.href);
if (visible.searchParams.has("token")) {
  visible.searchParams.delete("token");
  history.replaceState(history.state, "", visible);
}

function address(path) { return new URL(path, location.href); }

// MARK: The server

const live = address("live");
live.protocol = location.protocol === "https:" ? "wss:" : "ws:";

const connection = new Connection(live, {
  opened() {
    wasOpen = true;
    showState("open", "Connected");
    loadCampus();
    if (position.place) connection.post(position.message);
    if (hasOverlay) connection.post({ type: "overlay", on: true });
    source.wake();
    if (photoPlace === undefined) answerPhoto();
  },
  closed() {
    showState("closed", "Connection lost. Reconnecting...");
    landings = [];
    enableKeep(source.photo !== null);
    if (!wasOpen) showRefusal();
    wasOpen = false;
  },
  answer(answer, turn, milliseconds) {
    landings.push({ at: performance.now(), milliseconds, server: answer.serverMilliseconds });
    if (turn === source.turn) {
      showAnswer(answer);
      // The map must not move under the pointer of someone who sets a position.
      const isMovable = position.isFollowing || !position.place;
      if (isMovable) map.focus(position.place, answer.verdict === "building" ? [answer.label] : []);
    }
    pump();
  },
  kept: showKept,
  problem(words, isAboutFrame) {
    if (!isAboutFrame) write(page.kept, words);
    showMessage(words);
  },
  ready: pump,
});

function showAnswer(answer) {
  view.show(answer);
  map.name(answer.verdict === "building" || answer.verdict === "mapped_building" ? answer.label : null);
  fence = fences[answer.fence] ?? null;
  showWhere();
}

function showKept(label, photos) { write(page.kept, `Kept ${photos} ${photos === 1 ? "photo" : "photos"} of ${label}`); }

function showState(state, words) {
  page.state.dataset.state = state;
  write(page.state, words);
}

async function loadCampus() {
  try {
    const response = await fetch(address("campus.json"), { cache: "no-store" });
    if (response.ok) useCampus(object(await response.json()) ?? {});
  } catch {
    // The next connection loads it again.
  }
}

// Requests the address without a WebSocket, because browsers hide the status of rejected WebSockets.
async function showRefusal() {
  try {
    const { status } = await fetch(address("live"), { cache: "no-store" });
    if (refusals[status]) showMessage(refusals[status]);
  } catch {
  }
}

// The outline of a building that is only a point on the map, about 13 m wide.
function squareAt(position) {
  const { longitude: x, latitude: y } = object(position) ?? {}, half = 6e-5;
  return Number.isFinite(x) && Number.isFinite(y) ? [[[x - half, y], [x, y + half], [x + half, y], [x, y - half]]] : [];
}

function useCampus(campus) {
  const list = (value) => Array.isArray(value) ? value : [];
  const labels = list(campus.labels).filter(text);
  const buildings = list(campus.buildings).map(object).filter((building) => text(building?.label))
    .map(({ label, name, record, rings }) => ({ label, name: text(name) ?? inWords(label), record: object(record), rings: list(rings).length ? rings : squareAt(object(record)?.position) }));
  view.campus = { labels, buildings: new Map(buildings.map((building) => [building.label, building])) };
  write(page.model, text(campus.model) ?? "");
  page.place.hidden = !map.load({ fence: campus.fence, buildings });
  page.keep.hidden = campus.collects !== true;
  if (Array.isArray(campus.photo_formats)) formats = campus.photo_formats;
  page.labels.replaceChildren(...labels.map((label) =>
    Object.assign(make("option"), { value: label, label: view.campus.buildings.get(label)?.name ?? inWords(label) })));
}

// MARK: Pictures

const source = new Source(page.video, page.photo, {
  changed: showSource,
  frame: pump,
  message: showMessage,
  failed(reason) {
    showSource();
    write(page["start-text"], reason);
  },
});

async function pump() {
  if (isEncoding || !connection.isReady || document.hidden || !source.hasFrame) return;
  isEncoding = true;
  const turn = source.turn, frame = await source.frame();
  isEncoding = false;
  if (turn !== source.turn || !connection.isReady) return pump();
  if (!frame) return showMessage("This frame is too large to send.");
  if (sentTurn !== turn) connection.post({ type: "forget" });
  sentTurn = turn;
  connection.send(frame, turn);
  enableKeep(true);
}

// Shows the answer for a photo by itself: neither earlier frames nor the position of the viewer change it.
async function answerPhoto() {
  const { photo, turn } = source, isExplained = hasOverlay;
  if (!photo) return;
  try {
    const answer = await askPhoto(photo, address(isExplained ? "photo?overlay=1" : "photo"), formats);
    if (turn !== source.turn || isExplained !== hasOverlay) return;
    const isNew = photoPlace === undefined, likely = answer.candidates.filter(({ probability }) => probability >= leastLikely);
    photoPlace = answer.place;
    map.mark(photoPlace);
    showAnswer(answer);
    map.focus(photoPlace, likely.map(({ label }) => label), isNew);
  } catch (error) {
    if (turn !== source.turn) return;
    view.clear("No answer");
    showMessage(error.message);
  }
}

function showSource() {
  const { kind, files, index } = source, isCamera = kind === "camera", isPhoto = kind === "photo";
  page.stage.classList.toggle("idle", kind === null);
  page.start.hidden = kind !== null;
  write(page["start-text"], source.isStarting ? waiting : source.whyNoCamera ?? texts.start);
  page["start-button"].hidden = source.isStarting;
  page.video.hidden = !isCamera && kind !== "video";
  page.photo.hidden = !isPhoto;
  write(page["camera-button"], isCamera ? "Stop camera" : "Start camera");
  page.pages.hidden = !files.length;
  page.previous.hidden = page.next.hidden = files.length < 2;
  write(page.which, files.length ? `${index + 1} of ${files.length}: ${files[index].name}` : "");
  if (shown !== `${source.turn} ${kind}`) {
    view.clear(kind === null ? "No photo yet" : isPhoto ? "Recognizing..." : "Looking...", isPhoto);
    map.name(null);
    [fence, photoPlace] = [null, undefined];
    enableKeep(isPhoto);
    showPlaceOf(isPhoto);
    answerPhoto();
  }
  shown = `${source.turn} ${kind}`;
  fitStage();
  showCameras();
  pump();
}

// The map shows the position in a photo, or else that of the viewer.
function showPlaceOf(isPhoto) {
  map.isSettable = !isPhoto;
  map.mark(isPhoto ? null : position.place);
  write(page["place-title"], isPhoto ? "Position of the photo" : texts.place);
  page["place-buttons"].hidden = isPhoto;
  showWhere();
}

function fitStage() {
  const [width, height] = source.size ?? [4, 3], scale = 640 / Math.max(width, height);
  page.stage.style.aspectRatio = `${width} / ${height}`;
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  if (page.overlay.width !== size.width || page.overlay.height !== size.height) Object.assign(page.overlay, size);
  page.overlay.hidden = source.kind === null || !hasOverlay;
  page.stage.classList.toggle("overlaid", !page.overlay.hidden);
}

async function showCameras() {
  const cameras = source.kind === "camera" ? await source.cameras() : [];
  if (cameras.length > 1 && source.kind === "camera") {
    page.cameras.replaceChildren(...cameras.map(({ identifier, name, isUsed }) =>
      Object.assign(make("option"), { value: identifier, textContent: name, selected: isUsed })));
  }
  page["camera-choice"].hidden = cameras.length < 2 || source.kind !== "camera";
}

function showMessage(words) {
  clearTimeout(messageTimer);
  page.message.hidden = false;
  write(page.message, words);
  messageTimer = setTimeout(() => { page.message.hidden = true; }, messageTime);
}

function showRate() {
  const since = performance.now() - rateSpan;
  landings = landings.filter((landing) => landing.at > since);
  const median = (key) => Math.round(landings.map((landing) => landing[key]).sort((a, b) => a - b)[landings.length >> 1]);
  write(page.rate, landings.length ? `${Math.round(landings.length * 1000 / rateSpan)} answers/s \u00b7 ${median("milliseconds")} ms` : "");
  write(page["server-rate"], landings.length ? ` (server ${median("server")} ms)` : "");
}

// MARK: The position

function showPosition() {
  const message = JSON.stringify(position.message);
  placeProblem = null;
  if (!source.photo) map.mark(position.place);
  page.follow.setAttribute("aria-pressed", position.isFollowing);
  page.leave.disabled = !position.place && !position.isFollowing;
  if (message !== sentPlace) {
    connection.post(position.message);
    source.wake();
  }
  sentPlace = message;
  showWhere();
}

function showWhere() {
  const place = source.photo ? photoPlace : position.place, { isFollowing } = position;
  if (source.photo && !place) return write(page.where, place === null ? noPosition : "");
  if (!place) return write(page.where, placeProblem ?? (isFollowing ? "Waiting for the position..." : texts.where));
  const away = map.distance(place), parts = [away > 0 ? "Off this map" : fence ?? "On this map"];
  if (away > 0) parts.push(away < 1000 ? `${Math.round(away)} m away` : `${Math.round(away / 1000)} km away`);
  if (place.accuracy) parts.push(`accurate to ${Math.max(1, Math.round(place.accuracy))} m`);
  if (place.heading !== null) parts.push(`facing ${directions[Math.round(place.heading / 45) % 8]}`);
  write(page.where, parts.join(", "));
}

// MARK: Keeping

function enableKeep(isKeepable) {
  if (page["keep-button"].disabled === isKeepable) page["keep-button"].disabled = !isKeepable;
}

function keep() {
  if (page.keep.hidden || page["keep-button"].disabled) return;
  const written = page["keep-label"].value.trim(), { labels, buildings } = view.campus;
  // A label takes precedence over a building with the same name.
  const isLabel = labels.includes(written) || buildings.has(written);
  const named = Array.from(buildings.values()).find((building) => building.name.toLowerCase() === written.toLowerCase());
  if (!written) {
    write(page.kept, "Choose a building or enter a new label first.");
    page["keep-label"].focus();
    return;
  }
  const label = isLabel ? written : named?.label ?? written;
  if (!source.photo) return connection.post({ type: "keep", label });
  keepPhoto(source.photo, address(`photo?label=${encodeURIComponent(label)}`))
    .then(({ label, photos }) => showKept(label, photos), (error) => {
      write(page.kept, error.message);
      showMessage(error.message);
    });
}

// MARK: Buttons, keys and files

function turnOverlay() {
  hasOverlay = !hasOverlay;
  page["overlay-button"].setAttribute("aria-pressed", hasOverlay);
  page.legend.hidden = !hasOverlay;
  connection.post({ type: "overlay", on: hasOverlay });
  fitStage();
  source.wake();
  answerPhoto();
}

// Continues when the page is visible again, or the network is back.
function resume() {
  if (!document.hidden) {
    position.refresh();
    connection.reopen();
  }
  pump();
}

// Wraps around at the ends, so that buttons do not disappear while they are used.
function turnPage(step) {
  const { length } = source.files;
  if (length > 1) source.show((source.index + step + length) % length);
}

function press(event) {
  const isWriting = event.target.closest("input, select, textarea, [role=application]");
  if (isWriting || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  if (event.key === "k" || event.key === "K") keep();
  else if (event.target === page.video) return;
  else if (event.key === "ArrowLeft") turnPage(-1);
  else if (event.key === "ArrowRight") turnPage(1);
  else return;
  event.preventDefault();
}

page["camera-button"].addEventListener("click", () => source.kind === "camera" ? source.stop() : source.startCamera());
page["start-button"].addEventListener("click", () => {
  if (source.whyNoCamera) return page.files.click();
  page["camera-button"].focus();
  source.startCamera();
});
page.cameras.addEventListener("change", () => source.startCamera(page.cameras.value));
page["open-button"].addEventListener("click", () => page.files.click());
page.files.addEventListener("change", () => {
  if (page.files.files.length) source.open(page.files.files);
  page.files.value = "";
});
page.previous.addEventListener("click", () => turnPage(-1));
page.next.addEventListener("click", () => turnPage(1));
page["overlay-button"].addEventListener("click", turnOverlay);
page.video.addEventListener("resize", fitStage);
page["map-in"].addEventListener("click", () => map.zoom(1.5));
page["map-out"].addEventListener("click", () => map.zoom(1 / 1.5));
page["map-all"].addEventListener("click", () => map.showAll());
page.follow.addEventListener("click", () => position.isFollowing ? position.leave() : position.follow());
page.leave.addEventListener("click", () => {
  position.leave();
  page.follow.focus();
});
page["keep-button"].addEventListener("click", keep);
page["keep-label"].addEventListener("keydown", (event) => { if (event.key === "Enter") keep(); });
document.addEventListener("keydown", press);
document.addEventListener("visibilitychange", resume);
window.addEventListener("online", resume);

if (source.whyNoCamera) write(page["start-button"], page["open-button"].textContent);
acceptDrops(source, page.drop);
showSource();
setInterval(showRate, rateTime);
connection.open();
// Start the camera immediately if access was granted before.
navigator.permissions?.query({ name: "camera" }).then(({ state }) => { if (state === "granted" && source.turn === 0) source.startCamera(); }, () => {});
