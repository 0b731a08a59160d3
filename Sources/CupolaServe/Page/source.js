// Where pictures come from: a camera, photos or videos; and the frames that are sent of them.

const longestSide = 640, longestShown = 1600;
const mostBytes = 1_000_000;
// The quality of frames, and what is tried when a frame is too large.
const qualities = [0.85, 0.7, 0.5, 0.3, 0.1];
// A photo is sent until this many answers in a row agree, and no more often than this.
const enoughAlike = 3, mostSends = 20;

const insecure = "Browsers offer the camera only to secure pages: phones need an https address. Photos and videos can still be opened or dropped here.";
const reasons = {
  NotAllowedError: "The camera was not allowed. Allow it in the browser's settings of this page and start it again, or open photos or videos.",
  NotFoundError: "No camera was found. Photos and videos can still be opened or dropped here.",
  OverconstrainedError: "This camera is not there any more. Choose another one.",
  NotReadableError: "The camera does not answer; perhaps another program uses it.",
};

export class Source {
  // "camera", "photo", "video", or null where nothing is shown.
  kind = null;
  // Counts what was shown, to tell old frames from new ones.
  turn = 0;
  // Whether a camera was asked for that does not show anything yet.
  isStarting = false;
  #video;
  #photo;
  #events;
  #canvas = document.createElement("canvas");
  #files = [];
  #index = 0;
  #stream = null;
  #address = null;
  #isFresh = false;
  #still = null;
  #sends = 0;
  #alike = [];

  // `events` has changed(): something else is shown; frame(): there may be a new frame; message(text): one line for
  // people; failed(text): nothing can be shown, and why.
  constructor(video, photo, events) {
    this.#video = video;
    this.#photo = photo;
    this.#events = events;
    video.addEventListener("error", () => {
      if (this.#address) this.#fail(`${this.#files[this.#index].name} cannot be played by this browser.`);
    });
    this.#watch();
  }

  get index() { return this.#index; }
  get files() { return this.#files; }

  // Why the browser has no camera for this page; null where it may have one.
  get whyNoCamera() {
    if (navigator.mediaDevices?.getUserMedia) return null;
    return window.isSecureContext ? reasons.NotFoundError : insecure;
  }

  // The width and height of what is shown, or null.
  get size() {
    if (this.kind === "photo") return [this.#photo.width, this.#photo.height];
    const { videoWidth, videoHeight } = this.#video;
    return this.kind && videoWidth && videoHeight ? [videoWidth, videoHeight] : null;
  }

  get hasFrame() {
    if (this.kind === "photo") return this.#still !== null && this.#sends < mostSends;
    return this.kind !== null && this.#isFresh && this.#video.readyState >= 2 && this.#video.videoWidth > 0;
  }

  // The present frame as JPEG, or null.
  async frame() {
    if (this.kind === "photo") {
      this.#sends += 1;
      return this.#still;
    }
    this.#isFresh = false;
    shrink(this.#video, this.size, longestSide, this.#canvas);
    return encode(this.#canvas);
  }

  // A photo needs no more frames once its answers agree.
  heard(answer) {
    if (this.kind !== "photo") return;
    const said = answer.verdict === "looking" ? null : `${answer.verdict} ${answer.label}`;
    if (said === null || this.#alike[0] !== said) this.#alike = [];
    if (said !== null) this.#alike.push(said);
    if (this.#alike.length >= enoughAlike) this.#sends = mostSends;
  }

  // The server does not take this photo.
  refused() { this.#sends = mostSends; }

  // Something is different now, such as the position: what is shown is asked about again.
  wake() {
    this.#sends = 0;
    this.#alike = [];
    this.#isFresh = true;
    this.#events.frame();
  }

  // The back camera, or the one with an identifier.
  async startCamera(identifier) {
    const turn = this.#begin();
    this.#files = [];
    if (this.whyNoCamera) return this.#fail(this.whyNoCamera);
    this.isStarting = true;
    this.#events.changed();
    const which = identifier ? { deviceId: { exact: identifier } } : { facingMode: { ideal: "environment" } };
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { ...which, width: { ideal: 1280 } } });
      if (turn !== this.turn) return end(stream);
      this.#stream = stream;
      stream.getVideoTracks()[0]?.addEventListener("ended", () => {
        if (turn === this.turn) this.#fail("The camera has stopped.");
      });
      this.#video.controls = false;
      this.#video.srcObject = stream;
      await this.#play("camera", turn);
    } catch (error) {
      if (turn === this.turn) this.#fail(reasons[error.name] ?? `The camera does not start: ${error.message}`);
    }
  }

  // The cameras that there are, and which of them is used.
  async cameras() {
    const devices = await navigator.mediaDevices?.enumerateDevices?.().catch(() => []) ?? [];
    const used = this.#stream?.getVideoTracks()[0]?.getSettings().deviceId;
    return devices.filter((device) => device.kind === "videoinput" && device.deviceId)
      .map((device, index) => ({ identifier: device.deviceId, name: device.label || `Camera ${index + 1}`, isUsed: device.deviceId === used }));
  }

  stop() {
    this.#begin();
    this.#files = [];
    this.#events.changed();
  }

  // Photos and videos, the first one shown.
  open(files) {
    const all = Array.from(files);
    const usable = all.filter((file) => /^(image|video)\//.test(file.type) || /\.(jpe?g|png|webp|hei[cf]|avif|gif|mp4|mov|m4v|webm|mkv)$/i.test(file.name));
    const other = all.find((file) => !usable.includes(file));
    if (!all.length) this.#events.message("Only photo and video files can be dropped here.");
    else if (other) this.#events.message(`${other.name} is neither a photo nor a video.`);
    if (!usable.length) return;
    this.#files = usable;
    this.show(0);
  }

  // One of the opened files.
  async show(index) {
    if (!(index in this.#files)) return;
    const turn = this.#begin(), file = this.#files[index];
    this.#index = index;
    if (/^video\//.test(file.type) || /\.(mp4|mov|m4v|webm|mkv)$/i.test(file.name)) {
      this.#address = URL.createObjectURL(file);
      this.#video.controls = true;
      this.#video.src = this.#address;
      return this.#play("video", turn);
    }
    try {
      const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
      if (turn !== this.turn) return picture.close();
      shrink(picture, [picture.width, picture.height], longestShown, this.#photo);
      picture.close();
      shrink(this.#photo, [this.#photo.width, this.#photo.height], longestSide, this.#canvas);
      const still = await encode(this.#canvas);
      if (turn !== this.turn) return;
      if (!still) return this.#fail(`${file.name} is too large to send.`);
      this.#photo.setAttribute("aria-label", `The photo ${file.name}`);
      this.#still = still;
      this.#sends = 0;
      this.#alike = [];
      this.kind = "photo";
      this.#events.changed();
    } catch {
      if (turn === this.turn) this.#fail(`${file.name} cannot be opened by this browser.`);
    }
  }

  async #play(kind, turn) {
    this.kind = kind;
    this.isStarting = false;
    this.#events.changed();
    // A video that may not start by itself has a button for it; one that cannot be played tells its error.
    try { await this.#video.play(); } catch { if (turn === this.turn) this.#video.controls = true; }
  }

  // Ends what is shown. What comes next has a new turn.
  #begin() {
    this.turn += 1;
    this.kind = null;
    this.isStarting = false;
    this.#still = null;
    this.#isFresh = false;
    const video = this.#video, address = this.#address;
    this.#address = null;
    if (this.#stream) end(this.#stream);
    this.#stream = null;
    if (video.srcObject || address) {
      video.pause();
      video.srcObject = null;
      video.removeAttribute("src");
      video.load();
    }
    if (address) URL.revokeObjectURL(address);
    return this.turn;
  }

  #fail(reason) {
    this.#begin();
    this.#events.failed(reason);
  }

  // Says when the video has a new frame. Nothing is said while the page is hidden.
  #watch() {
    const video = this.#video, isNamed = "requestVideoFrameCallback" in HTMLVideoElement.prototype;
    let last = -1;
    const next = () => isNamed ? video.requestVideoFrameCallback(look) : requestAnimationFrame(look);
    const look = () => {
      if (isNamed || video.currentTime !== last) {
        last = video.currentTime;
        this.#isFresh = true;
        this.#events.frame();
      }
      next();
    };
    next();
  }
}

// Opens files that are dropped anywhere on the page; `curtain` is shown while they are held over it.
export function acceptDrops(source, curtain) {
  window.addEventListener("dragover", (event) => {
    event.preventDefault();
    curtain.hidden = false;
  });
  window.addEventListener("dragleave", (event) => { if (!event.relatedTarget) curtain.hidden = true; });
  window.addEventListener("drop", (event) => {
    event.preventDefault();
    curtain.hidden = true;
    source.open(event.dataTransfer?.files ?? []);
  });
}

function end(stream) { for (const track of stream.getTracks()) track.stop(); }

// Canvases in between, kept for the next frame.
const halves = [];

// Draws a picture on a canvas whose longer side is at most `longest`: by halves, so that nothing in it is skipped.
function shrink(picture, [width, height], longest, canvas) {
  const scale = Math.min(1, longest / Math.max(width, height));
  const goal = [width, height].map((side) => Math.max(1, Math.round(side * scale)));
  let from = picture, size = [width, height];
  for (let step = 0; Math.max(...size) > 2 * longest; step += 1) {
    size = size.map((side) => Math.max(1, Math.round(side / 2)));
    from = draw(from, size, halves[step] ??= document.createElement("canvas"));
  }
  draw(from, goal, canvas);
}

function draw(picture, [width, height], canvas) {
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d", { alpha: false });
  // What is transparent lies over white, as everywhere else, and not over the picture before.
  context.fillStyle = "white";
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, width, height);
  return canvas;
}

// A JPEG of at most `mostBytes`, or null.
async function encode(canvas) {
  for (const quality of qualities) {
    const frame = await new Promise((done) => canvas.toBlob(done, "image/jpeg", quality));
    if (frame && frame.size <= mostBytes) return frame;
  }
  return null;
}
