// Images from a camera, photos or videos: the frames sent to the server, and photos as files.

const longestSide = 640, longestShown = 1600;
const mostBytes = 1_000_000;
// The JPEG quality for frames, followed by lower qualities for frames that are too large.
const qualities = [0.85, 0.7, 0.5, 0.3, 0.1];
// The longer side of a photo that is sent instead of a file that the server does not accept, and the number of bytes at
// the start of a file that contain its metadata.
const longestSent = 1600, headBytes = 1 << 18;

const insecure = "Browsers allow the camera only on secure pages, so phones need an https address. You can still open or drop photos and videos.";
const reasons = {
  NotAllowedError: "Access to the camera was denied. Allow it in the browser's settings for this page and start the camera again, or open photos or videos.",
  NotFoundError: "No camera was found. You can still open or drop photos and videos.",
  OverconstrainedError: "This camera is no longer available. Choose another one.",
  NotReadableError: "The camera does not respond. Another program may be using it.",
};

export class Source {
  kind = null;
  // Increases with each new image source, to distinguish old frames from new ones.
  turn = 0;
  // Whether a camera was requested but has not delivered an image yet.
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

  // `events` has changed(), called when something else is shown; frame(), when there may be a new frame;
  // message(text), with a line of text; and failed(text), with the reason why nothing can be shown.
  constructor(video, photo, events) {
    this.#video = video;
    this.#photo = photo;
    this.#events = events;
    video.addEventListener("error", () => {
      if (this.#address) this.#fail(`${this.#files[this.#index].name} cannot be played in this browser.`);
    });
    this.#watch();
  }

  get index() { return this.#index; }
  get files() { return this.#files; }

  // The reason why this page cannot use a camera; null if it can.
  get whyNoCamera() {
    if (navigator.mediaDevices?.getUserMedia) return null;
    return window.isSecureContext ? reasons.NotFoundError : insecure;
  }

  get size() {
    if (this.kind === "photo") return [this.#photo.width, this.#photo.height];
    const { videoWidth, videoHeight } = this.#video;
    return this.kind && videoWidth && videoHeight ? [videoWidth, videoHeight] : null;
  }

  // The displayed photo: its file, and smaller(), which returns a smaller JPEG file with the same position; otherwise
  // null.
  get photo() { return this.kind === "photo" ? this.#still : null; }

  // Photos have no frames. They are answered by themselves.
  get hasFrame() {
    return ["camera", "video"].includes(this.kind) && this.#isFresh && this.#video.readyState >= 2 && this.#video.videoWidth > 0;
  }

  async frame() {
    this.#isFresh = false;
    shrink(this.#video, this.size, longestSide, this.#canvas);
    return encode(this.#canvas);
  }

  // Sends the displayed frame again, for example with a new position.
  wake() {
    this.#isFresh = true;
    this.#events.frame();
  }

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
      if (turn === this.turn) this.#fail(reasons[error.name] ?? `The camera cannot be started: ${error.message}`);
    }
  }

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

  open(files) {
    const all = Array.from(files);
    const usable = all.filter((file) => /^(image|video)\//.test(file.type) || /\.(jpe?g|png|webp|hei[cf]|avif|gif|mp4|mov|m4v|webm|mkv)$/i.test(file.name));
    const other = all.find((file) => !usable.includes(file));
    if (!all.length) this.#events.message("Drop photo or video files only.");
    else if (other) this.#events.message(`${other.name} is not a photo or video.`);
    if (!usable.length) return;
    this.#files = usable;
    this.show(0);
  }

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
      this.#photo.setAttribute("aria-label", `Photo ${file.name}`);
      this.#still = { file, smaller: async () => turn === this.turn ? smallerFile(file, this.#photo) : null };
      this.kind = "photo";
      this.#events.changed();
    } catch {
      if (turn === this.turn) this.#fail(`${file.name} cannot be opened in this browser.`);
    }
  }

  async #play(kind, turn) {
    this.kind = kind;
    this.isStarting = false;
    this.#events.changed();
    // If autoplay is blocked, the controls have a play button. Broken videos report an error themselves.
    try { await this.#video.play(); } catch { if (turn === this.turn) this.#video.controls = true; }
  }

  // Ends the current source; the next one gets a new turn.
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

  // Calls frame() for each new frame of the video, unless the page is hidden.
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

// Intermediate canvases, which are reused for the next frame.
const halves = [];

// Draws an image whose longer side is at most `longest`. Halves it step by step, so that no pixels are skipped.
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
  // Transparent pixels become white instead of showing the previous image.
  context.fillStyle = "white";
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, width, height);
  return canvas;
}

async function encode(canvas) {
  for (const quality of qualities) {
    const frame = await new Promise((done) => canvas.toBlob(done, "image/jpeg", quality));
    if (frame && frame.size <= mostBytes) return frame;
  }
  return null;
}

// Encodes a displayed photo as a JPEG file with the position and time of the original file.
async function smallerFile(file, photo) {
  const canvas = document.createElement("canvas");
  shrink(photo, [photo.width, photo.height], longestSent, canvas);
  const picture = await encode(canvas);
  const metadata = await file.slice(0, headBytes).arrayBuffer().then(metadataOf).catch(() => null);
  return picture && metadata ? new Blob([picture.slice(0, 2), metadata, picture.slice(2)], { type: "image/jpeg" }) : picture;
}

// The Exif segment of a JPEG file, for an image that is already upright; null if there is none.
function metadataOf(buffer) {
  const view = new DataView(buffer), exif = 0x45786966, scan = 0xFFDA, orientation = 0x0112;
  if (view.getUint16(0) !== 0xFFD8) return null;
  for (let at = 2; view.getUint16(at) !== scan; at += 2 + view.getUint16(at + 2)) {
    if (view.getUint16(at) !== 0xFFE1 || view.getUint32(at + 4) !== exif) continue;
    const start = at + 10, isLittle = view.getUint16(start) === 0x4949, directory = start + view.getUint32(start + 4, isLittle);
    for (let entry = 0; entry < view.getUint16(directory, isLittle); entry += 1) {
      const place = directory + 2 + 12 * entry;
      if (view.getUint16(place, isLittle) === orientation) view.setUint16(place + 8, 1, isLittle);
    }
    return buffer.slice(at, at + 2 + view.getUint16(at + 2));
  }
  return null;
}
