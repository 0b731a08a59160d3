// The WebSocket connection to `cupola serve`, and requests about single photos. At most one frame is in flight, lost
// connections are reopened, and messages are validated so that they cannot cause exceptions.

const shortestWait = 500, longestWait = 8000;
const answerTimeout = 10_000;
// The pause after a rejected frame, in milliseconds.
const pauseAfterError = 500;
// How often a photo is sent, and the pause between in milliseconds, if the server is busy or cannot be reached.
const mostTrials = 4, trialPause = 1000;

export class Connection {
  #address;
  #events;
  #socket = null;
  #wait = shortestWait;
  #again = 0;
  #flight = null;
  #watch = 0;
  #restUntil = 0;

  // `events` has opened(), closed(), answer(answer, flight, milliseconds), kept(label, photos),
  // problem(text, isAboutFrame) and ready(), which is called when frames may be sent again after a problem.
  constructor(address, events) {
    this.#address = address;
    this.#events = events;
  }

  get isOpen() { return this.#socket?.readyState === WebSocket.OPEN; }

  get isReady() { return this.isOpen && !this.#flight && performance.now() >= this.#restUntil; }

  open() {
    clearTimeout(this.#again);
    this.#again = 0;
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    socket.addEventListener("open", () => this.#events.opened());
    socket.addEventListener("message", (event) => { if (this.#socket === socket) this.#hear(event.data); });
    socket.addEventListener("close", () => { if (this.#socket === socket) this.#close(); });
  }

  // Reconnects immediately when the page becomes visible again or the network is back.
  reopen() {
    if (!this.#again) return;
    this.#wait = shortestWait;
    this.open();
  }

  // Closes the connection without reopening it.
  close() {
    const socket = this.#socket;
    clearTimeout(this.#again);
    this.#again = 0;
    this.#land();
    this.#socket = null;
    socket?.close();
  }

  send(frame, flight) {
    this.#flight = { flight, since: performance.now() };
    this.#socket.send(frame);
    this.#waitFor(answerTimeout);
  }

  post(message) { if (this.isOpen) this.#socket.send(JSON.stringify(message)); }

  #waitFor(milliseconds) {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => this.#socket?.close(), milliseconds);
  }

  #close() {
    clearTimeout(this.#watch);
    this.#socket = null;
    this.#flight = null;
    this.#again = setTimeout(() => this.open(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, longestWait);
    this.#events.closed();
  }

  #land() {
    const flight = this.#flight;
    clearTimeout(this.#watch);
    this.#flight = null;
    return flight;
  }

  #hear(data) {
    const message = parse(data);
    if (!message) return;
    this.#wait = shortestWait;
    if (message.type === "answer") {
      const landed = this.#land();
      if (landed) this.#events.answer(answerFrom(message), landed.flight, performance.now() - landed.since);
    } else if (message.type === "kept") {
      this.#events.kept(text(message.label) ?? "", number(message.photos) ?? 0);
    } else if (message.type === "error") {
      this.#refused(text(message.message) ?? "The server rejected this request.", message.about === "frame");
    }
  }

  #refused(problem, isAboutFrame) {
    if (isAboutFrame) {
      this.#land();
      this.#restUntil = performance.now() + pauseAfterError;
      setTimeout(() => this.#events.ready(), pauseAfterError + 1);
    }
    this.#events.problem(problem, isAboutFrame);
  }
}

// Sends a photo to `address` and returns the answer, which is that of `cupola classify` and depends on nothing else.
// `photo` has a `file`, and `smaller()` for servers and proxies that do not accept it. `formats` lists the formats that
// the server reads; if it is unknown, each file is sent first. Throws an Error for the page.
export async function askPhoto(photo, address, formats) {
  const message = await sendPhoto(photo, address, formats);
  return answerFrom(message);
}

// Saves a photo as a training photo. Returns { label, photos }.
export async function keepPhoto(photo, address) {
  const message = await sendPhoto(photo, address, ["jpeg"]);
  return { label: text(message.label) ?? "", photos: number(message.photos) ?? 0 };
}

async function sendPhoto(photo, address, formats) {
  const format = photo.file.type.replace("image/", "").replace("heif", "heic");
  const isReadable = !formats || !format || formats.includes(format);
  let body = isReadable ? photo.file : await photo.smaller(), trials = 0;
  while (body) {
    const response = await fetch(address, { method: "POST", body, cache: "no-store" }).catch(() => null);
    const message = response ? parse(await response.text().catch(() => "")) : null;
    if (response?.ok && message) return message;
    // Proxies may close the connection without an answer if a file is too large.
    const isRefused = !response || [413, 415, 422].includes(response.status);
    const isBusy = !response || response.status === 503;
    if (isRefused && body === photo.file) body = await photo.smaller();
    else if (!isBusy || trials >= mostTrials) throw new Error(text(message?.message) ?? "The photo could not be sent to the server.");
    trials += 1;
    if (isBusy) await new Promise((done) => setTimeout(done, trialPause));
  }
  throw new Error("The photo is too large to send.");
}

function parse(data) {
  if (typeof data !== "string") return null;
  try { return object(JSON.parse(data)); } catch { return null; }
}

const verdicts = new Set(["building", "mapped_building", "unsure", "looking", "not_a_campus_building", "not_on_campus"]);

function answerFrom(message) {
  const milliseconds = object(message.milliseconds) ?? {};
  const candidates = Array.isArray(message.candidates) ? message.candidates : [];
  return {
    verdict: verdicts.has(message.verdict) ? message.verdict : "looking",
    title: text(message.title) ?? "",
    detail: text(message.detail) ?? "",
    label: text(message.label),
    building: object(message.building),
    probability: share(message.probability),
    frameLabel: text(message.frame_label),
    frameProbability: share(message.frame_probability),
    // As in the command's text: next to a rejection, the probabilities of buildings would be misread as parts of 100%.
    hasShares: message.verdict !== "not_a_campus_building" || message.reason === "unfamiliar",
    candidates: candidates.map(candidateFrom).filter((candidate) => candidate?.probability >= leastShare).slice(0, 3),
    place: placeFrom(object(message.position), object(message.heading)),
    hint: text(message.hint),
    fence: text(message.fence),
    overlay: overlayFrom(object(message.overlay)),
    nearest: text(message.nearest?.path),
    serverMilliseconds: Object.values(milliseconds).reduce((sum, part) => sum + (number(part) ?? 0), 0),
  };
}

// Lower probabilities would be shown as 0.0%.
const leastShare = 0.0005;

function candidateFrom(value) {
  const candidate = object(value), label = text(candidate?.label);
  return label === null ? null : { label, name: text(candidate.name), probability: share(candidate.probability) ?? 0 };
}

// The position and heading that a photo contains; null if it has no position.
function placeFrom(position, heading) {
  const latitude = number(position?.latitude), longitude = number(position?.longitude);
  if (latitude === null || longitude === null) return null;
  return { latitude, longitude, accuracy: number(position.horizontal_error_m), heading: number(heading?.degrees), headingAccuracy: null };
}

function overlayFrom(overlay) {
  if (!overlay || !Array.isArray(overlay.values)) return null;
  const { columns, rows, values } = overlay;
  const isGrid = [columns, rows].every((side) => Number.isInteger(side) && side > 0 && side <= 256);
  return isGrid && values.length === columns * rows ? { columns, rows, values: values.map((value) => number(value) ?? 0) } : null;
}

export function object(value) { return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null; }

export function text(value) { return typeof value === "string" && value !== "" ? value : null; }

export function number(value) { return typeof value === "number" && Number.isFinite(value) ? value : null; }

function share(value) {
  const found = number(value);
  return found === null ? null : Math.min(1, Math.max(0, found));
}
