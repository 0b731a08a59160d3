// The recognizer: a C export compiled to WebAssembly, and one answer for the frames of a scene.

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
