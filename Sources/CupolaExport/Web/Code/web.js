// The recognizer: the model as WebAssembly, one answer for the frames of a scene, and the position in a photo.

/** Recognizes the building in a photo or in camera images. */
export class CampusRecognizer {
  static async load(folder = ".") {
    const manifest = await json(`${folder}/export.json`), recognizer = new CampusRecognizer();
    const code = await bytesOf(`${folder}/campus.wasm`, manifest.files["campus.wasm"].bytes);
    const { instance } = await WebAssembly.instantiate(code, { math });
    recognizer.notes = manifest.notes;
    recognizer.#start(instance.exports);
    // Name, address and other properties by label. A model without a map has no such file.
    const features = manifest.files["campus.geojson"] ? (await json(`${folder}/campus.geojson`)).features : [];
    recognizer.records = new Map(features.map(({ properties }) => [properties?.label, properties]));
    return recognizer;
  }

  #code;
  #pixels;

  #start(code) {
    code.cupola_web_start();
    this.#code = code;
    this.#pixels = code.memory.buffer.byteLength; // images are stored after all other data
  }

  /** The answer for a photo at its own position, or at another place as for `judge`; null means none. */
  async answer(photo, place) {
    const { p, frame } = await this.probabilities(photo);
    return this.judge(p, place === undefined ? await placeIn(photo, frame.width < frame.height) : place);
  }

  /** The probability p of every label, and the pixels of the upright photo. */
  async probabilities(photo) {
    const picture = await createImageBitmap(photo, { imageOrientation: "from-image" });
    const frame = pixels(picture, picture.width, picture.height, mostPixels);
    return { p: this.look(frame), frame };
  }

  /** The probability of every label: 0 is "no building", 1... are the buildings, the last may be "unknown building". */
  look({ data, width, height }) {
    const code = this.#code, missing = this.#pixels + data.length - code.memory.buffer.byteLength;
    if (missing > 0) code.memory.grow(Math.ceil(missing / 65536));
    new Uint8ClampedArray(code.memory.buffer, this.#pixels, data.length).set(data);
    if (code.cupola_web_look(this.#pixels, width, height) !== 0) throw new RangeError(`a photo of ${width} x ${height} pixels`);
    return Float64Array.from(this.#probabilities);
  }

  /**
   * The answer for probabilities and a place {latitude, longitude, accuracy, heading, view}, which may be null, in the
   * words of `cupola classify`.
   */
  judge(probabilities, place) {
    const code = this.#code;
    if (place && this.isOffCampus(place)) {
      const at = [place.latitude, place.longitude].map((degrees) => degrees.toFixed(5)).join(",");
      return { verdict: "not_on_campus", title: "Not on Campus", detail: `${at} is outside the fence` };
    }
    this.#probabilities.set(probabilities);
    const at = [place?.latitude, place?.longitude, place?.accuracy ?? 15, place?.heading, place?.view];
    code.cupola_web_answer(...at.map(unknown));
    const [first, second] = [0, 1].map((index) => (
      { ...this.#building(code.cupola_web_building(index)), share: code.cupola_web_share(index) }));
    const reason = reasons[code.cupola_web_reason()], verdict = verdicts[reason] ?? "not_a_campus_building";
    const answer = {
      verdict, title: titles[verdict](first.name, second.name), detail: details[reason](first, second, Number.isFinite(place?.heading)),
    };
    if (verdict !== "building" && verdict !== "mapped_building") return answer;
    return { ...answer, label: first.label, record: this.records.get(first.label), probability: first.share };
  }

  isOffCampus({ latitude, longitude, accuracy }) {
    return this.#code.cupola_web_off_campus(unknown(latitude), unknown(longitude), accuracy ?? 15) === 1;
  }

  // The memory can move when it grows.
  get #probabilities() {
    return new Float32Array(this.#code.memory.buffer, this.#code.cupola_web_probabilities(), this.#code.cupola_web_label_count());
  }

  #building(number) {
    if (number < 0) return null;
    return { label: this.#text(this.#code.cupola_web_label(number)), name: this.#text(this.#code.cupola_web_name(number)) };
  }

  #text(address) {
    const bytes = new Uint8Array(this.#code.memory.buffer, address);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }
}

// C would read null as 0.
const unknown = (value) => value ?? NaN;

// WebAssembly has no instructions for these.
const { atan2, cos, exp, hypot, log, log1p, pow, sin } = Math;
const math = {
  atan2, cos, exp, hypot, log, log1p, pow, sin,
  remainder: (a, b) => { const rest = a % b; return Math.abs(rest) > b / 2 ? rest - Math.sign(rest) * b : rest; },
};

// MARK: Texts, as of `cupola classify`

const reasons = ["recognized", "by_place_only", "too_close", "contradicted", "background", "unknown_building", "unfamiliar", "no_buildings"];
const verdicts = { recognized: "building", by_place_only: "mapped_building", too_close: "unsure", contradicted: "unsure" };
const titles = {
  building: (name) => name, mapped_building: (name) => `Probably ${name}`, unsure: (name, other) => `Unsure: ${name} or ${other}`,
  not_a_campus_building: () => "Not a Campus Building",
};
const details = {
  recognized: ({ share }) => percent(share),
  by_place_only: (first, second, hasHeading) => `no training photos; based on position ${hasHeading ? "and heading only" : "only"}`,
  too_close: () => null,
  contradicted: (first, second) => `the image indicates ${first.name}, but the position indicates ${second.name}`,
  background: doubt,
  unknown_building: doubt, // an unfamiliar image can also show an object
  unfamiliar: () => "no building is probable enough",
  no_buildings: () => "the model has no buildings",
};

// Smaller probabilities are shown as 0.0%.
const leastPercent = 0.0005;

// A low accepted error rate also rejects photos whose best building is more probable than everything else.
function doubt({ share }, { share: best }) {
  const text = `${percent(share)} something else`;
  if (best >= share) {
    return share < leastPercent ? "too uncertain for the accepted error rate" : `${text}, too much for the accepted error rate`;
  }
  return share < 0.5 ? `${text}, more than any building` : text;
}

function percent(share) {
  return `${(100 * share).toFixed(1)}%`;
}

// MARK: Files

/**
 * The bytes of a file of the export. Some hosts return a page with status 200 for a missing file, or change files.
 */
async function bytesOf(path, size) {
  const name = path.replace(/^\.\//, "");
  const response = await fetch(path, { cache: "no-cache" }).catch(() => { throw new Error(`${name}: the server does not answer; try again`); });
  const bytes = new Uint8Array(await response.arrayBuffer()), isPage = response.headers.get("content-type")?.includes("text/html");
  if (!response.ok || isPage || bytes[0] === 0x3C) throw new Error(`${name} is missing on the server; copy all files of the export`);
  if (size && bytes.length !== size) {
    throw new Error(`${name} has ${bytes.length} bytes on the server instead of ${size}; copy all files of the export`);
  }
  return bytes;
}

async function json(path) {
  return JSON.parse(new TextDecoder().decode(await bytesOf(path)));
}

// MARK: Images

// All browsers can draw this many pixels.
const mostPixels = 16e6, canvas = document.createElement("canvas");

/** The pixels of an image, reduced to at most `most` pixels. */
export function pixels(picture, width, height, most) {
  const scale = Math.min(1, Math.sqrt(most / (width * height)));
  [canvas.width, canvas.height] = [width, height].map((length) => Math.max(1, Math.floor(length * scale)));
  const context = canvas.getContext("2d", { willReadFrequently: true });
  // Transparent pixels would otherwise be black.
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

// MARK: Scenes

// In milliseconds: the time over which probabilities are averaged, and the time before a new answer is shown.
const memory = 400, holdTime = 400;

// Combines the frames of a scene into a steady answer, similar to Cupola's LiveRecognizer in Swift.
export class Scene {
  #logarithms = null;
  #at = 0;
  #shown = { verdict: "looking", title: "Looking...", detail: "Keep the building in the center." };
  #next = null;

  // Computes a geometric mean of recent frames. Neighboring frames are not independent, so more of them do not
  // increase the confidence.
  update(probabilities, time) {
    const frame = probabilities.map((probability) => Math.log(Math.max(probability, 1e-9)));
    const share = this.#logarithms ? 1 - Math.exp((this.#at - time) / memory) : 1;
    this.#logarithms = frame.map((value, label) => share * value + (1 - share) * (this.#logarithms?.[label] ?? 0));
    this.#at = time;
    const mean = this.#logarithms.map(Math.exp), sum = mean.reduce((total, value) => total + value, 0);
    return mean.map((value) => value / sum);
  }

  show(answer, time) {
    if (isSame(answer, this.#shown)) [this.#shown, this.#next] = [answer, null];
    else if (!this.#next || !isSame(answer, this.#next.answer)) this.#next = { answer, since: time };
    else if (time - this.#next.since >= holdTime) [this.#shown, this.#next] = [answer, null];
    return this.#shown;
  }
}

function isSame(one, other) {
  return one.verdict === other.verdict && one.title === other.title;
}

// The number of bytes at the start of a file that contain its metadata, and the field of view of photos: the sides of
// film in millimeters, the usual focal length, and the plausible ones.
const headBytes = 1 << 18, sides = { level: 34.6, upright: 26 }, usualLength = 27, lengths = [8, 400];

// The place in a JPEG file for `Recognizer.answer`, from its Exif data; null if the file contains no position.
export async function placeIn(file, isUpright) {
  try {
    return readPlace(new DataView(await file.slice(0, headBytes).arrayBuffer()), isUpright);
  } catch {
    return null;
  }
}

function readPlace(view, isUpright) {
  const start = exifStart(view), isLittle = view.getUint16(start) === 0x4949, long = (at) => view.getUint32(at, isLittle);
  const directory = (link) => {
    const at = start + long(link), count = view.getUint16(at, isLittle);
    return new Map(Array.from({ length: count }, (_, index) => at + 2 + 12 * index).map((entry) => [view.getUint16(entry, isLittle), entry]));
  };
  const letter = (entry) => entry ? String.fromCharCode(view.getUint8(entry + 8)).toUpperCase() : "";
  const numbers = (entry, count) => entry ? Array.from({ length: count }, (_, index) => start + long(entry + 8) + 8 * index).map((at) => long(at) / long(at + 4)) : [];
  const main = directory(start + 4);
  if (!main.has(0x8825)) return null;
  const gps = directory(main.get(0x8825) + 8), degrees = (tag) => {
    const [whole, minutes, seconds] = numbers(gps.get(tag), 3), sum = whole + minutes / 60 + (seconds || 0) / 3600;
    return "SW".includes(letter(gps.get(tag - 1)) || "?") ? -sum : sum;
  };
  const latitude = degrees(2), longitude = degrees(4), [error] = numbers(gps.get(0x1F), 1), [heading] = numbers(gps.get(0x11), 1);
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) || (latitude === 0 && longitude === 0)) return null;
  const exif = main.has(0x8769) ? directory(main.get(0x8769) + 8) : new Map(), entry = exif.get(0xA405);
  const length = entry ? view.getUint16(entry + 8, isLittle) : 0, isPlausible = length >= lengths[0] && length <= lengths[1];
  const side = isUpright ? sides.upright : sides.level;
  return {
    latitude, longitude, accuracy: error > 0 ? error : undefined,
    // Magnetic headings would have to be corrected by the declination.
    heading: letter(gps.get(0x10)) !== "M" && Number.isFinite(heading) ? heading : null,
    view: 2 * Math.atan(side / 2 / (isPlausible ? length : usualLength)) * 180 / Math.PI,
  };
}

// The offset of the Exif data. Throws a RangeError if there is none.
function exifStart(view) {
  if (view.getUint16(0) !== 0xFFD8) throw new RangeError("not a JPEG file");
  let at = 2;
  while (view.getUint16(at) !== 0xFFE1 || view.getUint32(at + 4) !== 0x45786966) at += 2 + view.getUint16(at + 2);
  return at + 10;
}
