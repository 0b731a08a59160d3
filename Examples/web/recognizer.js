// The recognizer: a C export compiled to WebAssembly, one answer for the frames of a scene, and the place in a photo.

const verdicts = ["building", "not_a_campus_building", "unsure", "mapped_building"];

export class Recognizer {
  static async load(source) {
    const compiled = source instanceof Response
      ? await WebAssembly.instantiateStreaming(source, imports) : await WebAssembly.instantiate(source, imports);
    return new Recognizer(compiled.instance.exports);
  }

  #code;
  #pixels;
  #probabilities;
  mostPixels;

  constructor(code) {
    code._initialize?.();
    code.cupola_web_start();
    this.#code = code;
    this.mostPixels = code.cupola_web_most_pixels();
    this.#pixels = new Uint8ClampedArray(code.memory.buffer, code.cupola_web_pixels(), 4 * this.mostPixels);
    this.#probabilities = new Float32Array(code.memory.buffer, code.cupola_web_probabilities(), code.cupola_web_labels());
  }

  // Returns one probability per label: 0 is "no building", 1... are the buildings, the last may be "unknown building".
  look({ data, width, height }) {
    this.#pixels.set(data);
    if (this.#code.cupola_web_look(width, height) !== 0) throw new RangeError(`a frame of ${width} x ${height} pixels`);
    return Float64Array.from(this.#probabilities);
  }

  // The answer for probabilities and a place {latitude, longitude, accuracy, heading, view}, which may be null.
  answer(probabilities, place) {
    const code = this.#code;
    if (place && this.isOffCampus(place)) return { verdict: "not_on_campus" };
    this.#probabilities.set(probabilities);
    code.cupola_web_answer(unknown(place?.latitude), unknown(place?.longitude), place?.accuracy ?? 15, unknown(place?.heading), unknown(place?.view));
    const [first, second] = [code.cupola_web_first(), code.cupola_web_second()].map((number) => this.#building(number));
    return { verdict: verdicts[code.cupola_web_verdict()], first, second, probability: code.cupola_web_probability() };
  }

  isOffCampus(place) {
    return this.#code.cupola_web_off_campus(unknown(place.latitude), unknown(place.longitude), place.accuracy ?? 15) === 1;
  }

  #building(number) {
    if (number < 0) return null;
    const [label, name] = [this.#code.cupola_web_building_label(number), this.#code.cupola_web_building_name(number)];
    return { label: this.#text(label), name: this.#text(name) };
  }

  #text(address) {
    const bytes = new Uint8Array(this.#code.memory.buffer, address);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }
}

// C would read null as 0.
const unknown = (value) => value ?? NaN;

// Compiled C code may import system functions, but the classifier never calls them.
const imports = { wasi_snapshot_preview1: new Proxy({}, { get: () => () => 52, has: () => true }) };

// In milliseconds: the time over which probabilities are averaged, and the time before a new answer is shown.
const memory = 400, holdTime = 400;

// Combines the frames of a scene into a steady answer, similar to Cupola's LiveRecognizer in Swift.
export class Scene {
  #logarithms = null;
  #at = 0;
  #shown = { verdict: "looking" };
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
  return one.verdict === other.verdict && one.first?.label === other.first?.label;
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
